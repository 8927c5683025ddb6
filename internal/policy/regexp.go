package policy

import (
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"unicode/utf8"
)

// maxLiterals bounds the literals looked for before a regular expression runs: past that the look-up is no gain.
const maxLiterals = 16

// newMatcher compiles a regular expression. Most texts lack the words that a match must have, and looking for words is many
// times faster than running an expression, so that comes first.
func newMatcher(pattern string) (func(string) bool, error) {
	re, err := regexp.Compile(pattern)
	if err != nil {
		return nil, err
	}
	tree, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return nil, err
	}
	literals := requiredLiterals(tree.Simplify())
	if literals == nil {
		return re.MatchString, nil
	}
	return func(s string) bool {
		for _, l := range literals {
			if strings.Contains(s, l) {
				return re.MatchString(s)
			}
		}
		return false
	}, nil
}

// requiredLiterals returns texts one of which is in every match, or nil if there are none to be known.
func requiredLiterals(re *syntax.Regexp) []string {
	switch re.Op {
	case syntax.OpLiteral:
		// The replacement character in an expression also matches bytes that are no UTF-8.
		if re.Flags&syntax.FoldCase != 0 || slices.Contains(re.Rune, utf8.RuneError) {
			return nil
		}
		return []string{string(re.Rune)}
	case syntax.OpCapture, syntax.OpPlus:
		return requiredLiterals(re.Sub[0])
	case syntax.OpRepeat:
		if re.Min == 0 {
			return nil
		}
		return requiredLiterals(re.Sub[0])
	case syntax.OpConcat:
		var best []string
		for _, sub := range re.Sub {
			if l := requiredLiterals(sub); shortest(l) > shortest(best) {
				best = l
			}
		}
		return best
	case syntax.OpAlternate:
		var all []string
		for _, sub := range re.Sub {
			l := requiredLiterals(sub)
			if l == nil || len(all)+len(l) > maxLiterals {
				return nil
			}
			all = append(all, l...)
		}
		return all
	default:
		return nil
	}
}

// shortest is the length of the shortest text; the longer it is, the fewer texts pass.
func shortest(texts []string) int {
	if len(texts) == 0 {
		return 0
	}
	n := len(texts[0])
	for _, t := range texts {
		n = min(n, len(t))
	}
	return n
}
