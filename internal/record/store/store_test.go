package store

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/pressly/goose/v3"

	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/recorder"
	"github.com/weir-gate/weir/internal/record/store/postgrestest"
	"github.com/weir-gate/weir/internal/record/store/storetest"
)

// onBackends runs a test on an empty record of each backend.
func onBackends(t *testing.T, test func(t *testing.T, url string)) {
	for name := range storetest.Databases {
		t.Run(name, func(t *testing.T) { test(t, upgraded(t, name)) })
	}
}

// onNew is onBackends for tests that want a database without tables.
func onNew(t *testing.T, test func(t *testing.T, url string)) {
	for name, database := range storetest.Databases {
		t.Run(name, func(t *testing.T) { test(t, database(t)) })
	}
}

// onGenerated runs a test on the backends that generate and the tests of plans can speak to in their own words.
func onGenerated(t *testing.T, test func(t *testing.T, url string)) {
	for _, name := range []string{"sqlite", "postgres"} {
		t.Run(name, func(t *testing.T) { test(t, upgraded(t, name)) })
	}
}

// emptyFile is the content of a database of SQLite that has its tables and nothing in them. To make it takes longer than most tests.
var emptyFile = sync.OnceValues(func() (data []byte, err error) {
	dir, err := os.MkdirTemp("", "weir-empty-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "weir.db")
	s, err := Open(context.Background(), "sqlite://"+path)
	if err == nil {
		err = s.Close()
	}
	if err != nil {
		return nil, err
	}
	return os.ReadFile(path)
})

// upgraded returns the URL of a database that is empty, and may have its tables already.
func upgraded(t testing.TB, name string) string {
	t.Helper()
	switch name {
	case "sqlite":
		path := filepath.Join(t.TempDir(), "weir.db")
		makeFile(t, path)
		return "sqlite://" + path
	case "postgres":
	default:
		return storetest.Databases[name](t)
	}
	return postgrestest.Prepared(t, "tables", func(url string) error {
		s, err := Open(t.Context(), url)
		if err != nil {
			return err
		}
		return s.Close()
	})
}

// isPostgres says whether a test must speak to a database in PostgreSQL's words, and not in SQLite's.
func isPostgres(f flavour) bool { return f.dialect == goose.DialectPostgres }

func TestContract(t *testing.T) {
	for name := range storetest.Databases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			storetest.Run(t, func(t *testing.T) storetest.Backend {
				url := upgraded(t, name)
				s := openURL(t, url)
				exec := func(query string, args ...any) error {
					_, err := s.write.Exec(s.write.flavour.text(query), args...)
					return err
				}
				return storetest.Backend{
					Store: s, Exec: exec, Unlock: func() error { return unlock(s) },
					Again: func(t *testing.T) storetest.Store { return openURL(t, url) },
				}
			})
		})
	}
}

// unlock takes away what keeps events and checkpoints from being changed.
func unlock(s *Store) error {
	for _, trigger := range []string{"events_no_update", "events_no_delete", "checkpoints_no_update", "checkpoints_no_delete"} {
		_, err := s.write.Exec("DROP TRIGGER " + trigger)
		if err != nil { // some want to know the table
			table, _, _ := strings.Cut(trigger, "_")
			_, err = s.write.Exec("DROP TRIGGER " + trigger + " ON " + table)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// makeFile writes an empty database to a file.
func makeFile(t testing.TB, path string) {
	t.Helper()
	data, err := emptyFile()
	if err == nil {
		err = os.WriteFile(path, data, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// openStore opens a file. One that is not there is made.
func openStore(t testing.TB, path string) *Store {
	t.Helper()
	if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
		makeFile(t, path)
	}
	return openURL(t, "sqlite://"+path)
}

func openURL(t testing.TB, url string) *Store {
	t.Helper()
	s, err := Open(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// readURL opens a database for reading.
func readURL(t testing.TB, url string) *View {
	t.Helper()
	r, err := OpenReadOnly(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	return r
}

// recordAll stores events in a chain of their own.
func recordAll(t testing.TB, s *Store, tools ...string) {
	t.Helper()
	r := recorder.New(recorder.Config{Store: s})
	for _, tool := range tools {
		r.Record(record.Event{Type: record.Types.ToolCall, Tool: tool}, func(err error) {
			if err != nil {
				t.Error(err)
			}
		})
	}
	if err := r.Close(context.Background()); err != nil {
		t.Fatal(err)
	}
}
