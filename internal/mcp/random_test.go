package mcp

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/mcp/jsonrpc"
	"github.com/weir-gate/weir/internal/weirtest/expect"
)

// A randomJudge takes its time and rules at random.
type randomJudge struct {
	mu      sync.Mutex
	rand    *rand.Rand
	refuses float64 // how much of what it is asked
	ruled   map[string]bool
}

func newRandomJudge(seed uint64, refuses float64) *randomJudge {
	return &randomJudge{rand: rand.New(rand.NewPCG(seed, 1)), refuses: refuses, ruled: map[string]bool{}}
}

// rule waits, and says whether something passes.
func (j *randomJudge) rule(ctx context.Context) bool {
	j.mu.Lock()
	wait, passes := time.Duration(j.rand.IntN(4))*time.Millisecond, j.rand.Float64() >= j.refuses
	j.mu.Unlock()
	if wait == 0 {
		return passes
	}
	select {
	case <-time.After(wait):
		return passes
	case <-ctx.Done():
		return false
	}
}

func (j *randomJudge) Call(ctx context.Context, c call.Call) call.Ruling {
	released := j.rule(ctx)
	j.mu.Lock()
	defer j.mu.Unlock()
	if released {
		j.ruled[c.MCP.RPCID+" "+c.Tool+" "+string(c.Args)] = true
		return call.Ruling{Released: true}
	}
	return because
}

// released says whether a call was.
func (j *randomJudge) released(what string) bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.ruled[what]
}

func (j *randomJudge) Tools(ctx context.Context, l call.Listing) (call.Offer, error) {
	if !j.rule(ctx) {
		return call.Offer{}, errors.New("not now")
	}
	shown := make([]bool, len(l.Tools))
	j.mu.Lock()
	defer j.mu.Unlock()
	for i := range shown {
		shown[i] = j.rand.Float64() >= j.refuses
	}
	return call.Offer{Shown: shown}, nil
}

func (j *randomJudge) Given(ctx context.Context, _ call.Given) call.Ruling {
	if j.rule(ctx) {
		return call.Ruling{Released: true}
	}
	return because
}

func (*randomJudge) Refused(call.Call, call.Ruling) {}

// A world is a client and a server that talk at random, and what became of what they said.
type world struct {
	t *testing.T
	*Session
	judge *randomJudge
	rand  *rand.Rand

	mu       sync.Mutex
	next     int
	toServer []*jsonrpc.Message // requests that the server has and did not answer
	toClient []*jsonrpc.Message // likewise
	answers  map[jsonrpc.ID]int // of the client's requests
	asked    map[jsonrpc.ID]bool
	given    map[jsonrpc.ID]bool // up: cancelled
	ways     int                 // not used yet
}

// way returns the Way of a message. Each must be used once.
func (w *world) way(m *jsonrpc.Message, fromClient bool) Way {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.ways++
	used := false
	use := func(f func()) {
		w.mu.Lock()
		defer w.mu.Unlock()
		if used {
			w.t.Errorf("the way of %s is used twice", m.Raw)
		}
		used = true
		w.ways--
		f()
	}
	return Way{
		Forward: func(out *jsonrpc.Message) { use(func() { w.arrives(out, fromClient) }) },
		Respond: func(out *jsonrpc.Message) {
			use(func() {
				expect.Equal(w.t, m.Kind, jsonrpc.Request, "%s is answered with %s", m.Raw, out.Raw)
				expect.Equal(w.t, out.ID, m.ID, "%s is answered with %s", m.Raw, out.Raw)
				if fromClient {
					w.answers[out.ID]++
				}
			})
		},
		Drop: func() { use(func() {}) },
	}
}

// arrives takes what was passed on.
func (w *world) arrives(m *jsonrpc.Message, atServer bool) {
	switch {
	case m.Kind == jsonrpc.Request && atServer:
		if m.Method == toolsCall {
			name, _ := m.ParamText("name")
			args, _ := m.Arguments()
			if args == nil {
				args = emptyArgs
			}
			if !w.judge.released(m.ID.String() + " " + name + " " + string(args)) {
				w.t.Errorf("%s was not released", m.Raw)
			}
		}
		w.toServer = append(w.toServer, m)
	case m.Kind == jsonrpc.Request:
		w.toClient = append(w.toClient, m)
	case m.Kind == jsonrpc.Response && !atServer:
		w.answers[m.ID]++
	}
}

func (w *world) id() string {
	w.next++
	if w.next%2 == 0 {
		return fmt.Sprintf(`"%d"`, w.next/2) // the same number as another, but a text
	}
	return fmt.Sprint(w.next/2 + 1)
}

// take takes a random message out of a list.
func (w *world) take(list *[]*jsonrpc.Message) *jsonrpc.Message {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(*list) == 0 {
		return nil
	}
	i := w.rand.IntN(len(*list))
	m := (*list)[i]
	(*list)[i] = (*list)[len(*list)-1]
	*list = (*list)[:len(*list)-1]
	return m
}

func (w *world) client(raw string) {
	m := read(w.t, raw)
	w.FromClient(w.t.Context(), m, w.way(m, true))
}

func (w *world) server(raw string) {
	m := read(w.t, raw)
	w.FromServer(w.t.Context(), m, w.way(m, false))
}

// step does something at random.
func (w *world) step() {
	switch w.rand.IntN(10) {
	case 0, 1, 2, 3:
		id := w.id()
		w.asked[read(w.t, ask(id, "ping", `{}`)).ID] = true
		switch w.rand.IntN(5) {
		case 0:
			w.client(ask(id, "ping", `{}`))
		case 1:
			w.client(ask(id, "tools/list", `{}`))
		case 2:
			w.client(ask(id, "prompts/get", `{}`))
		default:
			w.client(callTool(id, "echo", `{"n":`+fmt.Sprint(w.next)+`}`))
		}
	case 4, 5:
		if m := w.take(&w.toServer); m != nil {
			result := `{"content":[]}`
			if m.Method == toolsList {
				result = `{"tools":[{"name":"a"},{"name":"b"}]}`
			}
			w.server(reply(m.ID.String(), result))
		}
	case 6:
		id := w.rand.IntN(w.next + 1)
		text := fmt.Sprint(id)
		if w.rand.IntN(2) == 0 {
			text = `"` + text + `"`
		}
		m := read(w.t, cancelOf(text))
		cancelled, _ := cancelledID(m)
		w.mu.Lock()
		if w.answers[cancelled] == 0 {
			w.given[cancelled] = true
		}
		w.mu.Unlock()
		w.FromClient(w.t.Context(), m, w.way(m, true))
	case 7:
		w.server(tell("notifications/message", `{"data":"x"}`))
	case 8:
		w.server(ask(w.id(), "roots/list", `{}`))
		if m := w.take(&w.toClient); m != nil {
			w.client(reply(m.ID.String(), `{"roots":[]}`))
		}
	case 9:
		time.Sleep(time.Duration(w.rand.IntN(3)) * time.Millisecond) // of the bubble's clock
	}
}

// However messages and rulings interleave, each request gets one response unless it was cancelled, each Way is used once, no
// call reaches the server that was not released, and nothing is left over.
func TestInterleavings(t *testing.T) {
	for seed := range uint64(150) {
		synctest.Test(t, func(t *testing.T) {
			refuses := float64(seed%3) / 2 // none, half, or all
			j := newRandomJudge(seed, refuses)
			w := &world{
				t: t, judge: j, rand: rand.New(rand.NewPCG(seed, 2)), Session: New(Config{Judge: j, MaxOpen: 20, Replays: seed%2 == 0}),
				answers: map[jsonrpc.ID]int{}, asked: map[jsonrpc.ID]bool{}, given: map[jsonrpc.ID]bool{},
			}
			for range 200 {
				w.step()
			}
			for _, m := range w.ServerGone("the test ends") {
				w.mu.Lock()
				w.answers[m.ID]++
				w.mu.Unlock()
			}
			expect.Is(t, w.Wait(t.Context()), nil)
			w.ClientGone()
			expect.Equal(t, w.ways, 0, "seed %d: %d ways were not used", seed, w.ways)
			for id := range w.asked {
				if n := w.answers[id]; n > 1 || n == 0 && !w.given[id] {
					t.Errorf("seed %d: request %s got %d answers", seed, id, n)
				}
			}
			if w.held != 0 || w.asides != 0 || len(w.holds) != 0 || len(w.fromClient.open) != 0 || len(w.fromServer.open) != 0 {
				t.Errorf("seed %d: something is left over", seed)
			}
			if refuses == 1 {
				for _, m := range w.toServer {
					if m.Method == toolsCall {
						t.Errorf("seed %d: a call reached the server", seed)
					}
				}
			}
		})
	}
}

// FuzzSession has both sides say anything. Each line of the input is a message; its first byte says whose, and what else
// happens.
func FuzzSession(f *testing.F) {
	lines := func(texts ...string) []byte {
		var b []byte
		for i := 0; i < len(texts); i += 2 {
			b = append(append(append(b, texts[i]...), texts[i+1]...), '\n')
		}
		return b
	}
	f.Add(uint64(1), false, lines("c", callTool("1", "echo", `{}`), "s", reply("1", `{"content":[]}`)))
	f.Add(uint64(2), true, lines("c", callTool("1", "echo", `{}`), "s", reply("1", `{}`), "s", reply("1", `{}`), "c", cancelOf("1")))
	f.Add(uint64(3), false, lines("c", ask("1", "tools/list", `{}`), "s", reply("1", `{"tools":[{"name":"a"}],"nextCursor":"x"}`), "w", ""))
	f.Add(uint64(4), true, lines("s", ask("1", "roots/list", `{}`), "s", ask("1", "roots/list", `{}`), "c", reply("1", `{}`), "g", ""))
	f.Add(uint64(5), false, lines("s", tell("notifications/message", `{"data":"x"}`), "s", cancelOf("1"), "G", "", "c", ask("1", "ping", `{}`)))
	f.Add(uint64(6), false, lines("c", callTool("1", "echo", `{}`), "w", "", "s", reply("1", `{"inputRequests":{"a":{"method":"roots/list"}}}`), "c", `{"x`, "s", `{"id":1,"result":1}`))
	f.Add(uint64(7), false, lines("c", callTool("1", "echo", `{}`), "w", "", "s", `{"jsonrpc":"2.0","id":1,"error":{"code":-32042,"message":"","data":{"elicitations":[{}]}}}`, "f", ""))
	f.Add(uint64(8), false, lines("c", tell("notifications/vendor", `{"x":1}`), "c", tell("notifications/progress", `{"progress":1,"x":{}}`), "s", tell("notifications/vendor", `{}`), "w", ""))
	f.Add(uint64(9), false, lines("c", ask("1", "tools/call", `{"name":"echo","_meta":{"a":{}},"x":[1],"task":{},"requestState":"s"}`), "w", "", "c", ask("2", "ping", `{"x":{}}`)))
	f.Fuzz(func(t *testing.T, seed uint64, replays bool, input []byte) {
		synctest.Test(t, func(t *testing.T) {
			j := newRandomJudge(seed, 0.3)
			w := &world{t: t, judge: j, Session: New(Config{Judge: j, MaxOpen: 4, MaxHeld: 4096, Replays: replays}), answers: map[jsonrpc.ID]int{}}
			for line := range bytes.SplitSeq(input, []byte{'\n'}) {
				if len(line) > 0 {
					w.say(line[0], line[1:])
				}
			}
			w.ServerGone("the test ends")
			expect.Is(t, w.Wait(t.Context()), nil)
			w.ClientGone()
			if w.ways != 0 || w.held != 0 || w.asides != 0 || len(w.holds) != 0 || len(w.fromClient.open) != 0 {
				t.Errorf("left over: %d ways, %d bytes, %d asides, %d holds", w.ways, w.held, w.asides, len(w.holds))
			}
		})
	})
}

// say does what a line of fuzz input says.
func (w *world) say(what byte, raw []byte) {
	switch what {
	case 'w':
		time.Sleep(time.Millisecond) // of the bubble's clock
		return
	case 'g':
		w.ClientGone()
		return
	case 'G':
		w.ServerGone("the input says so")
		return
	case 'f':
		w.Failed(jsonrpc.IntID(1), "the input says so")
		return
	}
	fromClient := what%2 == 1
	messages, _, err := jsonrpc.ParseBody(raw)
	var refused *jsonrpc.Refused
	switch {
	case errors.As(err, &refused) && fromClient:
		w.RefusedFromClient(refused)
	case errors.As(err, &refused):
		w.RefusedFromServer(refused)
	}
	for _, m := range messages {
		ctx := w.t.Context()
		if what > 'w' {
			limited, cancel := context.WithTimeout(ctx, time.Millisecond) // of the bubble's clock
			defer cancel()
			ctx = limited
		}
		if fromClient {
			w.FromClient(ctx, m, w.way(m, true))
		} else {
			w.FromServer(ctx, m, w.way(m, false))
		}
	}
}
