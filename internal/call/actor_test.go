package call

import "testing"

// TestInSession pins that no two clients share a session, whatever they name theirs.
func TestInSession(t *testing.T) {
	seen := map[string]string{"run-3kq7m2x9fa": "weir run"}
	for _, key := range []string{"ci", "ci/-", "ci/a", "ci/a/b", "run-3kq7m2x9fa", "%", "-"} {
		for _, name := range []string{"", "-", "%2D", "a", "a/b", "/", "a/-", "%2F", "%252F", "run-3kq7m2x9fa"} {
			a := Actor{Key: key}.InSession(name)
			if before := seen[a.Session]; before != "" {
				t.Errorf("%q of %q has the session %q of %s", name, key, a.Session, before)
			}
			seen[a.Session] = key + " " + name
			if a.SessionDerived != (name == "") || !a.OwnSession() || a.Account() != (Actor{Key: key}) {
				t.Errorf("%q of %q: %+v, account %+v", name, key, a, a.Account())
			}
		}
	}
	for _, a := range []Actor{{}, {Key: "ci", Session: "run-3kq7m2x9fa"}, {Session: "run-3kq7m2x9fa"}} {
		if got := a.InSession("mine"); got != a || a.OwnSession() || a.Account() != a {
			t.Errorf("%+v became %+v", a, got)
		}
	}
}
