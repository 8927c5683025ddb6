// Package sqlitetest gives tests SQLite databases with their tables. To create the tables takes longer than most tests.
package sqlitetest

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/weir-gate/weir/internal/record/store"
)

// Create writes an empty record to the file at path, as a weir leaves it that was started and stopped.
func Create(t testing.TB, path string) {
	t.Helper()
	data, err := empty()
	if err == nil {
		err = os.WriteFile(path, data, 0o600)
	}
	if err != nil {
		t.Fatalf("make a database: %v", err)
	}
}

// empty is the content of such a file. It is made once in each process.
var empty = sync.OnceValues(func() (data []byte, err error) {
	dir, err := os.MkdirTemp("", "weir-empty-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir) // it is temporary
	path := filepath.Join(dir, "weir.db")
	s, err := store.Open(context.Background(), "sqlite://"+path)
	if err != nil {
		return nil, err
	}
	if err := s.Close(); err != nil {
		return nil, err
	}
	return os.ReadFile(path)
})
