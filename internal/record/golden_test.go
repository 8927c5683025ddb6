package record_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/record/recordtest"
)

// TestEventsAreWrittenAsEver compares events of all types with what was written of them before: their text, their hash and their columns.
// A text that changes breaks the chains of everybody.
func TestEventsAreWrittenAsEver(t *testing.T) {
	const golden = "testdata/events.txt"
	var b strings.Builder
	for _, e := range recordtest.EveryEvent(t) {
		position := fmt.Sprint(e.Head) // the file has it and the other columns in one pair of braces
		columns := strings.TrimPrefix(fmt.Sprint(e.Columns), "{"+position)
		fmt.Fprintf(&b, "%s\n%s%s\n", e.Text, strings.TrimSuffix(position, "}"), columns)
	}
	if *update {
		if err := os.WriteFile(golden, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(b.String(), "\n")); diff != "" {
		t.Errorf("-before +now:\n%s", diff)
	}
}
