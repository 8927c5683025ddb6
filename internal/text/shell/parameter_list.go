package shell

import (
	"slices"

	"mvdan.cc/sh/v3/syntax"
)

// changedLists applies an operator to lists: "${@:2}" takes a part, "${x[@]#y}" changes each element. It reports whether all of it is
// known.
func (r *reader) changedLists(p *syntax.ParamExp, lists [][]string, s *scope) (out [][]string, ok bool) {
	for _, list := range lists {
		if p.Excl || slices.ContainsFunc(list, anyNumber) || len(list) > maxActions {
			return nil, false
		}
		changed, ok := list, true
		if p.Slice != nil {
			changed, ok = r.slicedList(p, list, s)
		} else {
			changed, ok = r.changedList(p, list, s)
		}
		if !ok {
			return nil, false
		}
		out = append(out, changed)
	}
	return out, true
}

// slicedList takes a part of a list. The positional parameters begin with $0, which only the offset 0 takes.
func (r *reader) slicedList(p *syntax.ParamExp, list []string, s *scope) ([]string, bool) {
	offset, ok1 := r.integer(p.Slice.Offset, s)
	length, ok2 := r.integer(p.Slice.Length, s)
	if !ok1 || !ok2 || length < 0 {
		return nil, false
	}
	if offset < 0 {
		offset += len(list)
	} else if p.Param.Value == "@" || p.Param.Value == "*" {
		if offset--; offset < 0 {
			return nil, false
		}
	}
	if offset < 0 || offset > len(list) {
		return nil, true
	}
	part := list[offset:]
	if p.Slice.Length != nil {
		part = part[:min(len(part), length)]
	}
	return slices.Clone(part), true
}

// changedList applies an operator to each element of a list.
func (r *reader) changedList(p *syntax.ParamExp, list []string, s *scope) ([]string, bool) {
	if p.Exp != nil && !perElement[p.Exp.Op] {
		return nil, false
	}
	out := make([]string, 0, len(list))
	for _, element := range list {
		var texts value
		if p.Exp != nil {
			texts = r.operated(p, value{element}, true, s, true)
		} else {
			texts = r.replaced(p.Repl, value{element}, s)
		}
		if len(texts) != 1 || anyNumber(texts[0]) {
			return nil, false
		}
		out = append(out, texts[0])
	}
	return out, true
}

// perElement are the operators that change each element of a list.
var perElement = map[syntax.ParExpOperator]bool{
	syntax.RemSmallPrefix: true, syntax.RemLargePrefix: true, syntax.RemSmallSuffix: true, syntax.RemLargeSuffix: true,
	syntax.UpperAll: true, syntax.LowerAll: true, syntax.UpperFirst: true, syntax.LowerFirst: true,
}
