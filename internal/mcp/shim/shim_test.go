//go:build unix

package shim_test

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/mcp/child"
	"github.com/weir-gate/weir/internal/mcp/shim"
	"github.com/weir-gate/weir/internal/weirtest/expect"
)

// request is a request without params.
func request(id, method string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":%q}`, id, method)
}

// callOf is a call of a tool.
func callOf(id, tool string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":"tools/call","params":{"name":%q,"arguments":{}}}`, id, tool)
}

// done is the helper's answer to a call.
func done(id string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"content":[{"type":"text","text":"done"}]}}`, id)
}

// denied is what the client gets for a tool that is refused.
func denied(id, tool string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"content":[{"type":"text","text":"[weir] The call to \"%s\" was refused (tool_denied, rule r): `+
		`Not here. Do not retry it; continue without it or ask the user."}],"isError":true}}`, id, tool)
}

// gone is what the client gets for a request that the server did not live to answer.
func gone(id string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32603,"message":"[weir] The server did not respond: the server ended before it responded."}}`, id)
}

func diff(t *testing.T, what string, want, got any) {
	t.Helper()
	expect.Equal(t, cmp.Diff(want, got), "", "%s (-want +got)", what)
}

// TestStatus checks that the shim ends as its server does.
func TestStatus(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		args []string
		tool string
		want int
	}{
		{name: "clean", want: 0},
		{name: "a code", args: []string{"42"}, want: 42},
		{name: "in a call", tool: "exit", want: 3},
		{name: "killed in a call", tool: "die", want: 128 + int(syscall.SIGKILL)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r := start(t, setup{args: tt.args})
			if tt.tool != "" {
				r.send(callOf("1", tt.tool))
			} else {
				_ = r.in.Close()
			}
			expect.Equal(t, r.wait(), tt.want, "status")
		})
	}
}

// TestNotStarted checks what is said of a server that is not there.
func TestNotStarted(t *testing.T) {
	t.Parallel()
	var out buffer
	_, err := shim.Run(t.Context(), shim.Config{
		Server: call.MCPServer{ID: "s"}, Judge: newJudge(), In: strings.NewReader(request("1", "ping") + "\n"), Out: &out,
		Process: child.Config{Path: "/nowhere/at-all"},
	})
	if err == nil || out.lines() != nil {
		t.Errorf("error %v, and said %q", err, out.lines())
	}
}

// TestSignals checks that signals reach the server, and that one which does not mind them is ended.
func TestSignals(t *testing.T) {
	t.Parallel()
	for _, s := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP, syscall.SIGUSR1} {
		t.Run(s.String(), func(t *testing.T) {
			t.Parallel()
			signals := make(chan os.Signal, 1)
			r := start(t, setup{helper: "patient", signals: signals})
			r.next() // it is ready
			signals <- s
			if got, want := r.next(), s.String(); !strings.Contains(got, want) {
				t.Errorf("the server got %s, want %s", got, want)
			}
			expect.Equal(t, r.wait(), 7, "status")
		})
	}
	t.Run("stubborn", func(t *testing.T) {
		t.Parallel()
		signals := make(chan os.Signal, 1)
		r := start(t, setup{helper: "stubborn", signals: signals, grace: time.Millisecond})
		r.next()
		signals <- syscall.SIGTERM
		if status, want := r.wait(), 128+int(syscall.SIGKILL); status != want {
			t.Errorf("status %d, want %d", status, want)
		}
	})
	t.Run("the context ends", func(t *testing.T) {
		t.Parallel()
		ctx, cancel := context.WithCancel(t.Context())
		r := start(t, setup{helper: "stubborn", ctx: ctx})
		r.next()
		cancel()
		if status, want := r.wait(), 128+int(syscall.SIGKILL); status != want {
			t.Errorf("status %d, want %d", status, want)
		}
	})
}

// TestRefusedCall checks that a refused call never reaches the server, and that lists are filtered.
func TestRefusedCall(t *testing.T) {
	t.Parallel()
	r := start(t, setup{})
	r.send(callOf("1", "bad"))
	diff(t, "the refusal", denied("1", "bad"), r.next())
	r.send(callOf(`"1"`, "echo"))
	diff(t, "the response", done(`"1"`), r.next())
	r.send(request("2", "tools/list"))
	diff(t, "the list", `{"jsonrpc":"2.0","id":2,"result":{"tools":[{"name":"echo"}]}}`, r.next())
	r.end()
	diff(t, "what the server got", []string{callOf(`"1"`, "echo"), request("2", "tools/list"), "(end)"}, r.received())
}

// TestEndOfInput checks that what the client asked before it ended its input is judged, passed on and answered.
func TestEndOfInput(t *testing.T) {
	t.Parallel()
	r := start(t, setup{args: []string{"5"}})
	r.send(callOf("1", "slow"), callOf("2", "slow-other"), callOf("3", "bad"))
	_, _ = <-r.judge.waits, <-r.judge.waits
	_ = r.in.Close()
	diff(t, "the refusal", denied("3", "bad"), r.next())
	if slices.Contains(r.received(), "(end)") {
		t.Error("the server's input ended while calls waited")
	}
	close(r.judge.resume)
	expect.Equal(t, r.wait(), 5, "status")
	diff(t, "answers", []string{done("1"), done("2")}, r.rest())
	got := r.received()
	slices.Sort(got[:2])
	diff(t, "what the server got", []string{callOf("1", "slow"), callOf("2", "slow-other"), "(end)"}, got)
}

// TestWaitHoldsNothing checks that a call which waits for the judge holds nothing else.
func TestWaitHoldsNothing(t *testing.T) {
	t.Parallel()
	r := start(t, setup{})
	r.send(callOf("1", "slow"))
	<-r.judge.waits
	r.send(request("2", "ping"), callOf("3", "echo"))
	diff(t, "the ping", `{"jsonrpc":"2.0","id":2,"result":{}}`, r.next())
	diff(t, "another call", done("3"), r.next())
	close(r.judge.resume)
	diff(t, "the call that waited", done("1"), r.next())
}

// TestCancelWaiting checks that a call which is cancelled while it waits is never made, and not answered.
func TestCancelWaiting(t *testing.T) {
	t.Parallel()
	r := start(t, setup{})
	r.send(callOf("1", "slow"))
	<-r.judge.waits
	r.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`, request("2", "ping"))
	diff(t, "the ping", `{"jsonrpc":"2.0","id":2,"result":{}}`, r.next())
	close(r.judge.resume)
	r.end()
	diff(t, "what the client still got", []string(nil), r.rest())
	diff(t, "what the server got", []string{request("2", "ping"), "(end)"}, r.received())
}

// TestServerDies checks that whatever is open is answered when the server ends in a call.
func TestServerDies(t *testing.T) {
	t.Parallel()
	r := start(t, setup{})
	r.send(callOf("1", "slow"))
	<-r.judge.waits // and is not passed on any more
	r.send(callOf("2", "silent"), callOf(`"2"`, "silent"), request("3", "ping"))
	diff(t, "the ping", `{"jsonrpc":"2.0","id":3,"result":{}}`, r.next())
	r.send(callOf(`"last"`, "die"))
	if got, want := r.wait(), 128+int(syscall.SIGKILL); got != want {
		t.Errorf("status %d, want %d", got, want)
	}
	diff(t, "answers", []string{gone(`"2"`), gone(`"last"`), gone("1"), gone("2")}, r.rest())
	if slices.Contains(r.received(), callOf("1", "slow")) {
		t.Error("the server got a call that was never ruled on")
	}
}

// TestIDs checks that ids are told apart by their kind, and that an id that is open is not opened again.
func TestIDs(t *testing.T) {
	t.Parallel()
	r := start(t, setup{})
	r.send(callOf("1", "silent"), callOf(`"1"`, "echo"))
	diff(t, "the text", done(`"1"`), r.next())
	r.send(callOf("1", "silent"))
	expect.Text(t, r.next(), "a second request with an open id is answered with", `"id":1,"error":{"code":-32600`)
	r.send(callOf(`"2"`, "exit"))
	r.wait()
	diff(t, "answers", []string{gone(`"2"`), gone("1")}, r.rest())
	got := r.received()
	slices.Sort(got[:2]) // calls are judged apart from each other
	diff(t, "what the server got", []string{callOf(`"1"`, "echo"), callOf("1", "silent"), callOf(`"2"`, "exit")}, got)
}

// TestOddAnswers checks that what a server says beside the protocol does not reach the client.
func TestOddAnswers(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		helper, tool string
		want         []string
		refused      int // events
	}{
		{tool: "noise", want: []string{done("1")}},
		{helper: "noisy", tool: "echo", want: []string{done("1")}},
		{tool: "twice", want: []string{done("1")}, refused: 1},
		{tool: "stranger", want: []string{done("1")}, refused: 1},
	} {
		t.Run(tt.helper+tt.tool, func(t *testing.T) {
			t.Parallel()
			r := start(t, setup{helper: tt.helper})
			r.send(callOf("1", tt.tool))
			got := []string{r.next()}
			// What came before a response was looked at before it.
			r.send(request("9", "ping"))
			diff(t, "the ping", `{"jsonrpc":"2.0","id":9,"result":{}}`, r.next())
			r.end()
			diff(t, "answers", tt.want, append(got, r.rest()...))
			if n := len(r.judge.refused); n != tt.refused {
				t.Errorf("%d messages were refused, want %d", n, tt.refused)
			}
		})
	}
}

// TestOversize checks both directions.
func TestOversize(t *testing.T) {
	t.Parallel()
	r := start(t, setup{maxMessage: 1000})
	r.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"x":"` + strings.Repeat("x", 2000) + `"}}}`)
	expect.Text(t, r.next(), "an oversize request is answered with", `"error":{"code":-32600`)
	r.send(callOf("2", "big"))
	if got := r.next(); !strings.HasPrefix(got, `{"jsonrpc":"2.0","id":2,"error":{"code":-32603`) || strings.Contains(got, "xxx") {
		t.Errorf("an oversize answer becomes %s", got)
	}
	r.send(callOf("3", "echo"))
	diff(t, "what comes after", done("3"), r.next())
	r.end()
	diff(t, "what the server got", []string{callOf("2", "big"), callOf("3", "echo"), "(end)"}, r.received())
}

// TestClientNoise checks that text which is no message is answered as such, and goes nowhere.
func TestClientNoise(t *testing.T) {
	t.Parallel()
	r := start(t, setup{})
	r.send("hello there")
	if got := r.next(); !strings.HasPrefix(got, `{"jsonrpc":"2.0","id":null,"error":{"code":-32700`) {
		t.Errorf("noise is answered with %s", got)
	}
	r.send(`{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}`)
	expect.Text(t, r.next(), "a message with two ids is answered with", `"error":{"code":-32600`)
	r.send(request("3", "ping"))
	diff(t, "the ping", `{"jsonrpc":"2.0","id":3,"result":{}}`, r.next())
	r.end()
	diff(t, "what the server got", []string{request("3", "ping"), "(end)"}, r.received())
}
