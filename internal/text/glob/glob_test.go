package glob

import (
	"strings"
	"testing"
)

// FuzzMatch says that the two ways to match agree with a matcher that tries everything.
func FuzzMatch(f *testing.F) {
	for _, pattern := range []string{"", "*", "a", "a*", "*a", "a*a", "*a*", "ab*b*ab", "**", "a**b", "*ab*ab*"} {
		for _, s := range []string{"", "a", "b", "aa", "ab", "aba", "abab", "abbab", "ba", "xaby", "ababab"} {
			f.Add(pattern, s)
		}
	}
	f.Fuzz(func(t *testing.T, pattern, s string) {
		if len(pattern) > 12 || len(s) > 12 {
			return
		}
		want := tried(pattern, s)
		if got := Match(pattern, s); got != want {
			t.Errorf("Match(%q, %q) = %v", pattern, s, got)
		}
		if got := Pieces(strings.Split(pattern, "*")).Match(s); got != want {
			t.Errorf("the pieces of %q match %q: %v", pattern, s, got)
		}
	})
}

// tried matches by trying every length of every wildcard.
func tried(pattern, s string) bool {
	if pattern == "" {
		return s == ""
	}
	if pattern[0] == '*' {
		return tried(pattern[1:], s) || s != "" && tried(pattern, s[1:])
	}
	return s != "" && s[0] == pattern[0] && tried(pattern[1:], s[1:])
}
