package outbox

import (
	"context"
	"sync"
	"time"

	"github.com/weir-gate/weir/internal/record"
)

// A queue holds events until they are taken as a batch. When it is full, the oldest events are dropped.
type queue struct {
	cfg  Config
	wake chan struct{} // holds a token while there may be something new

	mu     sync.Mutex
	items  []item
	bytes  int
	closed bool
}

type item struct {
	event record.Event
	size  int
	since time.Time
}

func newQueue(cfg Config) *queue { return &queue{cfg: cfg, wake: make(chan struct{}, 1)} }

// put adds an event. An event that is larger than the whole queue is dropped itself, instead of all others.
func (q *queue) put(e record.Event) {
	size := sizeOf(e)
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed || size > q.cfg.Bytes {
		q.cfg.Meter.Dropped(1)
		return
	}
	dropped := 0
	for len(q.items)-dropped >= q.cfg.Events || q.bytes+size > q.cfg.Bytes {
		q.bytes -= q.items[dropped].size
		dropped++
	}
	if dropped > 0 {
		q.forget(dropped)
		q.cfg.Meter.Dropped(dropped)
	}
	q.items = append(q.items, item{event: e, size: size, since: time.Now()})
	q.bytes += size
	q.cfg.Meter.Queued(len(q.items))
	// The deliverer must wake up when the first event arrives, to start its timer, and when a batch is full.
	if len(q.items) == 1 || q.full() {
		q.signal()
	}
}

func (q *queue) full() bool { return len(q.items) >= q.cfg.Batch || q.bytes >= q.cfg.Most }

func (q *queue) signal() {
	select {
	case q.wake <- struct{}{}:
	default:
	}
}

// forget removes the first n items.
func (q *queue) forget(n int) {
	clear(q.items[:n]) // the array stays in memory, but its events must not
	q.items = q.items[n:]
	if len(q.items) == 0 {
		q.items = nil
	}
}

func (q *queue) close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
	q.signal()
}

// next waits for a batch: until it is full, or its first event has waited long enough, or the queue is closed. It
// returns nil when the queue is closed and empty, and when ctx ends.
func (q *queue) next(ctx context.Context) []record.Event {
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		if ctx.Err() != nil {
			return nil
		}
		batch, wait, over := q.take()
		if len(batch) > 0 || over {
			return batch
		}
		var due <-chan time.Time
		if wait > 0 {
			timer.Reset(wait)
			due = timer.C
		}
		select {
		case <-q.wake:
		case <-due:
		case <-ctx.Done():
		}
	}
}

// take removes a batch if one is due now. Else it returns how long until one is due, 0 if nothing waits, or that the queue is over.
func (q *queue) take() (batch []record.Event, wait time.Duration, over bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.items) == 0 {
		return nil, 0, q.closed
	}
	if !q.closed && !q.full() {
		if wait = q.cfg.Every - time.Since(q.items[0].since); wait > 0 {
			return nil, wait, false
		}
	}
	bytes := 0
	for i, it := range q.items {
		if i == q.cfg.Batch || i > 0 && bytes+it.size > q.cfg.Most {
			break
		}
		batch = append(batch, it.event)
		bytes += it.size
	}
	q.bytes -= bytes
	q.forget(len(batch))
	q.cfg.Meter.Queued(len(q.items))
	return batch, 0, false
}

// abandon empties the queue and returns how many events were in it.
func (q *queue) abandon() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	n := len(q.items)
	q.items, q.bytes = nil, 0
	q.cfg.Meter.Queued(0)
	return n
}
