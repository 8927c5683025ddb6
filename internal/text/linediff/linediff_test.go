package linediff

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The lines that stay and go are the old text; those that stay and come are the new one.
func TestDiffTellsBothTexts(t *testing.T) {
	for seed := range uint64(500) {
		r := rand.New(rand.NewPCG(seed, 4))
		text := func() (lines []string) {
			for range r.IntN(12) {
				lines = append(lines, string(rune('a'+r.IntN(4)))+"\n")
			}
			return lines
		}
		a, b := text(), text()
		var olds, news []string
		for _, l := range diffLines(a, b) {
			if l.sign != '+' {
				olds = append(olds, l.text)
			}
			if l.sign != '-' {
				news = append(news, l.text)
			}
		}
		if !cmp.Equal(olds, a) || !cmp.Equal(news, b) {
			t.Fatalf("%q to %q: %q", a, b, diffLines(a, b))
		}
	}
}

func TestDiffHunks(t *testing.T) {
	old := splitLines([]byte("1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n13\n14\n15\n16\n"))
	now := splitLines([]byte("1\n2\n3\n4\n5\nV\n6\n7\n8\n9\n10\n11\n12\n13\n15\n16\n"))
	var b strings.Builder
	writeHunks(&b, diffLines(old, now))
	want := "@@ -3,6 +3,7 @@\n 3\n 4\n 5\n+V\n 6\n 7\n 8\n@@ -11,6 +12,5 @@\n 11\n 12\n 13\n-14\n 15\n 16\n"
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}
