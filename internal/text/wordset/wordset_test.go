package wordset

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// check compares what an automaton finds with what is there, word by word.
func checkFound(t *testing.T, words []string, text string) {
	t.Helper()
	a := New(words)
	if a == nil {
		t.Fatalf("no automaton for %q", words)
	}
	got := make([]bool, len(words))
	a.Find(text, got)
	want := make([]bool, len(words))
	for i, w := range words {
		want[i] = strings.Contains(asciiLower(text), asciiLower(w))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%q in %q (-want +got):\n%s", words, text, diff)
	}
}

func asciiLower(s string) string {
	b := []byte(s)
	for i := range b {
		b[i] = lower(b[i])
	}
	return string(b)
}

func TestAutomaton(t *testing.T) {
	for _, tt := range []struct {
		words string
		text  string
	}{
		{"he she his hers", "ushers"},
		{"a aa aaa", "aa"},
		{"abcd bc", "abce"},
		{"rm sudo", "SuDo Rm"},
		{"x", ""},
		{"é 水", "caf\u00e9 水"},
		{"same same", "the same"},
	} {
		checkFound(t, strings.Fields(tt.words), tt.text)
	}
	if New(nil) != nil || New([]string{"a", ""}) != nil || New([]string{strings.Repeat("x", maxStates)}) != nil {
		t.Error("an automaton for nothing, or for too much")
	}
}

func TestAutomatonRandom(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	word := func(n int) string {
		var b strings.Builder
		for range 1 + r.IntN(n) {
			fmt.Fprintf(&b, "%c", "abAB\xff"[r.IntN(5)])
		}
		return b.String()
	}
	for range 3000 {
		var words []string
		for range 1 + r.IntN(8) {
			words = append(words, word(5))
		}
		checkFound(t, words, word(30))
	}
}
