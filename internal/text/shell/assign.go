package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/weir-gate/weir/internal/text/program"
)

// assign reads x=y, x+=y, x=(…) and x[i]=y.
func (r *reader) assign(a *syntax.Assign, s *scope) {
	if a.Name == nil {
		return
	}
	name := s.target(a.Name.Value)
	old, set := s.get(name)
	switch {
	case a.Array != nil:
		r.assignArray(a, s)
	case a.Index != nil:
		r.computed(a.Index, a.Index.Pos(), a.Index.End(), s)
		r.assignElement(a, old, s)
	case a.Naked:
	default:
		v := r.single(a.Value, s)
		if a.Append {
			if !set || old.lists != nil {
				old = unknownVariable
			}
			v = r.concat(old.text, v)
		}
		s.setText(name, v)
		r.hook(name, v, s)
		if r.integers[name] {
			r.computeAll(v, s)
		}
	}
}

func (r *reader) computeAll(texts value, s *scope) {
	for _, text := range texts {
		r.compute(text, s, 0)
	}
}

func (r *reader) assignArray(a *syntax.Assign, s *scope) {
	name := s.target(a.Name.Value)
	list := []string{}
	if a.Append {
		list = []string{anyWords}
		if old, _ := s.get(name); len(old.lists) == 1 {
			list = slices.Clone(old.lists[0])
		}
	}
	for _, elem := range a.Array.Elems {
		if elem.Index != nil {
			r.computed(elem.Index, elem.Index.Pos(), elem.Index.End(), s)
			list = append(list, anyWords)
		}
		if elem.Value == nil {
			continue
		}
		ways := r.phrases([]*syntax.Word{elem.Value}, s)
		if len(ways) == 1 {
			list = append(list, ways[0]...)
		} else {
			list = append(list, anyWords)
		}
	}
	s.set(name, array(list))
	if hookOf(name) != hookNone {
		for _, text := range list {
			r.hook(name, value{text}, s)
		}
	}
}

// assignElement sets one element of an array. Elements set in order are followed.
func (r *reader) assignElement(a *syntax.Assign, old variable, s *scope) {
	v := r.single(a.Value, s)
	word, _ := a.Index.(*syntax.Word)
	var list []string
	if len(old.lists) == 1 {
		list = slices.Clone(old.lists[0])
	}
	if word != nil && len(v) == 1 && !a.Append && !anyNumber(v[0]) && word.Lit() == itoa(len(list)) && len(old.lists) < 2 {
		s.set(s.target(a.Name.Value), array(append(list, v[0])))
		return
	}
	s.set(s.target(a.Name.Value), array([]string{anyWords}))
}

// declare reads declare, local, export, readonly, typeset and nameref.
func (r *reader) declare(clause *syntax.DeclClause, s *scope) {
	reference, integer := clause.Variant.Value == "nameref", false
	if len(clause.Args) == 1 && clause.Args[0].Naked && clause.Args[0].Value != nil && clause.Args[0].Value.Lit() == "-p" {
		r.noteIn([]string{clause.Variant.Value, "-p"}, s, pipes{}) // it outputs the variables
	}
	if words := r.hides(clause, s); words != nil {
		r.noteIn(words, s, pipes{})
	}
	for _, a := range clause.Args {
		if a.Naked && a.Name == nil && a.Value != nil {
			for _, text := range r.single(a.Value, s) {
				name, v, ok := strings.Cut(text, "=")
				r.subscripts([]string{name}, s)
				switch {
				case strings.HasPrefix(text, "-"):
					reference = reference || strings.Contains(text, "n")
					integer = integer || strings.Contains(text, "i")
				case hasHole(name):
					s.setText(name, unknownValue)
				case ok && reference:
					s.refer(name, value{v})
				case ok:
					s.setText(name, value{v})
					r.hook(name, value{v}, s)
				}
			}
			continue
		}
		if integer && a.Name != nil {
			r.integers[a.Name.Value] = true
		}
		if reference && a.Name != nil && a.Value != nil {
			s.refer(a.Name.Value, r.single(a.Value, s))
			continue
		}
		r.assign(a, s)
		if clause.Variant.Value == "export" && len(r.exported) < maxAlternatives {
			sets := assigned(a, s)
			r.exported = append(r.exported, sets...)
			r.movesSettings(sets, s)
		}
		if reference && a.Name != nil {
			s.set(a.Name.Value, unknownVariable)
		}
	}
}

// movesSettings notes that a variable is exported which says where agents and weir find their settings: for all that starts later.
func (r *reader) movesSettings(sets []Word, s *scope) {
	for _, set := range sets {
		if name, _, _ := strings.Cut(set.Text, "="); settingsVariables[name] {
			r.noteIn([]string{"export", set.Text}, newScope(s), pipes{})
		}
	}
}

var settingsVariables = wordSet(program.SettingsVariables)

// hides are the words of a declaration that takes variables from the environment of programs: declare +x NAME, export -n NAME.
func (r *reader) hides(clause *syntax.DeclClause, s *scope) []string {
	words, found := []string{clause.Variant.Value}, false
	if words[0] == "typeset" {
		words[0] = "declare" // its other name
	}
	for _, a := range clause.Args {
		if a.Name != nil {
			words = append(words, a.Name.Value)
			continue
		}
		if a.Value == nil {
			continue
		}
		for _, text := range r.single(a.Value, s) {
			found = found || strings.HasPrefix(text, "+") && strings.Contains(text, "x") || text == "-n" && clause.Variant.Value == "export"
			words = append(words, text)
		}
	}
	if !found {
		return nil
	}
	return words
}

// refer makes a variable another name of the one that a text names.
func (s *scope) refer(name string, to value) {
	if len(to) != 1 || !syntax.ValidName(to[0]) {
		s.set(name, unknownVariable)
		return
	}
	s.set(name, variable{text: unknownValue, ref: to[0]})
}
