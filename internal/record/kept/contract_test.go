package kept

import (
	"context"
	"database/sql"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	_ "modernc.org/sqlite" // the driver

	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/kept/kepttest"
	"github.com/weir-gate/weir/internal/record/recordlog"
	"github.com/weir-gate/weir/internal/record/store/storetest"
)

// A writer is a record with the log of a process.
type writer struct {
	*Record
	log *recordlog.Log
	url string
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

// reopen closes the record for a change, and opens it again.
func (w *writer) reopen(t *testing.T, change func() error) error {
	t.Helper()
	if err := errors.Join(w.Close(), change()); err != nil {
		return err
	}
	w.open(t)
	return nil
}

func (w *writer) open(t *testing.T) {
	t.Helper()
	r, err := Open(t.Context(), Config{URL: w.url, OnError: func(err error) { t.Log(err) }})
	if err != nil {
		t.Fatal(err)
	}
	log, err := recordlog.Create(recordlog.Config{Folder: r.folder})
	if err != nil {
		t.Fatal(err)
	}
	w.Record, w.log = r, log
}

func openWriter(t *testing.T, url string) *writer {
	t.Helper()
	w := &writer{url: url}
	w.open(t)
	t.Cleanup(func() { w.Close() }) // what was recorded is durable
	return w
}

func TestContract(t *testing.T) {
	storetest.RunKept(t, func(t *testing.T) storetest.Backend {
		path := filepath.Join(t.TempDir(), "weir.db")
		w := openWriter(t, "sqlite://"+path)
		db, err := sql.Open("sqlite", path+"?_pragma=busy_timeout(5000)")
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { db.Close() })
		return storetest.Backend{
			Store: w,
			Exec: func(query string, args ...any) error {
				if strings.Contains(query, "events") {
					return w.reopen(t, func() error { return kepttest.Tamper(t.Context(), w.url, kepttest.Change{Query: query, Args: args}) })
				}
				_, err := db.ExecContext(t.Context(), query, args...)
				return err
			},
			Unlock: func() error {
				_, err := db.ExecContext(t.Context(), "DROP TRIGGER IF EXISTS checkpoints_no_update; DROP TRIGGER IF EXISTS checkpoints_no_delete")
				return err
			},
			Again: func(t *testing.T) storetest.Store { return openWriter(t, w.url) },
		}
	})
}
