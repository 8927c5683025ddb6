// Package follower brings what a log has into a store. The recorder waits for the log only; the store follows it, and is behind for a
// moment. Until the store has an event, whoever asks finds it in the tail of the log.
package follower

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/query"
	"github.com/weir-gate/weir/internal/record/recordlog"
)

// Config sets up a Follower.
type Config struct {
	Log    *recordlog.Log
	Store  Store        // has a copy of the events, so that the log forgets them
	Keeper Keeper       // in place of a store: the log is kept, and this makes it findable
	Source query.Source // reads what is stored
	// MaxBehind is how many bytes of the log the store may be behind: beyond that nothing is recorded. 0: 4 GiB.
	MaxBehind int64
	Memory    int64         // bytes of unstored entries that are held in memory; the rest is read from the log again. 0: 64 MiB
	Pause     time.Duration // how long events wait for others to be stored with; 0: 50 ms
	// OnLogged and OnStored are called with entries that are durable, and with entries that the store has, in order; nil: not called.
	OnLogged, OnStored func([]record.Entry)
	OnCommit           func(took time.Duration, err error) // called after each attempt to store a batch; nil: not called
	OnError            func(error)                         // called for failures, for the same one twice a minute at most; nil: not called
}

const (
	usualBehind = 4 << 30
	usualMemory = 64 << 20
	usualPause  = 50 * time.Millisecond
	besideText  = 1 << 10 // about what an entry takes in memory beside its text
)

// A Keeper takes note of what logs keep.
type Keeper interface {
	// Take takes note of entries of one log, in order. It skips those that it has taken before.
	Take(ctx context.Context, entries []record.Entry) error
}

// A Follower stores what the log takes. It is what a recorder appends to.
type Follower struct {
	config Config
	feeder *feeder // only the goroutine that stores uses it
	ctx    context.Context
	cancel context.CancelFunc
	wake   chan struct{} // holds a token while there may be something to do
	hurry  chan struct{} // holds a token while somebody waits for the store
	ended  chan struct{}

	mu      sync.Mutex
	pending []batch // from stored on, as far as they fit into memory
	held    int64   // bytes of memory that pending takes
	stored  recordlog.Position
	end     recordlog.Position // of the log
	logged  int64              // events, since the beginning
	kept    int64              // of them in the store
	since   time.Time          // about when the oldest event that is not stored was logged
	waiters []waiter
	lost    map[string]record.Head // chains that the store cannot continue, and what it has of them
	trouble error                  // of the last attempt; nil: it succeeded
	closing bool

	// Only the goroutine that stores uses these.
	told     time.Time // when an error was reported
	toldText string
	high     recordlog.Position // OnStored was told of everything before
}

// A batch is entries that were appended together.
type batch struct {
	entries  []record.Entry
	from, to recordlog.Position
	size     int64
	at       time.Time // when they were logged
}

// A waiter waits until the store has the log up to a position.
type waiter struct {
	to   recordlog.Position
	done func(error)
}

// New starts a follower of a log that has nothing yet. Close ends it.
func New(c Config) *Follower {
	if c.MaxBehind == 0 {
		c.MaxBehind = usualBehind
	}
	if c.Memory == 0 {
		c.Memory = usualMemory
	}
	if c.Pause == 0 {
		c.Pause = usualPause
	}
	if c.OnLogged == nil {
		c.OnLogged = func([]record.Entry) {}
	}
	if c.OnStored == nil {
		c.OnStored = func([]record.Entry) {}
	}
	if c.OnCommit == nil {
		c.OnCommit = func(time.Duration, error) {}
	}
	if c.OnError == nil {
		c.OnError = func(error) {}
	}
	f := &Follower{
		config: c, feeder: newFeeder(c.Store), wake: make(chan struct{}, 1), hurry: make(chan struct{}, 1), ended: make(chan struct{}),
		lost: map[string]record.Head{},
	}
	f.ctx, f.cancel = context.WithCancel(context.Background())
	go f.run()
	return f
}

// Append makes entries durable in the log, and has them stored. It does not wait for the store.
func (f *Follower) Append(ctx context.Context, entries []record.Entry) error {
	if err := f.admits(entries); err != nil {
		return err
	}
	from := f.config.Log.End()
	if err := f.config.Log.Append(ctx, entries); err != nil {
		return err
	}
	b := batch{entries: entries, from: from, to: f.config.Log.End(), at: time.Now()}
	for _, e := range entries {
		b.size += int64(len(e.Text)) + besideText
	}
	f.config.OnLogged(entries)
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.stored == f.end {
		f.since = b.at
	}
	f.logged += int64(len(entries))
	if f.end == f.heldTo() && f.held+b.size <= f.config.Memory {
		f.pending, f.held = append(f.pending, b), f.held+b.size
	}
	f.end = b.to
	signal(f.wake)
	return nil
}

// heldTo is the position up to which the entries that are not stored are in memory.
func (f *Follower) heldTo() recordlog.Position {
	if n := len(f.pending); n > 0 {
		return f.pending[n-1].to
	}
	return f.stored
}

// admits says why entries cannot be taken.
func (f *Follower) admits(entries []record.Entry) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if behind := f.end - f.stored; behind >= f.config.MaxBehind {
		return fmt.Errorf("record log: the store is %d events and %d MiB behind, and may not be more%s", f.logged-f.kept, behind>>20,
			because(f.trouble))
	}
	for _, e := range entries {
		if _, lost := f.lost[e.Chain]; lost {
			return fmt.Errorf("audit chain %s: the store does not have what was recorded in it", e.Chain)
		}
	}
	return nil
}

// Head returns the newest durable event of a chain. Of a chain that the store lost, it is what the store has.
func (f *Follower) Head(ctx context.Context, chain string) (record.Head, error) {
	f.mu.Lock()
	head, lost := f.lost[chain]
	f.mu.Unlock()
	if lost {
		return head, nil
	}
	return f.config.Log.Head(ctx, chain)
}

// Shared calls done when the store has all that is in the log now, or with the error because of which it may not have it. done must not
// block.
func (f *Follower) Shared(done func(error)) {
	f.mu.Lock()
	if f.stored >= f.end {
		f.mu.Unlock()
		done(nil)
		return
	}
	f.waiters = append(f.waiters, waiter{f.end, done})
	f.mu.Unlock()
	signal(f.hurry)
	signal(f.wake)
}

// Behind is how far a store is behind its log.
type Behind struct {
	Events int64
	Bytes  int64         // of the log
	For    time.Duration // how long the oldest of them has waited
	Most   int64         // how many bytes it may be behind
	Err    error         // why the last attempt to store something failed; nil: it did not
}

// Behind says how far the store is behind.
func (f *Follower) Behind() Behind {
	f.mu.Lock()
	defer f.mu.Unlock()
	b := Behind{Events: f.logged - f.kept, Bytes: f.end - f.stored, Most: f.config.MaxBehind, Err: f.trouble}
	if b.Bytes > 0 {
		b.For = time.Since(f.since)
	}
	return b
}

func signal(c chan<- struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// Close stores what is in the log, until ctx ends, and ends the log. What is not stored then stays in the log, and the next process that
// opens the store stores it. Nothing may be appended any more.
func (f *Follower) Close(ctx context.Context) error {
	f.mu.Lock()
	f.closing = true
	f.mu.Unlock()
	signal(f.hurry)
	signal(f.wake)
	select {
	case <-f.ended:
	case <-ctx.Done():
		f.cancel()
		<-f.ended
	}
	f.cancel()
	f.mu.Lock()
	left, all, err := f.logged-f.kept, f.stored == f.end, f.trouble
	f.mu.Unlock()
	if closeErr := f.config.Log.Close(all && f.config.Keeper == nil); closeErr != nil {
		return closeErr
	}
	if !all {
		return fmt.Errorf("%d events are not in the store yet; they are in %s, and the next weir that opens the store puts them there%s",
			left, f.config.Log.Folder(), because(err))
	}
	return nil
}

// because is the end of a sentence that says why; "" if nothing failed: the store is only slow.
func because(err error) string {
	if err == nil {
		return ""
	}
	return ": " + err.Error()
}
