package inert

import "testing"

// TestCutTo counts columns of a terminal, not bytes or characters.
func TestCutTo(t *testing.T) {
	for _, test := range []struct {
		text    string
		columns int
		want    string
	}{
		{"", 3, ""}, {"abc", 3, "abc"}, {"abcd", 3, "ab…"}, {"日本", 4, "日本"}, {"日本語", 4, "日…"}, {"é€x", 3, "é€x"}, {"é€xy", 3, "é€…"}, {"e\u0301a", 2, "e\u0301a"}, {"abe\u0301", 3, "abe\u0301"}, {"😀😀", 3, "😀…"}, {"\u1100\u1161\u11a8x", 3, "\u1100\u1161\u11a8x"},
	} {
		if got := CutTo(test.text, test.columns); got != test.want {
			t.Errorf("%q cut to %d columns is %q, want %q", test.text, test.columns, got, test.want)
		}
	}
}
