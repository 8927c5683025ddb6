package argument

import (
	"math/bits"
	"strings"
)

// A Selection is the result of applying a path to the arguments of one call.
type Selection struct {
	Values []*Value
	// Texts are what string operators see: every string and number inside the values, and every array's strings and numbers
	// joined by blanks.
	Texts []string
	// parts are the ranges of texts that are only words of a command in list form. The whole command is the text after them.
	parts [][2]int
	// Hole says that an unknown part is among the values or in one of them, or that it could contain further values.
	Hole bool
	// Mute says that one of the values has no text (null, true, an empty list).
	Mute bool
}

// A walker applies a path to arguments as an automaton: bit i of a state set means that the first i steps have matched. So each
// value is visited once and selected at most once, however many ** the path has.
type walker struct {
	path  Path
	texts bool   // collect texts
	argv  *Value // the command in list form that is visited
	found Selection
}

// Wholes are the texts, a command in list form as one.
func (s *Selection) Wholes() []string {
	if len(s.parts) == 0 {
		return s.Texts
	}
	var out []string
	from := 0
	for _, part := range s.parts {
		out = append(out, s.Texts[from:part[0]]...)
		from = part[1]
	}
	return append(out, s.Texts[from:]...)
}

// Add adds another selection.
func (s *Selection) Add(more Selection) {
	s.Values = append(s.Values, more.Values...)
	for _, part := range more.parts {
		s.parts = append(s.parts, [2]int{part[0] + len(s.Texts), part[1] + len(s.Texts)})
	}
	s.Texts = append(s.Texts, more.Texts...)
	s.Mute = s.Mute || more.Mute
	s.Hole = s.Hole || more.Hole
}

// Select applies a path to arguments. If texts is set, it collects the texts in the selection.
func Select(p Path, args *Value, texts bool) Selection {
	w := walker{path: p, texts: texts}
	w.walk(args, 1, false)
	return w.found
}

// walk visits v with the states that lead to it; inside says that v is part of a selected value. It returns whether v has text.
func (w *walker) walk(v *Value, states uint64, inside bool) (hasText bool) {
	for i, s := range w.path.steps {
		if s.kind == stepDeep && states&(1<<i) != 0 {
			states |= 1 << (i + 1)
		}
	}
	selected := states&(1<<len(w.path.steps)) != 0
	if v.hole {
		w.found.Hole = w.found.Hole || states != 0
		return false
	}
	if selected && w.path.Spread && v.Kind == '[' {
		for i := range v.items {
			hasText = w.walk(&v.items[i], states, inside) || hasText
		}
		return hasText
	}
	if selected {
		w.found.Hole = w.found.Hole || v.holey
		w.found.Values = append(w.found.Values, v)
		inside = true
	}
	collect := inside && w.texts
	switch v.Kind {
	case '"', '0':
		if hasText = collect; collect {
			w.found.Texts = append(w.found.Texts, v.Text)
		}
	case '[':
		from := len(w.found.Texts)
		for i := range v.items {
			next := w.advance(states, func(s step) bool { return s.kind == stepEach || (s.kind == stepIndex && s.index == i) })
			if next != 0 || collect {
				hasText = w.walk(&v.items[i], next, inside) || hasText
			}
		}
		if to := len(w.found.Texts); collect && w.join(v.items) && v == w.argv {
			w.found.parts = append(w.found.parts, [2]int{from, to})
		}
	case '{':
		for i := range v.Members {
			m := &v.Members[i]
			// Some clients ignore the case of member names, so a name in another case must not escape a rule.
			next := w.advance(states, func(s step) bool { return s.kind == stepMember && strings.EqualFold(s.name, m.Name) })
			if next != 0 || collect {
				if m.Value.InListForm(m.Name) {
					w.argv = &m.Value
				}
				hasText = w.walk(&m.Value, next, inside) || hasText
			}
		}
	}
	if selected && !hasText {
		w.found.Mute = true
	}
	return hasText
}

// advance returns the states after one step down.
func (w *walker) advance(states uint64, takes func(step) bool) (next uint64) {
	for rest := states; rest != 0; rest &= rest - 1 {
		i := bits.TrailingZeros64(rest)
		if i == len(w.path.steps) {
			break
		}
		switch s := w.path.steps[i]; {
		case s.kind == stepDeep:
			next |= 1 << i
		case takes(s):
			next |= 1 << (i + 1)
		}
	}
	return next
}

// join adds the strings and numbers of an array as one text: a command may be given word by word.
func (w *walker) join(items []Value) (joined bool) {
	var words []string
	for i := range items {
		if k := items[i].Kind; k == '"' || k == '0' {
			words = append(words, items[i].Text)
		}
	}
	if len(words) < 2 {
		return false
	}
	w.found.Texts = append(w.found.Texts, strings.Join(words, " "))
	return true
}
