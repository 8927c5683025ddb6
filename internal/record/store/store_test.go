package store

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/recorder"
	"github.com/weir-gate/weir/internal/record/store/postgrestest"
	"github.com/weir-gate/weir/internal/record/store/storetest"
)

// backends are ways to get the URL of a database that does not exist yet, or is empty.
var backends = map[string]func(t testing.TB) string{
	"sqlite":   func(t testing.TB) string { return "sqlite://" + filepath.Join(t.TempDir(), "new", "weir.db") },
	"postgres": postgrestest.Database,
}

// onBackends runs a test on each backend.
func onBackends(t *testing.T, test func(t *testing.T, url string)) {
	for name, database := range backends {
		t.Run(name, func(t *testing.T) { test(t, database(t)) })
	}
}

// upgraded are ways to get the URL of a database that is empty, and may have its tables already.
var upgraded = map[string]func(t testing.TB) string{
	"sqlite": backends["sqlite"],
	"postgres": func(t testing.TB) string {
		return postgrestest.Prepared(t, "tables", func(url string) error {
			s, err := Open(t.Context(), url)
			if err != nil {
				return err
			}
			return s.Close()
		})
	},
}

func TestContract(t *testing.T) {
	for name, database := range upgraded {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			storetest.Run(t, func(t *testing.T) storetest.Backend {
				url := database(t)
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
		query := "DROP TRIGGER " + trigger
		if table, _, _ := strings.Cut(trigger, "_"); s.write.flavour.numbered {
			query += " ON " + table
		}
		if _, err := s.write.Exec(query); err != nil {
			return err
		}
	}
	return nil
}

// openStore opens a file.
func openStore(t testing.TB, path string) *Store {
	t.Helper()
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
func readURL(t testing.TB, url string) *Reader {
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
		r.Record(record.Event{Type: record.TypeToolCall, Tool: tool}, func(err error) {
			if err != nil {
				t.Error(err)
			}
		})
	}
	if err := r.Close(context.Background()); err != nil {
		t.Fatal(err)
	}
}
