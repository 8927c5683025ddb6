package fileuse

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// An atomKind says what an atom matches.
type atomKind uint8

const (
	oneRune  atomKind = iota // a character
	anyRune                  // any one character
	runeSet                  // one character of a set
	anyRun                   // any run of characters
	anyThing                 // unknown text: only a run of a pattern covers it
)

// An atom is a part of a name.
type atom struct {
	kind atomKind
	char rune
	set  *runeRanges
}

// runeRanges are the characters of a set such as [a-z].
type runeRanges struct {
	ranges  []rune // pairs
	negated bool
}

// has reports whether one of the forms of a character is in the set.
func (s *runeRanges) has(forms ...rune) bool {
	for i := 0; i < len(s.ranges); i += 2 {
		for _, r := range forms {
			if r >= s.ranges[i] && r <= s.ranges[i+1] {
				return !s.negated
			}
		}
	}
	return s.negated
}

// An element is one name of a path, or a pattern of names.
type element struct {
	text  string // the name, if it has no pattern
	atoms []atom // the parts of a pattern
	deep  bool   // any number of names
}

func (e element) plain() bool { return e.atoms == nil && !e.deep }

// wildOnly reports a pattern that matches any name, such as *, .* and *.*
func (e element) wildOnly() bool {
	if e.deep {
		return true
	}
	run := false
	for _, a := range e.atoms {
		switch {
		case a.kind == anyRun:
			run = true
		case a.kind != anyRune && a != atom{char: '.'}:
			return false
		}
	}
	return run
}

// hasLiteral reports whether a part of the name is known.
func (e element) hasLiteral() bool {
	if e.plain() {
		return true
	}
	for _, a := range e.atoms {
		if a.kind == oneRune || a.kind == runeSet {
			return true
		}
	}
	return false
}

// unknown reports whether a part of the name is not known.
func (e element) unknown() bool {
	for _, a := range e.atoms {
		if a.kind == anyThing {
			return true
		}
	}
	return false
}

// atomsOf returns the atoms of the element, also of a plain name.
func (e element) atomsOf() []atom {
	if e.atoms != nil {
		return e.atoms
	}
	atoms := make([]atom, 0, len(e.text))
	for _, r := range e.text {
		atoms = append(atoms, atom{char: r})
	}
	return atoms
}

// newElement parses a name that may have marks.
func newElement(text string) element {
	if text == belowMark {
		return element{deep: true}
	}
	if !hasMark(text) {
		return element{text: text}
	}
	var atoms []atom
	for i := 0; i < len(text); {
		if isMark(text[i]) {
			kind := anyThing
			switch text[i] {
			case runMark[0]:
				kind = anyRun
			case charMark[0]:
				kind = anyRune
			}
			atoms = append(atoms, atom{kind: kind})
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		atoms = append(atoms, atom{char: r})
		i += size
	}
	return element{atoms: atoms}
}

// A strictness says how names are compared.
type strictness uint8

const (
	surely  strictness = iota // for every name that the element could be
	exactly                   // like surely, but case does not count
	perhaps                   // for one of them; case does not count
)

// covers compares the name of a use with a name of a pattern. Neither is deep.
func (e element) covers(p element, how strictness) bool {
	switch {
	case e.plain() && p.plain():
		return e.text == p.text || how != surely && strings.EqualFold(e.text, p.text)
	case e.plain():
		return takesName(p.atoms, e.text, how)
	}
	if how == perhaps && hiddenFrom(e, p) {
		return false
	}
	return meet(e.atomsOf(), p.atomsOf(), how)
}

// fits reports that the pattern matches every name that the element could be, or the reverse.
func (e element) fits(p element) bool {
	return meet(e.atomsOf(), p.atomsOf(), exactly) || meet(p.atomsOf(), e.atomsOf(), exactly)
}

// hiddenFrom reports that a leading wildcard of the shell does not match the dot that the pattern needs.
func hiddenFrom(e, p element) bool {
	if len(e.atoms) == 0 || e.atoms[0].kind != anyRun && e.atoms[0].kind != anyRune {
		return false
	}
	return strings.HasPrefix(p.text, ".") || len(p.atoms) > 0 && p.atoms[0] == atom{char: '.'}
}

// takesName reports whether a pattern matches a name. It backtracks only to the last run, which is enough.
func takesName(p []atom, name string, how strictness) bool {
	at, back, rest := 0, -1, ""
	for name != "" {
		r, size := utf8.DecodeRuneInString(name)
		switch {
		case at < len(p) && p[at].kind == anyRun:
			back, rest = at, name
			at++
		case at < len(p) && takes(p[at], atom{char: r}, how):
			at++
			name = name[size:]
		case back < 0:
			return false
		default:
			_, size = utf8.DecodeRuneInString(rest)
			rest = rest[size:]
			at, name = back+1, rest
		}
	}
	for at < len(p) && p[at].kind == anyRun {
		at++
	}
	return at == len(p)
}

// meet reports whether a name could match both e and p; unless how is perhaps, whether p matches every name that e could be. It
// goes through e and tracks the positions in p that can be reached.
func meet(e, p []atom, how strictness) bool {
	at := make([]bool, len(p)+1)
	at[0] = true
	leaveRuns(at, p)
	for _, a := range e {
		next := make([]bool, len(p)+1)
		for j, on := range at {
			if !on {
				continue
			}
			if j < len(p) && p[j].kind == anyRun {
				next[j] = true
			}
			switch {
			case a.kind == anyThing || a.kind == anyRun && how != perhaps:
			case a.kind == anyRun:
				for k := j; k <= len(p); k++ {
					next[k] = true
				}
			case j < len(p) && takes(p[j], a, how):
				next[j+1] = true
			}
		}
		leaveRuns(next, p)
		at = next
	}
	return at[len(p)]
}

// leaveRuns adds the positions after the runs that are reached.
func leaveRuns(at []bool, p []atom) {
	for j := range p {
		if at[j] && p[j].kind == anyRun {
			at[j+1] = true
		}
	}
}

// takes compares one atom of a name with one of a pattern.
func takes(p, a atom, how strictness) bool {
	switch {
	case p.kind == anyRune:
		return true
	case a.kind == anyRune:
		return how == perhaps
	case p.kind == runeSet:
		return p.set.has(a.char) || how != surely && p.set.has(unicode.ToLower(a.char), unicode.ToUpper(a.char))
	case p.kind == oneRune:
		return p.char == a.char || how != surely && unicode.ToLower(p.char) == unicode.ToLower(a.char)
	}
	return false
}
