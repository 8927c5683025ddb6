package kept

import (
	"context"
	"database/sql"
	"path/filepath"
	"slices"
	"testing"

	_ "modernc.org/sqlite" // the driver

	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/recordlog"
	"github.com/weir-gate/weir/internal/record/store/storetest"
)

// A writer is a record with the log of a process.
type writer struct {
	*Record
	log *recordlog.Log
}

// Append does what a follower does: the log has the entries, and then the record knows of them.
func (w *writer) Append(ctx context.Context, entries []record.Entry) error {
	entries = slices.Clone(entries) // the caller's have no place
	if err := w.log.Append(ctx, entries); err != nil {
		return err
	}
	return w.Take(ctx, entries)
}

func (w *writer) Close() error {
	if err := w.log.Close(false); err != nil {
		return err
	}
	return w.Record.Close()
}

func openWriter(t *testing.T, path string) *writer {
	t.Helper()
	r, err := Open(t.Context(), Config{URL: "sqlite://" + path, OnError: func(err error) { t.Log(err) }})
	if err != nil {
		t.Fatal(err)
	}
	log, err := recordlog.Create(recordlog.Config{Folder: r.folder})
	if err != nil {
		t.Fatal(err)
	}
	w := &writer{r, log}
	t.Cleanup(func() { w.Close() }) // what was recorded is durable
	return w
}

func TestContract(t *testing.T) {
	storetest.RunKept(t, func(t *testing.T) storetest.Backend {
		path := filepath.Join(t.TempDir(), "weir.db")
		w := openWriter(t, path)
		db, err := sql.Open("sqlite", path+"?_pragma=busy_timeout(5000)")
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { db.Close() })
		return storetest.Backend{
			Store: w,
			Exec: func(query string, args ...any) error {
				_, err := db.ExecContext(t.Context(), query, args...)
				return err
			},
			Unlock: func() error {
				_, err := db.ExecContext(t.Context(), "DROP TRIGGER IF EXISTS checkpoints_no_update; DROP TRIGGER IF EXISTS checkpoints_no_delete")
				return err
			},
			Again: func(t *testing.T) storetest.Store { return openWriter(t, path) },
		}
	})
}
