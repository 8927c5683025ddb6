package crash

import (
	"context"
	"database/sql"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	_ "modernc.org/sqlite"

	"github.com/weir-gate/weir/internal/record/store/storetest"
	"github.com/weir-gate/weir/internal/weirtest/program"
	"github.com/weir-gate/weir/internal/weirtest/scripted"
	"github.com/weir-gate/weir/test/loadtest"
)

var (
	kills         = flag.Int("kills", 100, "how often weir is killed on SQLite, in all")
	postgresKills = flag.Int("postgres-kills", 30, "how often weir is killed on PostgreSQL, in all")
	releaseFirst  = flag.Bool("release-first", false, "set audit.before_release to false; TestKilled must then fail")
)

const (
	lanes      = 4 // weirs that run at once, each on its own store
	clients    = 4 // of each weir
	checkEvery = 5 // kills between two looks at the store
	patience   = 3 * time.Minute
)

// A lane is a weir that is started and killed over and over, its model and its clients.
type lane struct {
	install program.Install
	current atomic.Pointer[process]
	ledger  *loadtest.Ledger
	kills   int
	found   loadtest.Comparison
}

// newLane sets up a weir on the store at a URL.
func newLane(t *testing.T, store string, beforeRelease bool) *lane {
	t.Helper()
	l := &lane{ledger: loadtest.NewLedger()}
	m := &loadtest.Model{Sent: func() { l.happened(sent) }}
	upstream, err := scripted.New(scripted.Config{Answer: m.Answer})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := upstream.Close(); err != nil {
			t.Error(err)
		}
	})
	l.install = program.In(t.TempDir(), binary)
	l.install.Store = store
	settings := loadtest.Settings(upstream.URL(), "allow") + fmt.Sprintf("audit: {before_release: %t}\n", beforeRelease)
	if err := l.install.Configure(settings); err != nil {
		t.Fatal(err)
	}
	return l
}

func (l *lane) happened(o occasion) {
	if p := l.current.Load(); p != nil {
		p.happened(o)
	}
}

// TestKilled kills weir under load and checks, again and again, that the record holds every call that reached a client
// and that its chains verify.
//
// A killed process loses nothing that it has handed to the kernel or to a server: that the disk has it too is what SQLite's
// synchronous=FULL and PostgreSQL's synchronous_commit are for, and only a cut of power would show.
func TestKilled(t *testing.T) {
	for name, database := range storetest.Databases {
		times := *kills
		if name == "postgres" {
			times = *postgresKills
		}
		t.Run(name, func(t *testing.T) {
			all := make([]*lane, lanes)
			for i := range all {
				all[i] = newLane(t, database(t), !*releaseFirst)
			}
			t.Run("lanes", func(t *testing.T) {
				for i := range all {
					t.Run(fmt.Sprint(i), func(t *testing.T) {
						t.Parallel()
						ctx, cancel := context.WithTimeout(t.Context(), patience)
						defer cancel()
						all[i].run(ctx, t, (times+lanes-1)/lanes)
					})
				}
			})
			tell(t, all)
		})
	}
}

// tell says what came of the lanes.
func tell(t *testing.T, all []*lane) {
	var sum loadtest.Comparison
	kills := 0
	for _, l := range all {
		kills += l.kills
		sum.Complete += l.found.Complete
		sum.Seen += l.found.Seen
		sum.Recorded += l.found.Recorded
		sum.Withheld += l.found.Withheld
	}
	t.Logf("%d kills; calls: %d reached a client whole, %d in part or whole; %d are recorded, %d of which the kill kept from their client",
		kills, sum.Complete, sum.Seen, sum.Recorded, sum.Withheld)
}

func (l *lane) run(ctx context.Context, t *testing.T, kills int) {
	for n := range kills {
		if err := l.live(ctx, someMoment(n)); err != nil {
			t.Fatalf("kill %d: %v", n, err)
		}
		l.kills++
		if n%checkEvery == checkEvery-1 || n == kills-1 {
			l.check(t)
		}
	}
}

// someMoment spreads the kills: some at any time, many around the moments at which calls are recorded and released.
func someMoment(n int) moment {
	count := 1 + rand.Int64N(12)
	switch n % 5 {
	case 0:
		return moment{after: begun, count: 1, delay: rand.N(30 * time.Millisecond)}
	case 1:
		return moment{after: listening, count: 1, delay: rand.N(100 * time.Millisecond)}
	case 2:
		return moment{after: arrived, count: count}
	case 3:
		return moment{after: sent, count: count, delay: rand.N(4 * time.Millisecond)}
	default:
		return moment{after: sent, count: count}
	}
}

// live starts weir, has clients ask it for turns, and returns when it has been killed and they have read what was left
// for them.
func (l *lane) live(ctx context.Context, at moment) error {
	p, err := start(l.install, at)
	if err != nil || p.Base == "" {
		return err
	}
	l.current.Store(p)
	var group sync.WaitGroup
	failures := make([]error, clients)
	transport := &http.Transport{MaxIdleConnsPerHost: clients}
	defer transport.CloseIdleConnections()
	for i := range clients {
		group.Go(func() { failures[i] = l.ask(ctx, p, i%4 != 3, transport) })
	}
	group.Wait()
	p.kill() // after a failure it may be alive
	if err := errors.Join(failures...); err != nil {
		return fmt.Errorf("%w\n%s", err, p.Log())
	}
	return nil
}

// ask asks for turns until weir is killed. Trouble before that is an error, and so is a call that was refused.
func (l *lane) ask(ctx context.Context, p *process, streams bool, transport *http.Transport) error {
	c := &loadtest.Client{
		Base: p.Base, Streams: streams, HTTP: &http.Client{Transport: transport}, Ledger: l.ledger,
		Arrived: func() { p.happened(arrived) },
	}
	for {
		turn, err := c.Turn(ctx)
		switch {
		case ctx.Err() != nil:
			return fmt.Errorf("weir was not killed in time: %w", ctx.Err())
		case p.killed.Load() && err != nil && !errors.Is(err, loadtest.ErrUnfit):
			return nil
		case err != nil:
			return err
		case len(turn.Notices) > 0:
			return fmt.Errorf("weir says %s", strings.Join(turn.Notices, "; "))
		case p.killed.Load():
			return nil
		}
	}
}

// check holds the record against what reached the clients.
func (l *lane) check(t *testing.T) {
	l.found = l.ledger.Compare(loadtest.Records(t, l.install))
	for _, id := range l.found.Missing {
		t.Errorf("call %s reached its client and is not in the record", id)
	}
	for _, err := range l.found.Wrong {
		t.Error(err)
	}
}

// TestMissingCallIsNoticed shows that the check can fail: a weir whose store is locked by another process is killed the moment its call
// reaches the client. Only its log has the call; without the log the record cannot have it, and with it the record has it.
func TestMissingCallIsNoticed(t *testing.T) {
	for _, without := range []bool{true, false} {
		l := newLane(t, storetest.Databases["sqlite"](t), true)
		ctx, cancel := context.WithTimeout(t.Context(), patience)
		defer cancel()
		p, err := start(l.install, moment{after: arrived, count: 1})
		if err != nil {
			t.Fatal(err)
		}
		path := strings.TrimPrefix(l.install.Store, "sqlite://")
		unlock := lock(ctx, t, path)
		if err := l.ask(ctx, p, true, &http.Transport{DisableKeepAlives: true}); err != nil {
			t.Fatal(err)
		}
		<-p.Gone
		unlock()
		if without {
			if err := os.RemoveAll(path + "-log"); err != nil {
				t.Fatal(err)
			}
		}
		found, missing := l.ledger.Compare(loadtest.Records(t, l.install)), 0
		if without {
			missing = found.Seen
		}
		if found.Complete == 0 || len(found.Missing) != missing {
			t.Errorf("%d calls reached the client whole; the check misses %d, want %d", found.Complete, len(found.Missing), missing)
		}
	}
}

// lock keeps others from writing to a store until it is undone.
func lock(ctx context.Context, t *testing.T, path string) (unlock func()) {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+path+"?_txlock=immediate&_pragma=busy_timeout(5000)")
	if err != nil {
		t.Fatal(err)
	}
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		t.Fatal(err)
	}
	return func() {
		if err := errors.Join(tx.Rollback(), db.Close()); err != nil {
			t.Error(err)
		}
	}
}
