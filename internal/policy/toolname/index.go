package toolname

import (
	"slices"
	"strings"

	"github.com/weir-gate/weir/internal/text/wordset"
)

// An Index finds the rules whose globs match the name of a tool, without trying every rule. It has exact names in a map, patterns
// by the text at their begin or end, and other patterns by the longest text in them.
type Index struct {
	exact    map[string][]int
	prefixes affixes
	suffixes affixes
	inside   []indexedGlob // begin and end with a wildcard, and have text between
	words    *wordset.Set  // finds those texts; nil: all of inside are tried
	anything []indexedGlob // have no text
}

type indexedGlob struct {
	glob *Glob
	rule int
}

// affixes are patterns by the text at one of their ends.
type affixes struct {
	globs   map[string][]indexedGlob
	lengths []int // of the texts, each once
}

// NewIndex returns the index of rules, each given by its globs.
func NewIndex(rules [][]Glob) Index {
	x := Index{exact: map[string][]int{}}
	var words []string
	for i := range rules {
		for j := range rules[i] {
			g := &rules[i][j]
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
	x.words = wordset.New(words)
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

// Candidates returns the rules whose tool matches one of the names, in the order of the file.
func (x *Index) Candidates(names []Name) []int {
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

func (x *Index) matching(out []int, n Name) []int {
	out = append(out, x.exact[n.Folded]...)
	for _, length := range x.prefixes.lengths {
		if length <= len(n.Folded) {
			out = appendMatching(out, x.prefixes.globs[n.Folded[:length]], n)
		}
	}
	for _, length := range x.suffixes.lengths {
		if length <= len(n.Folded) {
			out = appendMatching(out, x.suffixes.globs[n.Folded[len(n.Folded)-length:]], n)
		}
	}
	out = appendMatching(out, x.anything, n)
	if x.words == nil {
		return appendMatching(out, x.inside, n)
	}
	x.words.Each(n.Folded, func(word int32) {
		out = appendMatching(out, x.inside[word:word+1], n)
	})
	return out
}

func appendMatching(out []int, globs []indexedGlob, n Name) []int {
	for _, g := range globs {
		if g.glob.Names(n) {
			out = append(out, g.rule)
		}
	}
	return out
}

// beginning adds the rules that match any name with an open name's beginning. Only requests have open names, and only few.
func (x *Index) beginning(out []int, n Name) []int {
	for exact, rules := range x.exact {
		if strings.HasPrefix(exact, n.Folded) {
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
