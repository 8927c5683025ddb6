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

// An Appender makes entries durable.
type Appender interface {
	// Append stores the entries in order, all or none, with the rulings that they keep and the money that they spend, and
	// returns when they are durable. After an error they may be stored or not; Head tells.
	Append(ctx context.Context, entries []record.Entry) error
	// Head returns the newest stored event of a chain; if there is none, Seq is 0 and Hash is Genesis.
	Head(ctx context.Context, chain string) (record.Head, error)
}

// A Sink is told of events once they are durable, in order. It must not block, and must not change them.
type Sink interface {
	Stored(events []record.Event)
}

// Config sets up a Recorder.
type Config struct {
	Store    Appender
	Sinks    []Sink                              // told of what is durable; nil: nobody is
	Queue    int                                 // events that may wait; 0: 65,536
	MaxBytes int                                 // bytes of events that may wait; 0: 256 MiB
	MaxBatch int                                 // events stored at once; 0: 500
	OnCommit func(took time.Duration, err error) // told of each attempt to store a batch; nil: nobody is
	// told of failed batches, of the same trouble twice a minute at most, and of lost chains; nil: nobody is
	OnError func(error)
	OnLost  func(events int) // told of events that nobody waits for and that will not be recorded; nil: nobody is
	Now     func() time.Time // nil: time.Now
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
// store works again. Events that nobody waits for are then stored late. If the store has lost events that were reported
// durable, the recorder opens a new chain rather than hide the loss.
type Recorder struct {
	config Config
	ctx    context.Context // of the store's work; ends when Close gives up
	cancel context.CancelFunc
	wake   chan struct{} // holds a token while something may wait or the recorder be closed
	ended  chan struct{} // closed when the writer has ended

	mu      sync.Mutex
	waiting backlog
	closed  bool
	chain   string // that is written
	lost    int    // events of which the record does not say yet that they are lost
	trouble error  // of the last attempt to store something; nil: it went well

	// The writer's own.
	head     record.Head // the newest event that the store said is durable
	doubt    attempt     // the append that failed last, of which it is not known whether it happened; no entries: none
	doubtful []queued    // what to store late if it did not happen
	landed   landed      // events that were reported as not stored, and are
	stored   int64       // batches that were stored
	lateMost int         // how many events are stored late at once
	restful  time.Time   // until then nothing is stored late
	told     time.Time   // when an error was told of last
}

// NewRecorder starts a recorder with a new chain. Close ends it.
func New(c Config) *Recorder {
	if c.Queue == 0 {
		c.Queue = 65_536
	}
	if c.MaxBytes == 0 {
		c.MaxBytes = 256 << 20
	}
	if c.MaxBatch == 0 {
		c.MaxBatch = 500
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

// Record queues e and calls done once: with nil when e is durable, else with the reason why it may not be. It never
// waits: when the queue is full, done gets errFull before Record returns. Otherwise done is called from the writer's
// goroutine, in order, and must not block. Record keeps nothing of e.
//
// With a nil done nobody waits for the event. If the store fails it is kept and stored when the store works again; it is
// lost if by then too much waits, or the recorder is closed.
func (r *Recorder) Record(e record.Event, done func(error)) {
	r.RecordAll([]record.Event{e}, record.Effects{}, done)
}

// RecordAll is Record for events that belong together: they stand in the chain one after the other, and are durable
// together or not at all, and so are the effects that they are recorded with. done is called once for all of them.
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

// RecordAgain records events that RecordAll has failed to record, if they have the ids that they had then. Nobody waits for them. If it
// turns out that the store had taken them after all, instead is recorded in their place, with the same effects; nil: nothing is.
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
	for _, e := range events {
		if e.ID == "" {
			e.ID = record.NewID()
		}
		if e.Time.IsZero() {
			e.Time = r.config.Now()
		}
		u, err := record.Encode(e)
		if err != nil {
			return nil, err
		}
		u.With, with = with, record.Effects{}
		w := waiting{Unsealed: u}
		if len(r.config.Sinks) > 0 {
			e.Args = bytes.Clone(e.Args)
			w.event = &e
		}
		all = append(all, w)
	}
	return all, nil
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

// Waiting is how many events wait to be recorded, and how many bytes they are.
func (r *Recorder) Waiting() (events, bytes int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.waiting.events, r.waiting.bytes
}

// Trouble is why the last attempt to record something failed; nil: it did not.
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

// confess has the record say how many events are lost.
func (r *Recorder) confess() {
	r.mu.Lock()
	n := r.lost
	r.lost = 0
	r.mu.Unlock()
	if n == 0 {
		return
	}
	q, err := r.seal([]record.Event{{Type: record.TypeRecordGap, Detail: record.RecordGap{Events: n}}}, record.Effects{}, nil)
	if err != nil {
		return // it has nothing in it that could not be written
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.waiting.add(q) // there is room for this one, and also while the recorder closes
	r.signal()
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
