package policy

import (
	"slices"
	"strings"
)

// An index finds the rules that could match a tool by its name, without asking every rule.
type index struct {
	exact map[string][]int
	globs []indexedGlob
}

type indexedGlob struct {
	glob *glob
	rule int
}

func newIndex(rules []rule) index {
	x := index{exact: map[string][]int{}}
	for i := range rules {
		for j := range rules[i].tools {
			g := &rules[i].tools[j]
			if only, ok := g.exact(); ok {
				x.exact[only] = append(x.exact[only], i)
			} else {
				x.globs = append(x.globs, indexedGlob{glob: g, rule: i})
			}
		}
	}
	return x
}

// candidates returns the rules whose tool matches one of the spellings, in the order of the file.
func (x *index) candidates(names []name) []int {
	var out []int
	for _, n := range names {
		if n.open {
			out = append(out, x.beginning(n)...)
		} else {
			out = append(out, x.exact[n.folded]...)
		}
		for _, g := range x.globs {
			if g.glob.names(n) {
				out = append(out, g.rule)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// beginning returns the rules with exact names that begin as an open name does. Only requests have such, and few.
func (x *index) beginning(n name) (out []int) {
	for exact, rules := range x.exact {
		if strings.HasPrefix(exact, n.folded) {
			out = append(out, rules...)
		}
	}
	return out
}
