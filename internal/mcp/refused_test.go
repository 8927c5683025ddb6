package mcp

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/mcp/jsonrpc"
	"github.com/weir-gate/weir/internal/weirtest/expect"
)

// A toldJudge keeps what it is told of messages that are refused for what they are.
type toldJudge struct {
	scriptedJudge
	told sync.Mutex
	all  []string // tool and reason
}

func (j *toldJudge) Refused(c call.Call, r call.Ruling) {
	j.told.Lock()
	defer j.told.Unlock()
	j.all = append(j.all, c.Tool+": "+r.Reason)
}

// unreadableAs is a message that cannot be read.
func unreadableAs(t testing.TB, raw string) *jsonrpc.Refused {
	t.Helper()
	_, _, err := jsonrpc.ParseBody([]byte(raw))
	var r *jsonrpc.Refused
	if !errors.As(err, &r) {
		t.Fatal(raw, err)
	}
	return r
}

// A flood of messages that are refused for what they are is told of a few times, and answered each time.
func TestFloodIsToldInShort(t *testing.T) {
	const twice = `{"jsonrpc":"2.0","id":1,"method":"a","METHOD":"b"}`
	for name, tt := range map[string]struct {
		one    func(x talk, i int) string // sends a message, and returns what became of it
		became string                     // the same for all; "": it is not compared
		tool   string
		reason string
	}{
		"a server's responses to nobody": {
			one:    func(x talk, i int) string { return x.server(reply(fmt.Sprint(i), `{}`)).String() },
			became: "-", tool: "response", reason: "It responds to a request that is not open",
		},
		"a client's answers to nobody": {
			one:    func(x talk, i int) string { return x.client(reply(fmt.Sprint(i), `{}`)).String() },
			became: "-", tool: "response", reason: "It responds to a request that is not open",
		},
		"a server's requests as notifications": {
			one: func(x talk, i int) string {
				return x.server(fmt.Sprintf(`{"jsonrpc":"2.0","method":"odd/%d"}`, i)).String()
			},
			became: "-", tool: "notification", reason: "Its method is not that of a notification",
		},
		"a client's requests as notifications": {
			one: func(x talk, i int) string {
				return x.client(fmt.Sprintf(`{"jsonrpc":"2.0","method":"odd/%d"}`, i)).String()
			},
			became: "-", tool: "notification", reason: "Its method is not that of a notification",
		},
		"cancellations of nothing": {
			one: func(x talk, _ int) string {
				return x.server(`{"jsonrpc":"2.0","method":"notifications/cancelled"}`).String()
			},
			became: "-", tool: "notification", reason: "It does not say which request it cancels",
		},
		"a server's unreadable messages": {
			one: func(x talk, _ int) string {
				_, server := x.RefusedFromServer(unreadableAs(t, twice))
				return string(server.Raw)
			},
			became: failure("1", "-32600", "[weir] message refused: a member is there twice, or in another case"),
			tool:   "request", reason: "a member is there twice, or in another case",
		},
		"a client's unreadable messages": {
			one: func(x talk, _ int) string {
				client, _ := x.RefusedFromClient(unreadableAs(t, twice))
				return string(client.Raw)
			},
			became: failure("1", "-32600", "[weir] message refused: a member is there twice, or in another case"),
			tool:   "request", reason: "a member is there twice, or in another case",
		},
		"methods that cannot be judged": {
			one:  func(x talk, i int) string { return x.server(ask(fmt.Sprint(i), "od d", `{}`)).String() },
			tool: "request", reason: "Its method is none that can be judged",
		},
		"calls that cannot be read": {
			one: func(x talk, i int) string {
				return x.client(ask(fmt.Sprint(i), toolsCall, `{"name":"echo","name":"rm"}`)).String()
			},
			tool: "", reason: "It has no name, or its parameters can be read in more than one way",
		},
	} {
		t.Run(name, func(t *testing.T) {
			j := &toldJudge{}
			x := begin(t, j)
			for i := range 1000 {
				got := tt.one(x, i)
				if tt.became != "" && got != tt.became || strings.Contains(got, "of its kind") {
					t.Fatalf("message %d became %s, want %s", i, got, tt.became)
				}
			}
			want := slices.Repeat([]string{tt.tool + ": " + tt.reason + "."}, 10)
			for _, n := range []int{20, 40, 80, 160, 320, 640} {
				want = append(want, fmt.Sprintf("%s: %s (the %dth of its kind in this session).", tt.tool, tt.reason, n))
			}
			expect.NoDiff(t, cmp.Diff(want, j.all), "told")
		})
	}
}

// Requests with an id that is open are a flood of their own.
func TestFloodOfDuplicates(t *testing.T) {
	j := &toldJudge{}
	x := begin(t, j)
	x.is(x.client(ask("1", "ping", `{}`)), "=")
	for range 1000 {
		x.is(x.client(ask("1", "ping", `{}`)),
			"<"+failure("1", "-32600", "[weir] The request was not passed on: a request with that id is open already."))
	}
	expect.Equal(t, len(j.all), 16, "told %d times: %q", len(j.all), j.all)
}

// Who gives every message another name is not told of without end, nor remembered so.
func TestFloodOfManyKinds(t *testing.T) {
	j := &toldJudge{}
	x := begin(t, j)
	const n = 3000
	for i := range n {
		x.client(ask(fmt.Sprint(i), toolsCall, fmt.Sprintf(`{"name":"tool-%d","arguments":[]}`, i)))
	}
	// Each of the kinds that are counted apart once; 10 of the rest, and then at 20, 40, … 2,560.
	if want := maxKinds + 10 + 8; len(j.all) != want {
		t.Errorf("told %d times, want %d", len(j.all), want)
	}
	if got := len(x.fromClient.refusals.kinds); got > maxKinds+1 {
		t.Errorf("%d kinds are remembered", got)
	}
	if last := j.all[len(j.all)-1]; !strings.HasSuffix(last, " (the 2560th of its kind in this session).") {
		t.Errorf("the last is %q", last)
	}
}

// What one side sends, or one kind, or one session, hides nothing of another.
func TestFloodHidesNothingElse(t *testing.T) {
	j := &toldJudge{}
	x := begin(t, j)
	nobody := reply("1", `{}`)
	for range 1000 {
		x.server(nobody)
	}
	for what, send := range map[string]func(){
		"the other side":  func() { x.client(nobody) },
		"another kind":    func() { x.server(`{"jsonrpc":"2.0","method":"odd"}`) },
		"another session": func() { begin(t, j).server(nobody) },
	} {
		before := len(j.all)
		send()
		if len(j.all) != before+1 || strings.Contains(j.all[before], "of its kind") {
			t.Errorf("%s: told of %q", what, j.all[before:])
		}
	}
}

// A side that sends far too many is logged once, and the session goes on.
func TestFloodIsLoggedOnce(t *testing.T) {
	var log bytes.Buffer
	j := &toldJudge{}
	x := begin(t, j, func(c *Config) {
		c.Log = slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelWarn}))
	})
	const many = `msg="many messages of one side are refused for what they are" server=files from=`
	m, w := read(t, reply("1", `{}`)), Way{Drop: func() {}}
	for range manyRefused - 1 {
		x.FromServer(t.Context(), m, w)
	}
	if strings.Contains(log.String(), many) {
		t.Error("it is logged too early")
	}
	for range 2 * manyRefused {
		x.FromServer(t.Context(), m, w)
	}
	if n := strings.Count(log.String(), many+"server"); n != 1 {
		t.Errorf("it is logged %d times:\n%s", n, log.String())
	}
	if n := strings.Count(log.String(), "\n"); n > 30 {
		t.Errorf("%d lines are logged", n)
	}
	for range manyRefused {
		x.FromClient(t.Context(), m, w)
	}
	expect.Equal(t, strings.Count(log.String(), many+"client"), 1, "the client's are logged … times")
	x.is(x.client(ask("7", "ping", `{}`)), "=")
	x.is(x.server(reply("7", `{}`)), "=")
}

// The judge is told of the first, and then each time their number has doubled.
func TestIsTold(t *testing.T) {
	next := uint64(1)
	for n := uint64(1); n < 100_000; n++ {
		if got, want := isTold(n), n == next; got != want {
			t.Fatalf("the message %d is told of: %t, want %t", n, got, want)
		}
		if n == next {
			if next < toldFirst {
				next++
			} else {
				next *= 2
			}
		}
	}
}

// Many senders at once are counted right.
func TestFloodAtOnce(t *testing.T) {
	j := &toldJudge{}
	x := begin(t, j)
	m := read(t, reply("1", `{}`))
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 160 {
				x.FromServer(t.Context(), m, Way{Drop: func() {}})
			}
		})
	}
	all.Wait()
	if len(j.all) != 10+7 { // 20, 40, … 1,280
		t.Errorf("told %d times", len(j.all))
	}
}
