package store

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/query"
	"github.com/weir-gate/weir/internal/record/recorder"
	"github.com/weir-gate/weir/internal/record/verify"
)

// tryRecord records one event, with a ruling to keep, and returns what became of it.
func tryRecord(r *recorder.Recorder, tool string, size int) error {
	answer := make(chan error, 1)
	args := jsontext.Value(`"` + strings.Repeat("x", size) + `"`)
	with := record.Effects{Remember: aRuling(tool, call.Ruling{Code: "x"})}
	r.RecordAll([]record.Event{{Type: record.Types.ToolCall, Tool: tool, Args: args}}, with, func(err error) { answer <- err })
	return <-answer
}

// TestFullDisk fills the space that the database may take, and then gives it more.
func TestFullDisk(t *testing.T) {
	s := openStore(t, filepath.Join(t.TempDir(), "weir.db"))
	pragma := func(query string) (n int) {
		if err := s.write.QueryRow("PRAGMA " + query).Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	var told []error
	r := recorder.New(recorder.Config{Store: s, OnError: func(err error) { told = append(told, err) }})
	if err := tryRecord(r, "before", 0); err != nil {
		t.Fatal(err)
	}
	pragma(fmt.Sprintf("max_page_count = %d", pragma("page_count")+1))
	for range 3 {
		err := tryRecord(r, "refused", 100_000)
		const want = "record events: store: write events: disk full (database or disk is full (13)); free space or move store.url"
		if err == nil || err.Error() != want {
			t.Fatalf("on a full disk: %v, want %s", err, want)
		}
		wantError(t, "CheckWritable on a full disk", s.CheckWritable(t.Context()), "disk full")
	}
	pragma("max_page_count = 100000")
	if err := tryRecord(r, "after", 100_000); err != nil {
		t.Fatal(err)
	}
	if err := s.CheckWritable(t.Context()); err != nil {
		t.Error(err)
	}
	if err := r.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if len(told) != 1 {
		t.Errorf("OnError was told %v, want one error: the trouble is the same", told)
	}
	if got := tools(t, s.View); got != "before after" {
		t.Errorf("stored %q", got)
	}
	wantKept(t, s.View, "before", "after")
	wantWhole(t, s.View, 1)
}

// TestCheckWritableWrites: to find that there is something to write to is not enough. A while after the last transaction
// it takes a new one, and leaves nothing behind.
func TestCheckWritableWrites(t *testing.T) {
	s := openStore(t, filepath.Join(t.TempDir(), "weir.db"))
	backend, ok := s.backend.(*sqliteBackend)
	if !ok {
		t.Fatalf("the backend is a %T", s.backend)
	}
	logged := func() int64 {
		if err := s.CheckWritable(t.Context()); err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(s.String() + "-wal")
		if err != nil {
			t.Fatal(err)
		}
		return info.Size()
	}
	before := logged()
	if again := logged(); again != before {
		t.Errorf("the log grew from %d to %d bytes at once", before, again)
	}
	backend.last.Store(&outcome{at: time.Now().Add(-outcomeLasts)})
	if later := logged(); later <= before {
		t.Errorf("the log has %d bytes after %d", later, before)
	}
	var rows int
	if err := s.write.QueryRow("SELECT count(*) FROM budgets").Scan(&rows); err != nil || rows != 0 {
		t.Errorf("%d rows are left, %v", rows, err)
	}
}

func TestAFileThatIsTakenAwayIsNotWritten(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "weir.db")
	s := openStore(t, path)
	r := recorder.New(recorder.Config{Store: s})
	if err := tryRecord(r, "a", 0); err != nil {
		t.Fatal(err)
	}
	aside := filepath.Join(dir, "aside.db")
	if err := os.Rename(path, aside); err != nil {
		t.Fatal(err)
	}
	const want = "was moved or deleted while in use"
	if err := tryRecord(r, "b", 0); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("moved away: %v", err)
	}
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := tryRecord(r, "c", 0); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("another file in its place: %v", err)
	}
	if err := os.Rename(aside, path); err != nil {
		t.Fatal(err)
	}
	if err := tryRecord(r, "d", 0); err != nil {
		t.Errorf("back again: %v", err)
	}
	if err := r.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := tools(t, s.View); got != "a d" {
		t.Errorf("stored %q", got)
	}
	wantWhole(t, s.View, 1)
}

// TestAWriterInTheWay has another connection keep the write lock for longer than a writer waits.
func TestAWriterInTheWay(t *testing.T) {
	path := filepath.Join(t.TempDir(), "weir.db")
	s, other := openStore(t, path), openStore(t, path)
	if _, err := s.write.Exec("PRAGMA busy_timeout = 1"); err != nil {
		t.Fatal(err)
	}
	r := recorder.New(recorder.Config{Store: s})
	tx, err := other.write.BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := tryRecord(r, "a", 0); err == nil || !strings.Contains(err.Error(), "another process holds the database") {
		t.Errorf("while locked: %v", err)
	}
	if err := tx.Rollback(); err != nil {
		t.Fatal(err)
	}
	if err := tryRecord(r, "b", 0); err != nil {
		t.Errorf("when free again: %v", err)
	}
	if err := r.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	wantWhole(t, s.View, 1)
}

// TestAReaderThatDawdlesHoldsNothing begins to read and stops; the log must still be merged into the database.
func TestAReaderThatDawdlesHoldsNothing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "weir.db")
	s := openStore(t, path)
	recordAll(t, s, "a", "b")
	for _, err := range openReadOnly(t, path).Entries(t.Context(), query.Filter{}) {
		if err != nil {
			t.Fatal(err)
		}
		recordAll(t, s, "c")
		var busy, log, merged int
		if err := s.write.QueryRow("PRAGMA wal_checkpoint(truncate)").Scan(&busy, &log, &merged); err != nil {
			t.Fatal(err)
		}
		if busy != 0 {
			t.Error("a reader between two entries keeps the log from being merged")
		}
		break
	}
}

func wantWhole(t *testing.T, r *View, chains int) {
	t.Helper()
	report, err := verify.Check{Record: r}.Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if report.Found != 0 || len(report.Heads) != chains {
		t.Errorf("%d chains, want %d; problems %v", len(report.Heads), chains, report.Problems)
	}
}

// TestPlans pins that pages are read in order of rows without sorting, and selective filters with their index.
func TestPlans(t *testing.T) {
	s := openStore(t, filepath.Join(t.TempDir(), "weir.db"))
	recordAll(t, s, "a")
	for name, test := range map[string]struct {
		filter query.Filter
		index  string
	}{
		"all":     {query.Filter{}, "PRIMARY KEY"},
		"since":   {query.Filter{Since: at}, "PRIMARY KEY"},
		"follow":  {query.Filter{AfterRow: 9, Since: at, Until: at}, "PRIMARY KEY"},
		"glob":    {query.Filter{Tool: "a*"}, "PRIMARY KEY"},
		"session": {query.Filter{Session: "s", Since: at}, "events_session"},
		"tool":    {query.Filter{Tool: "Bash"}, "events_tool"},
		"call":    {query.Filter{CallID: "call_1", Type: record.Types.ToolResult}, "events_call"},
		"wire id": {query.Filter{WireID: "toolu_1"}, "events_wire"},
		"verdict": {query.Filter{Verdict: "deny"}, "events_verdict"},
		"type":    {query.Filter{Type: record.Types.ToolCall, AfterRow: 9}, "events_type"},
	} {
		w, err := s.where(t.Context(), test.filter)
		if err != nil {
			t.Fatal(err)
		}
		clause, args := w.sql(10)
		plan := explain(t, s, selectEvents+clause+" ORDER BY row_id LIMIT ?", args...)
		if !strings.Contains(plan, test.index) || strings.Contains(plan, "TEMP B-TREE") {
			t.Errorf("%s: plan %s, want %s and no sorting", name, plan, test.index)
		}
	}
}

var at = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

func explain(t *testing.T, s *Store, query string, args ...any) string {
	t.Helper()
	rows, err := s.write.Query("EXPLAIN QUERY PLAN "+query, args...)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	var plan []string
	for rows.Next() {
		var id, parent, unused int
		var detail string
		if err := rows.Scan(&id, &parent, &unused, &detail); err != nil {
			t.Fatal(err)
		}
		plan = append(plan, detail)
	}
	return strings.Join(plan, "; ")
}
