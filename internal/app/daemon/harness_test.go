package daemon

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/weir-gate/weir/internal/app/config"
	"github.com/weir-gate/weir/internal/model/wire"
	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/catchup"
	"github.com/weir-gate/weir/internal/record/home"
	"github.com/weir-gate/weir/internal/record/query"
	"github.com/weir-gate/weir/internal/record/store/sqlitetest"
	"github.com/weir-gate/weir/internal/record/verify"
	"github.com/weir-gate/weir/internal/weirtest/scripted"
)

// A rig is a daemon in front of a scripted upstream, with a folder of its own.
type rig struct {
	t      *testing.T
	dir    string
	config *config.Config
	reread func() (*config.Config, error) // may be nil
	// stateDir has the socket for shims; "": there is none.
	stateDir string
	log      *journal
	daemon   *Daemon
	run      func() // starts serving
	end      func() error
}

const allowAll = "version: 1\ndefault: allow\n"

// newRig starts a daemon that does not serve yet.
func newRig(t *testing.T, answer func(scripted.Request) scripted.Answer) *rig {
	t.Helper()
	up, err := scripted.New(scripted.Config{Answer: answer})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { up.Close() })
	u, err := url.Parse(up.URL())
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	sqlitetest.Create(t, filepath.Join(dir, "weir.db"))
	c := config.Default(dir)
	c.Listen = "127.0.0.1:0"
	c.Upstreams = map[string]config.Upstream{"model": {URL: u}}
	r := &rig{t: t, dir: dir, config: c, log: &journal{}}
	r.write(allowAll)
	return r
}

// source is the policy of the rig.
func (r *rig) source() PolicySource { return PolicySource{Path: r.config.Policy.Path} }

// write puts a policy in place as a whole.
func (r *rig) write(text string) {
	r.t.Helper()
	whole := filepath.Join(r.dir, "new.yaml")
	if err := os.WriteFile(whole, []byte(text), 0o600); err != nil {
		r.t.Fatal(err)
	}
	if err := os.Rename(whole, r.config.Policy.Path); err != nil {
		r.t.Fatal(err)
	}
}

// start starts the daemon. The policy's file is looked at only when poll says how often, or a test does so itself.
func (r *rig) start(poll time.Duration) {
	r.t.Helper()
	if poll == 0 {
		poll = time.Hour
	}
	d, err := Start(r.t.Context(), Config{
		Config: r.config, Policy: r.source(), Reread: r.reread, PollEvery: poll, Log: slog.New(slog.NewTextHandler(r.log, nil)), StateDir: r.stateDir,
	})
	if err != nil {
		r.t.Fatal(err)
	}
	r.daemon = d
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	r.run = func() { go func() { ended <- d.Run(ctx) }() }
	r.end = sync.OnceValue(func() error {
		cancel()
		return <-ended
	})
}

// serve starts the daemon and has it served until the test is over.
func (r *rig) serve(poll time.Duration) {
	r.t.Helper()
	r.start(poll)
	r.run()
	r.t.Cleanup(func() { r.end() }) // tests that care have asked before
}

// ask sends a request and returns the answer's body.
func (r *rig) ask() (string, error) {
	resp, err := http.Post("http://"+r.daemon.Address()+"/model/v1/messages", "application/json",
		strings.NewReader(`{"model":"m","max_tokens":1,"stream":true,"messages":[{"role":"user","content":"go"}]}`))
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err == nil && resp.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s: %s", resp.Status, body)
	}
	return string(body), err
}

// mustAsk is ask for the test's own goroutine.
func (r *rig) mustAsk() string {
	r.t.Helper()
	body, err := r.ask()
	if err != nil {
		r.t.Fatal(err)
	}
	return body
}

// events reads the record.
func (r *rig) events(f query.Filter) []record.Event {
	r.t.Helper()
	reader := r.reader()
	defer reader.Close()
	var events []record.Event
	for entry, err := range reader.Entries(r.t.Context(), f) {
		if err != nil {
			r.t.Fatal(err)
		}
		e, err := entry.Event()
		if err != nil {
			r.t.Fatal(err)
		}
		events = append(events, e)
	}
	return events
}

// verify demands that the record is intact.
func (r *rig) verify() {
	r.t.Helper()
	reader := r.reader()
	defer reader.Close()
	report, err := verify.Check{Record: reader}.Run(r.t.Context())
	if err != nil || report.Found != 0 {
		r.t.Errorf("the record is not intact: %v, %v", report.Problems, err)
	}
}

func (r *rig) reader() home.View {
	r.t.Helper()
	state := r.stateDir
	if state == "" {
		state = filepath.Dir(r.config.Audit.Key)
	}
	say := func(text string) { r.t.Error(text) }
	reader, err := catchup.Open(r.t.Context(), catchup.Config{URL: r.config.Store.URL, StateDir: state, Say: say})
	if err != nil {
		r.t.Fatal(err)
	}
	return reader
}

// A journal keeps a log that several goroutines write.
type journal struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (j *journal) Write(p []byte) (int, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.text.Write(p)
}

func (j *journal) String() string {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.text.String()
}

// demand says how often a text must stand in the log.
func (r *rig) demand(text string, times int) {
	r.t.Helper()
	if got := strings.Count(r.log.String(), text); got != times {
		r.t.Errorf("%q stands %d times in the log, want %d:\n%s", text, got, times, r.log)
	}
}

// A tool call of a scripted turn.
type toolCall struct{ name, args string }

// frames are those of a turn with these calls.
func frames(calls ...toolCall) (steps []scripted.Step) {
	turn := wire.Turn{Model: "m", ID: "msg_1", In: 1, Out: 2}
	for i, c := range calls {
		turn.Blocks = append(turn.Blocks, wire.Block{Tool: c.name, ID: fmt.Sprint("toolu_", i), Pieces: []string{c.args}})
	}
	for _, s := range wire.Messages.Stream(turn) {
		steps = append(steps, scripted.Write(wire.Messages.Encode(s)))
	}
	return steps
}

// turn answers every request with the same calls.
func turn(calls ...toolCall) func(scripted.Request) scripted.Answer {
	return stream(frames(calls...)...)
}

func stream(steps ...scripted.Step) func(scripted.Request) scripted.Answer {
	answer := scripted.Answer{Header: http.Header{"Content-Type": {"text/event-stream"}}, Steps: steps}
	return func(scripted.Request) scripted.Answer { return answer }
}
