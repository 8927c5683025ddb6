package wordset

import (
	"regexp"
	"regexp/syntax"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestRequiredLiterals(t *testing.T) {
	tests := []struct {
		pattern string
		want    []string
	}{
		{`rm`, []string{"rm"}},
		{`(?:^|\s)rm\s+-rf`, []string{"-rf"}},
		{`curl|wget`, []string{"curl", "wget"}},
		{`(curl|wget)\s.*\|\s*(?:ba|z)?sh`, []string{"curl", "wget"}},
		{`(?:abc)+x`, []string{"abc"}},
		{`(?:abc){2,3}`, []string{"abc"}},
		{`(?:abc)*`, nil},
		{`(?:abc)?`, nil},
		{`(?i)rm`, []string{"rm"}},
		{`(?i)sudo`, []string{"udo"}},
		{`(?i)ks`, nil},
		{`[rR]m`, []string{"r"}},
		{`a|`, nil},
		{`\d+`, nil},
		{``, nil},
	}
	for _, tt := range tests {
		tree, err := syntax.Parse(tt.pattern, syntax.Perl)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(tt.want, requiredLiterals(tree.Simplify())); diff != "" {
			t.Errorf("%q (-want +got):\n%s", tt.pattern, diff)
		}
	}
}

// Looking for words first must never change the answer.
func FuzzMatcher(f *testing.F) {
	for _, pattern := range []string{`rm\s+-rf`, `(?:^|[^\w.-])(?:cat|less)\s`, `(?i)Sudo`, `a(?:bc|de)*f{2}`, `(?:x|yz)+$`, `\x{1F600}|é`, `[[:alpha:]]b|`} {
		f.Add(pattern, "sudo rm  -rf / | less abcdeff xyz 😀 é")
		f.Add(pattern, "")
	}
	f.Add("\ufffd", "\xff")
	f.Fuzz(func(t *testing.T, pattern, text string) {
		re, err := regexp.Compile(pattern)
		if err != nil {
			return
		}
		words := Required(re)
		if words == nil {
			return
		}
		a := New(words)
		if a == nil {
			t.Fatalf("%q needs the words %q", pattern, words)
		}
		found := make([]bool, len(words))
		a.Find(text, found)
		if re.MatchString(text) && !slices.Contains(found, true) {
			t.Errorf("%q matches %q, and none of %q is found in it", pattern, text, words)
		}
	})
}
