package gateway

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/weir-gate/weir/internal/intake/httpdoor"
	"github.com/weir-gate/weir/internal/mcp/jsonrpc"
)

// What a listener did not take before it left waits for the next one, in order.
func TestMailbox(t *testing.T) {
	note := func(n int) *jsonrpc.Message {
		return parsed(t, fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/x","params":{"n":%d}}`, n))
	}
	b := (&exchange{Exchange: &httpdoor.Exchange{}, gw: &Gateway{cfg: Config{Bounds: Bounds{Waiting: 3}}}}).newMailbox()
	first := newQueue(nil)
	if !b.listen(first) || b.listen(newQueue(nil)) {
		t.Error("there is one listener at a time")
	}
	for n := range 3 {
		b.deliver(note(n))
	}
	first.take()
	b.leave(first)
	b.leave(first)
	b.deliver(note(3))
	b.deliver(note(4))
	b.deliver(parsed(t, `{"jsonrpc":"2.0","method":"notifications/x","params":{"large":"`+strings.Repeat("x", maxWaitingBytes)+`"}}`))
	b.deliver(note(5))
	second := newQueue(nil)
	if !b.listen(second) {
		t.Fatal("nobody listens")
	}
	var got []string
	for {
		it, ok, _ := second.take()
		if !ok {
			break
		}
		got = append(got, string(it.message.Params))
	}
	if want := []string{`{"n":3}`, `{"n":4}`, `{"n":5}`}; !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	b.close()
	if _, ok, more := second.take(); ok || more || b.listen(newQueue(nil)) {
		t.Error("it goes on after its end")
	}
}

// A source waits while its client is slow, and several do.
func TestQueueRoom(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := newQueue(nil)
		for range roomItems {
			q.add(item{})
		}
		var waiting sync.WaitGroup
		for range 3 {
			waiting.Go(func() { q.room(t.Context()) })
		}
		ctx, cancel := context.WithCancel(t.Context())
		waiting.Go(func() { q.room(ctx) })
		synctest.Wait()
		cancel()
		q.take()
		waiting.Wait()
	})
}
