package shell

import (
	"testing"
)

// A set answers as its patterns do one by one, and as all patterns together.
func TestPatternSet(t *testing.T) {
	globs := []string{
		"rm", "git push*", "git *push* -f*", "GIT status", "python*", "./run.sh *", "/usr/bin/env *", "*.sh", "kill -9 -1", "%", "a b", "format *:*", "x.exe", "",
	}
	texts := []string{
		"rm x", "RM x", "rm.exe x", "git push -f origin main", "git  push", "git status", "/usr/bin/git status", "python3.12 -c 1", "./run.sh now", "run.sh now",
		"/usr/bin/env", "/usr/bin/env A=1 ls", "kill -9 -1", "'a b'", "'git push' x", "$X y", "x$Y z", "$X/git status", "a b", "format C: /q", "x.exe", "x", "''", "if (",
	}
	whole := NewPatternSet(globs)
	for _, text := range texts {
		for _, c := range Read(text, Start{}) {
			best := No
			for _, glob := range globs {
				want := c.Runs(NewPattern(glob))
				if got := c.RunsAny(NewPatternSet([]string{glob})); got != want {
					t.Errorf("%q, %q: got %v, want %v", c, glob, got, want)
				}
				best = max(best, want)
			}
			if got := c.RunsAny(whole); got != best {
				t.Errorf("%q, all: got %v, want %v", c, got, best)
			}
		}
	}
}
