package gateway

import (
	"context"
	"net/http"
	"sync"
	"sync/atomic"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/intake/budget"
	"github.com/weir-gate/weir/internal/mcp/jsonrpc"
)

// An item is something to send to a client.
type item struct {
	message *jsonrpc.Message // nil: none
	event   event            // how a stream carries it
	// status makes it a whole answer, if nothing was sent before: with the message as its body, or none. 0: it goes on a stream.
	status int
	header http.Header // sent along, if nothing was sent before; nil: none
	free   bool        // it takes nothing of the client's memory
}

// overhead is about what a message takes beside its bytes.
const overhead = 512

// size is about the memory that the item takes.
func (it item) size() int {
	if it.message == nil {
		return 0
	}
	return len(it.message.Raw) + overhead
}

// A queue holds what is to be sent to one client, in order. Putting never blocks: who reads from a source that can wait asks
// for room first.
type queue struct {
	mu     sync.Mutex
	items  []item
	bytes  int
	closed bool
	total  *atomic.Int64 // counts the bytes of several queues; nil: nothing does
	tab    budget.Tab    // what the items take
	over   bool          // there was no room for one
	put    chan struct{} // has an element if something may have been put since
	taken  chan struct{} // has an element if something may have been taken since
}

// newQueue returns a queue. open opens accounts for what waits in it; nil: it is not counted.
func newQueue(open func() *budget.Account) *queue {
	return &queue{tab: budget.Tab{Open: open}, put: make(chan struct{}, 1), taken: make(chan struct{}, 1)}
}

// The most that a source may have waiting in a queue before it must wait itself.
const (
	roomItems = 64
	roomBytes = 4 << 20
)

// add puts an item. It reports whether somebody may still take it.
func (q *queue) add(it item) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed {
		return false
	}
	if q.tab.Take(it.size()) != nil {
		q.over = true
		if it.message == nil || it.message.Kind != jsonrpc.Response {
			return true // nobody gets it
		}
		it.message = jsonrpc.Fail(it.message.ID, jsonrpc.CodeInternal, "weir has no room for the answer ("+call.CodeOverBudget+")", nil)
		it.free = true
	}
	q.items = append(q.items, it)
	q.count(it.size())
	wake(q.put)
	return true
}

// close says that no more comes. What is there can still be taken.
func (q *queue) close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
	wake(q.put)
	wake(q.taken)
}

// take returns the next item. It is not ok if there is none now; then more says whether there may be one later.
func (q *queue) take() (it item, ok, more bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.items) == 0 {
		return item{}, false, !q.closed
	}
	it = q.items[0]
	q.items[0] = item{}
	q.items = q.items[1:]
	q.settle(it)
	wake(q.taken)
	return it, true, true
}

// drain closes the queue and returns what nobody has taken.
func (q *queue) drain() []item {
	q.close()
	q.mu.Lock()
	defer q.mu.Unlock()
	left := q.items
	q.items = nil
	for _, it := range left {
		q.settle(it)
	}
	return left
}

// settle takes note that an item does not wait any more. The caller has the lock.
func (q *queue) settle(it item) {
	q.count(-it.size())
	if !it.free {
		q.tab.Give(it.size())
	}
}

// overflowed says whether there was no room for something.
func (q *queue) overflowed() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.over
}

// count takes note that more bytes wait, or less. The caller has the lock.
func (q *queue) count(bytes int) {
	q.bytes += bytes
	if q.total != nil {
		q.total.Add(int64(bytes))
	}
}

// room waits until the queue has room, or ctx ends.
func (q *queue) room(ctx context.Context) {
	for {
		q.mu.Lock()
		full := !q.closed && (len(q.items) >= roomItems || q.bytes >= roomBytes)
		q.mu.Unlock()
		if !full {
			wake(q.taken) // another may wait for the same
			return
		}
		select {
		case <-q.taken:
		case <-ctx.Done():
			return
		}
	}
}

func wake(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}
