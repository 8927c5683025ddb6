package gate_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/gate"
	"github.com/weir-gate/weir/internal/intake/budget"
	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/model/dialect/anthropic"
)

// A passage is a response under way in a test: the upstream, the judge and the agent are in the test's hands.
type passage struct {
	t        *testing.T
	gate     *gate.Gate
	upstream *upstream
	judge    *judge
	agent    *agent
	budget   *budget.Budget
	cancel   context.CancelFunc
	result   chan error
}

// A setting is how a passage differs from the usual.
type setting struct {
	whole    bool
	maxHold  time.Duration
	wait     time.Duration
	budget   *budget.Budget
	maxFrame int
	meter    gate.Meter
}

// begin starts a passage. It runs in a synctest bubble: synctest.Wait tells when everything that can happen has.
func begin(t *testing.T, s setting) *passage {
	ctx, cancel := context.WithCancel(context.Background())
	p := &passage{
		t: t, upstream: newUpstream(), judge: &judge{}, agent: &agent{}, budget: s.budget, cancel: cancel,
		result: make(chan error, 1),
	}
	src := &frame.Source{R: p.upstream}
	var in frame.Stream = frame.NewSSE(src, s.maxFrame)
	if s.whole {
		in = frame.NewBody(src, s.maxFrame)
	}
	g := gate.New(gate.Config{Judge: p.judge, MaxHold: s.maxHold, Meter: s.meter})
	p.gate = g
	go func() {
		p.result <- g.Pass(ctx, gate.Passage{
			Exchange: call.Exchange{Dialect: anthropic.Name},
			Patience: anthropic.Format().Patience, Whole: s.whole, Wait: s.wait,
			Dialect: anthropic.Format().New(dialect.Options{Whole: s.whole, MaxArguments: 1 << 20}),
			Source:  src, In: in, Out: p.agent, Abort: p.upstream.abort, Account: s.budget.Open("someone"),
		})
	}()
	t.Cleanup(cancel)
	return p
}

// send puts frames on the wire and waits until nothing more comes of them.
func (p *passage) send(frames ...string) {
	p.upstream.data <- []byte(wire(frames...))
	synctest.Wait()
}

// expect checks what the agent has been sent since the last time.
func (p *passage) expect(what string, frames ...string) {
	p.t.Helper()
	synctest.Wait()
	if got, want := p.agent.take(), wire(frames...); got != want {
		p.t.Errorf("%s: the agent got\n%s\nwant\n%s", what, got, want)
	}
}

// end ends the upstream and returns what Pass said.
func (p *passage) end(err error) error {
	p.t.Helper()
	p.upstream.end(err)
	return p.ended()
}

// ended returns what Pass said.
func (p *passage) ended() error {
	p.t.Helper()
	p.upstream.over = true
	var err error
	select {
	case err = <-p.result:
	case <-time.After(24 * time.Hour): // as the clock of the test has it
		p.t.Fatal("Pass does not return")
	}
	synctest.Wait()
	if p.judge.outcome == nil {
		p.t.Error("the end was not recorded")
	}
	return err
}

// wire is frames as they go over the wire.
func wire(frames ...string) string {
	var b strings.Builder
	for _, f := range frames {
		if strings.HasPrefix(f, ":") {
			b.WriteString(f + "\n\n")
			continue
		}
		_, rest, _ := strings.Cut(f, `"type":"`)
		if strings.HasPrefix(f, `{"type": "`) {
			_, rest, _ = strings.Cut(f, `"type": "`)
		}
		typ, _, _ := strings.Cut(rest, `"`)
		fmt.Fprintf(&b, "event: %s\ndata: %s\n\n", typ, f)
	}
	return b.String()
}

// An upstream gives what the test sends.
type upstream struct {
	data    chan []byte
	rest    []byte
	err     error
	over    bool // it has ended, or Pass has
	aborted chan struct{}
	once    sync.Once
}

func newUpstream() *upstream {
	return &upstream{data: make(chan []byte, 64), aborted: make(chan struct{})}
}

var errAborted = errors.New("aborted")

func (u *upstream) Read(p []byte) (int, error) {
	if len(u.rest) == 0 {
		select {
		case data, ok := <-u.data:
			if !ok {
				return 0, u.err
			}
			u.rest = data
		case <-u.aborted:
			return 0, errAborted
		}
	}
	n := copy(p, u.rest)
	u.rest = u.rest[n:]
	return n, nil
}

func (u *upstream) end(err error) {
	u.err, u.over = err, true
	close(u.data)
}

func (u *upstream) abort() { u.once.Do(func() { close(u.aborted) }) }

// An agent keeps what it gets.
type agent struct {
	mu      sync.Mutex
	written strings.Builder
	flushed int
	gone    error
}

func (a *agent) Write(b []byte) (int, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.gone != nil {
		return 0, a.gone
	}
	return a.written.Write(b)
}

func (a *agent) Flush() error {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.flushed = a.written.Len()
	return nil
}

// take returns what was flushed since the last time.
func (a *agent) take() string {
	a.mu.Lock()
	defer a.mu.Unlock()
	got := a.written.String()[:a.flushed]
	rest := a.written.String()[a.flushed:]
	a.written.Reset()
	a.written.WriteString(rest)
	a.flushed = 0
	return got
}

func (a *agent) leave(err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.gone = err
}

// A judge asks the test.
type judge struct {
	mu        sync.Mutex
	names     map[string]bool // refused by name
	asked     []question
	refused   []question
	slow      bool       // what is refused must be answered, too
	follows   []question // arguments that were told of, with what is wrong with them
	withdrawn []question
	outcome   *call.Outcome
}

type question struct {
	call   call.Call
	ruling call.Ruling // of one that is refused already
	answer func(call.Ruling)
}

func (j *judge) RefusedByName(c call.Call) (call.Ruling, bool) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return denied, j.names[c.Tool]
}

func (j *judge) Judge(_ context.Context, c call.Call, done func(call.Ruling)) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.asked = append(j.asked, question{call: c, answer: done})
}

func (j *judge) Refuse(c call.Call, r call.Ruling, done func(call.Ruling)) {
	j.mu.Lock()
	j.refused = append(j.refused, question{call: c, ruling: r, answer: done})
	slow := j.slow
	j.mu.Unlock()
	if !slow {
		done(r)
	}
}

func (j *judge) Arguments(c call.Call, fault call.Ruling) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.follows = append(j.follows, question{call: c, ruling: fault})
}

func (j *judge) Withdraw(c call.Call, r call.Ruling, done func(call.Ruling)) {
	j.mu.Lock()
	j.withdrawn = append(j.withdrawn, question{call: c, ruling: r})
	j.mu.Unlock()
	done(r)
}

func (j *judge) Ended(o call.Outcome) { j.outcome = &o }

// answer rules the call that the judge was asked about as the nth, counting from 0.
func (p *passage) answer(n int, r call.Ruling) {
	p.t.Helper()
	synctest.Wait()
	p.judge.mu.Lock()
	if n >= len(p.judge.asked) {
		p.t.Fatalf("the judge was asked about %d calls, want more than %d", len(p.judge.asked), n)
	}
	done := p.judge.asked[n].answer
	p.judge.mu.Unlock()
	done(r)
	synctest.Wait()
}

// questions is how many calls the judge was asked about.
func (p *passage) questions() int {
	synctest.Wait()
	p.judge.mu.Lock()
	defer p.judge.mu.Unlock()
	return len(p.judge.asked)
}

var (
	allowed = call.Ruling{Released: true}
	denied  = call.Ruling{Code: call.CodeToolDenied, Reason: "No.", Rule: "r"}
	lost    = call.Ruling{Code: call.CodeStoreUnavailable, Reason: "The call could not be recorded."}
)

// The frames of the tests.
const (
	start = `{"type":"message_start","message":{"id":"m","type":"message","role":"assistant","model":"x","content":[],"usage":{"output_tokens":1}}}`
	done  = `{"type":"message_stop"}`
	ping  = `{"type": "ping"}`
)

func text(i int) string {
	return fmt.Sprintf(`{"type":"content_block_start","index":%d,"content_block":{"type":"text","text":""}}`, i)
}

func says(i int, s string) string {
	return fmt.Sprintf(`{"type":"content_block_delta","index":%d,"delta":{"type":"text_delta","text":%q}}`, i, s)
}

func tool(i int, name string) string { return block(i, "tool_use", name) }

func block(i int, typ, name string) string {
	return fmt.Sprintf(`{"type":"content_block_start","index":%d,"content_block":{"type":%q,"id":"t%d","name":%q,"input":{}}}`, i, typ, i, name)
}

func args(i int, piece string) string {
	return fmt.Sprintf(`{"type":"content_block_delta","index":%d,"delta":{"type":"input_json_delta","partial_json":%q}}`, i, piece)
}

func stop(i int) string { return fmt.Sprintf(`{"type":"content_block_stop","index":%d}`, i) }

func because(reason string) string {
	return fmt.Sprintf(`{"type":"message_delta","delta":{"stop_reason":%q,"stop_sequence":null},"usage":{"output_tokens":1}}`, reason)
}

// notice is a refused call as the agent reads it, without the stop.
func notice(i int, name string, r call.Ruling) []string {
	return []string{text(i), says(i, r.Notice(name))}
}

// ending is a response that weir ended.
func ending(i int, r dialect.Refused, reason string) []string {
	return []string{text(i), says(i, dialect.ResponseNotice(r)), stop(i), because(reason), done}
}

func list(parts ...any) []string {
	var all []string
	for _, p := range parts {
		switch p := p.(type) {
		case string:
			all = append(all, p)
		case []string:
			all = append(all, p...)
		}
	}
	return all
}
