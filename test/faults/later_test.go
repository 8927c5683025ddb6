package faults

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A thing is a part of the record that can be taken away from weir.
type thing struct {
	*trial
	path, away string
	metric     string // counts the failures
	heading    string // in the log
}

// releasedFirst is the configuration of a weir that does not wait for its record.
const releasedFirst = "audit: {before_release: false}\n"

func newThing(t *testing.T, settings string) thing {
	dir := t.TempDir()
	f := thing{trial: newTrial(t, "sqlite://"+filepath.Join(dir, "weir.db"), settings+counting)}
	f.away = filepath.Join(dir, "away")
	f.serve()
	f.load()
	f.passes()
	for _, metric := range []string{failures, storeFailures} {
		if n := f.count(metric); n != 0 {
			t.Errorf("%d failures before there are any", n)
		}
	}
	return f
}

// database is the file of the store.
func database(t *testing.T, settings string) thing {
	f := newThing(t, settings)
	f.path, f.metric, f.heading = strings.TrimPrefix(f.install.Store, "sqlite://"), storeFailures, "msg=store"
	return f
}

// log is the log that calls wait for.
func log(t *testing.T, settings string) thing {
	f := newThing(t, settings)
	f.path, f.metric, f.heading = strings.TrimPrefix(f.install.Store, "sqlite://")+"-log", failures, "msg=record"
	return f
}

// take takes the thing away, and waits until weir has noticed. Calls pass all the same.
func (f thing) take() {
	f.t.Helper()
	f.move(f.path, f.away)
	f.passes()
	f.next()
	f.await("log and metrics tell of it", func(tally) bool {
		return f.count(f.metric) > 0 && strings.Contains(f.process.Log(), f.heading)
	})
	f.logs("was moved or deleted while in use")
	f.passes()
}

func (f thing) move(from, to string) {
	f.t.Helper()
	if err := os.Rename(from, to); err != nil {
		f.t.Fatal(err)
	}
}

// TestTheStoreIsAway takes the store away and gives it back, before weir ends or after. Calls go on, and all of them get into the store.
func TestTheStoreIsAway(t *testing.T) {
	t.Parallel()
	for _, settings := range []string{"", releasedFirst} {
		for _, ended := range []bool{false, true} {
			f := database(t, settings)
			f.take()
			f.ready(http.StatusOK)
			if _, text := f.page("readyz"); !strings.Contains(text, `"store":"unavailable","events_in_log":`) {
				t.Errorf("readyz says nothing of it: %s", text)
			}
			if ended {
				f.finish()
				f.logs("the next weir that opens the store puts them there")
				f.move(f.away, f.path)
			} else {
				f.move(f.away, f.path)
				f.passes()
				f.finish()
			}
			if n := f.denied; n != 0 {
				t.Errorf("%d calls were refused", n)
			}
			f.complete()
		}
	}
}

// TestTheLogIsAway takes the log away, and gives it back. Meanwhile calls are refused.
func TestTheLogIsAway(t *testing.T) {
	t.Parallel()
	f := log(t, "")
	f.move(f.path, f.away)
	f.refuses("was moved or deleted while in use")
	f.ready(http.StatusServiceUnavailable)
	f.move(f.away, f.path)
	f.recovers()
	f.turns(http.StatusOK)
	f.finish()
	f.complete()
}

// TestReleasedFirst takes the log away from a weir that does not wait for it, and gives it back. What passed meanwhile is
// recorded late.
func TestReleasedFirst(t *testing.T) {
	t.Parallel()
	f := log(t, releasedFirst)
	f.take()
	f.ready(http.StatusServiceUnavailable)
	f.move(f.away, f.path)
	f.turns(http.StatusOK)
	f.passes()
	if n := f.count(lost); n != 0 {
		t.Errorf("%d events were lost, and the log is back", n)
	}
	f.finish()
	f.complete()
}

// TestReleasedAndLost ends such a weir while its log is away. What passed meanwhile is lost, and that is told; what is on record
// is whole.
func TestReleasedAndLost(t *testing.T) {
	t.Parallel()
	f := log(t, releasedFirst)
	f.take()
	f.finish()
	f.logs("events are not recorded and are lost")
	f.move(f.away, f.path)
	found := f.compare()
	if len(found.Missing) == 0 {
		t.Error("nothing was lost: the log was there")
	}
	t.Logf("calls: %d reached a client, %d of which are not in the record", found.Seen, len(found.Missing))
}
