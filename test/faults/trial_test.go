package faults

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/weir-gate/weir/internal/weirtest/need"
	"github.com/weir-gate/weir/internal/weirtest/program"
	"github.com/weir-gate/weir/internal/weirtest/scripted"
	"github.com/weir-gate/weir/test/loadtest"
)

const (
	clients  = 4 // the last one asks for whole answers, the others for streams
	patience = 3 * time.Minute
)

// unrecorded is what a model reads in place of a call that was not recorded.
const unrecorded = `[weir] The call to "Bash" was refused (store_unavailable): The call could not be recorded. ` +
	`Do not retry it; continue without it or ask the user.`

// Lines of configuration, and what they have counted.
const (
	counting = "metrics: {enabled: true}\n"
	shipped  = "audit: {release: shipped}\n" // calls wait for the store
	failures = "weir_audit_failures_total"   // batches that the log did not take

	storeFailures = "weir_audit_store_failures_total" // batches that the store did not take
	lost          = "weir_audit_lost_events_total"    // events that were given up
)

// binary is the real weir.
var binary string

func TestMain(m *testing.M) { os.Exit(need.Main(m, &binary)) }

// A trial is a weir, its model and its clients.
type trial struct {
	t       *testing.T
	install program.Install
	ledger  *loadtest.Ledger
	bulk    atomic.Int64 // see loadtest.Model
	http    *http.Client

	process *program.Process
	stop    atomic.Bool
	asking  sync.WaitGroup

	mu     sync.Mutex
	phase  int
	tally  tally         // of the turns that began in this phase
	denied int           // calls that the store did not take, as clients were told
	err    error         // of a client; nil: all is well
	turned chan struct{} // closed at the end of the next turn
}

// A tally counts turns.
type tally struct {
	released int // turns that had all their calls
	refused  int // turns that had none
	mixed    int
}

func (a tally) turns() int { return a.released + a.refused + a.mixed }

// newTrial sets up a weir on a store, with lines of configuration of its own. It does not run yet.
func newTrial(t *testing.T, store, settings string) *trial {
	t.Helper()
	tr := &trial{t: t, ledger: loadtest.NewLedger(), turned: make(chan struct{})}
	m := &loadtest.Model{Bulk: func() int { return int(tr.bulk.Load()) }}
	upstream, err := scripted.New(scripted.Config{Answer: m.Answer})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := upstream.Close(); err != nil {
			t.Error(err)
		}
	})
	transport := &http.Transport{MaxIdleConnsPerHost: clients}
	t.Cleanup(transport.CloseIdleConnections)
	tr.http = &http.Client{Transport: transport}
	tr.install = program.In(t.TempDir(), binary)
	tr.install.Store = store
	if err := tr.install.Configure(loadtest.Settings(upstream.URL(), "allow") + settings); err != nil {
		t.Fatal(err)
	}
	return tr
}

// serve starts weir.
func (tr *trial) serve() {
	tr.t.Helper()
	p, err := tr.install.Begin()
	if err != nil {
		tr.t.Fatal(err)
	}
	tr.t.Cleanup(func() {
		tr.stop.Store(true)
		p.Kill() // if the test has not come to its end
		tr.asking.Wait()
	})
	tr.process = p
	if err := p.Await(); err != nil {
		tr.t.Fatal(err)
	}
}

// load has clients ask for turns, one after the other, until finish.
func (tr *trial) load() {
	for i := range clients {
		c := tr.client(i != clients-1)
		tr.asking.Go(func() {
			for !tr.stop.Load() {
				tr.mu.Lock()
				phase := tr.phase
				tr.mu.Unlock()
				turn, err := c.Turn(context.Background())
				if tr.note(phase, turn, err); err != nil {
					return
				}
			}
		})
	}
}

func (tr *trial) client(streams bool) *loadtest.Client {
	return &loadtest.Client{Base: tr.process.Base, Streams: streams, HTTP: tr.http, Ledger: tr.ledger}
}

// note counts a turn that began in a phase.
func (tr *trial) note(phase int, turn loadtest.Turn, err error) {
	tr.mu.Lock()
	defer tr.mu.Unlock()
	tr.denied += len(turn.Notices)
	for _, n := range turn.Notices {
		if n != unrecorded && err == nil {
			err = fmt.Errorf("weir says %s", n)
		}
	}
	if err != nil && tr.err == nil {
		tr.err = err
	}
	if phase == tr.phase && err == nil {
		switch {
		case len(turn.Notices) == 0:
			tr.tally.released++
		case turn.Calls == 0:
			tr.tally.refused++
		default:
			tr.tally.mixed++
		}
	}
	close(tr.turned)
	tr.turned = make(chan struct{})
}

// next begins a phase: what began before does not count any more.
func (tr *trial) next() {
	tr.mu.Lock()
	defer tr.mu.Unlock()
	tr.phase++
	tr.tally = tally{}
}

// await waits until enough turns of this phase have ended, and returns what came of them.
func (tr *trial) await(what string, enough func(tally) bool) tally {
	tr.t.Helper()
	deadline := time.After(patience)
	for {
		tr.mu.Lock()
		got, err, turned := tr.tally, tr.err, tr.turned
		tr.mu.Unlock()
		if err != nil {
			tr.t.Fatalf("until %s: a client: %v\n%s", what, err, tr.end(tr.process.Log()))
		}
		if enough(got) {
			return got
		}
		select {
		case <-turned:
		case <-tr.process.Gone:
			tr.t.Fatalf("until %s: weir has ended\n%s", what, tr.end(tr.process.Log()))
		case <-deadline:
			tr.t.Fatalf("until %s: %+v is all that came\n%s", what, got, tr.end(tr.process.Log()))
		}
	}
}

// end is the last of a log.
func (tr *trial) end(log string) string { return log[max(0, len(log)-4000):] }

// enough of the turns for one state of the store.
const enough = 8

// passes demands that all calls pass from now on.
func (tr *trial) passes() {
	tr.t.Helper()
	tr.next()
	if got := tr.await("calls pass", func(y tally) bool { return y.turns() >= enough }); got.released != got.turns() {
		tr.t.Errorf("the store is well, and %+v\n%s", got, tr.end(tr.process.Log()))
	}
}

// refuses demands that no call passes from now on, and that the log says why.
func (tr *trial) refuses(why string) {
	tr.t.Helper()
	tr.next()
	if got := tr.await("calls are refused", func(y tally) bool { return y.turns() >= enough }); got.refused != got.turns() {
		tr.t.Errorf("the store is away, and %+v", got)
	}
	tr.logs(why)
}

// recovers waits until calls pass again, and demands that they go on to.
func (tr *trial) recovers() {
	tr.t.Helper()
	tr.next()
	tr.await("calls pass again", func(y tally) bool { return y.released > 0 })
	tr.passes()
}

// logs demands that weir has logged words.
func (tr *trial) logs(words string) {
	tr.t.Helper()
	if text := tr.process.Log(); !strings.Contains(text, words) {
		tr.t.Errorf("the log does not say %q:\n%s", words, tr.end(text))
	}
}

// page gets one of weir's own pages.
func (tr *trial) page(name string) (status int, text string) {
	tr.t.Helper()
	resp, err := tr.http.Get(tr.process.Base + "/" + name)
	if err != nil {
		tr.t.Fatal(err)
	}
	data, err := io.ReadAll(resp.Body)
	if err := errors.Join(err, resp.Body.Close()); err != nil {
		tr.t.Fatal(err)
	}
	return resp.StatusCode, string(data)
}

// count is what a metric of weir has counted.
func (tr *trial) count(metric string) int {
	tr.t.Helper()
	_, text := tr.page("metrics")
	for line := range strings.Lines(text) {
		if value, is := strings.CutPrefix(line, metric+" "); is {
			n, err := strconv.Atoi(strings.TrimSpace(value))
			if err != nil {
				tr.t.Fatal(err)
			}
			return n
		}
	}
	tr.t.Fatalf("there is no metric %s:\n%s", metric, text)
	return 0
}

// ready demands of weir to say whether it is.
func (tr *trial) ready(want int) {
	tr.t.Helper()
	if status, text := tr.page("readyz"); status != want {
		tr.t.Errorf("readyz: status %d, want %d: %s", status, want, text)
	}
}

// turns waits until weir says that it is ready, or that it is not.
func (tr *trial) turns(want int) {
	tr.t.Helper()
	tr.next()
	tr.await(fmt.Sprintf("readyz has status %d", want), func(tally) bool {
		status, _ := tr.page("readyz")
		return status == want
	})
}

// finish ends the load, and weir in good order.
func (tr *trial) finish() {
	tr.t.Helper()
	tr.stop.Store(true)
	tr.asking.Wait()
	tr.mu.Lock()
	err := tr.err
	tr.mu.Unlock()
	if err != nil {
		tr.t.Errorf("a client: %v", err)
	}
	tr.http.CloseIdleConnections() // weir waits for those that were never used: there may be a request on its way
	tr.process.Stop(tr.t)
}

// compare verifies the record and holds it against what reached the clients.
func (tr *trial) compare() loadtest.Comparison {
	tr.t.Helper()
	c := tr.ledger.Compare(loadtest.Records(tr.t, tr.install))
	for _, err := range c.Wrong {
		tr.t.Error(err)
	}
	return c
}

// complete demands that all that reached a client is in the record, and that some did; and so are, in the end, all refusals that
// clients were told of.
func (tr *trial) complete() {
	tr.t.Helper()
	c := tr.compare()
	for _, id := range c.Missing {
		tr.t.Errorf("call %s reached its client and is not in the record", id)
	}
	if c.Complete == 0 {
		tr.t.Error("no call reached a client")
	}
	if n := c.Refused["store_unavailable"]; n != tr.denied {
		tr.t.Errorf("%d calls were refused because they could not be recorded, and %d are on record as such", tr.denied, n)
	}
	tr.t.Logf("calls: %d reached a client; %d are recorded; refused %v; %d are recorded as released, and no client got them",
		c.Seen, c.Recorded, c.Refused, c.Withheld)
	if strings.Contains(tr.process.Log(), "a new chain begins") {
		tr.t.Errorf("events were lost:\n%s", tr.end(tr.process.Log()))
	}
}

// sorry demands that weir does not start, and says why in one line.
func (tr *trial) sorry(why string) {
	tr.t.Helper()
	p, err := tr.install.Begin()
	if err != nil {
		tr.t.Fatal(err)
	}
	if p.Await() == nil {
		p.Kill()
		tr.t.Fatal("weir starts")
	}
	if text := p.Log(); p.ExitCode() != 2 || !strings.Contains(text, why) || strings.Count(strings.TrimSpace(text), "\n") != 0 {
		tr.t.Errorf("exit code %d, want 2 and one line with %q:\n%s", p.ExitCode(), why, text)
	}
}
