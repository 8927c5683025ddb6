package policy

import (
	"slices"
	"strings"
)

// An index finds the rules that could match a tool by its name, without asking every rule: exact names in a map, patterns by the
// text that they begin or end with, and the rest by the longest text in them.
type index struct {
	exact    map[string][]int
	prefixes affixes
	suffixes affixes
	inside   []indexedGlob // begin and end with a wildcard, and have a text between
	words    *automaton    // finds those texts; nil: all of inside are asked
	anything []indexedGlob // have no text at all
}

type indexedGlob struct {
	glob *glob
	rule int
}

// affixes are patterns by the text at one of their ends.
type affixes struct {
	globs   map[string][]indexedGlob
	lengths []int // of the texts, each once
}

func newIndex(rules []rule) index {
	x := index{exact: map[string][]int{}}
	var words []string
	for i := range rules {
		for j := range rules[i].tools {
			g := &rules[i].tools[j]
			first, last := g.pieces[0], g.pieces[len(g.pieces)-1]
			longest := slices.MaxFunc(g.pieces, func(a, b string) int { return len(a) - len(b) })
			switch entry := (indexedGlob{glob: g, rule: i}); {
			case len(g.pieces) == 1:
				x.exact[first] = append(x.exact[first], i)
			case first != "" && len(first) >= len(last):
				x.prefixes.add(first, entry)
			case last != "":
				x.suffixes.add(last, entry)
			case longest != "":
				x.inside = append(x.inside, entry)
				words = append(words, longest)
			default:
				x.anything = append(x.anything, entry)
			}
		}
	}
	x.words = newAutomaton(words)
	return x
}

func (a *affixes) add(text string, g indexedGlob) {
	if a.globs == nil {
		a.globs = map[string][]indexedGlob{}
	}
	if _, known := a.globs[text]; !known && !slices.Contains(a.lengths, len(text)) {
		a.lengths = append(a.lengths, len(text))
	}
	a.globs[text] = append(a.globs[text], g)
}

// candidates returns the rules whose tool matches one of the names, in the order of the file.
func (x *index) candidates(names []name) []int {
	var out []int
	for _, n := range names {
		if n.open {
			out = x.beginning(out, n)
		} else {
			out = x.matching(out, n)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func (x *index) matching(out []int, n name) []int {
	out = append(out, x.exact[n.folded]...)
	for _, length := range x.prefixes.lengths {
		if length <= len(n.folded) {
			out = appendMatching(out, x.prefixes.globs[n.folded[:length]], n)
		}
	}
	for _, length := range x.suffixes.lengths {
		if length <= len(n.folded) {
			out = appendMatching(out, x.suffixes.globs[n.folded[len(n.folded)-length:]], n)
		}
	}
	out = appendMatching(out, x.anything, n)
	if x.words == nil {
		return appendMatching(out, x.inside, n)
	}
	x.words.each(n.folded, func(word int32) {
		out = appendMatching(out, x.inside[word:word+1], n)
	})
	return out
}

func appendMatching(out []int, globs []indexedGlob, n name) []int {
	for _, g := range globs {
		if g.glob.names(n) {
			out = append(out, g.rule)
		}
	}
	return out
}

// beginning adds the rules that match a name which begins as an open one does. Only requests have such, and few.
func (x *index) beginning(out []int, n name) []int {
	for exact, rules := range x.exact {
		if strings.HasPrefix(exact, n.folded) {
			out = append(out, rules...)
		}
	}
	for _, a := range []affixes{x.prefixes, x.suffixes} {
		for _, globs := range a.globs {
			out = appendMatching(out, globs, n)
		}
	}
	return appendMatching(appendMatching(out, x.inside, n), x.anything, n)
}
