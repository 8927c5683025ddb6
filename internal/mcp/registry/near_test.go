package registry

import (
	"math/rand/v2"
	"slices"
	"testing"
	"unicode"

	"github.com/weir-gate/weir/internal/text/lookalike"
)

// distance is the number of edits between two texts, counted the slow way.
func distance(a, b []rune) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i, x := range a {
		last := row[0]
		row[0] = i + 1
		for j, y := range b {
			change := last
			if x != y {
				change++
			}
			last = row[j+1]
			row[j+1] = min(change, row[j]+1, last+1)
		}
	}
	return row[len(b)]
}

// Names that are one edit apart, and no others, are found to be.
func TestNear(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	alphabet := []rune("ab€")
	name := func() []rune {
		out := make([]rune, minNear+r.IntN(2))
		for i := range out {
			out[i] = alphabet[r.IntN(len(alphabet))]
		}
		return out
	}
	near := 0
	for range 100_000 {
		a := name()
		b := name()
		if r.IntN(2) == 0 { // close to the other
			b = slices.Clone(a)
			for range r.IntN(3) {
				b[r.IntN(len(b))] = alphabet[r.IntN(len(alphabet))]
			}
			if len(b) > minNear && r.IntN(2) == 0 {
				b = slices.Delete(b, 3, 4)
			}
		}
		want := distance(a, b) == 1
		if got := oneEdit(string(a), string(b)); got != want {
			t.Fatalf("%s and %s: %v", string(a), string(b), got)
		}
		if !want {
			continue
		}
		near++
		left := slices.Collect(shortened(string(a)))
		if !slices.ContainsFunc(slices.Collect(shortened(string(b))), func(s string) bool { return slices.Contains(left, s) }) {
			t.Fatalf("%s and %s have nothing in common", string(a), string(b))
		}
		if slices.Sort(left); len(slices.Compact(slices.Clone(left))) != len(left) {
			t.Fatalf("%s: %q", string(a), left)
		}
	}
	if near < 1000 {
		t.Errorf("only %d pairs were near", near)
	}
}

// Every character that is said to look like another is one that names can have after they are folded.
func TestConfusablesAreFolded(t *testing.T) {
	for r := range rune(unicode.MaxRune) {
		as, ok := lookalike.InName(r)
		if !ok {
			continue
		}
		if got := skeleton("x" + string(r) + "x"); got != "x"+string(as)+"x" {
			t.Errorf("%c (%U) is shown as %q, not as %q", r, r, got, "x"+string(as)+"x")
		}
	}
}
