package mcp

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/weir-gate/weir/internal/mcp/jsonrpc"
	"github.com/weir-gate/weir/internal/weirtest/expect"
)

// Many streams may use one session at once. Each call is answered once, even if the server answers before it has all of the
// request, while others come and go.
func TestManyStreams(t *testing.T) {
	x := begin(t, newRandomJudge(1, 0.3), replays)
	const streams, calls = 8, 50
	var answers, cancels, ways atomic.Int64
	var wg, inFlight sync.WaitGroup
	use := func() { ways.Add(-1); inFlight.Done() }
	open := func() { ways.Add(1); inFlight.Add(1) }
	answer := func(m *jsonrpc.Message) {
		open()
		x.FromServer(t.Context(), read(t, reply(m.ID.String(), `{"content":[]}`)), Way{
			Forward: func(*jsonrpc.Message) { answers.Add(1); use() }, Drop: use,
		})
	}
	for stream := range streams {
		wg.Go(func() {
			for i := range calls {
				id := fmt.Sprint(stream*calls + i)
				open()
				x.FromClient(t.Context(), read(t, callTool(id, "echo", `{}`)), Way{
					Forward: func(m *jsonrpc.Message) { answer(m); use() },
					Respond: func(*jsonrpc.Message) { answers.Add(1); use() },
					Drop:    func() { cancels.Add(1); use() },
				})
				open()
				x.FromServer(t.Context(), read(t, tell("notifications/message", `{"data":"x"}`)), Way{
					Forward: func(*jsonrpc.Message) { use() }, Drop: use,
				})
			}
		})
	}
	wg.Wait()
	expect.OK(t, x.Wait(t.Context()))
	inFlight.Wait()
	if got := answers.Load(); got != streams*calls || cancels.Load() != 0 || ways.Load() != 0 {
		t.Errorf("%d answers, %d cancelled, %d ways not used", got, cancels.Load(), ways.Load())
	}
}

// Who waits for the session may give up.
func TestWaitEnds(t *testing.T) {
	discuss(t, func(t *testing.T, x talk, j *scriptedJudge) {
		goOn := j.waits("slow")
		expect.Is(t, x.Wait(t.Context()), nil)
		called := x.client(callTool("1", "slow", `{}`))
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		expect.Is(t, x.Wait(ctx), context.Canceled)
		x.is(called, "?")
		goOn()
		expect.Is(t, x.Wait(t.Context()), nil)
		x.is(called, "=")
	})
}

// A tool cannot hide the name of a method.
func TestReservedNames(t *testing.T) {
	for _, name := range []string{
		"prompts/get", "PROMPTS/GET", "prompts/\u00adget", " prompts/get ", "ｐrompts／get", "roots/li\u017ft", "sampling/createmessage", "prompts/ge\U000e0074t",
	} {
		if !isReserved(name) {
			t.Errorf("%q is not reserved", name)
		}
	}
	for _, name := range []string{"prompts_get", "get", "", "tools/list", "prompts/get2"} {
		if isReserved(name) {
			t.Errorf("%q is reserved", name)
		}
	}
}
