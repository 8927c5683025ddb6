package gateway

import (
	"net/http"
	"sync"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/mcp/jsonrpc"
	"github.com/weir-gate/weir/internal/mcp/queue"
)

// maxUnheard is how many bytes of messages wait in a mailbox while nobody listens.
const maxUnheard = 4 << 20

// A mailbox has the messages of a server that belong to no request of the client. A client takes them by listening, and while
// it does not they wait.
type mailbox struct {
	most   int // messages that wait while nobody listens
	bound  *queue.Bound
	pieces *queue.Queue[piece]
	// refuse responds to a request that there is no room for; nil: none comes.
	refuse func(*jsonrpc.Message)

	mu               sync.Mutex
	listened, closed bool
}

func (g *Gateway) newMailbox(actor call.Actor) *mailbox {
	bound := queue.NewBound(g.cfg.Bounds.Queued)
	return &mailbox{most: g.cfg.Bounds.Waiting, bound: bound, pieces: newPieces(g.holding(actor), bound)}
}

// put takes a message.
func (b *mailbox) put(m *jsonrpc.Message) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.listened && len(m.Raw) > maxUnheard || !b.pieces.Put(piece{message: m}) {
		b.lose(piece{message: m})
		return
	}
	b.shed()
}

// lose gives up a message.
func (b *mailbox) lose(p piece) {
	if p.message.Kind == jsonrpc.Request && b.refuse != nil {
		go b.refuse(p.message) // whoever puts messages here may hold a lock
	}
}

// shed gives up messages, while nobody listens, until what waits is within its bounds: the oldest notifications, and if there are
// none, the youngest requests. The caller has the lock.
func (b *mailbox) shed() {
	if !b.listened {
		b.pieces.Shed(b.most, maxUnheard, func(p piece) bool { return p.message.Kind == jsonrpc.Notification }, b.lose)
	}
}

// listen makes the caller the one who takes the messages. It is not ok if somebody listens already.
func (b *mailbox) listen() (ok bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	ok = !b.listened && !b.closed
	b.listened = b.listened || ok
	return ok
}

// leave ends the listening. What was not taken waits for the next listener.
func (b *mailbox) leave() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.listened = false
	b.shed()
	b.discard()
}

// close ends the stream of whoever listens.
func (b *mailbox) close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.closed = true
	b.pieces.Close()
	b.discard()
}

// discard lets go of what nobody can take any more. The caller has the lock.
func (b *mailbox) discard() {
	if b.closed && !b.listened {
		b.pieces.Drain()
	}
}

// serve responds to a GET with what comes into the mailbox.
func (b *mailbox) serve(x *exchange) {
	if x.R.Header[headerLastEvent] != nil {
		// Nothing has an id here, so nothing can be asked for again.
		x.fail(badRequest("streams of this server cannot be resumed"))
		return
	}
	if !b.listen() {
		x.fail(fail(http.StatusConflict, jsonrpc.CodeInvalidRequest, "the session has a stream for the server's messages already"))
		return
	}
	defer b.leave()
	x.response.begin(http.StatusOK, mediaEvents)
	if err := x.response.run(x.R.Context(), b.pieces); err != nil {
		x.gw.cfg.Log.Debug("mcp response not taken", "reason", err.Error())
	}
}
