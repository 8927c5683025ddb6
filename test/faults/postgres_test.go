package faults

import (
	"math/rand/v2"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/weir-gate/weir/internal/record/store/postgrestest"
)

// TestPostgresRestarts stops the server and starts it again: after it has sent everybody away, and as if it was killed. Calls go on,
// unless they wait for the store.
func TestPostgresRestarts(t *testing.T) {
	t.Parallel()
	for _, settings := range []string{"", shipped} {
		server := postgrestest.New(t)
		tr := newTrial(t, server.Database(t), counting+settings)
		tr.serve()
		tr.load()
		tr.passes()
		for _, atOnce := range []bool{false, true} {
			server.Stop(t, atOnce)
			tr.away(settings, "cannot connect")
			before := tr.count(storeFailures)
			tr.next()
			tr.await("the metrics count on", func(tally) bool { return tr.count(storeFailures) > before })
			server.Start(t)
			tr.recovers()
			tr.turns(http.StatusOK)
		}
		tr.finish()
		tr.complete()
	}
}

// away demands that calls go on while the store is away, or are refused if they wait for it, and that weir says why.
func (tr *trial) away(settings, why string) {
	tr.t.Helper()
	tr.next()
	if settings == shipped {
		tr.await("calls are refused", func(y tally) bool { return y.refused > 0 })
		tr.refuses(why)
		tr.ready(http.StatusServiceUnavailable)
		return
	}
	tr.await("weir says why", func(tally) bool { return strings.Contains(tr.process.Log(), why) })
	tr.passes()
	tr.ready(http.StatusOK)
	if tr.denied > 0 {
		tr.t.Errorf("%d calls were refused", tr.denied)
	}
}

// through sets up a weir that reaches a database by way of a proxy.
func through(t *testing.T, database, settings string) (*trial, *postgrestest.Proxy) {
	t.Helper()
	u, err := url.Parse(database)
	if err != nil {
		t.Fatal(err)
	}
	p := postgrestest.NewProxy(t, u.Host)
	u.Host, u.RawQuery = p.Address(), "sslmode=disable&connect_timeout=1"
	return newTrial(t, u.String(), settings), p
}

// TestTheNetworkCuts cuts the connection to the server at random bytes of what is sent and what is answered.
func TestTheNetworkCuts(t *testing.T) {
	t.Parallel()
	for _, settings := range []string{counting, shipped + counting} {
		tr, proxy := through(t, postgrestest.Database(t), settings)
		tr.serve()
		tr.load()
		tr.passes()
		var all tally
		for i := range 12 {
			tr.next()
			if i%2 == 0 {
				proxy.Follow(postgrestest.Plan{Sent: 1 + rand.IntN(12_000)})
			} else {
				proxy.Follow(postgrestest.Plan{Answered: 1 + rand.IntN(600)})
			}
			got := tr.await("a connection is cut, and calls pass", func(y tally) bool { return y.released >= 2 && proxy.Done() })
			all.released += got.released
			all.refused += got.refused + got.mixed
		}
		proxy.Follow(postgrestest.Plan{})
		tr.recovers()
		if waits := settings != counting; waits != (all.refused > 0) {
			t.Errorf("%d turns had refusals", all.refused)
		}
		if tr.count(storeFailures) == 0 {
			t.Error("no cut was noticed")
		}
		t.Logf("%d turns passed, %d had refusals", all.released, all.refused)
		tr.logs("weir goes on by itself when the server is back")
		tr.finish()
		tr.complete()
	}
}

// TestTheNetworkSwallows lets nothing through and tells nobody, as a cable that is pulled out.
func TestTheNetworkSwallows(t *testing.T) {
	t.Parallel()
	for _, settings := range []string{"", shipped} {
		tr, proxy := through(t, postgrestest.Database(t), settings)
		tr.serve()
		tr.load()
		tr.passes()
		proxy.Follow(postgrestest.Plan{Swallow: true})
		tr.next()
		if settings == shipped {
			got := tr.await("a call is refused", func(y tally) bool { return y.refused > 0 })
			if got.turns() != got.refused {
				t.Errorf("the network is cut, and %+v", got)
			}
		} else {
			tr.await("weir notices", func(tally) bool { return strings.Contains(tr.process.Log(), "no response in time") })
			tr.passes()
		}
		tr.logs("no response in time")
		proxy.Follow(postgrestest.Plan{})
		proxy.Cut()
		tr.recovers()
		tr.finish()
		tr.complete()
	}
}

// TestPostgresOnlyAllowsReading takes the right to write from a database, as a failover to a standby does, and gives it back.
func TestPostgresOnlyAllowsReading(t *testing.T) {
	t.Parallel()
	for _, settings := range []string{"", shipped} {
		database := postgrestest.Database(t)
		tr := newTrial(t, database, settings)
		set := func(how string) {
			postgrestest.Exec(t, database, "SET default_transaction_read_only = off",
				"DO $$ BEGIN EXECUTE format('ALTER DATABASE %I "+how+"', current_database()); END $$",
				// Connections that are there keep their settings: they must go.
				"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()")
		}
		tr.serve()
		tr.load()
		tr.passes()
		set("SET default_transaction_read_only = on")
		tr.away(settings, "the server only allows reading")
		set("RESET default_transaction_read_only")
		tr.recovers()
		tr.finish()
		tr.complete()
	}
}
