package cli

import (
	"database/sql"
	"os"
	"strings"
	"testing"
)

// change changes a record as whoever can write the file could.
func (r keptRecord) change(t *testing.T, queries ...string) {
	t.Helper()
	s, err := sql.Open("sqlite", strings.TrimPrefix(r.url, "sqlite://"))
	if err != nil {
		t.Fatal(err)
	}
	for _, query := range queries {
		if _, err := s.Exec(query); err != nil {
			t.Fatalf("%s: %v", query, err)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestVerifyGarbled hides events from questions, and breaks one that lists them: verify names both, and goes on to the end.
func TestVerifyGarbled(t *testing.T) {
	r := keepRecord(t)
	r.change(t, "DROP TRIGGER events_no_update",
		"UPDATE events SET type = CAST(type AS BLOB) WHERE row_id = 9", "UPDATE events SET blocked = 2 WHERE row_id = 10")
	out := wantRun(t, 1, "row 9, ", "audit", "verify", "--store", r.url)
	for _, want := range []string{"the column type holds a value of another kind", "row 10, ", "the column blocked holds a value of another kind", "NOT INTACT: 2 problems"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	for _, args := range [][]string{{"calls"}, {"events"}, {"audit", "export"}} {
		wantRun(t, 1, "the column blocked holds a value of another kind than weir writes: something else changed the store; run weir audit verify",
			append(args, "--store", r.url, "--tool", "*tool4*")...)
	}
}

// TestVerifyEmptied: a store that was emptied is not whole, and neither is one whose key is gone.
func TestVerifyEmptied(t *testing.T) {
	r := keepRecord(t)
	queries := []string{"DROP TRIGGER events_no_delete", "DROP TRIGGER checkpoints_no_delete"}
	for _, table := range []string{"events", "chains", "checkpoints", "hours", "tallies", "facets"} {
		queries = append(queries, "DELETE FROM "+table)
	}
	r.change(t, queries...)
	wantRun(t, 1, "the kept checkpoint is not in the record", "audit", "verify", "--store", r.url)
	if err := os.Remove(r.key); err != nil {
		t.Fatal(err)
	}
	wantRun(t, 1, "the kept checkpoint was signed by an unknown key", "audit", "verify", "--store", r.url)
}
