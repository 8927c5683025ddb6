package reach

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/weir-gate/weir/internal/mcp/jsonrpc"
)

// An inbox hands over what comes from a server to those who receive it. It holds nothing: who puts something in waits until it
// is received, so that a server cannot fill memory.
type inbox struct {
	items  chan received
	closed chan struct{} // closed when nobody will receive any more
	ended  chan struct{} // closed when nothing more will come
	once   sync.Once     // for ended
	err    error         // why nothing more will come, once ended is closed
}

// received is a message, or why one cannot be read.
type received struct {
	message *jsonrpc.Message
	refused *jsonrpc.Refused
}

func newInbox() *inbox {
	return &inbox{items: make(chan received), closed: make(chan struct{}), ended: make(chan struct{})}
}

// put waits until it is received. It reports false if it never will be.
func (b *inbox) put(it received) bool {
	select {
	case b.items <- it:
		return true
	case <-b.closed:
	case <-b.ended:
	}
	return false
}

// end says that nothing more will come, and why. The first reason counts.
func (b *inbox) end(err error) {
	b.once.Do(func() {
		b.err = err
		close(b.ended)
	})
}

// hasEnded reports whether nothing more will come.
func (b *inbox) hasEnded() bool {
	select {
	case <-b.ended:
		return true
	default:
		return false
	}
}

// Receive returns what comes next.
func (b *inbox) Receive(ctx context.Context) (*jsonrpc.Message, error) {
	select {
	case it := <-b.items:
		if it.refused != nil {
			return nil, it.refused
		}
		return it.message, nil
	case <-b.ended:
		return nil, b.err
	case <-ctx.Done():
		return nil, fmt.Errorf("receive message: %w", ctx.Err())
	}
}

// A delivery hands on messages of a server, as they come in one stream.
type delivery struct {
	inbox *inbox
	// look is shown each message before it is received; nil: nobody is.
	look func(*jsonrpc.Message)
	// awaited is the request that the stream answers; zero: none. It is answered once its response was received, or why there is none.
	awaited  jsonrpc.ID
	answered bool
}

// deliver hands on what a text holds: a message, or several. It reports false if nobody will receive any more.
func (d *delivery) deliver(text []byte) bool {
	messages, _, err := jsonrpc.ParseBody(text)
	var refused *jsonrpc.Refused
	if errors.As(err, &refused) {
		return d.refuse(refused)
	}
	for _, m := range messages {
		if d.look != nil {
			d.look(m)
		}
		if !d.inbox.put(received{message: m}) {
			return false
		}
		d.note(m.Kind, m.ID)
	}
	return true
}

// refuse hands on why something cannot be read.
func (d *delivery) refuse(r *jsonrpc.Refused) bool {
	ok := d.inbox.put(received{refused: r})
	d.note(r.Kind, r.ID)
	return ok
}

// note takes note of what was handed on.
func (d *delivery) note(kind jsonrpc.Kind, id jsonrpc.ID) {
	if kind == jsonrpc.Response && !id.IsZero() && id == d.awaited {
		d.answered = true
	}
}

// finish says that no more comes. Who waits for a response is told that there is none, and why.
func (d *delivery) finish(reason string) {
	if !d.awaited.IsZero() && !d.answered {
		d.refuse(noResponse(d.awaited, reason))
	}
}
