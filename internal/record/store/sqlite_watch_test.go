package store

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/recorder"
)

// Records in a log that was taken away are lost: nothing may be reported as stored then.
func TestFilesTakenAway(t *testing.T) {
	for name, harm := range map[string]func(path string) error{
		"database deleted": os.Remove,
		"log deleted":      func(path string) error { return os.Remove(path + "-wal") },
		"log replaced": func(path string) error {
			if err := os.Remove(path + "-wal"); err != nil {
				return err
			}
			return os.WriteFile(path+"-wal", nil, 0o600)
		},
		"log cut":      func(path string) error { return os.Truncate(path+"-wal", 0) },
		"database cut": func(path string) error { return os.Truncate(path, 100) },
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "weir.db")
			s, err := Open(t.Context(), "sqlite://"+path)
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close() // its files are gone
			r := recorder.New(recorder.Config{Store: s})
			record := func() error {
				done := make(chan error, 1)
				r.Record(record.Event{Type: record.Types.ToolCall, Tool: "ls"}, func(err error) { done <- err })
				return <-done
			}
			if err := record(); err != nil {
				t.Fatal(err)
			}
			if err := harm(path); err != nil {
				t.Fatal(err)
			}
			if record() == nil {
				t.Error("an event was reported as stored")
			}
			_ = r.Close(t.Context())
		})
	}
}
