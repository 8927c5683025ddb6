package kept

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/query"
)

// TestByTime: what is passed on is in order of time, whatever logs have it.
func TestByTime(t *testing.T) {
	url := "sqlite://" + filepath.Join(t.TempDir(), "weir.db")
	begin := time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)
	// The minutes of the events of each log; some overlap, some do not.
	for _, minutes := range [][]int{{50, 60}, {0, 3, 9}, {1, 2, 20}, {}, {10, 11}} {
		w := openWriter(t, url)
		head := record.NewChain()
		var entries []record.Entry
		for _, m := range minutes {
			u, err := record.Event{ID: record.NewID(), Type: record.Types.ToolCall, Time: begin.Add(time.Duration(m) * time.Minute)}.Encode()
			if err != nil {
				t.Fatal(err)
			}
			var e record.Entry
			e, head = head.Next(u)
			entries = append(entries, e)
		}
		if err := w.Append(t.Context(), entries); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
	v, err := OpenReadOnly(t.Context(), Config{URL: url})
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close() // nothing was written
	n, last := 0, int64(0)
	for e, err := range v.Entries(t.Context(), query.Filter{Thorough: true}) {
		if err != nil {
			t.Fatal(err)
		}
		if e.Micros < last {
			t.Errorf("an event of %s comes after one of %s", time.UnixMicro(e.Micros).UTC(), time.UnixMicro(last).UTC())
		}
		n, last = n+1, e.Micros
	}
	if n != 10 {
		t.Errorf("%d events", n)
	}
}
