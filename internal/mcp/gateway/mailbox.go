package gateway

import (
	"net/http"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/weir-gate/weir/internal/intake/budget"
	"github.com/weir-gate/weir/internal/mcp/jsonrpc"
)

// maxWaitingBytes is how much may wait in a mailbox.
const maxWaitingBytes = 4 << 20

// A mailbox has the messages of a server that belong to no request of the client. A client takes them by listening, and while
// it does not they wait.
type mailbox struct {
	limit int // of messages that wait
	// refuse answers a request that there is no room for; nil: none comes.
	refuse func(*jsonrpc.Message)
	total  *atomic.Int64 // counts the bytes that are on their way to who listens

	mu       sync.Mutex
	listener *queue // nil: nobody listens
	waiting  []*jsonrpc.Message
	tab      budget.Tab // what they take
	bytes    int        // that wait
	closed   bool
}

func (x *exchange) newMailbox() *mailbox {
	return &mailbox{limit: x.gw.cfg.Bounds.Waiting, total: &atomic.Int64{}, tab: budget.Tab{Open: x.gw.holding(x.Actor)}}
}

// deliver takes a message.
func (b *mailbox) deliver(m *jsonrpc.Message) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed || b.listener != nil && b.listener.add(item{message: m}) {
		return
	}
	if len(m.Raw) > maxWaitingBytes {
		b.lose(m)
		return
	}
	b.keep(m)
	b.shed()
}

// lose gives up a message.
func (b *mailbox) lose(m *jsonrpc.Message) {
	if m.Kind == jsonrpc.Request && b.refuse != nil {
		go b.refuse(m) // who delivers may not be asked meanwhile
	}
}

// keep has a message wait. The caller has the lock.
func (b *mailbox) keep(m *jsonrpc.Message) {
	if b.tab.Take(overhead+len(m.Raw)) != nil {
		b.lose(m)
		return
	}
	b.waiting = append(b.waiting, m)
	b.bytes += len(m.Raw)
}

// shed gives up messages until what waits is within its bounds: the oldest notifications, and if there are none, the youngest
// requests. The caller has the lock.
func (b *mailbox) shed() {
	for len(b.waiting) > b.limit || b.bytes > maxWaitingBytes {
		i := slices.IndexFunc(b.waiting, func(m *jsonrpc.Message) bool { return m.Kind == jsonrpc.Notification })
		if i < 0 {
			i = len(b.waiting) - 1
		}
		lost := b.waiting[i]
		b.bytes -= len(lost.Raw)
		b.tab.Give(overhead + len(lost.Raw))
		b.waiting = slices.Delete(b.waiting, i, i+1)
		b.lose(lost)
	}
}

// empty gives back what the messages take that wait. The caller has the lock.
func (b *mailbox) empty() {
	for _, m := range b.waiting {
		b.tab.Give(overhead + len(m.Raw))
	}
	b.waiting, b.bytes = nil, 0
}

// listen makes q get what waits and what comes. It is not ok if somebody listens already.
func (b *mailbox) listen(q *queue) (ok bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.listener != nil || b.closed {
		return false
	}
	b.listener = q
	waiting := b.waiting
	b.empty()
	for _, m := range waiting {
		q.add(item{message: m})
	}
	return true
}

// leave says that q is not listened to any more. What it did not send waits again.
func (b *mailbox) leave(q *queue) {
	left := q.drain()
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.listener != q {
		return
	}
	younger := b.waiting
	b.listener = nil
	b.empty()
	for _, it := range left {
		if it.message != nil {
			b.keep(it.message)
		}
	}
	for _, m := range younger {
		b.keep(m)
	}
	b.shed()
}

// close ends whoever listens.
func (b *mailbox) close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.closed = true
	b.empty()
	if b.listener != nil {
		b.listener.close()
	}
}

// listened is a tenant whose server's own messages a client can listen to.
type listened interface{ listen(x *exchange) }

// serve answers a GET with what comes into the mailbox.
func (b *mailbox) serve(x *exchange) {
	if x.R.Header[headerLastEvent] != nil {
		// Nothing has an id here, so nothing can be asked for again.
		x.fail(badRequest("streams of this server cannot be resumed"))
		return
	}
	q := newQueue(x.gw.holding(x.Actor))
	q.total = b.total
	q.add(item{})
	if !b.listen(q) {
		x.fail(fail(http.StatusConflict, jsonrpc.CodeInvalidRequest, "the session has a stream for the server's messages already"))
		return
	}
	err := x.reply.run(x.R.Context(), q)
	b.leave(q)
	if err != nil {
		x.gw.cfg.Log.Debug("mcp answer not taken", "reason", err.Error())
	}
}
