package shell

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"mvdan.cc/sh/v3/syntax"

	"github.com/weir-gate/weir/internal/text/glob"
)

// parameter expands ${…}. An expansion that cannot be followed is unknown.
func (r *reader) parameter(p *syntax.ParamExp, s *scope, inQuotes bool) expansion {
	if p.Index != nil {
		r.computed(p.Index, p.Index.Pos(), p.Index.End(), s)
	}
	if p.Param == nil || p.Flags != nil || p.NestedParam != nil || len(p.Modifiers) > 0 || p.Width || p.IsSet || p.Names != 0 {
		r.insideParameter(p, s)
		return expandTo(namesOf(p), inQuotes)
	}
	if p.Length {
		return expandTo(r.measured(p, s), inQuotes)
	}
	if lists, ok := r.listOf(p, s); ok {
		if p.Slice != nil || p.Repl != nil || p.Exp != nil || p.Excl {
			if lists, ok = r.changedLists(p, lists, s); !ok {
				r.insideParameter(p, s)
				return expandTo(unknownValue, inQuotes)
			}
		}
		if !inQuotes || !isStar(p) {
			return expansion{lists: lists, array: true}
		}
		var joined value
		for _, list := range lists {
			joined = append(joined, strings.Join(list, " "))
		}
		return expandTo(joined, true)
	}
	texts, set := r.lookup(p, s)
	if p.Excl {
		texts, set = r.indirect(texts, s)
	}
	switch {
	case p.Exp != nil:
		texts = r.operated(p, texts, set, s, inQuotes)
	case p.Repl != nil:
		texts = r.replaced(p.Repl, texts, s)
	case p.Slice != nil:
		texts = r.sliced(p.Slice, texts, s)
		if _, own := s.get(p.Param.Value); p.Slice.Length != nil && !own && pathVariables[p.Param.Value] {
			texts = r.firstSlash(p.Slice, texts, s)
		}
	}
	return expandTo(texts, inQuotes)
}

// measured returns the length of a value.
func (r *reader) measured(p *syntax.ParamExp, s *scope) value {
	if _, ok := r.listOf(p, s); ok {
		return value{oneWord}
	}
	texts, _ := r.lookup(p, s)
	var out value
	for _, text := range texts {
		if hasHole(text) {
			return value{oneWord}
		}
		out = union(out, value{itoa(utf8.RuneCountInString(text))})
	}
	return out
}

// insideParameter reads the commands in an expansion that is not followed.
func (r *reader) insideParameter(p *syntax.ParamExp, s *scope) {
	r.nested(p, p.Pos(), p.End(), s)
}

func isStar(p *syntax.ParamExp) bool {
	return p.Param.Value == "*" || indexText(p) == "*"
}

// indexText returns the index of an array element if it is literal.
func indexText(p *syntax.ParamExp) string {
	if word, ok := p.Index.(*syntax.Word); ok {
		return word.Lit()
	}
	return ""
}

// listOf returns the possible lists of "$@" or "${array[@]}".
func (r *reader) listOf(p *syntax.ParamExp, s *scope) ([][]string, bool) {
	name, index := p.Param.Value, indexText(p)
	switch {
	case name == "@" || name == "*":
		if _, set := s.get("@"); !set {
			return [][]string{{unsetWords}}, true
		}
		return s.args(), true
	case index == "@" || index == "*":
		v, set := s.get(name)
		if !set {
			return [][]string{{unsetWords}}, true
		}
		return v.asLists(), true
	}
	return nil, false
}

// lookup returns the texts of a scalar parameter, and whether the current text set it.
func (r *reader) lookup(p *syntax.ParamExp, s *scope) (value, bool) {
	name := p.Param.Value
	if n, err := strconv.Atoi(name); err == nil {
		return positional(n, s)
	}
	v, set := s.get(name)
	switch {
	case !set && (name == "SHELL" || name == "BASH"):
		return value{"/bin/sh", anyWords}, true
	case !set && name == "IFS":
		return value{" \t\n"}, true
	case name == "!":
		return value{lastJob}, true
	case name == "$":
		return value{ownNumber}, true
	case !set:
		return outside(name, s), false
	case v.lists == nil && (p.Index == nil || indexText(p) == "0"):
		return v.text, true
	case v.lists == nil:
		return unknownValue, true
	}
	index := 0
	if p.Index != nil {
		n, err := strconv.Atoi(indexText(p))
		if err != nil {
			return unknownValue, true
		}
		index = n
	}
	var texts value
	for _, list := range v.lists {
		texts = union(texts, value{element(list, index)})
	}
	return texts, true
}

// These stand for the numbers of processes that the shell itself knows: lastJob is how kill names a job, and ownNumber is one that no
// other process has.
const (
	lastJob   = "%!"
	ownNumber = "4194304"
)

// element returns one element of a list. A negative index counts from the end.
func element(list []string, index int) string {
	if index < 0 {
		if index += len(list); index < 0 || slices.Contains(list, anyWords) {
			return anyWords
		}
	}
	for i, text := range list {
		if anyNumber(text) || i == index {
			return text
		}
	}
	return ""
}

// manyArguments is how many arguments hardly any script has.
const manyArguments = 6

func positional(n int, s *scope) (value, bool) {
	if n == 0 {
		if name, ok := s.shellName(); ok {
			return value{name}, true
		}
		return value{"sh", anyWords}, true
	}
	if _, set := s.get("@"); !set {
		// A text that a shell gets as a whole mostly has no arguments, and hardly any script has as many.
		if n >= manyArguments {
			return value{""}, true
		}
		return value{unsetWords}, false
	}
	var out value
	for _, args := range s.args() {
		out = union(out, value{element(args, n-1)})
	}
	return out, true
}

// indirect returns the values of the variables that the texts name.
func (r *reader) indirect(names value, s *scope) (value, bool) {
	var out value
	for _, name := range names {
		v, set := s.get(name)
		switch {
		case name == unsetWords:
			return value{unsetWords}, false
		case hasHole(name) || !set:
			return unknownValue, false
		}
		out = union(out, v.text)
	}
	return out, true
}

// operated applies operators such as ${x:-y}, ${x#y} and ${x^^}.
func (r *reader) operated(p *syntax.ParamExp, texts value, set bool, s *scope, inQuotes bool) value {
	op := p.Exp.Op
	if op == syntax.OtherParamOps {
		for _, text := range texts {
			if p.Exp.Word.Lit() == "P" && !hasHole(text) {
				r.substitutionsIn(text, s)
			}
		}
		return transformed(texts, p.Exp.Word.Lit())
	}
	switch op {
	case syntax.RemSmallPrefix, syntax.RemLargePrefix, syntax.RemSmallSuffix, syntax.RemLargeSuffix:
		inQuotes = false // a pattern is one in quotes, too
	}
	word := r.whole(p.Exp.Word, s, inQuotes)
	switch op {
	case syntax.DefaultUnset, syntax.DefaultUnsetOrNull, syntax.AssignUnset, syntax.AssignUnsetOrNull:
		if !set || len(texts) > 1 || texts[0] == "" || hasHole(texts[0]) {
			texts = union(word, given(texts))
		}
		if op == syntax.AssignUnset || op == syntax.AssignUnsetOrNull {
			s.setText(p.Param.Value, texts)
		}
		return texts
	case syntax.AlternateUnset, syntax.AlternateUnsetOrNull:
		return union(word, value{""})
	case syntax.ErrorUnset, syntax.ErrorUnsetOrNull:
		return given(texts)
	case syntax.UpperAll:
		return mapKnown(texts, strings.ToUpper)
	case syntax.LowerAll:
		return mapKnown(texts, strings.ToLower)
	case syntax.UpperFirst:
		return mapKnown(texts, func(t string) string { return strings.ToUpper(t[:min(1, len(t))]) + t[min(1, len(t)):] })
	case syntax.LowerFirst:
		return mapKnown(texts, func(t string) string { return strings.ToLower(t[:min(1, len(t))]) + t[min(1, len(t)):] })
	case syntax.RemSmallPrefix, syntax.RemLargePrefix, syntax.RemSmallSuffix, syntax.RemLargeSuffix:
		if pattern := p.Exp.Word.Lit(); !set && pathVariables[p.Param.Value] && firstCut(op, pattern) {
			return value{"/", anyWords}
		}
		if len(texts) == 2 && texts[0] == "/bin/sh" && texts[1] == anyWords {
			texts = texts[:1] // ${SHELL##*/} is the name of a shell, whichever it is
		}
		if climbed, ok := above(texts, op, p.Exp.Word.Lit()); ok {
			return climbed
		}
		if len(texts) == 1 && texts[0] == homeWords {
			return texts // such as ${HOME%/}
		}
		if matcher, ok := classMatcher(p.Exp.Word); ok {
			return mapKnown(texts, func(t string) string { return r.removeMatch(t, matcher, op) })
		}
		if len(word) == 1 && hasHole(strings.ReplaceAll(word[0], fileRun, "")) && !anyMatches(p.Exp.Word) {
			return value{unsetWords} // where the pattern is all of it, nothing is left
		}
		if len(word) != 1 {
			return unknownValue
		}
		return mapKnown(texts, func(t string) string { return remove(t, word[0], op) })
	}
	return unknownValue
}

// anyMatches reports a pattern of wildcards and literal text only, as people take a part of a path with.
func anyMatches(word *syntax.Word) bool {
	return !slices.ContainsFunc(word.Parts, func(part syntax.WordPart) bool {
		switch part.(type) {
		case *syntax.Lit, *syntax.SglQuoted, *syntax.ExtGlob:
			return false
		}
		return true
	})
}

// mapKnown applies a function to the texts without holes; the others become unknown. A part of a variable that may be unset may be
// empty, too.
func mapKnown(texts value, apply func(string) string) value {
	var out value
	for _, text := range texts {
		switch {
		case text == unsetWords:
			out = append(out, text)
		case hasHole(text):
			return unknownValue
		default:
			out = append(out, apply(text))
		}
	}
	return out
}

// remove removes a pattern of literal text and wildcards from one end.
func remove(text, pattern string, op syntax.ParExpOperator) string {
	pieces := glob.Pieces(strings.Split(pattern, fileRun))
	if hasHole(strings.Join(pieces, "")) {
		return anyWords
	}
	small := op == syntax.RemSmallPrefix || op == syntax.RemSmallSuffix
	prefix := op == syntax.RemSmallPrefix || op == syntax.RemLargePrefix
	const maxRemove = 4096 // every cut is tried
	if len(text) > maxRemove {
		return anyWords
	}
	for i := range len(text) + 1 {
		length := i
		if !small {
			length = len(text) - i
		}
		if prefix && pieces.Match(text[:length]) {
			return text[length:]
		}
		if !prefix && pieces.Match(text[len(text)-length:]) {
			return text[:len(text)-length]
		}
	}
	return text
}

func (r *reader) replaced(repl *syntax.Replace, texts value, s *scope) value {
	from, to := r.single(repl.Orig, s), r.single(repl.With, s)
	if matcher, ok := classMatcher(repl.Orig); ok && len(to) == 1 && !hasHole(to[0]) {
		return mapKnown(texts, func(t string) string { return r.replaceMatch(t, matcher, to[0], repl.All) })
	}
	if len(from) != 1 || len(to) != 1 || hasHole(from[0]) || from[0] == "" {
		return unknownValue
	}
	count := 1
	if repl.All {
		count = -1
	}
	anchored := !repl.All && (from[0][0] == '#' || from[0][0] == '%')
	if anchored {
		return unknownValue
	}
	return mapKnown(texts, func(t string) string {
		if made := strings.Count(t, from[0]) * len(to[0]); !r.spendBytes(made) {
			return anyWords
		}
		return strings.Replace(t, from[0], to[0], count)
	})
}

func (r *reader) sliced(slice *syntax.Slice, texts value, s *scope) value {
	offset, ok1 := r.integer(slice.Offset, s)
	length, ok2 := r.integer(slice.Length, s)
	if !ok1 || !ok2 {
		return unknownValue
	}
	if length == 0 && slice.Length != nil {
		return value{""} // whatever it is a part of
	}
	return mapKnown(texts, func(text string) string {
		runes := []rune(text)
		from := offset
		if from < 0 {
			from += len(runes)
		}
		if from < 0 || from > len(runes) {
			return ""
		}
		to := len(runes)
		switch {
		case slice.Length == nil:
		case length < 0:
			to = max(from, len(runes)+length)
		default:
			to = min(len(runes), from+min(length, len(runes)))
		}
		return string(runes[from:to])
	})
}

// integer returns the value of a literal number; nil means zero.
func (r *reader) integer(expr syntax.ArithmExpr, s *scope) (int, bool) {
	switch expr := expr.(type) {
	case nil:
		return 0, true
	case *syntax.Word:
		n, err := strconv.Atoi(expr.Lit())
		if err != nil {
			r.computed(expr, expr.Pos(), expr.End(), s)
		}
		return n, err == nil
	case *syntax.UnaryArithm:
		n, ok := r.integer(expr.X, s)
		return -n, ok && expr.Op == syntax.Minus
	case *syntax.ParenArithm:
		return r.integer(expr.X, s)
	default:
		r.computed(expr, expr.Pos(), expr.End(), s)
		return 0, false
	}
}
