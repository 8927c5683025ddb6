package kept

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/weir-gate/weir/internal/record/query"
	"github.com/weir-gate/weir/internal/record/recordlog"
	"github.com/weir-gate/weir/internal/record/store"
	"github.com/weir-gate/weir/internal/record/verify"
)

// TestUnindexed: if the index cannot be written, everything is recorded and found, and what is wrong is said once.
func TestUnindexed(t *testing.T) {
	url := "sqlite://" + filepath.Join(t.TempDir(), "weir.db")
	folder, err := store.URL(url).IndexFolder()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(folder, nil, 0o600); err != nil { // nobody can make the folder
		t.Fatal(err)
	}
	told := make(chan error, 100)
	r, err := Open(t.Context(), Config{URL: url, OnError: func(err error) { told <- err }})
	if err != nil {
		t.Fatal(err)
	}
	log, err := recordlog.Create(recordlog.Config{Folder: r.folder})
	if err != nil {
		t.Fatal(err)
	}
	all := mixed(t, 1, 30)
	if err := log.Append(t.Context(), all); err != nil {
		t.Fatal(err)
	}
	if err := r.Take(t.Context(), all); err != nil {
		t.Error(err)
	}
	if err := r.IndexAll(t.Context()); err == nil {
		t.Error("it was indexed")
	}
	v, err := OpenReadOnly(t.Context(), Config{URL: url})
	if err != nil {
		t.Fatal(err)
	}
	for name, s := range map[string]query.Source{"process": r, "reader": v} {
		for _, f := range []query.Filter{{}, {Newest: true, Limit: 30}, {Session: "s1"}} {
			n := 0
			for _, err := range s.Entries(t.Context(), f) {
				if err != nil {
					t.Fatal(err)
				}
				n++
			}
			if n != 30 {
				t.Errorf("%s: %d events", name, n)
			}
		}
	}
	if report := verifiedBy(t, v, verify.Check{}); report.Found > 0 || report.Events != 30 {
		t.Errorf("verified: %+v", report)
	}
	if refused, err := r.Refused(t.Context(), "u", "r"); err != nil || len(refused) == 0 {
		t.Errorf("rulings: %v, %v", refused, err)
	}
	if err := v.Close(); err != nil {
		t.Error(err)
	}
	if err := log.Close(false); err != nil {
		t.Error(err)
	}
	if err := r.Close(); err != nil {
		t.Error(err)
	}
	if len(told) != 1 {
		t.Errorf("%d failures were told", len(told))
	}
}
