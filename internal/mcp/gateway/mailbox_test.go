package gateway

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/intake/budget"
	"github.com/weir-gate/weir/internal/mcp/jsonrpc"
	"github.com/weir-gate/weir/internal/weirtest/expect"
)

// What a listener did not take before it left waits for the next one, in order.
func TestMailbox(t *testing.T) {
	room := budget.New(budget.Config{Total: 64 << 20, Client: 64 << 20})
	note := func(n int) *jsonrpc.Message {
		return parsed(t, fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/x","params":{"n":%d}}`, n))
	}
	b := (&Gateway{cfg: Config{Bounds: Bounds{Waiting: 3}, Budget: room}}).newMailbox(call.Actor{})
	if !b.listen() || b.listen() {
		t.Error("there is one listener at a time")
	}
	for n := range 4 {
		b.put(note(n)) // to somebody who listens, however many they are
	}
	b.pieces.Take()
	b.leave()
	b.put(note(4))
	b.put(parsed(t, `{"jsonrpc":"2.0","method":"notifications/x","params":{"large":"`+strings.Repeat("x", maxUnheard)+`"}}`))
	b.put(note(5))
	if !b.listen() {
		t.Fatal("nobody listens")
	}
	var got []string
	for {
		it, ok, _ := b.pieces.Take()
		if !ok {
			break
		}
		got = append(got, string(it.message.Params))
	}
	if want := []string{`{"n":3}`, `{"n":4}`, `{"n":5}`}; !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	b.put(note(6))
	b.close()
	if it, ok, _ := b.pieces.Take(); !ok || it.message == nil {
		t.Error("its listener did not get the rest")
	}
	if _, ok, more := b.pieces.Take(); ok || more || b.listen() {
		t.Error("it goes on after its end")
	}
}

// A server's request for which nobody listens and there is no room is refused; of notifications the oldest go first.
func TestMailboxSheds(t *testing.T) {
	b := (&Gateway{cfg: Config{Bounds: Bounds{Waiting: 2}}}).newMailbox(call.Actor{})
	refused := make(chan string, 1)
	b.refuse = func(m *jsonrpc.Message) { refused <- m.ID.String() }
	for _, text := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"ping"}`, `{"jsonrpc":"2.0","method":"notifications/x"}`,
		`{"jsonrpc":"2.0","id":2,"method":"ping"}`, `{"jsonrpc":"2.0","id":3,"method":"ping"}`,
	} {
		b.put(parsed(t, text))
	}
	expect.Equal(t, <-refused, "3", "was refused")
	for _, want := range []string{"1", "2"} {
		if it, _, _ := b.pieces.Take(); it.message == nil || it.message.ID.String() != want {
			t.Errorf("not %s", want)
		}
	}
}
