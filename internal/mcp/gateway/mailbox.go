package gateway

import (
	"net/http"
	"sync"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/mcp/jsonrpc"
	"github.com/weir-gate/weir/internal/mcp/queue"
	"github.com/weir-gate/weir/internal/mcp/streamable"
)

// maxUnheard is how many bytes of messages may wait in a mailbox while nobody listens.
const maxUnheard = 4 << 20

// A mailbox holds the messages of a server that belong to no request of the client, until the client listens for them with a GET.
type mailbox struct {
	most   int // messages that may wait while nobody listens
	bound  *queue.Bound
	pieces *queue.Queue[piece]
	// refuse responds to a request of the server for which there is no room; nil: no requests come.
	refuse func(*jsonrpc.Message)

	mu               sync.Mutex
	listened, closed bool
}

func (g *Gateway) newMailbox(actor call.Actor) *mailbox {
	bound := queue.NewBound(g.cfg.Bounds.Queued)
	return &mailbox{most: g.cfg.Bounds.Waiting, bound: bound, pieces: newPieces(g.holding(actor), bound)}
}

// put adds a message.
func (b *mailbox) put(m *jsonrpc.Message) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.listened && len(m.Raw) > maxUnheard || !b.pieces.Put(piece{message: m}) {
		b.lose(piece{message: m})
		return
	}
	b.shed()
}

// lose drops a message, and responds to it if it is a request.
func (b *mailbox) lose(p piece) {
	if p.message.Kind == jsonrpc.Request && b.refuse != nil {
		go b.refuse(p.message) // the caller of put may hold a lock
	}
}

// shed drops messages while nobody listens, until the rest is within the bounds: the oldest notifications first, and then the
// newest requests. The caller holds the lock.
func (b *mailbox) shed() {
	if !b.listened {
		b.pieces.Shed(b.most, maxUnheard, func(p piece) bool { return p.message.Kind == jsonrpc.Notification }, b.lose)
	}
}

// listen makes the caller the listener. It is not ok if somebody listens already.
func (b *mailbox) listen() (ok bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	ok = !b.listened && !b.closed
	b.listened = b.listened || ok
	return ok
}

// leave ends the listening. The remaining messages wait for the next listener.
func (b *mailbox) leave() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.listened = false
	b.shed()
	b.discard()
}

// close closes the mailbox, and so ends the stream of a listener.
func (b *mailbox) close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.closed = true
	b.pieces.Close()
	b.discard()
}

// discard drops the messages that nobody can get any more. The caller holds the lock.
func (b *mailbox) discard() {
	if b.closed && !b.listened {
		b.pieces.Drain()
	}
}

// serve responds to a GET with the messages of the mailbox.
func (b *mailbox) serve(x *exchange) {
	if x.R.Header[streamable.HeaderLastEvent] != nil {
		// Events have no ids here, so none can be sent again.
		x.fail(badRequest("streams of this server cannot be resumed"))
		return
	}
	if !b.listen() {
		x.fail(fail(http.StatusConflict, jsonrpc.CodeInvalidRequest, "the session has a stream for the server's messages already"))
		return
	}
	defer b.leave()
	x.response.begin(http.StatusOK, streamable.MediaEvents)
	if err := x.response.run(x.R.Context(), b.pieces); err != nil {
		x.gw.cfg.Log.Debug("mcp response not taken", "reason", err.Error())
	}
}
