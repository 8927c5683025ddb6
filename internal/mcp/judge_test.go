package mcp

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/mcp/jsonrpc"
	"github.com/weir-gate/weir/internal/strictjson"
	"github.com/weir-gate/weir/internal/weirtest/expect"
)

// A scriptedJudge rules by names, and writes down what it was asked.
type scriptedJudge struct {
	refuse   []string          // tools and methods, of calls
	withhold []string          // methods, of what is given
	hide     []string          // names of tools in lists
	args     map[string]string // tool or method: what replaces its arguments
	beside   map[string]string // tool: what replaces what is beside its arguments
	payload  map[string]string // method: what replaces what is given
	record   call.ID           // under which calls are recorded
	noTools  bool              // lists cannot be looked at
	few      bool              // of the tools in a list are ruled on

	mu   sync.Mutex
	wait map[string]chan struct{} // tool or method: what is waited for; for what is given, with "given " before it
	log  []string
	said []call.Given
	acts []call.Call
}

var because = call.Ruling{Code: call.CodeToolDenied, Rule: "test-rule", Reason: "The test says so."}

func (j *scriptedJudge) note(format string, a ...any) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.log = append(j.log, fmt.Sprintf(format, a...))
}

// waitFor waits as the script says. It is false if ctx ended before.
func (j *scriptedJudge) waitFor(ctx context.Context, name string) bool {
	j.mu.Lock()
	c := j.wait[name]
	j.mu.Unlock()
	if c == nil {
		return true
	}
	select {
	case <-c:
		return true
	case <-ctx.Done():
		return false
	}
}

func (j *scriptedJudge) Call(ctx context.Context, c call.Call) call.Ruling {
	j.note("call %s %s method=%q id=%s", c.Tool, c.Args, c.MCP.Method, c.MCP.RPCID)
	j.mu.Lock()
	j.acts = append(j.acts, c)
	j.mu.Unlock()
	if !j.waitFor(ctx, c.Tool) || slices.Contains(j.refuse, c.Tool) || slices.Contains(j.refuse, "*") {
		return because
	}
	r := call.Ruling{Released: true, Call: j.record}
	if args, ok := j.args[c.Tool]; ok {
		r.Args = []byte(args)
	}
	if members, ok := j.beside[c.Tool]; ok {
		r.Beside = []byte(members)
	}
	return r
}

func (j *scriptedJudge) Tools(_ context.Context, l call.Listing) (call.Offer, error) {
	var names []string
	var offer call.Offer
	for _, tool := range l.Tools {
		var doc strictjson.Doc
		if err := doc.Parse(tool); err != nil {
			return call.Offer{}, err
		}
		v, _ := doc.Root().Member("name")
		name, _ := v.Text()
		names = append(names, name)
		offer.Shown = append(offer.Shown, !slices.Contains(j.hide, name))
	}
	j.note("tools %s complete=%t", strings.Join(names, ","), l.Complete)
	if j.noTools {
		return call.Offer{}, errors.New("the store is not there")
	}
	if j.few {
		offer.Shown = offer.Shown[1:]
	}
	return offer, nil
}

func (j *scriptedJudge) Given(ctx context.Context, g call.Given) call.Ruling {
	again := ""
	if g.Again {
		again = " again"
	}
	j.note("given %s tool=%q %s%s", g.Method, g.Tool, cmp.Or(string(g.Result), string(g.Error)), again)
	j.mu.Lock()
	j.said = append(j.said, g)
	j.mu.Unlock()
	if !j.waitFor(ctx, "given "+g.Method) || slices.Contains(j.withhold, g.Method) {
		return call.Ruling{Code: call.CodeContentDenied, Rule: "test-rule", Reason: "The test says so."}
	}
	r := call.Ruling{Released: true}
	if payload, ok := j.payload[g.Method]; ok {
		r.Args = []byte(payload)
	}
	return r
}

func (j *scriptedJudge) Refused(c call.Call, r call.Ruling) {
	j.note("refused %s %s method=%q", c.Tool, r.Code, c.MCP.Method)
}

// waits makes the judge wait at a name, until the returned function is called.
func (j *scriptedJudge) waits(name string) (goOn func()) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.wait == nil {
		j.wait = map[string]chan struct{}{}
	}
	c := make(chan struct{})
	j.wait[name] = c
	return func() { close(c) }
}

// read reads one message.
func read(t testing.TB, raw string) *jsonrpc.Message {
	t.Helper()
	messages, _, err := jsonrpc.ParseBody([]byte(raw))
	expect.OK(t, err, "%s", raw)
	return messages[0]
}

// A fate is what became of a message.
type fate struct {
	mu   sync.Mutex
	sent *jsonrpc.Message
	got  []string
}

func (f *fate) set(what string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.got = append(f.got, what)
}

// way returns a Way that writes down which of its functions is called: "=" is the message itself, ">" and "<" begin what is
// passed on or answered in its place, "-" is nothing.
func (f *fate) way(m *jsonrpc.Message) Way {
	f.sent = m
	return Way{
		Forward: func(out *jsonrpc.Message) {
			if out == m {
				f.set("=")
			} else {
				f.set(">" + string(out.Raw))
			}
		},
		Respond: func(out *jsonrpc.Message) { f.set("<" + string(out.Raw)) },
		Drop:    func() { f.set("-") },
	}
}

// String is what became of it so far; "?" is nothing yet.
func (f *fate) String() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.got) == 0 {
		return "?"
	}
	return strings.Join(f.got, " AND ")
}

// A talk is a session under test.
type talk struct {
	*Session
	t testing.TB
}

// client and server hand a message to the session.
func (x talk) client(raw string) *fate { return x.clientCtx(context.Background(), raw) }
func (x talk) server(raw string) *fate { return x.serverCtx(context.Background(), raw) }

func (x talk) clientCtx(ctx context.Context, raw string) *fate {
	x.t.Helper()
	m, f := read(x.t, raw), &fate{}
	x.FromClient(ctx, m, f.way(m))
	return f
}

func (x talk) serverCtx(ctx context.Context, raw string) *fate {
	x.t.Helper()
	m, f := read(x.t, raw), &fate{}
	x.FromServer(ctx, m, f.way(m))
	return f
}

// begin returns a session of a test.
func begin(t testing.TB, j Judge, change ...func(*Config)) talk {
	cfg := Config{Server: call.MCPServer{ID: "files", Type: "stdio", Addr: "npx"}, Actor: call.Actor{Employee: "ann"}, Judge: j}
	for _, f := range change {
		f(&cfg)
	}
	return talk{New(cfg), t}
}

func replays(cfg *Config) { cfg.Replays = true }
