// Package recorder links events into a chain and makes them durable, many with one commit.
package recorder

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/weir-gate/weir/internal/record"
)

// errFull says that an event was not recorded because too many wait to be recorded.
var errFull = errors.New("record event: the queue is full")

// errClosed says that an event was not recorded because the recorder is closed.
var errClosed = errors.New("record event: the recorder is closed")

// An appender makes entries durable.
type appender interface {
	// Append stores the entries in order, all or none, with their effects, and returns when they are durable. After an error they may
	// be stored or not; Head shows which.
	Append(ctx context.Context, entries []record.Entry) error
	// Head returns the newest stored event of a chain; if there is none, Seq is 0 and Hash is Genesis.
	Head(ctx context.Context, chain string) (record.Head, error)
}

// A Sink gets events once they are durable, in order. It must not block, and must not change them.
type Sink interface {
	Stored(events []record.Event)
}

// Config sets up a Recorder.
type Config struct {
	Store appender
	// Share calls its argument when others can see all that is durable now, or with the error because of which they may not; nil: what is
	// durable can be seen. Events whose ruling others must know are called recorded only then; with ShareAll, all events.
	Share    func(done func(error))
	ShareAll bool
	Sinks    []Sink                              // get durable events; nil: none
	Queue    int                                 // events that may wait; 0: 65,536
	MaxBytes int                                 // bytes of events that may wait; 0: 256 MiB
	MaxBatch int                                 // events stored at once; 0: 2,000
	OnCommit func(took time.Duration, err error) // called after each attempt to store a batch; nil: not called
	// called for failed batches, for the same error twice a minute at most, and for lost chains; nil: not called
	OnError func(error)
	OnLost  func(events int) // called for events that nobody waits for and that will not be recorded; nil: not called
	Now     func() time.Time // nil: time.Now
}

// maxBatchBytes bounds the text stored at once, so that a run of large events does not become one huge transaction.
// A single event may exceed it, and so may events that belong together.
const maxBatchBytes = 4 << 20

// A Recorder links events into a chain and makes them durable.
//
// One goroutine writes. While it waits for the store, events queue up. Then it takes all waiting events as one batch, so that
// events that arrive together share one commit, and a single event waits for no other.
//
// If a batch fails, only its events fail: the chain continues from what the store really holds as soon as the store works again.
// Events that nobody waits for are then stored late. If the store has lost events that were reported durable, the recorder opens a
// new chain rather than hide the loss.
type Recorder struct {
	config Config
	ctx    context.Context // of the store's work; ends when Close gives up
	cancel context.CancelFunc
	wake   chan struct{} // holds a token while something may wait or the recorder be closed
	ended  chan struct{} // closed when the writer has ended

	mu      sync.Mutex
	waiting backlog
	closed  bool
	chain   string // the chain that is written now
	lost    int    // lost events that no TypeRecordGap event counts yet
	trouble error  // the error of the last attempt to store something; nil: it succeeded

	// Only the writer uses these.
	head     record.Head // the newest event that the store reported as durable
	doubt    attempt     // the last failed append, if it is not known whether it happened; no entries: none
	doubtful []queued    // the events to store late if it did not happen
	landed   landed      // events that were reported as not stored, but are stored
	stored   int64       // batches that were stored
	lateMost int         // how many events are stored late at once
	restful  time.Time   // until then no late events are stored
	told     time.Time   // when an error was reported last
}

// New starts a recorder with a new chain. Close ends it.
func New(c Config) *Recorder {
	if c.Queue == 0 {
		c.Queue = 65_536
	}
	if c.MaxBytes == 0 {
		c.MaxBytes = 256 << 20
	}
	if c.MaxBatch == 0 {
		c.MaxBatch = 2000
	}
	if c.OnCommit == nil {
		c.OnCommit = func(time.Duration, error) {}
	}
	if c.OnError == nil {
		c.OnError = func(error) {}
	}
	if c.OnLost == nil {
		c.OnLost = func(int) {}
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	r := &Recorder{config: c, wake: make(chan struct{}, 1), ended: make(chan struct{}), head: record.NewChain(), lateMost: c.MaxBatch}
	r.chain = r.head.Chain
	r.ctx, r.cancel = context.WithCancel(context.Background())
	go r.write()
	return r
}

// Record queues e and calls done once: with nil when e is durable, else with the error because of which it may not be. It never
// waits: when the queue is full, done gets errFull before Record returns. Otherwise done is called later, in the order in which events
// become durable, or shared if they must be, and must not block. Record does not hold on to e.
//
// With a nil done nobody waits for the event. If the store fails, the event is held in memory and stored when the store works
// again. It is lost if too many events wait, or the recorder is closed before.
func (r *Recorder) Record(e record.Event, done func(error)) {
	r.RecordAll([]record.Event{e}, record.Effects{}, done)
}

// RecordAll is Record for events that belong together: they follow each other in the chain, and are durable together or not at all,
// with their effects. done is called once for all of them.
func (r *Recorder) RecordAll(events []record.Event, with record.Effects, done func(error)) {
	q, err := r.seal(events, with, done)
	if err == nil {
		err = r.enqueue(q)
	}
	switch {
	case err == nil:
	case done != nil:
		done(err)
	default:
		r.lose(len(events))
	}
}

// RecordAgain records events that RecordAll failed to record. They must have the same ids. Nobody waits for them. If the store had
// stored them after all, instead is recorded, with the same effects; nil: nothing is.
func (r *Recorder) RecordAgain(events, instead []record.Event, with record.Effects) {
	q, err := r.seal(events, with, nil)
	if err == nil {
		q.again = true
		q.instead, err = r.sealed(instead, with)
	}
	if err == nil {
		err = r.enqueue(q)
	}
	if err != nil {
		r.lose(len(events))
	}
}

func (r *Recorder) seal(events []record.Event, with record.Effects, done func(error)) (queued, error) {
	sealed, err := r.sealed(events, with)
	q := queued{events: sealed, done: done}
	if len(events) > 0 {
		q.id = events[0].ID
	}
	return q, err
}

// sealed encodes events. The first of them has the effects of all.
func (r *Recorder) sealed(events []record.Event, with record.Effects) ([]waiting, error) {
	all := make([]waiting, 0, len(events))
	for i := range events {
		e := events[i]
		if e.ID == "" {
			e.ID = record.NewID()
		}
		if e.Time.IsZero() {
			e.Time = r.config.Now()
		}
		u, err := e.Encode()
		if err != nil {
			return nil, err
		}
		u.With, with = with, record.Effects{}
		w := waiting{Unsealed: u}
		if len(r.config.Sinks) > 0 {
			w.event = kept(e)
		}
		all = append(all, w)
	}
	return all, nil
}

// kept is a copy of an event for the sinks. It is made here, so that events of recorders without sinks need no memory of their own.
func kept(e record.Event) *record.Event {
	e.Args = bytes.Clone(e.Args)
	return &e
}

func (r *Recorder) enqueue(q queued) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return errClosed
	}
	if r.waiting.events+len(q.events) > r.config.Queue || r.waiting.bytes+q.size() > r.config.MaxBytes {
		return errFull
	}
	r.waiting.add(q)
	r.signal()
	return nil
}

// Waiting returns how many events wait to be recorded, and their size in bytes.
func (r *Recorder) Waiting() (events, bytes int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.waiting.events, r.waiting.bytes
}

// Trouble is the error of the last attempt to record something; nil: it succeeded.
func (r *Recorder) Trouble() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.trouble
}

// Chain is the chain that events are recorded in now. It begins with the first event.
func (r *Recorder) Chain() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.chain
}

// lose counts events that will not be recorded.
func (r *Recorder) lose(events int) {
	r.mu.Lock()
	r.lost += events
	r.mu.Unlock()
	r.config.OnLost(events)
}

// confess records how many events are lost.
func (r *Recorder) confess() {
	r.mu.Lock()
	n := r.lost
	r.lost = 0
	r.mu.Unlock()
	if n == 0 {
		return
	}
	q, err := r.seal([]record.Event{{Type: record.Types.RecordGap, Detail: record.RecordGap{Events: n}}}, record.Effects{}, nil)
	if err != nil {
		return // cannot happen: the event has nothing that cannot be encoded
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.waiting.add(q) // beyond the bounds of the queue, and also while the recorder closes
	r.signal()
}

func (r *Recorder) signal() {
	select {
	case r.wake <- struct{}{}:
	default:
	}
}

// Close rejects further events and returns when all queued events are recorded. When ctx ends first, the store's work is cancelled
// and the remaining events fail: done is called for every event before Close returns.
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
