package reach

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/weir-gate/weir/internal/mcp/jsonrpc"
)

// An inbox passes messages of a server to those who receive them. It stores nothing: put waits until the message is received, so
// that a server cannot fill the memory.
type inbox struct {
	items  chan received
	closed chan struct{} // closed when nobody will receive any more
	ended  chan struct{} // closed when nothing more will come
	once   sync.Once     // for ended
	err    error         // why nothing more will come, once ended is closed
}

// received is a message, or the refusal of a message that cannot be parsed.
type received struct {
	message *jsonrpc.Message
	refused *jsonrpc.Refused
}

func newInbox() *inbox {
	return &inbox{items: make(chan received), closed: make(chan struct{}), ended: make(chan struct{})}
}

// put waits until the item is received. It reports false if it never will be.
func (b *inbox) put(it received) bool {
	select {
	case b.items <- it:
		return true
	case <-b.closed:
	case <-b.ended:
	}
	return false
}

// end notes that nothing more will come, and why. The first reason counts.
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

// Receive returns the next message.
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

// A delivery passes the messages of one stream of a server to the inbox.
type delivery struct {
	inbox *inbox
	// look is called with each message before it is received; nil: it is not called.
	look func(*jsonrpc.Message)
	// awaited is the request that the stream belongs to; zero: none. answered is set once its response, or the reason why there is
	// none, was received.
	awaited  jsonrpc.ID
	answered bool
}

// deliver delivers the messages in a text: one or several. It reports false if nobody will receive any more.
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

// refuse delivers the refusal of a message that cannot be parsed.
func (d *delivery) refuse(r *jsonrpc.Refused) bool {
	ok := d.inbox.put(received{refused: r})
	d.note(r.Kind, r.ID)
	return ok
}

// note notes that a message was delivered.
func (d *delivery) note(kind jsonrpc.Kind, id jsonrpc.ID) {
	if kind == jsonrpc.Response && !id.IsZero() && id == d.awaited {
		d.answered = true
	}
}

// finish ends the delivery. If the response is missing, it delivers the reason in its place.
func (d *delivery) finish(reason string) {
	if !d.awaited.IsZero() && !d.answered {
		d.refuse(noResponse(d.awaited, reason))
	}
}
