package shim

import (
	"errors"
	"sync"

	"github.com/weir-gate/weir/internal/mcp/jsonrpc"
)

// overhead is about what a message takes beside its bytes.
const overhead = 512

// maxQueued bounds the bytes that wait for one side to read.
const maxQueued = 64 << 20

// errFull says that one side does not read what it is sent.
var errFull = errors.New("too much waits to be read")

// A queue holds what one side is sent until it reads it, so that neither side waits for itself through the shim.
type queue struct {
	mu     sync.Mutex
	more   sync.Cond
	items  []written
	bytes  int
	closed bool
}

// written is what is written at once.
type written struct {
	messages []*jsonrpc.Message
	batch    bool // as one array
}

func (w written) size() (n int) {
	for _, m := range w.messages {
		n += len(m.Raw) + overhead
	}
	return n
}

func newQueue() *queue {
	q := &queue{}
	q.more.L = &q.mu
	return q
}

// put adds an item. It fails if too much waits, and does nothing once the queue is closed.
func (q *queue) put(w written) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed {
		return nil
	}
	if q.bytes += w.size(); q.bytes > maxQueued {
		return errFull
	}
	q.items = append(q.items, w)
	q.more.Signal()
	return nil
}

// next waits for an item; ok is false when the queue is closed and empty.
func (q *queue) next() (w written, ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.items) == 0 {
		if q.closed {
			return written{}, false
		}
		q.more.Wait()
	}
	w = q.items[0]
	q.items = q.items[1:]
	q.bytes -= w.size()
	return w, true
}

// close lets what waits be taken, and takes no more.
func (q *queue) close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
	q.more.Broadcast()
}
