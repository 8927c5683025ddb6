package shell

import (
	"slices"
	"testing"
)

func TestPatternsCover(t *testing.T) {
	for _, tt := range []struct {
		wide, narrow string
		want         bool
	}{
		{"git", "git status", true},
		{"GIT", "git push*", true},
		{"g*", "git push*", true},
		{"git *", "git status", true},
		{"git *", "git push origin <word>", true},
		{"git push*", "git push origin *", true},
		{"git push origin <word>", "git push origin <word>", true},
		{"rm -rf *", "rm -rf build", true},
		{"rm -rf *", "rm -fr build", false}, // as it is written it begins otherwise
		{"rm *", "rm -rf build", true},
		{"./gradlew *", "./gradlew test", true},
		{"git *", "git", false},
		{"git status", "git *", false},
		{"git push*", "git pull", false},
		{"git push origin <word>", "git push origin x", false},
		{"rm -r *", "rm -rf build", false},
		{"foo push*", "foo push --force", false}, // also foo --force push
		{"g*t", "g*t push", false},               // also go test push
		{"git", "/opt/git status", false},
		{"/usr/bin/git *", "git status", false},
		{"", "git", false},
		{"git", "", false},
	} {
		if got := NewPattern(tt.wide).Covers(NewPattern(tt.narrow)); got != tt.want {
			t.Errorf("%q covers %q: %v", tt.wide, tt.narrow, got)
		}
	}
}

// TestCoveredPatternsNameNoOtherCommand compares patterns with commands: what the narrow one surely names, the wide one may name.
func TestCoveredPatternsNameNoOtherCommand(t *testing.T) {
	var patterns []Pattern
	var commands []Command
	eachPair(func(p Pattern, c Command) {
		if len(patterns) < 500 {
			patterns, commands = append(patterns, p), append(commands, c)
		}
	})
	patterns = append(patterns, NewPattern("rm *"), NewPattern("git"), NewPattern("rm*"), NewPattern("g* push"), NewPattern("git push*"))
	covered := 0
	for _, wide := range patterns {
		for _, narrow := range patterns {
			if wide.glob == narrow.glob || !wide.Covers(narrow) {
				continue
			}
			covered++
			if i := slices.IndexFunc(commands, func(c Command) bool { return c.Runs(narrow) == Yes && c.Runs(wide) == No }); i >= 0 {
				t.Fatalf("%q covers %q, but not for %q", wide.glob, narrow.glob, commands[i])
			}
		}
	}
	if covered < 300 {
		t.Errorf("only %d pairs", covered)
	}
}
