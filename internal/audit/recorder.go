package audit

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// ErrFull says that an event was not recorded because too many wait to be recorded.
var ErrFull = errors.New("record event: the queue is full")

// ErrClosed says that an event was not recorded because the recorder is closed.
var ErrClosed = errors.New("record event: the recorder is closed")

// An Appender makes entries durable.
type Appender interface {
	// Append stores the entries in order, all or none, with the rulings that they keep and the money that they spend, and
	// returns when they are durable. After an error they may be stored or not; Head tells.
	Append(ctx context.Context, entries []Entry) error
	// Head returns the newest stored event of a chain; if there is none, Seq is 0 and Hash is Genesis.
	Head(ctx context.Context, chain string) (Head, error)
}

// Config sets up a Recorder.
type Config struct {
	Store    Appender
	Queue    int              // events that may wait; 0: 65,536
	MaxBatch int              // events stored at once; 0: 500
	OnError  func(error)      // told once of each failed batch and each lost chain, not of each event; nil: nobody is
	Now      func() time.Time // nil: time.Now
}

// maxBatchBytes bounds the text stored at once, so that a run of large events does not become one huge transaction.
// A single event may pass it, and so may events that belong together.
const maxBatchBytes = 4 << 20

// A Recorder links events into a chain and makes them durable.
//
// One goroutine writes. While it waits for the store, events queue up; when it comes back it takes all that wait as
// one batch, so events that arrive together share one commit and an event alone waits for no other.
//
// A failed batch fails its events and nothing else: the chain goes on from what the store really holds as soon as the
// store works again. If the store has lost events that were reported durable, the recorder opens a new chain rather
// than hide the loss.
type Recorder struct {
	config Config
	ctx    context.Context // of the store's work; ends when Close gives up
	cancel context.CancelFunc
	wake   chan struct{} // holds a token while the queue may be non-empty or the recorder closed
	ended  chan struct{} // closed when the writer has ended

	mu      sync.Mutex
	queue   []queued
	waiting int // events in the queue
	closed  bool

	// The writer's own.
	head  Head // the newest event that the store said is durable
	tried Head // where the chain stands if the append that failed last did happen; no chain: no append is in doubt
}

// queued are events that are stored together or not at all.
type queued struct {
	events []unsealed
	done   func(error)
}

// size is how much text they have.
func (q queued) size() int {
	n := 0
	for _, u := range q.events {
		n += len(u.text)
	}
	return n
}

// NewRecorder starts a recorder with a new chain. Close ends it.
func NewRecorder(c Config) *Recorder {
	if c.Queue == 0 {
		c.Queue = 65_536
	}
	if c.MaxBatch == 0 {
		c.MaxBatch = 500
	}
	if c.OnError == nil {
		c.OnError = func(error) {}
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	r := &Recorder{config: c, wake: make(chan struct{}, 1), ended: make(chan struct{}), head: newChain()}
	r.ctx, r.cancel = context.WithCancel(context.Background())
	go r.write()
	return r
}

// Record queues e and calls done once: with nil when e is durable, else with the reason why it may not be. It never
// waits: when the queue is full, done gets ErrFull before Record returns. Otherwise done is called from the writer's
// goroutine, in order, and must not block. A nil done is not called. Record keeps nothing of e.
func (r *Recorder) Record(e Event, done func(error)) { r.RecordAll([]Event{e}, done) }

// RecordAll is Record for events that belong together: they stand in the chain one after the other, and are durable
// together or not at all. done is called once for all of them.
func (r *Recorder) RecordAll(events []Event, done func(error)) {
	if done == nil {
		done = func(error) {}
	}
	q := queued{events: make([]unsealed, 0, len(events)), done: done}
	for _, e := range events {
		if e.ID == "" {
			e.ID = "evt_" + randomID()
		}
		if e.Time.IsZero() {
			e.Time = r.config.Now()
		}
		u, err := encode(e)
		if err != nil {
			done(err)
			return
		}
		q.events = append(q.events, u)
	}
	if err := r.enqueue(q); err != nil {
		done(err)
	}
}

func (r *Recorder) enqueue(q queued) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return ErrClosed
	}
	if r.waiting+len(q.events) > r.config.Queue {
		return ErrFull
	}
	r.queue = append(r.queue, q)
	r.waiting += len(q.events)
	r.signal()
	return nil
}

func (r *Recorder) signal() {
	select {
	case r.wake <- struct{}{}:
	default:
	}
}

// Close refuses further events and returns when all queued ones are recorded. When ctx ends first, the store's
// work is cancelled and those left fail: done is called for every event before Close returns.
func (r *Recorder) Close(ctx context.Context) error {
	r.mu.Lock()
	r.closed = true
	r.signal()
	r.mu.Unlock()
	defer r.cancel()
	select {
	case <-r.ended:
		return nil
	case <-ctx.Done():
		r.cancel()
		<-r.ended
		return fmt.Errorf("close recorder: %w", ctx.Err())
	}
}

// write is the writer's goroutine. It ends when the recorder is closed and the queue is empty.
func (r *Recorder) write() {
	defer close(r.ended)
	for range r.wake {
		for {
			batch, closed := r.take()
			if len(batch) > 0 {
				err := r.commit(batch)
				for _, q := range batch {
					q.done(err)
				}
				continue
			}
			if closed {
				return
			}
			break
		}
	}
}

// take removes what waits from the queue, up to the bounds of a batch. What was recorded together stays together.
func (r *Recorder) take() (batch []queued, closed bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	n, events, size := 0, 0, 0
	for n < len(r.queue) {
		q := r.queue[n]
		if n > 0 && (events+len(q.events) > r.config.MaxBatch || size+q.size() > maxBatchBytes) {
			break
		}
		events, size = events+len(q.events), size+q.size()
		n++
	}
	batch = r.queue[:n:n]
	r.queue = r.queue[n:]
	r.waiting -= events
	if len(r.queue) == 0 {
		r.queue = nil // the batch owns the array now
	}
	return batch, r.closed
}

// commit links a batch to the chain and stores it. The head moves only when the store has said yes.
func (r *Recorder) commit(batch []queued) error {
	if err := r.settle(); err != nil {
		return r.failed(err)
	}
	head := r.head
	entries := make([]Entry, 0, len(batch))
	for _, q := range batch {
		for _, u := range q.events {
			var e Entry
			e, head = head.next(u)
			entries = append(entries, e)
		}
	}
	if err := r.config.Store.Append(r.ctx, entries); err != nil {
		r.tried = head
		return r.failed(err)
	}
	r.head = head
	return nil
}

// settle ends the doubt that a failed append leaves: whether it happened or not, the chain must go on from the event
// that the store holds last. Events of an append that did happen stay reported as failed: whoever waited for them has
// been told.
func (r *Recorder) settle() error {
	if r.tried.Chain == "" {
		return nil
	}
	stored, err := r.config.Store.Head(r.ctx, r.head.Chain)
	if err != nil {
		return err
	}
	switch stored {
	case r.head:
	case r.tried:
		r.head = r.tried
	default:
		lost := r.head
		r.head = newChain()
		r.config.OnError(fmt.Errorf("audit chain %s: the store holds %d events where %d were durable, or others; "+
			"a new chain begins: %s", lost.Chain, stored.Seq, lost.Seq, r.head.Chain))
	}
	r.tried = Head{}
	return nil
}

func (r *Recorder) failed(err error) error {
	err = fmt.Errorf("record events: %w", err)
	r.config.OnError(err)
	return err
}
