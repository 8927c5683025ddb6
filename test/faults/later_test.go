package faults

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A file that can be taken away from a weir that does not wait for its record.
type file struct {
	*trial
	path, away string
}

func newFile(t *testing.T) file {
	dir := t.TempDir()
	f := file{path: filepath.Join(dir, "weir.db"), away: filepath.Join(dir, "away.db")}
	f.trial = newTrial(t, "sqlite://"+f.path, "audit: {before_release: false}\n"+counting)
	f.serve()
	f.load()
	f.passes()
	if n := f.count(failures); n != 0 {
		t.Errorf("%d failures before there are any", n)
	}
	return f
}

// take takes the file away, and waits until weir has noticed. Calls pass all the same.
func (f file) take() {
	f.t.Helper()
	f.move(f.path, f.away)
	f.passes()
	f.next()
	f.await("log and metrics tell of it", func(tally) bool {
		return f.count(failures) > 0 && strings.Contains(f.process.Log(), "msg=record")
	})
	f.logs("was moved or deleted while in use")
	f.passes()
	f.ready(http.StatusServiceUnavailable)
}

func (f file) move(from, to string) {
	f.t.Helper()
	if err := os.Rename(from, to); err != nil {
		f.t.Fatal(err)
	}
}

// TestReleasedFirst takes the store away from a weir that does not wait for it, and gives it back. What passed meanwhile is
// recorded late.
func TestReleasedFirst(t *testing.T) {
	t.Parallel()
	f := newFile(t)
	f.take()
	f.move(f.away, f.path)
	f.turns(http.StatusOK)
	f.passes()
	if n := f.count(lost); n != 0 {
		t.Errorf("%d events were lost, and the store is back", n)
	}
	f.finish()
	f.complete()
}

// TestReleasedAndLost ends such a weir while its store is away. What passed meanwhile is lost, and that is told; what is on record
// is whole.
func TestReleasedAndLost(t *testing.T) {
	t.Parallel()
	f := newFile(t)
	f.take()
	f.finish()
	f.logs("events are not recorded and are lost")
	f.move(f.away, f.path)
	found := f.compare()
	if len(found.Missing) == 0 {
		t.Error("nothing was lost: the store was there")
	}
	t.Logf("calls: %d reached a client, %d of which are not in the record", found.Seen, len(found.Missing))
}
