// Package queue holds items for a reader that may be slow, in order and within bounds. The MCP doors use no other queues.
package queue

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/weir-gate/weir/internal/intake/budget"
)

// A Bound limits the bytes that wait in several queues together.
type Bound struct {
	most  int64
	bytes atomic.Int64
}

// NewBound returns a Bound of so many bytes.
func NewBound(most int) *Bound { return &Bound{most: int64(most)} }

// exceeded reports whether more bytes wait than allowed.
func (b *Bound) exceeded() bool { return b != nil && b.bytes.Load() > b.most }

// Config sets up a Queue.
type Config[T any] struct {
	Size    func(T) int            // about the memory that an item takes
	Bound   *Bound                 // counts the waiting bytes; nil: they are not counted
	Account func() *budget.Account // opens an account for the waiting items; nil: none
	// Unheld returns the replacement for an item for which the account has no room: something small, or nothing. nil: nothing.
	Unheld func(T) (instead T, ok bool)
}

// A Queue holds the items that one reader has not taken yet. Put never blocks: a caller that can wait calls WaitRoom first. Its
// methods may be called by several goroutines.
type Queue[T any] struct {
	cfg Config[T]

	mu       sync.Mutex
	entries  []entry[T]
	bytes    int
	tab      budget.Tab // the memory of the entries
	closed   bool
	overflew bool          // the account had no room for an item
	put      chan struct{} // has an element if something may have been put since
	taken    chan struct{} // has an element if something may have been taken since
}

// An entry is an item with its size.
type entry[T any] struct {
	item    T
	size    int
	charged int // to the account
}

// New returns an empty Queue.
func New[T any](cfg Config[T]) *Queue[T] {
	return &Queue[T]{cfg: cfg, tab: budget.Tab{Open: cfg.Account}, put: make(chan struct{}, 1), taken: make(chan struct{}, 1)}
}

// Put adds an item, or its replacement. It reports false if nobody can take it.
func (q *Queue[T]) Put(item T) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed {
		return false
	}
	e := entry[T]{item: item, size: q.cfg.Size(item)}
	if e.charged = e.size; q.tab.Take(e.size) != nil {
		q.overflew = true
		instead, ok := item, false
		if q.cfg.Unheld != nil {
			instead, ok = q.cfg.Unheld(item)
		}
		if !ok {
			return false
		}
		e = entry[T]{item: instead, size: q.cfg.Size(instead)}
	}
	q.entries = append(q.entries, e)
	q.count(e.size)
	wake(q.put)
	return true
}

// Close notes that no more items come. Waiting items can still be taken.
func (q *Queue[T]) Close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
	wake(q.put)
	wake(q.taken)
}

// Take returns the next item. It is not ok if there is none now; then more says whether there may be one later.
func (q *Queue[T]) Take() (item T, ok, more bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.entries) == 0 {
		return item, false, !q.closed
	}
	return q.remove(0), true, true
}

// Next waits for the next item. It is not ok once the queue is closed and empty.
func (q *Queue[T]) Next() (item T, ok bool) {
	for {
		item, ok, more := q.Take()
		if ok || !more {
			return item, ok
		}
		<-q.put
	}
}

// Ready has an element if something may have been put since the last Take, or the queue was closed.
func (q *Queue[T]) Ready() <-chan struct{} { return q.put }

// Drain closes the queue and drops the waiting items.
func (q *Queue[T]) Drain() {
	q.Close()
	for ok := true; ok; {
		_, ok, _ = q.Take()
	}
}

// Shed removes items while more than items items or bytes bytes wait, and calls lost with each: the oldest minor item, and if there
// is none, the newest item.
func (q *Queue[T]) Shed(items, bytes int, minor func(T) bool, lost func(T)) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.entries) > items || q.bytes > bytes {
		i := slices.IndexFunc(q.entries, func(e entry[T]) bool { return minor(e.item) })
		if i < 0 {
			i = len(q.entries) - 1
		}
		lost(q.remove(i))
	}
}

// remove removes an item. The caller holds the lock.
func (q *Queue[T]) remove(i int) T {
	e := q.entries[i]
	if i == 0 {
		q.entries[0] = entry[T]{}
		q.entries = q.entries[1:]
	} else {
		q.entries = slices.Delete(q.entries, i, i+1)
	}
	q.count(-e.size)
	q.tab.Give(e.charged)
	wake(q.taken)
	return e.item
}

// Exceeded reports whether too much waits: the bound is exceeded, or the account once had no room for an item.
func (q *Queue[T]) Exceeded() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.overflew || q.cfg.Bound.exceeded()
}

// count adds to the number of waiting bytes. The caller holds the lock.
func (q *Queue[T]) count(bytes int) {
	q.bytes += bytes
	if q.cfg.Bound != nil {
		q.cfg.Bound.bytes.Add(int64(bytes))
	}
}

// The amount of waiting items at which WaitRoom waits.
const (
	roomItems = 64
	roomBytes = 4 << 20
)

// WaitRoom waits until the queue has room, it is closed, or ctx ends.
func (q *Queue[T]) WaitRoom(ctx context.Context) {
	for {
		q.mu.Lock()
		full := !q.closed && (len(q.entries) >= roomItems || q.bytes >= roomBytes)
		q.mu.Unlock()
		if !full {
			wake(q.taken) // another caller may wait for the same
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
