package toolname

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The index finds the rules that a look at every rule finds.
func TestIndexAgrees(t *testing.T) {
	patterns := []string{"a", "ab", "a*", "ab*", "*a", "*ba", "*a*", "*ab*b*", "*", "a*b", "b*a", "%", "a%a", "*é*", "A*", "aa*a"}
	globs := make([][]Glob, len(patterns))
	for i, p := range patterns {
		globs[i] = []Glob{NewGlob(p)}
	}
	x := NewIndex(globs)
	for _, tool := range []string{"", "a", "b", "ab", "ba", "aba", "bab", "aab", "abab", "ABA", "éa", "xé", "aaa", "aa"} {
		n := New(tool)
		var want []int
		for i := range globs {
			if globs[i][0].Names(n) {
				want = append(want, i)
			}
		}
		if diff := cmp.Diff(want, x.Candidates([]Name{n})); diff != "" {
			t.Errorf("%q (-want +got):\n%s", tool, diff)
		}
	}
}
