package store

import (
	"path/filepath"
	"testing"

	"github.com/weir-gate/weir/internal/store/storetest"
)

func TestContract(t *testing.T) {
	storetest.Run(t, func(t *testing.T) storetest.Backend {
		path := filepath.Join(t.TempDir(), "weir.db")
		s := openStore(t, path)
		exec := func(query string, args ...any) error {
			_, err := s.write.Exec(query, args...)
			return err
		}
		return storetest.Backend{
			Store: s,
			Exec:  exec,
			Unlock: func() error {
				return exec("DROP TRIGGER events_no_update; DROP TRIGGER events_no_delete")
			},
			Again: func(t *testing.T) storetest.Store { return openStore(t, path) },
		}
	})
}

func openStore(t testing.TB, path string) *Store {
	t.Helper()
	s, err := Open(t.Context(), "sqlite://"+path)
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
