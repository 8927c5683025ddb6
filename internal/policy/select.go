package policy

import (
	"math/bits"
	"slices"
	"strings"
)

// A selection is what a path found in the arguments of one call.
type selection struct {
	values []*value
	// texts are what string operators see: every string and number inside the values, and every array's strings and numbers
	// joined by blanks.
	texts []string
	// found says which of the words that tests of the path need are in the texts; nil: it was not looked.
	found []bool
	// hole says that what is not known is among the values, or in one, or could have others.
	hole bool
	// mute says that one of the values holds no text at all (null, true, an empty list).
	mute bool
}

// A walker runs a path over arguments as an automaton: bit i of a state set means that the first i steps are taken. So each
// value is visited once and selected at most once, however many ** the path has.
type walker struct {
	path  path
	texts bool // collect texts
	found selection
}

// selectFrom is what the paths select together.
func (c *compiledPath) selectFrom(args *value) selection {
	found := selectPath(c.paths[0], args, c.texts)
	for _, p := range c.paths[1:] {
		found.add(selectPath(p, args, c.texts))
	}
	return found
}

// add adds what was found elsewhere.
func (s *selection) add(more selection) {
	s.values = append(s.values, more.values...)
	s.texts = append(s.texts, more.texts...)
	s.mute = s.mute || more.mute
	s.hole = s.hole || more.hole
}

// takesAll says that one of the paths is $.
func (c *compiledPath) takesAll() bool {
	return slices.ContainsFunc(c.paths, func(p path) bool { return len(p.steps) == 0 })
}

func selectPath(p path, args *value, texts bool) selection {
	w := walker{path: p, texts: texts}
	w.walk(args, 1, false)
	return w.found
}

// walk visits v with the states that lead to it; inside says that v is part of a selected value. It returns whether v holds
// text.
func (w *walker) walk(v *value, states uint64, inside bool) (hasText bool) {
	for i, s := range w.path.steps {
		if s.kind == stepDeep && states&(1<<i) != 0 {
			states |= 1 << (i + 1)
		}
	}
	selected := states&(1<<len(w.path.steps)) != 0
	if v.hole {
		w.found.hole = w.found.hole || states != 0
		return false
	}
	if selected && w.path.spread && v.kind == '[' {
		for i := range v.items {
			hasText = w.walk(&v.items[i], states, inside) || hasText
		}
		return hasText
	}
	if selected {
		w.found.hole = w.found.hole || v.holey
		w.found.values = append(w.found.values, v)
		inside = true
	}
	collect := inside && w.texts
	switch v.kind {
	case '"', '0':
		if hasText = collect; collect {
			w.found.texts = append(w.found.texts, v.text)
		}
	case '[':
		for i := range v.items {
			next := w.advance(states, func(s step) bool { return s.kind == stepEach || (s.kind == stepIndex && s.index == i) })
			if next != 0 || collect {
				hasText = w.walk(&v.items[i], next, inside) || hasText
			}
		}
		if collect {
			w.join(v.items)
		}
	case '{':
		for i := range v.members {
			m := &v.members[i]
			// Some clients match member names in any case; a name in another case must not slip past a rule.
			next := w.advance(states, func(s step) bool { return s.kind == stepMember && strings.EqualFold(s.name, m.name) })
			if next != 0 || collect {
				hasText = w.walk(&m.value, next, inside) || hasText
			}
		}
	}
	if selected && !hasText {
		w.found.mute = true
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

// join adds the strings and numbers of an array as one text: a command given word by word is a command.
func (w *walker) join(items []value) {
	var words []string
	for i := range items {
		if k := items[i].kind; k == '"' || k == '0' {
			words = append(words, items[i].text)
		}
	}
	if len(words) > 1 {
		w.found.texts = append(w.found.texts, strings.Join(words, " "))
	}
}
