package redact

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestPatternFindsAll compares the matches of expressions with those that package regexp finds, in texts with many.
func TestPatternFindsAll(t *testing.T) {
	t.Parallel()
	for _, expression := range []string{
		`a`, `a+b?`, `\bab\b`, `\Ba`, `(?m)^a.*$`, `[ab]{1,3}`, `(?i)A|é`, `^a`, `a$`, `\b`, `\b|é`, `(a)(b)?`, `a|ab`, `(?s)b.`, `(?U)a+b`, `[^a]`, "a|b", `\x{FFFD}`,
	} {
		p, err := newPattern(expression, 7)
		if err != nil {
			t.Fatal(err)
		}
		reference := regexp.MustCompile(expression)
		random := rand.New(rand.NewPCG(3, 4))
		for range 300 {
			var text strings.Builder
			for range random.IntN(200) {
				text.WriteString([]string{"a", "b", "ab", " ", "\n", "é", "A", "\xff", "-"}[random.IntN(9)])
			}
			var got, want []match
			p.find(text.String(), &got)
			for _, at := range reference.FindAllStringIndex(text.String(), -1) {
				if at[0] < at[1] {
					want = append(want, match{at[0], at[1], 7})
				}
			}
			if diff := cmp.Diff(want, got, cmp.AllowUnexported(match{})); diff != "" {
				t.Fatalf("%s in %q: -want +got\n%s", expression, text.String(), diff)
			}
		}
	}
}

// TestPatternGivesUp looks for an expression each match of which reads to the end of the text. It must take the rest of the
// text for a match rather than read it a million times.
func TestPatternGivesUp(t *testing.T) {
	t.Parallel()
	const size = 1 << 18
	s := mustNew(t, Config{Patterns: []Pattern{{"slow", `a.*b|a`}}})
	text := strings.Repeat("a", size) + "\nplain"
	got, _ := s.Replace(text)
	if rest := strings.ReplaceAll(got, token("slow"), ""); rest != "" {
		t.Errorf("left %d bytes: want none, since all after the first matches is one", len(rest))
	}
	checkReplace(t, s, text)
}

func TestRequiredText(t *testing.T) {
	t.Parallel()
	for expression, want := range map[string]string{
		`abc`: "abc", `(?i)abc`: "", `x+abc\d`: "abc", `(abc)+d`: "abc", `abc|abd`: "ab", `a|b`: "", `(abc)?d`: "d", `(abc){2}`: "abc", `(abc){0,2}e`: "e", `\x{FFFD}`: "",
	} {
		p, err := newPattern(expression, 0)
		if err != nil {
			t.Fatal(err)
		}
		if p.required != want {
			t.Errorf("%s requires %q, want %q", expression, p.required, want)
		}
	}
}
