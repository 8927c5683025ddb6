package crash

import (
	"context"
	"database/sql"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	_ "modernc.org/sqlite"

	"github.com/weir-gate/weir/internal/weirtest/scripted"
)

var (
	kills        = flag.Int("kills", 100, "how often weir is killed, in all")
	releaseFirst = flag.Bool("release-first", false, "set audit.before_release to false; TestKilled must then fail")
)

const (
	lanes      = 4 // weirs that run at once, each on its own store
	clients    = 4 // of each weir
	checkEvery = 5 // kills between two looks at the store
	patience   = 3 * time.Minute
)

// A lane is a weir that is started and killed over and over, its model and its clients.
type lane struct {
	install install
	current atomic.Pointer[process]
	ledger  *ledger
	tally   tally
}

// A tally is what came of a lane.
type tally struct {
	kills    int
	complete int // calls that reached a client whole
	seen     int // in part or whole
	recorded int
	withheld int // recorded, and not seen: the kill came between
}

func (a *tally) add(b tally) {
	a.kills += b.kills
	a.complete += b.complete
	a.seen += b.seen
	a.recorded += b.recorded
	a.withheld += b.withheld
}

func newLane(t *testing.T, beforeRelease bool) *lane {
	t.Helper()
	l := &lane{ledger: newLedger()}
	m := &model{sent: func() { l.happened(sent) }}
	upstream, err := scripted.New(scripted.Config{Answer: m.answer})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := upstream.Close(); err != nil {
			t.Error(err)
		}
	})
	l.install = newInstall(t, upstream.URL(), beforeRelease)
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
// A killed process loses nothing that it has handed to the kernel: that the disk has it too is what SQLite's
// synchronous=FULL is for, and only a cut of power would show.
func TestKilled(t *testing.T) {
	all := make([]*lane, lanes)
	t.Run("lanes", func(t *testing.T) {
		for i := range all {
			all[i] = newLane(t, !*releaseFirst)
			t.Run(fmt.Sprint(i), func(t *testing.T) {
				t.Parallel()
				ctx, cancel := context.WithTimeout(t.Context(), patience)
				defer cancel()
				all[i].run(ctx, t, (*kills+lanes-1)/lanes)
			})
		}
	})
	var sum tally
	for _, l := range all {
		sum.add(l.tally)
	}
	t.Logf("%d kills; calls: %d reached a client whole, %d in part or whole; %d are recorded, %d of which the kill kept from their client",
		sum.kills, sum.complete, sum.seen, sum.recorded, sum.withheld)
}

func (l *lane) run(ctx context.Context, t *testing.T, kills int) {
	for n := range kills {
		if err := l.live(ctx, someMoment(n)); err != nil {
			t.Fatalf("kill %d: %v", n, err)
		}
		l.tally.kills++
		if n%checkEvery == checkEvery-1 || n == kills-1 {
			l.check(ctx, t)
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
	p, err := l.install.start(ctx, at)
	if err != nil || p.base == "" {
		return err
	}
	l.current.Store(p)
	var group sync.WaitGroup
	failures := make([]error, clients)
	transport := &http.Transport{MaxIdleConnsPerHost: clients}
	defer transport.CloseIdleConnections()
	for i := range clients {
		c := &client{
			base: p.base, streams: i%4 != 3, http: &http.Client{Transport: transport}, ledger: l.ledger,
			arrived: func() { p.happened(arrived) },
		}
		group.Go(func() { failures[i] = c.ask(ctx, p) })
	}
	group.Wait()
	p.kill() // after a failure it may be alive
	<-p.ended
	if err := errors.Join(failures...); err != nil {
		return fmt.Errorf("%w\n%s", err, p.stderr.Bytes())
	}
	return nil
}

// ask asks for turns until weir is killed. Trouble before that is an error.
func (c *client) ask(ctx context.Context, p *process) error {
	for {
		err := c.turn(ctx)
		if ctx.Err() != nil {
			return fmt.Errorf("weir was not killed in time: %w", ctx.Err())
		}
		if p.killed.Load() && !errors.Is(err, errUnanswered) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// check holds the record against what reached the clients.
func (l *lane) check(ctx context.Context, t *testing.T) {
	if err := l.install.verify(ctx); err != nil {
		t.Error(err)
	}
	records, err := l.install.records(ctx)
	if err != nil {
		t.Fatal(err)
	}
	seen, complete := l.ledger.contents()
	for id := range seen {
		if err := fits(id, records[id]); err != nil {
			t.Error(err)
		}
	}
	for id, args := range complete {
		if args != arguments(id) {
			t.Errorf("call %s reached its client with other arguments: %s", id, args)
		}
	}
	l.tally.complete, l.tally.seen, l.tally.recorded, l.tally.withheld = len(complete), len(seen), len(records), 0
	for id := range records {
		if !seen[id] {
			l.tally.withheld++
		}
	}
}

// fits says what is wrong with the records of a call that reached a client, in part or whole.
func fits(id string, records []record) error {
	switch {
	case len(records) == 0:
		return fmt.Errorf("call %s reached its client and is not in the record", id)
	case len(records) > 1:
		return fmt.Errorf("call %s is recorded %d times", id, len(records))
	case records[0].Blocked:
		return fmt.Errorf("call %s reached its client and is recorded as refused", id)
	case string(records[0].Args) != arguments(id):
		return fmt.Errorf("call %s is recorded with other arguments: %s", id, records[0].Args)
	}
	return nil
}

// TestMissingCallIsNoticed shows that the check can fail: a weir that releases first, and whose store is locked by
// another process, is killed the moment its call reaches the client. The record cannot have it.
func TestMissingCallIsNoticed(t *testing.T) {
	l := newLane(t, false)
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	p, err := l.install.start(ctx, moment{after: arrived, count: 1})
	if err != nil {
		t.Fatal(err)
	}
	unlock := lock(ctx, t, l.install.store())
	c := &client{
		base: p.base, streams: true, http: &http.Client{Transport: &http.Transport{DisableKeepAlives: true}},
		ledger: l.ledger, arrived: func() { p.happened(arrived) },
	}
	if err := c.ask(ctx, p); err != nil {
		t.Fatal(err)
	}
	<-p.ended
	unlock()
	if err := l.install.verify(ctx); err != nil {
		t.Error(err)
	}
	records, err := l.install.records(ctx)
	if err != nil {
		t.Fatal(err)
	}
	_, complete := l.ledger.contents()
	if len(complete) == 0 {
		t.Fatal("no call reached the client")
	}
	for id := range complete {
		if fits(id, records[id]) == nil {
			t.Errorf("call %s is in a record that could not be written", id)
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
