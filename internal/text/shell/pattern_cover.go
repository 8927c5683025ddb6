package shell

import (
	"maps"
	"slices"

	"github.com/weir-gate/weir/internal/text/glob"
)

// Covers says whether every command that another pattern surely names is one that p names, or may name. It compares how the patterns are
// written, and says no where that does not tell. A program with a blank in its name does not count: nobody means it.
func (p Pattern) Covers(narrow Pattern) bool {
	if p.glob == "" || narrow.glob == "" || p.path != narrow.path {
		return false
	}
	switch {
	case !p.whole && narrow.whole:
		// With a wildcard in its first word, the program of a command may be only the beginning of what that word matches.
		return !hasWildcard(narrow.first) && coversText(p.glob, narrow.first)
	case p.whole && !narrow.whole:
		return false // the program alone has no further words
	case !coversText(p.glob, narrow.glob):
		return false
	case narrow.options == nil:
		return true
	case p.options == nil:
		return p.glob == narrow.first+" *" // the options could be anywhere
	default:
		return p.options.covers(narrow.options)
	}
}

// coversText says whether a glob matches all that another one matches. A wildcard of the narrow one can only be matched by a wildcard.
func coversText(wide, narrow string) bool { return glob.Match(wide, narrow) }

// covers says whether both patterns have the same options, and the other words are covered.
func (p *optionPattern) covers(narrow *optionPattern) bool {
	return p.letters == narrow.letters && p.whole == narrow.whole && maps.Equal(p.names, narrow.names) &&
		slices.Equal(slices.Sorted(slices.Values(p.words)), slices.Sorted(slices.Values(narrow.words))) && coversText(p.rest, narrow.rest)
}
