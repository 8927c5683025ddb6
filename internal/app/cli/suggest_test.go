package cli

import "testing"

func TestDistance(t *testing.T) {
	for _, test := range []struct {
		a, b string
		want int
	}{
		{"", "", 0},
		{"", "abc", 3},
		{"calls", "calls", 0},
		{"cals", "calls", 1},
		{"sreve", "serve", 1},
		{"chekc", "check", 1},
		{"kitten", "sitting", 3},
		{"é", "e", 1},
		{"abcd", "", 4},
		{"ab", "ba", 1},
	} {
		if got := distance(test.a, test.b); got != test.want {
			t.Errorf("%q to %q: %d, want %d", test.a, test.b, got, test.want)
		}
		if got := distance(test.b, test.a); got != test.want {
			t.Errorf("%q to %q: %d, want %d", test.b, test.a, got, test.want)
		}
	}
}
