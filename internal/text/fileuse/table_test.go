package fileuse

import (
	"os"
	"strings"
	"testing"

	"github.com/weir-gate/weir/internal/text/shell"
	"github.com/weir-gate/weir/internal/text/truth"
)

var deedNames = map[string]Deed{"reads": Reads, "writes": Writes, "removes": Removes}

// A row is one line of a table: a deed, a pattern and a command.
type row struct{ deed, pattern, command string }

func rows(t testing.TB, file string) []row {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var out []row
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		head, command, ok := strings.Cut(line, " | ")
		deed, pattern, ok2 := strings.Cut(head, " ")
		if !ok || !ok2 {
			t.Fatalf("%s: %q is no row", file, line)
		}
		out = append(out, row{deed, pattern, strings.ReplaceAll(command, `\n`, "\n")})
	}
	return out
}

// answers is the best answer for a command.
func answer(t testing.TB, r row) truth.Value {
	t.Helper()
	places, err := NewPlaces([]string{r.pattern})
	if err != nil {
		t.Fatal(err)
	}
	best := No
	for _, a := range places.Touched(Find(shell.Read(r.command, shell.Start{})), deedNames[r.deed]) {
		best = max(best, a)
	}
	return best
}

func describe(command string) string {
	var out []string
	for _, u := range Find(shell.Read(command, shell.Start{})) {
		for name, deed := range deedNames {
			if deed == u.Deed {
				out = append(out, name+" "+u.Path)
			}
		}
	}
	return strings.Join(out, ", ")
}

func TestTouched(t *testing.T) {
	for _, r := range rows(t, "testdata/touched.txt") {
		if got := answer(t, r); got == No {
			t.Errorf("%s %s: not found in %q: %s", r.deed, r.pattern, r.command, describe(r.command))
		}
	}
}

func TestUntouched(t *testing.T) {
	for _, r := range rows(t, "testdata/untouched.txt") {
		if got := answer(t, r); got != No {
			t.Errorf("%s %s: answer %d for %q: %s", r.deed, r.pattern, got, r.command, describe(r.command))
		}
	}
}
