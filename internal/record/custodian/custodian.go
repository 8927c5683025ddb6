// Package custodian looks after a record: it signs how its chains stand, and removes what is too old or too much.
package custodian

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/checkpoint"
)

// ErrCutMoved says that a chain is not kept from the event on that a cut begins with: somebody else cut it.
var ErrCutMoved = errors.New("the chain was cut meanwhile")

// A Shelf is a store whose record is looked after.
type Store interface {
	// Vouch adds checkpoints, all or none, and returns the newest. The store's checkpoints of that key must go on from the one that
	// the signer knows of; see Signer.Resume.
	Vouch(ctx context.Context, by checkpoint.Signer, say ...checkpoint.Statement) (checkpoint.Signed, error)
	// Unclosed returns the chains that a key vouched for, and that none of its checkpoints closes. That it removed events does not count:
	// anybody's may be too old.
	Unclosed(ctx context.Context, key string) ([]string, error)
	// Unvouched returns the chains that no checkpoint speaks of, and whether others speak of other chains: keys that are not this one.
	Unvouched(ctx context.Context, key string) (chains []string, others bool, err error)
	// Marks returns the checkpoints of a chain for events from one to another, by ascending event.
	Marks(ctx context.Context, chain string, from, to int64) ([]checkpoint.Signed, error)
	// Standing returns how the record stands.
	Standing(ctx context.Context) (Standing, error)
	// Measure counts the events of a chain from one to another, and the bytes of their texts.
	Measure(ctx context.Context, chain string, from, to int64) (events, bytes int64, err error)
	// Oldest returns the oldest events of a chain from an event on: at most so many, at least one if it is there, and no
	// more text than is good to hold at once. Of the columns only those of the chain and the time are filled in.
	Oldest(ctx context.Context, chain string, from int64, most int) ([]record.Entry, error)
	// Cut removes the oldest events of a chain and adds the checkpoint that says so, which it returns: both, or neither. If the
	// chain does not begin where the cut does, it returns ErrCutMoved.
	Cut(ctx context.Context, by checkpoint.Signer, cut checkpoint.Cut) (checkpoint.Signed, error)
	// Tidy forgets kept rulings from before a time, at most one in so many of all of them, rounded up, and returns how many.
	// oneIn 0: none. Then it gives back the space of what was removed where that is possible.
	Tidy(ctx context.Context, rulingsBefore time.Time, oneIn int64) (int64, error)
}

// Standing is how a record stands.
type Standing struct {
	Chains  []record.ChainState
	Newest  time.Time   // of the event with the latest time; zero: there are none
	Last    record.Head // the event that was stored last; zero: there are none
	LastCut time.Time   // the latest time of a checkpoint that says that events were removed; zero: there is none
}

// Config sets up a Custodian.
type Config struct {
	Store     Store
	Key       *checkpoint.Key
	Witness   checkpoint.Witness // holds the newest checkpoint; zero: nothing does
	Chain     func() string      // the chain that this process writes; nil: none. The custodian must be told of its events: see Stored
	Retention time.Duration      // how long events and kept rulings are kept; 0: for ever
	MaxBytes  int64              // how large the record may grow, see Custodian; 0: without bound
	// Every is how often it removes what is too old; 0: an hour. It vouches for new events twelve times as often, and removes what is
	// too much sixty times as often, and whenever much has come.
	Every     time.Duration
	OnRemoved func(events int64, why string) // told after events were removed; nil: nobody is
	OnError   func(error)                    // told of each failure; nil: nobody is
	Now       func() time.Time               // nil: time.Now
}

// A Custodian looks after a record: it vouches for the chains and removes what is too old or too much.
//
// It signs what it knows, not what the store says: of the chain that this process writes the events that it was told of, and of
// chains that earlier processes with the same key left open only what follows from their last checkpoint. A chain that nobody
// writes any more is closed; nothing is ever signed past that.
//
// Only the beginning of a chain is ever removed, oldest events first, in portions small enough that nobody who wants to write
// waits for long. Each portion goes in one transaction with a signed checkpoint, so that the rest can still be verified. A
// chain that is not whole is not cut: that would remove the traces of whoever changed it. The custodian says so, and nothing is
// removed until somebody has looked.
//
// A clock can be wrong. Age is counted from the newest event if that is earlier than now, and in one go at most a tenth of all
// events is removed; for its age, the next go is not before half of Every has passed, whichever process is to do it. So whoever
// notices a clock that jumped has lost a tenth by then, not everything. Removal for size looks at no clock.
//
// The size of a record is the length of its events' texts, and 1 KiB an event for what a database keeps beside the text. It is
// measured: what the store notes of it only says when to measure, and must be the same.
type Custodian struct {
	config   Config
	signer   checkpoint.Signer
	claim    claim
	begun    bool               // what the key signed, and the two below, were found out
	strays   []string           // chains that nobody vouches for, to be adopted before anything else is signed
	left     []string           // chains that this key may have to close
	measured map[string]measure // by chain

	mu    sync.Mutex
	heads map[string]*ownChain // the chains of this process, until they are closed
	fresh chan struct{}        // holds a token if there is a new one
	grown int64                // by how much this process made the record grow since much had come, about
	much  chan struct{}        // holds a token if much has come
}

// besideText is what a database needs for an event beside its text: the columns, and the indexes on them.
const besideText = 1 << 10

// New returns a custodian. Run makes it work.
func New(c Config) *Custodian {
	if c.Chain == nil {
		c.Chain = func() string { return "" }
	}
	if c.Every == 0 {
		c.Every = time.Hour
	}
	if c.OnRemoved == nil {
		c.OnRemoved = func(int64, string) {}
	}
	if c.OnError == nil {
		c.OnError = func(error) {}
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	return &Custodian{
		config: c, signer: c.Key.Signer(c.Now), measured: map[string]measure{},
		heads: map[string]*ownChain{}, fresh: make(chan struct{}, 1), much: make(chan struct{}, 1),
	}
}

// Run looks after the record until ctx ends. It begins with what earlier processes left. When the last event is recorded,
// call Close.
func (k *Custodian) Run(ctx context.Context) {
	seldom := time.NewTicker(k.config.Every)
	defer seldom.Stop()
	sign := time.NewTicker(max(k.config.Every/12, 1))
	defer sign.Stop()
	often := time.NewTicker(max(k.config.Every/60, 1))
	defer often.Stop()
	k.do(ctx, k.Maintain)
	for {
		select {
		case <-ctx.Done():
			return
		case <-seldom.C:
			k.do(ctx, k.Maintain)
		case <-often.C:
			k.do(ctx, k.removeExcess)
		case <-k.much:
			k.do(ctx, k.removeExcess)
		case <-sign.C:
			k.do(ctx, k.Checkpoint)
		case <-k.fresh:
			k.do(ctx, k.Checkpoint)
		}
	}
}

// do does work and tells of each failure, unless that is the end.
func (k *Custodian) do(ctx context.Context, work func(context.Context) error) {
	err := work(ctx)
	failures := []error{err}
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		failures = joined.Unwrap()
	}
	for _, err := range failures {
		if err != nil && (ctx.Err() == nil || !errors.Is(err, ctx.Err())) {
			k.config.OnError(err)
		}
	}
}

// Keep does all that is due now: it vouches, and removes what is too old and what is too much. A custodian that does not know what its
// key signed removes nothing.
func (k *Custodian) Maintain(ctx context.Context) error {
	return errors.Join(k.Checkpoint(ctx), k.removeOld(ctx), k.removeExcess(ctx))
}
