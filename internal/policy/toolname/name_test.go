package toolname

import "testing"

func FuzzFold(f *testing.F) {
	for _, s := range []string{"Bash", "Ｂａｓｈ", "straße", "ﬁle", "\u1e9e", "a\u0345", "\uffa0", "İ", "\xff", "ᾳ", "\u0390", "\u2028a\u00a0", "\u2029", "a\u3000"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		once := Fold(s)
		if twice := Fold(once); twice != once {
			t.Errorf("Fold(%q) = %q, folded again %q", s, once, twice)
		}
		g := NewGlob("*" + s + "*")
		if len(g.pieces) == 3 && !g.MatchesFolded("x"+g.pieces[1]+"y") {
			t.Errorf("a glob around %q does not match its own text", s)
		}
		if e := NewGlob(s); len(e.pieces) == 1 && !e.MatchesFolded(Fold(s)) {
			t.Errorf("%q does not match itself: pattern %q, name %q", s, e.pieces[0], Fold(s))
		}
	})
}
