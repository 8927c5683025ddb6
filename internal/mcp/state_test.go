package mcp

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/mcp/jsonrpc"
	"github.com/weir-gate/weir/internal/weirtest/expect"
)

// is checks what became of a message.
func (x talk) is(f *fate, want string) {
	x.t.Helper()
	expect.NoDiff(x.t, cmp.Diff(want, f.String()), "%s", f.sent.Raw)
}

// then checks it when nothing more happens.
func (x talk) then(f *fate, want string) {
	x.t.Helper()
	synctest.Wait()
	x.is(f, want)
}

// discuss is a test of a session, in a bubble with its own clock.
func discuss(t *testing.T, test func(t *testing.T, x talk, j *scriptedJudge), change ...func(*Config)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		j := &scriptedJudge{}
		test(t, begin(t, j, change...), j)
	})
}

func cancelOf(id string) string { return tell("notifications/cancelled", `{"requestId":`+id+`}`) }

// A cancellation reaches who knows its request, and nobody else.
func TestCancellation(t *testing.T) {
	for name, test := range map[string]func(x talk, j *scriptedJudge){
		"of a call that waits": func(x talk, j *scriptedJudge) {
			goOn := j.waits("slow")
			called := x.client(callTool("1", "slow", `{}`))
			x.is(called, "?")
			x.is(x.client(cancelOf("1")), "-")
			x.is(called, "-")
			goOn()
			x.then(called, "-")
			x.is(x.server(reply("1", `{"x":1}`)), "-") // a response all the same, to nothing
			x.is(x.client(ask("1", "ping", `{}`)), "=")
		},
		"of a call that was sent": func(x talk, _ *scriptedJudge) {
			x.then(x.client(callTool("1", "echo", `{}`)), "=")
			x.is(x.client(cancelOf("1")), "=")
			x.is(x.client(cancelOf("1")), "-")
			x.is(x.server(reply("1", `{"x":1}`)), "-")
			x.then(x.client(callTool("1", "echo", `{}`)), "=")
			x.then(x.server(reply("1", `{"x":1}`)), "=")
		},
		"of a call that was answered twice": func(x talk, j *scriptedJudge) {
			j.waits("given tools/call")
			x.client(callTool("1", "echo", `{}`))
			synctest.Wait()
			first := x.server(reply("1", `{"x":1}`))
			x.is(x.server(reply("1", `{"x":1}`)), "-")
			x.is(first, "?")
			x.is(x.client(cancelOf("1")), "-")
			x.is(first, "-")
		},
		"of a call whose response is judged": func(x talk, j *scriptedJudge) {
			j.waits("given tools/call")
			x.client(callTool("1", "echo", `{}`))
			synctest.Wait()
			answer := x.server(reply("1", `{"x":1}`))
			x.then(x.client(cancelOf("1")), "-")
			x.is(answer, "-")
		},
		"of a call that was answered": func(x talk, _ *scriptedJudge) {
			x.client(callTool("1", "echo", `{}`))
			synctest.Wait()
			x.server(reply("1", `{"x":1}`))
			x.then(x.client(cancelOf("1")), "-")
		},
		"of what nobody asked": func(x talk, _ *scriptedJudge) {
			x.is(x.client(cancelOf("7")), "-")
			x.is(x.server(cancelOf("7")), "-")
		},
		"without an id": func(x talk, j *scriptedJudge) {
			x.is(x.client(tell("notifications/cancelled", `{}`)), "-")
			x.is(x.client(tell("notifications/cancelled", `{"requestId":1,"RequestId":2}`)), "-")
			expect.Equal(x.t, len(j.log), 2, "%+v", j.log)
		},
		"of the other kind of id": func(x talk, j *scriptedJudge) {
			j.waits("slow")
			called := x.client(callTool("1", "slow", `{}`))
			x.is(x.client(cancelOf(`"1"`)), "-")
			x.is(called, "?")
		},
		"of the other side's id": func(x talk, j *scriptedJudge) {
			j.waits("slow")
			called := x.client(callTool("1", "slow", `{}`))
			x.is(x.server(cancelOf("1")), "-")
			x.is(called, "?")
		},
		"of a server's request that waits": func(x talk, j *scriptedJudge) {
			j.waits("roots/list")
			asked := x.server(ask("1", "roots/list", `{}`))
			x.is(x.server(cancelOf("1")), "-")
			x.is(asked, "-")
		},
		"of a server's request that was sent": func(x talk, j *scriptedJudge) {
			x.server(ask("1", "roots/list", `{}`))
			synctest.Wait()
			x.then(x.server(tell("notifications/cancelled", `{"requestId":1,"reason":"text"}`)), "=")
			x.is(x.client(reply("1", `{"roots":[]}`)), "-")
			want := []string{
				`call roots/list {} method="roots/list" id=1`,
				`given notifications/cancelled tool="" {"requestId":1,"reason":"text"}`,
			}
			expect.Same(x.t, want, j.log)
		},
	} {
		t.Run(name, func(t *testing.T) {
			discuss(t, func(t *testing.T, x talk, j *scriptedJudge) {
				test(x, j)
				x.ClientGone()
			})
		})
	}
}

// A cancellation does not overtake the request that it is about, however long sending takes.
func TestCancellationWhileSending(t *testing.T) {
	discuss(t, func(t *testing.T, x talk, _ *scriptedJudge) {
		var order []string
		sendNow := make(chan struct{})
		m := read(t, callTool("1", "echo", `{}`))
		x.FromClient(t.Context(), m, Way{Forward: func(*jsonrpc.Message) {
			<-sendNow
			order = append(order, "request")
		}})
		synctest.Wait()
		cancel := read(t, cancelOf("1"))
		x.FromClient(t.Context(), cancel, Way{Forward: func(*jsonrpc.Message) { order = append(order, "cancel") }})
		x.is(x.server(reply("1", `{"x":1}`)), "-")
		close(sendNow)
		synctest.Wait()
		expect.Same(t, []string{"request", "cancel"}, order)
	})
}

// A response may come before the request has been handed over completely.
func TestAnswerWhileSending(t *testing.T) {
	discuss(t, func(t *testing.T, x talk, _ *scriptedJudge) {
		var answer *fate
		m := read(t, ask("1", "ping", `{}`))
		x.FromClient(t.Context(), m, Way{Forward: func(*jsonrpc.Message) { answer = x.server(reply("1", `{}`)) }})
		x.is(answer, "=")
		x.is(x.server(reply("1", `{}`)), "-")
	})
}

// A call that waits holds nothing else.
func TestWaitingHoldsNothing(t *testing.T) {
	discuss(t, func(t *testing.T, x talk, j *scriptedJudge) {
		goOn, goOnGiven := j.waits("slow"), j.waits("given slow/method")
		slow := x.client(callTool("1", "slow", `{}`))
		method := x.client(ask("2", "slow/method", `{}`))
		fast := x.client(callTool("3", "fast", `{}`))
		x.is(x.client(ask("4", "ping", `{}`)), "=")
		x.then(slow, "?")
		x.is(method, "=")
		x.is(fast, "=")
		held := x.server(reply("2", `{"x":1}`))
		answer := x.server(reply("3", `{"x":1}`))
		x.is(x.server(reply("4", `{}`)), "=")
		x.then(held, "?")
		x.is(answer, "=")
		x.then(x.server(tell("notifications/message", `{"data":"x"}`)), "=")
		goOn()
		goOnGiven()
		x.then(slow, "=")
		x.is(held, "=")
	})
}

// Notifications of the server keep their order, and a response stays behind those that came before it.
func TestOrder(t *testing.T) {
	discuss(t, func(t *testing.T, x talk, j *scriptedJudge) {
		goOn := j.waits("given notifications/message")
		x.client(ask("1", "ping", `{}`))
		x.client(ask("2", "resources/list", `{}`))
		var mu sync.Mutex
		var order []string
		put := func(name, raw string) {
			m := read(t, raw)
			x.FromServer(t.Context(), m, Way{Forward: func(*jsonrpc.Message) {
				mu.Lock()
				defer mu.Unlock()
				order = append(order, name)
			}})
			synctest.Wait()
		}
		put("mute", tell("notifications/progress", `{"progress":1}`))
		put("text", tell("notifications/message", `{"data":"x"}`))
		put("mute behind it", tell("notifications/progress", `{"progress":2}`))
		put("other text", tell("notifications/progress", `{"progress":3,"message":"x"}`))
		put("empty response", reply("1", `{}`))
		put("answer", reply("2", `{"resources":[]}`))
		expect.Same(t, []string{"mute"}, order)
		goOn()
		synctest.Wait()
		if diff := cmp.Diff([]string{"mute", "text", "mute behind it", "other text"}, order[:4]); diff != "" || len(order) != 6 {
			t.Error(diff, order)
		}
	})
}

// When the server is gone each request is answered once, on its Way or in the list.
func TestServerGone(t *testing.T) {
	discuss(t, func(t *testing.T, x talk, j *scriptedJudge) {
		j.waits("slow")
		j.waits("roots/list")
		goOn := j.waits("given resources/list")
		sent2 := x.client(ask(`"b"`, "ping", `{}`))
		sent1 := x.client(callTool("1", "echo", `{}`))
		waits := x.client(callTool("2", "slow", `{}`))
		x.client(ask("3", "resources/list", `{}`))
		asked := x.server(ask("1", "roots/list", `{}`))
		answer := x.server(reply("3", `{"resources":[]}`))
		synctest.Wait()
		var got []string
		for _, m := range x.ServerGone("it ended") {
			got = append(got, string(m.Raw))
		}
		synctest.Wait()
		want := []string{
			failure(`"b"`, "-32603", "[weir] The server did not respond: it ended."),
			failure("1", "-32603", "[weir] The server did not respond: it ended."),
		}
		expect.Same(t, want, got)
		x.is(sent1, "=")
		x.is(sent2, "=")
		x.is(waits, "<"+failure("2", "-32603", "[weir] The server did not respond: it ended."))
		x.is(asked, "-")
		x.is(answer, "?")
		goOn()
		expect.Is(t, x.Wait(t.Context()), nil)
		x.is(answer, "=") // what it said before is still heard
		x.is(x.client(ask("9", "ping", `{}`)), "<"+failure("9", "-32603", "[weir] It gets no response: the other side is gone."))
		x.is(x.client(tell("notifications/initialized", `{}`)), "-")
		x.is(x.client(reply("1", `{}`)), "-")
		x.is(x.server(reply("9", `{}`)), "-")
		x.is(x.server(tell("notifications/message", `{"data":"x"}`)), "-")
		x.is(x.server(ask("9", "ping", `{}`)), "-")
		if again := x.ServerGone("once more"); len(again) != 0 {
			t.Error(again)
		}
	})
}

// When the client is gone all is dropped.
func TestClientGone(t *testing.T) {
	discuss(t, func(t *testing.T, x talk, j *scriptedJudge) {
		for _, name := range []string{"slow", "roots/list", "given resources/list", "given notifications/message"} {
			j.waits(name)
		}
		x.client(ask("3", "resources/list", `{}`))
		all := []*fate{
			x.client(callTool("2", "slow", `{}`)),
			x.server(ask("1", "roots/list", `{}`)),
			x.server(reply("3", `{"resources":[]}`)),
			x.server(tell("notifications/message", `{"data":"x"}`)),
			x.server(tell("notifications/progress", `{"progress":1}`)),
		}
		synctest.Wait()
		for _, f := range all {
			x.is(f, "?")
		}
		x.ClientGone()
		all = append(
			all, x.client(ask("3", "ping", `{}`)), x.client(callTool("4", "echo", `{}`)), x.client(reply("1", `{}`)),
			x.client(cancelOf("2")), x.server(reply("3", `{}`)), x.server(tell("notifications/message", `{"data":"x"}`)),
		)
		synctest.Wait()
		for _, f := range all {
			x.is(f, "-")
		}
		x.is(x.server(ask("9", "ping", `{}`)), "<"+failure("9", "-32603", "[weir] It gets no response: the other side is gone."))
		expect.Equal(t, len(x.fromClient.open), 0, "requests are open")
		expect.Equal(t, len(x.fromServer.open), 0, "requests are open")
		if got := x.ServerGone("it ended"); len(got) != 0 {
			t.Error(got)
		}
		if x.held != 0 || x.asides != 0 || x.working != 0 || len(x.holds) != 0 {
			t.Errorf("%d bytes, %d asides, %d at work, %d holds", x.held, x.asides, x.working, len(x.holds))
		}
	})
}

// When a sender is gone what it sent is not passed on any more, even if the judge says so.
func TestSenderGone(t *testing.T) {
	discuss(t, func(t *testing.T, x talk, j *scriptedJudge) {
		ctx, cancel := context.WithCancel(t.Context())
		for _, name := range []string{"slow", "roots/list", "given resources/list", "given notifications/message"} {
			j.waits(name)
		}
		x.client(ask("3", "resources/list", `{}`))
		all := []*fate{
			x.clientCtx(ctx, callTool("2", "slow", `{}`)),
			x.serverCtx(ctx, ask("1", "roots/list", `{}`)),
			x.serverCtx(ctx, reply("3", `{"resources":[]}`)),
			x.serverCtx(ctx, tell("notifications/message", `{"data":"x"}`)),
		}
		behind := x.server(tell("notifications/progress", `{"progress":1}`))
		synctest.Wait()
		cancel()
		synctest.Wait()
		for _, f := range all {
			x.is(f, "-")
		}
		x.is(behind, "=")
		if len(x.fromClient.open) != 0 || len(x.fromServer.open) != 0 {
			t.Error(x.fromClient.open, x.fromServer.open)
		}
		j.mu.Lock()
		j.wait = nil
		j.mu.Unlock()
		again := x.server(reply("3", `{"resources":[]}`))
		late := x.clientCtx(ctx, callTool("5", "echo", `{}`))
		x.then(again, "=")
		x.is(late, "-")
		x.is(x.client(ask("5", "ping", `{}`)), "=")
		x.then(x.serverCtx(ctx, tell("notifications/message", `{"data":"x"}`)), "-")
	}, replays)
}

// Over HTTP a server may send again what a client did not get. It is judged again.
func TestReplays(t *testing.T) {
	runRows(t, map[string]row{
		"a response": {
			judge: &scriptedJudge{}, replays: true,
			steps: []step{
				{"C", callTool("1", "echo", `{}`), "="},
				{"S", reply("1", `{"x":1}`), "="},
				{"S", reply("1", `{"x":1}`), "="},
				{"S", reply("2", `{"x":1}`), "-"},
			},
			log: []string{
				`call echo {} method="" id=1`, `given tools/call tool="echo" {"x":1}`, `given tools/call tool="echo" {"x":1} again`,
				`refused response malformed method=""`,
			},
		},
		"a response without anything in it": {
			judge: &scriptedJudge{}, replays: true,
			steps: []step{{"C", ask("1", "ping", `{}`), "="}, {"S", reply("1", `{}`), "="}, {"S", reply("1", `{}`), "="}},
		},
		"a response that was refusedResponse": {
			judge: &scriptedJudge{withhold: []string{"tools/call"}}, replays: true,
			steps: []step{
				{"C", callTool("1", "echo", `{}`), "="},
				{"S", reply("1", `{"x":1}`), ">" + toolError("1", `[weir] The response to the call to \"echo\"`+refusedResponse)},
				{"S", reply("1", `{"x":1}`), ">" + toolError("1", `[weir] The response to the call to \"echo\"`+refusedResponse)},
			},
			log: []string{`call echo {} method="" id=1`, `given tools/call tool="echo" {"x":1}`, `given tools/call tool="echo" {"x":1} again`},
		},
		"a list": {
			judge: &scriptedJudge{hide: []string{"a"}}, replays: true,
			steps: []step{
				{"C", ask("1", "tools/list", `{}`), "="},
				{"S", reply("1", `{"tools":[{"name":"a"}]}`), ">" + reply("1", `{"tools":[]}`)},
				{"S", reply("1", `{"tools":[{"name":"a"}]}`), ">" + reply("1", `{"tools":[]}`)},
			},
			log: []string{`tools a complete=true`, `tools a complete=true`},
		},
		"an answer to what was cancelled": {
			judge: &scriptedJudge{}, replays: true,
			steps: []step{{"C", callTool("1", "echo", `{}`), "="}, {"C", cancelOf("1"), "="}, {"S", reply("1", `{"x":1}`), "-"}},
			log:   []string{`call echo {} method="" id=1`},
		},
		"a response to another request of that id, which was refused": {
			judge: &scriptedJudge{refuse: []string{"other"}}, replays: true,
			steps: []step{
				{"C", ask("1", "ping", `{}`), "="},
				{"S", reply("1", `{}`), "="},
				{"C", callTool("1", "other", `{}`), "<" + toolError("1", `[weir] The call to \"other\"`+why)},
				{"S", reply("1", `{}`), "-"},
			},
			log: []string{`call other {} method="" id=1`, `refused response malformed method=""`},
		},
		"a request": {
			judge: &scriptedJudge{}, replays: true,
			steps: []step{
				{"S", ask("1", "roots/list", `{}`), "="},
				{"S", ask("1", "roots/list", `{}`), "="},
				{"S", ask("1", "roots/list", `{"x":1}`), "<" + failure("1", "-32600", "[weir] The request was not passed on: a request with that id is open already.")},
				{"C", reply("1", `{"roots":[]}`), "="},
				{"C", reply("1", `{"roots":[]}`), "-"},
			},
			log: []string{
				`call roots/list {} method="roots/list" id=1`, `call roots/list {} method="roots/list" id=1`,
				`refused roots/list malformed method="roots/list"`, `refused response malformed method=""`,
			},
		},
		"a request of the client": {
			judge: &scriptedJudge{}, replays: true,
			steps: []step{
				{"C", ask("1", "ping", `{}`), "="},
				{"C", ask("1", "ping", `{}`), "<" + failure("1", "-32600", "[weir] The request was not passed on: a request with that id is open already.")},
			},
			log: []string{`refused ping malformed method="ping"`},
		},
	})
	discuss(t, func(t *testing.T, x talk, j *scriptedJudge) {
		goOn := j.waits("roots/list")
		first := x.server(ask("1", "roots/list", `{}`))
		synctest.Wait()
		second := x.server(ask("1", "roots/list", `{}`))
		x.then(first, "-") // the second takes its place
		x.is(second, "?")
		x.is(x.client(reply("1", `{}`)), "-") // which nobody has seen
		goOn()
		x.then(second, "=")

		// One that was sent, and waits anew, may be answered.
		j.waits("roots/list")
		third := x.server(ask("1", "roots/list", `{}`))
		x.then(third, "?")
		x.is(x.client(reply("1", `{}`)), "=")
		x.is(third, "-")

		// Or cancelled.
		j.mu.Lock()
		j.wait = nil
		j.mu.Unlock()
		x.server(ask("2", "roots/list", `{}`))
		synctest.Wait()
		j.waits("roots/list")
		ctx, cancel := context.WithCancel(t.Context())
		fourth := x.serverCtx(ctx, ask("2", "roots/list", `{}`))
		synctest.Wait()
		cancel()
		x.then(fourth, "-")
		fifth := x.server(ask("2", "roots/list", `{}`))
		x.is(x.server(cancelOf("2")), "=")
		x.is(fifth, "-")

		// While a response is judged it may come once more.
		x.client(ask("1", "resources/list", `{}`))
		goOn = j.waits("given resources/list")
		a, b := x.server(reply("1", `{"x":1}`)), x.server(reply("1", `{"x":1}`))
		goOn()
		x.then(a, "=")
		x.is(b, "=")
		x.ClientGone()
	}, replays)
}

// The response is known by the id under which the call is on record.
func TestRecordedID(t *testing.T) {
	for _, record := range []call.ID{"", "call_declared"} {
		synctest.Test(t, func(t *testing.T) {
			j := &scriptedJudge{record: record}
			x := begin(t, j)
			x.client(callTool("1", "echo", `{}`))
			synctest.Wait()
			x.server(reply("1", `{"x":1}`))
			synctest.Wait()
			want := record
			if want == "" {
				want = j.acts[0].ID
			}
			if got := j.said[0]; got.Call != want || got.RPCID != "1" || got.Server != x.Session.server || got.Actor != x.actor {
				t.Errorf("%+v", got)
			}
			if c := j.acts[0]; c.Surface != call.MCP || c.Server != "files" || c.MCP.ServerType != "stdio" || c.MCP.ServerAddr != "npx" || c.Actor != x.actor || c.ID == "" {
				t.Errorf("%+v", c)
			}
		})
	}
}

func TestVersion(t *testing.T) {
	discuss(t, func(t *testing.T, x talk, _ *scriptedJudge) {
		for version, want := range map[string]string{"2025-03-26": "2025-03-26", strings.Repeat("x", 33): ""} {
			x.client(ask("1", "initialize", `{"protocolVersion":"1"}`))
			x.then(x.server(reply("1", `{"protocolVersion":"`+version+`"}`)), "=")
			expect.Equal(t, x.Version(), want)
		}
		x.client(ask("1", "initialize", `{}`))
		f := x.server(reply("1", `{"protocolVersion":"a","protocolVersion":"b"}`))
		synctest.Wait()
		if !strings.HasPrefix(f.String(), `>{"jsonrpc":"2.0","id":1,"error":{"code":-32603`) {
			t.Error(f)
		}
	})
}

// Nothing grows without bound.
func TestBounds(t *testing.T) {
	discuss(t, func(t *testing.T, x talk, j *scriptedJudge) {
		j.waits("slow")
		j.waits("given notifications/message")
		tooMany := func(id string) string {
			return "<" + failure(id, "-32603", "[weir] The request was not passed on: too many requests are open.")
		}
		for i := range 3 {
			x.client(callTool(fmt.Sprint(i), "slow", `{}`))
			x.server(ask(fmt.Sprint(i), "slow", `{}`))
			x.server(tell("notifications/message", `{"data":"x"}`))
		}
		x.is(x.client(callTool("4", "slow", `{}`)), tooMany("4"))
		x.is(x.client(ask("4", "ping", `{}`)), tooMany("4"))
		x.is(x.server(ask("4", "ping", `{}`)), tooMany("4"))
		synctest.Wait()
		asked := len(j.log)
		x.is(x.server(tell("notifications/message", `{"data":"x"}`)), "-")
		x.is(x.server(tell("notifications/progress", `{"progress":1}`)), "-")
		if len(j.log) != asked+1 {
			t.Error("a flood is one event", j.log[asked:])
		}
		x.ClientGone()
	}, func(c *Config) { c.MaxOpen, c.MaxHeld = 3, 1000 })
	discuss(t, func(t *testing.T, x talk, j *scriptedJudge) {
		j.waits("given resources/list")
		large := strings.Repeat("x", 300)
		x.is(x.client(callTool("1", "echo", `{"a":"`+large+`"}`)), "<"+
			failure("1", "-32603", "[weir] The request was not passed on: more messages wait to be judged than there is room for."))
		x.client(ask("1", "resources/list", `{}`))
		x.is(x.server(reply("1", `{"a":"`+large+`"}`)), ">"+
			failure("1", "-32603", "[weir] The response was not passed on: more messages wait to be judged than there is room for."))
		x.client(ask("1", "resources/list", `{}`))
		x.server(reply("1", `{"a":"`+large[:200]+`"}`))
		x.is(x.server(tell("notifications/message", `{"data":"`+large[:200]+`"}`)), "-")
		x.ClientGone()
	}, func(c *Config) { c.MaxHeld = 300 })
	discuss(t, func(t *testing.T, x talk, _ *scriptedJudge) {
		for i := range 2 * maxRecent {
			id := fmt.Sprint(i)
			x.client(ask(id, "ping", `{}`))
			x.server(reply(id, `{}`))
		}
		x.is(x.server(reply("0", `{}`)), "-")
		x.is(x.server(reply(fmt.Sprint(maxRecent), `{}`)), "=")
		if h := x.fromClient.closed; len(h.by) != maxRecent || len(h.keys) != maxRecent {
			t.Error(len(h.by), len(h.keys))
		}
	}, replays)
	discuss(t, func(t *testing.T, x talk, _ *scriptedJudge) {
		for id, tool := range []string{"first", "second"} {
			x.client(ask(fmt.Sprint(id), toolsCall, `{"name":"`+tool+`"}`))
			synctest.Wait()
			x.server(reply(fmt.Sprint(id), `{"task":{"taskId":"t"}}`))
			synctest.Wait()
		}
		expect.Equal(t, x.taskOrigin("t").tool, "first", "the task stands for")
		x.ClientGone()
	}, replays)
	var k recent[string, int]
	for i := range 2 * maxRecent {
		k.add(fmt.Sprint(i), i)
		k.add(fmt.Sprint(i), -i)
	}
	if last := k.find(fmt.Sprint(maxRecent)); len(k.by) != maxRecent || len(k.keys) != maxRecent || k.find("0") != nil || *last != -maxRecent {
		t.Error(len(k.by), len(k.keys))
	}
	if k.forget("0"); len(k.by) != maxRecent {
		t.Error("what was not known is forgotten")
	}
	if k.forget(fmt.Sprint(maxRecent)); k.find(fmt.Sprint(maxRecent)) != nil {
		t.Error("what was forgotten is known")
	}
}

// A request that could not be answered is closed.
func TestFailed(t *testing.T) {
	discuss(t, func(t *testing.T, x talk, j *scriptedJudge) {
		j.waits("slow")
		x.client(ask("1", "ping", `{}`))
		if got := string(x.Failed(jsonrpc.IntID(1), "it took too long").Raw); got != failure("1", "-32603", "[weir] The server did not respond: it took too long.") {
			t.Error(got)
		}
		x.is(x.server(reply("1", `{}`)), "-")
		waits := x.client(callTool("2", "slow", `{}`))
		for _, id := range []int64{1, 2, 3} {
			if m := x.Failed(jsonrpc.IntID(id), "x"); m != nil {
				t.Error(id, m)
			}
		}
		x.is(waits, "?")
		x.ClientGone()
		synctest.Wait()
		expect.Equal(t, len(j.log), 1, "%+v", j.log)
	})
}

// Who waits for a message that could not be read is told.
func TestRefused(t *testing.T) {
	refused := func(raw string) *jsonrpc.Refused {
		_, _, err := jsonrpc.ParseBody([]byte(raw))
		var r *jsonrpc.Refused
		if !errors.As(err, &r) {
			t.Fatal(raw, err)
		}
		return r
	}
	text := func(m *jsonrpc.Message) string {
		if m == nil {
			return ""
		}
		return string(m.Raw)
	}
	badRequest, badAnswer := `{"jsonrpc":"2.0","id":1,"method":"a","METHOD":"b"}`, `{"jsonrpc":"2.0","id":1,"result":[]}`
	badNote, noise := `{"jsonrpc":"2.0","method":"a","params":[]}`, `{"a`
	discuss(t, func(t *testing.T, x talk, j *scriptedJudge) {
		x.client(ask("1", "ping", `{}`))
		x.server(ask("1", "ping", `{}`))
		var got []string
		for _, raw := range []string{badRequest, badAnswer, badAnswer, badNote, noise} {
			client, server := x.RefusedFromClient(refused(raw))
			got = append(got, text(client), text(server))
			client, server = x.RefusedFromServer(refused(raw))
			got = append(got, text(client), text(server))
		}
		twice := failure("1", "-32600", "[weir] message refused: a member is there twice, or in another case")
		want := []string{
			twice, "", "", twice,
			"", failure("1", "-32603", "[weir] The client's response could not be read."),
			failure("1", "-32603", "[weir] The server's response was refused: its result is not an object."), "",
			"", "", "", "",
			"", "", "", "",
			got[16], "", "", "",
		}
		expect.Same(t, want, got)
		if !strings.HasPrefix(got[16], `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,`) {
			t.Error(got[16])
		}
		x.is(x.server(reply("1", `{}`)), "-")
		x.is(x.client(reply("1", `{}`)), "-")
		expect.Equal(t, len(j.log), 10, "%+v", j.log)
	})
}
