// Package custodian maintains a record: it signs the state of its chains, and removes events that are too old or too many.
package custodian

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/checkpoint"
)

// ErrCutMoved says that a chain does not begin with the first event of a cut any more: somebody else cut it.
var ErrCutMoved = errors.New("the chain was cut meanwhile")

// A Store is a store whose record is maintained.
type Store interface {
	// Vouch adds checkpoints, all or none, and returns the newest. The store's checkpoints of that key must continue from the one that
	// the signer knows; see Signer.Resume.
	Vouch(ctx context.Context, by checkpoint.Signer, say ...checkpoint.Statement) (checkpoint.Signed, error)
	// Unclosed returns the chains that a key vouched for, and that none of its checkpoints closes. Checkpoints for removed events do
	// not count: every key removes old events of all chains.
	Unclosed(ctx context.Context, key string) ([]string, error)
	// Unvouched returns the chains without any checkpoint. others says that the store has checkpoints, but none of this key.
	Unvouched(ctx context.Context, key string) (chains []string, others bool, err error)
	// Marks returns the checkpoints of a chain for the events in a range, by ascending event.
	Marks(ctx context.Context, chain string, from, to int64) ([]checkpoint.Signed, error)
	// Standing returns the state of the record.
	Standing(ctx context.Context) (Standing, error)
	// Measure counts the events of a chain in a range, and the bytes of their texts.
	Measure(ctx context.Context, chain string, from, to int64) (events, bytes int64, err error)
	// Oldest returns the oldest events of a chain from an event on: at most so many, at least one if it exists, and no more text than
	// fits well into memory. Only the columns of the chain and the time are filled in.
	Oldest(ctx context.Context, chain string, from int64, most int) ([]record.Entry, error)
	// Cut removes the oldest events of a chain and adds the checkpoint of the removal, which it returns: both, or neither. If the
	// chain does not begin where the cut does, it returns ErrCutMoved.
	Cut(ctx context.Context, by checkpoint.Signer, cut checkpoint.Cut) (checkpoint.Signed, error)
	// Tidy removes stored rulings from before a time, at most one in so many of all rulings, rounded up, and returns how many. oneIn
	// 0: none. Then it gives the freed space back where that is possible.
	Tidy(ctx context.Context, rulingsBefore time.Time, oneIn int64) (int64, error)
}

// Standing is the state of a record.
type Standing struct {
	Chains  []record.ChainState
	Newest  time.Time   // of the event with the latest time; zero: there are none
	Last    record.Head // the event that was stored last; zero: there are none
	LastCut time.Time   // the latest time of a checkpoint for removed events; zero: there is none
}

// Config sets up a Custodian.
type Config struct {
	Store     Store
	Key       *checkpoint.Key
	Witness   checkpoint.Witness // has the newest checkpoint; zero: no file
	Chain     func() string      // the chain that this process writes; nil: none. The custodian must get its events: see Stored
	Retention time.Duration      // how long events and rulings are stored; 0: for ever
	MaxBytes  int64              // how large the record may grow, see Custodian; 0: without bound
	// Every is how often it removes old events; 0: an hour. It vouches for new events twelve times as often. It checks MaxBytes sixty
	// times as often, and whenever many events have come.
	Every     time.Duration
	OnRemoved func(events int64, why string) // called after events were removed; nil: not called
	OnError   func(error)                    // called for each failure; nil: not called
	Now       func() time.Time               // nil: time.Now
}

// A Custodian maintains a record: it vouches for the chains and removes events that are too old or too many.
//
// It signs what it knows, not what the store says. In the chain of this process it signs the events that the recorder reported. In
// chains that earlier processes with the same key left open, it signs only events that follow from their last checkpoint. A chain
// that nobody writes to any more is closed; nothing is ever signed past that.
//
// Only the beginning of a chain is ever removed, oldest events first, in portions so small that writers do not wait for long. Each
// portion is removed in one transaction with a signed checkpoint, so that the rest can still be verified. A chain that is not whole
// is not cut: that would remove the traces of whoever changed it. The custodian reports it, and nothing is removed until somebody
// has looked.
//
// A clock can be wrong. Age is counted from the newest event if that is earlier than now, and at most a tenth of all events is
// removed at once. The next removal for age is not before half of Every has passed, whichever process does it. So when a clock
// jumps, a tenth is lost before somebody notices, not everything. Removal for size uses no clock.
//
// The size of a record is the length of its events' texts, and 1 KiB for each event for what a database stores beside the text. It
// is measured: the size in the store's notes only says when to measure, and must be the same.
type Custodian struct {
	config   Config
	signer   checkpoint.Signer
	claim    claim
	begun    bool               // begin has run: the signer and the two fields below are set
	strays   []string           // chains without checkpoints, to be adopted before anything else is signed
	left     []string           // chains that this key may have to close
	measured map[string]measure // by chain

	mu    sync.Mutex
	heads map[string]*ownChain // the chains of this process, until they are closed
	fresh chan struct{}        // holds a token if there is a new chain
	grown int64                // about how many bytes this process added since the last token in much
	much  chan struct{}        // holds a token if many events have come
}

// besideText is how many bytes a database needs for an event beside its text: the columns, and the indexes on them.
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

// Run maintains the record until ctx ends. It begins with the chains that earlier processes left. When the last event is recorded,
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

// do does work and reports each failure, unless ctx ended.
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

// Maintain does all that is due now: it vouches, and removes events that are too old and too many. A custodian that does not know
// what its key signed removes nothing.
func (k *Custodian) Maintain(ctx context.Context) error {
	return errors.Join(k.Checkpoint(ctx), k.removeOld(ctx), k.removeExcess(ctx))
}
