package dialecttest

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/weir-gate/weir/internal/call"
)

// fixtureDir is the folder of each dialect's fixtures. expectations is the file that says what clients must read in some of them.
const (
	fixtureDir   = "testdata"
	expectations = "EXPECT.json"
)

// ReadFixture reads a file of the dialect's fixtures.
func ReadFixture(t testing.TB, file string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(fixtureDir, file))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// An expectation is what a client must read in a fixture: calls by id, name and arguments.
type expectation struct {
	Others  [][3]json.RawMessage `json:"other_candidate_calls"`
	Calls   [][3]json.RawMessage `json:"calls"`
	Ran     [][3]json.RawMessage `json:"server_calls"`
	Raw     [][3]string          `json:"raw_calls"`     // the arguments are text
	Custom  [][3]string          `json:"custom"`        // with free text for arguments
	Legacy  []json.RawMessage    `json:"function_call"` // a name and arguments
	Choices []expectation        `json:"choices"`
}

func (e expectation) seen() []Seen {
	var seen []Seen
	add := func(ran bool, calls ...[3]json.RawMessage) {
		for _, c := range calls {
			s := Seen{Args: Meaning(c[2]), Ran: ran}
			_ = json.Unmarshal(c[0], &s.ID)
			_ = json.Unmarshal(c[1], &s.Name)
			seen = append(seen, s)
		}
	}
	add(false, e.Others...)
	add(false, e.Calls...)
	add(true, e.Ran...)
	for _, c := range e.Raw {
		seen = append(seen, Seen{ID: c[0], Name: c[1], Args: Meaning([]byte(c[2]))})
	}
	for _, c := range e.Custom {
		seen = append(seen, Seen{ID: c[0], Name: c[1], Args: Meaning([]byte(`{"input":` + Quote(c[2]) + `}`))})
	}
	if len(e.Legacy) == 2 {
		add(false, [3]json.RawMessage{nil, e.Legacy[0], e.Legacy[1]})
	}
	for _, c := range e.Choices {
		seen = append(seen, c.seen()...)
	}
	return seen
}

// Expect gives fixtures the calls that the file of expectations says, and what else Calls has.
func Expect(t testing.TB, fixtures []Fixture) []Fixture {
	t.Helper()
	var expected map[string]expectation
	if err := json.Unmarshal(ReadFixture(t, expectations), &expected); err != nil {
		t.Fatal(err)
	}
	all := slices.Clone(fixtures)
	for i, f := range all {
		all[i].Calls = append(expected[f.File].seen(), f.Calls...)
		if f.Class == Refused {
			all[i].Code = call.CodeMalformed
		}
	}
	return all
}

// Hostile gives fixtures with one call each that call, unless the response is refused or ends before it.
func Hostile(fixtures []Fixture, seen Seen, unseen ...string) []Fixture {
	all := slices.Clone(fixtures)
	for i, f := range all {
		switch {
		case f.Class == Refused:
			all[i].Code = call.CodeMalformed
		case !f.Unfinished && !slices.Contains(unseen, f.File):
			all[i].Calls = []Seen{seen}
		}
	}
	return all
}

// CheckClassed checks that every file beside the fixtures is one of them.
func CheckClassed(t *testing.T, fixtures []Fixture) {
	t.Helper()
	classed := map[string]bool{expectations: true}
	for _, f := range fixtures {
		classed[f.File] = true
	}
	for _, pattern := range []string{"*.*", "hostile/*"} {
		files, err := filepath.Glob(filepath.Join(fixtureDir, pattern))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %d files, %v", pattern, len(files), err)
		}
		for _, file := range files {
			if name, err := filepath.Rel(fixtureDir, file); err != nil || !classed[filepath.ToSlash(name)] {
				t.Errorf("%s is in no class: %v", file, err)
			}
		}
	}
}

// SortedKeys returns the names of a table's rows, in order.
func SortedKeys[T any](table map[string]T) []string { return slices.Sorted(maps.Keys(table)) }
