package wordset

import (
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxLiterals bounds the words of which one must be in every match of a regular expression: with more, searching for them saves no
// time.
const maxLiterals = 64

// Required returns texts of which every match of a regular expression has at least one, in any case of ASCII letters; nil: none are
// known. Most texts lack these words, and one search for the words of all expressions is many times faster than running each
// expression.
func Required(re *regexp.Regexp) []string {
	tree, err := syntax.Parse(re.String(), syntax.Perl)
	if err != nil {
		return nil
	}
	return requiredLiterals(tree.Simplify())
}

// requiredLiterals returns texts of which every match has at least one, or nil if none are known.
func requiredLiterals(re *syntax.Regexp) []string {
	switch re.Op {
	case syntax.OpLiteral:
		return literalWords(re.Rune, re.Flags&syntax.FoldCase != 0)
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

// literalWords is the longest part of a literal that every match has unchanged, except for the case of ASCII letters.
func literalWords(runes []rune, anyCase bool) []string {
	var best, run []rune
	for _, r := range runes {
		// The replacement character in an expression also matches invalid UTF-8, and some letters have forms beyond ASCII in another
		// case.
		if r == utf8.RuneError || anyCase && !foldsPlainly(r) {
			run = nil
			continue
		}
		if run = append(run, r); len(string(run)) > len(string(best)) {
			best = slices.Clone(run)
		}
	}
	if len(best) == 0 {
		return nil
	}
	if anyCase {
		return []string{strings.ToLower(string(best))}
	}
	return []string{string(best)}
}

// foldsPlainly says that a character is ASCII in every case.
func foldsPlainly(r rune) bool {
	for f := unicode.SimpleFold(r); ; f = unicode.SimpleFold(f) {
		if f > unicode.MaxASCII {
			return false
		}
		if f == r {
			return true
		}
	}
}

// shortest is the length of the shortest text. The longer it is, the fewer texts pass.
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
