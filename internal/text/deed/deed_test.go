package deed

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/weir-gate/weir/internal/text/fileuse"
	"github.com/weir-gate/weir/internal/text/shell"
	"github.com/weir-gate/weir/internal/text/truth"
)

func find(text string) []Deed {
	commands := shell.Read(text, shell.Start{})
	return Find(commands, fileuse.Find(commands))
}

// matches says whether a value of the operator of a verb holds for a text.
func matches(t *testing.T, verb Verb, value, text string) truth.Value {
	t.Helper()
	p, err := NewPattern(verb, strings.Fields(value))
	if err != nil {
		t.Fatal(err)
	}
	best := truth.No
	deeds := find(text)
	for i := range deeds {
		best = max(best, p.Match(&deeds[i]))
	}
	return best
}

// The tables in testdata have a verb each. A line is a value of the operator, a tab, and a command that it holds for; with ! before the
// value, for which it does not hold. An arrow stands for the end of a line of the command.
func TestTables(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) != len(verbs) {
		t.Fatal(files, err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		verb := Verb(strings.TrimSuffix(filepath.Base(file), ".txt"))
		hits, misses := 0, 0
		for line := range strings.Lines(string(data)) {
			value, text, ok := strings.Cut(strings.TrimSpace(line), "\t")
			if !ok {
				continue
			}
			text = strings.ReplaceAll(strings.TrimSpace(text), "⏎", "\n")
			value, not := strings.CutPrefix(value, "!")
			if got := matches(t, verb, value, text); (got == truth.No) != not {
				t.Errorf("%s %q of %q: %d", verb, value, text, got)
			}
			if not {
				misses++
			} else {
				hits++
			}
		}
		if hits < 25 || misses < 15 {
			t.Errorf("%s has only %d commands that do it and %d that do not", verb, hits, misses)
		}
	}
}
