package custodian

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/checkpoint"
)

// An ownChain is a chain of this process.
type ownChain struct {
	told   record.Head // the newest event that the recorder reported as durable
	signed bool        // a checkpoint vouches for it
	begun  bool        // the chain has its first checkpoint, from before its first event: a process with this key writes it
	up     int64       // the newest event that a checkpoint of this process vouches for
	lost   bool        // somebody else closed it, and that was reported
}

// Stored implements recorder.Sink: the custodian signs the events that it gets here, whatever the store says later.
func (k *Custodian) Stored(events []record.Event) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, e := range events {
		own := k.heads[e.Chain]
		if own == nil {
			own = k.own(e.Chain)
			signal(k.fresh) // a chain without a checkpoint could be anybody's
		}
		own.told, own.signed = e.Head, false
		k.grown += int64(len(e.Args)) + aboutText + besideText
	}
	if most := k.config.MaxBytes; most > 0 && k.grown >= most/muchOf {
		k.grown = 0
		signal(k.much)
	}
}

// StoredEntries is Stored for entries.
func (k *Custodian) StoredEntries(entries []record.Entry) {
	events := make([]record.Event, len(entries))
	for i, e := range entries {
		events[i] = record.Event{Head: e.Head, Args: e.Text}
	}
	k.Stored(events)
}

// aboutText is about how long the text of an event is, without arguments. A wrong estimate does no harm: the record is measured
// before anything is removed.
const aboutText = 1 << 9

// muchOf is the part of MaxBytes, one in so many, that must be added before the size is checked out of turn. It is less than may be
// removed at once.
const muchOf = 16

// signal puts a token into a channel, unless it holds one.
func signal(c chan<- struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// own notes that this process writes a chain.
func (k *Custodian) own(chain string) *ownChain {
	own := &ownChain{told: record.Head{Chain: chain, Hash: record.Genesis}}
	k.heads[chain] = own
	return own
}

// Begin vouches for the chain of this process. Call it before the first event is recorded: then no chain is ever without a
// checkpoint. It reads no events: Run handles the chains that earlier processes left. In a store with chains of versions without
// checkpoints, nothing is signed until Run has read those: as soon as something is signed, a chain without a checkpoint counts as
// inserted.
func (k *Custodian) Begin(ctx context.Context) error {
	if err := k.begin(ctx); err != nil || len(k.strays) > 0 {
		return err
	}
	return k.vouch(ctx, false)
}

// Checkpoint vouches for the chains as they are now. The first time it also handles the chains that earlier processes left.
func (k *Custodian) Checkpoint(ctx context.Context) error {
	if err := k.begin(ctx); err != nil {
		return err
	}
	if err := k.adopt(ctx); err != nil {
		return err
	}
	if err := k.vouch(ctx, false); err != nil {
		return err
	}
	return k.closeLeft(ctx)
}

// lastReading is how long Close reads chains without checkpoints.
const lastReading = 2 * time.Second

// Close vouches for the chains of this process for the last time. Call it when no more events are recorded.
func (k *Custodian) Close(ctx context.Context) error {
	defer k.claim.release()
	if err := k.begin(ctx); err != nil {
		return err
	}
	if n := len(k.strays); n > 0 {
		// A weir that stops soon after its start has not read them yet. Most are read quickly; the rest of the time is for the last
		// checkpoint.
		brief, cancel := context.WithTimeout(ctx, lastReading)
		err := k.adopt(brief)
		cancel()
		if err != nil {
			return fmt.Errorf("audit record: weir ends before it has read %d chains that nobody vouches for, and has signed nothing; the next "+
				"start reads them, and this one's: %w", n, err)
		}
	}
	return k.vouch(ctx, true)
}

// Leave is Close for a process whose chain may still grow: somebody else will store the rest of its events. The chain stays open, and the
// next start closes it.
func (k *Custodian) Leave(ctx context.Context) error {
	defer k.claim.release()
	return k.Checkpoint(ctx)
}

func (k *Custodian) vouch(ctx context.Context, last bool) error {
	var stored Standing
	if last {
		// If the store has more of the chain than the recorder reported, an append seemed to fail but happened, or somebody else wrote to
		// it. Then the chain stays open, and the next start checks it.
		var err error
		if stored, err = k.config.Store.Standing(ctx); err != nil {
			return err
		}
	}
	say := k.due(stored, last)
	if err := k.findClosed(ctx, say); err != nil {
		return err
	}
	if err := k.sign(ctx, say); err != nil {
		return err
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, s := range say {
		own := k.heads[s.Chain]
		own.begun, own.up = true, s.Seq
		if s.Closed {
			delete(k.heads, s.Chain)
		} else if own.told == s.Head {
			own.signed = true
		}
	}
	return nil
}

// due returns the statements about the chains of this process that are due, by chain and event.
func (k *Custodian) due(stored Standing, last bool) []checkpoint.Statement {
	k.mu.Lock()
	defer k.mu.Unlock()
	current := k.config.Chain() // read under the lock: a chain with reported events must not look abandoned
	if current != "" && k.heads[current] == nil {
		k.own(current)
	}
	var say []checkpoint.Statement
	for chain, own := range k.heads {
		// The recorder left a chain because others wrote to it. Their events are not signed.
		closed := chain != current
		if last && !closed {
			closed = stored.chain(chain).Seq <= own.told.Seq
		}
		if !closed && own.signed {
			continue
		}
		if !own.begun && own.told.Seq > 0 {
			say = append(say, checkpoint.Statement{Head: record.Head{Chain: chain, Hash: record.Genesis}})
		}
		say = append(say, checkpoint.Statement{Head: own.told, Closed: closed})
	}
	slices.SortFunc(say, func(a, b checkpoint.Statement) int {
		return cmp.Or(cmp.Compare(a.Chain, b.Chain), cmp.Compare(a.Seq, b.Seq))
	})
	return say
}

// findClosed reports chains of this process that its key closed, though this process did not. Only somebody else with the key can
// have done so.
func (k *Custodian) findClosed(ctx context.Context, say []checkpoint.Statement) error {
	for _, s := range say {
		k.mu.Lock()
		own := *k.heads[s.Chain]
		k.mu.Unlock()
		if !own.begun || own.lost {
			continue
		}
		marks, err := k.config.Store.Marks(ctx, s.Chain, own.up, math.MaxInt64)
		if err != nil {
			return err
		}
		for _, m := range marks {
			if c, ok := m.Said(); ok && c.Closed && c.Key == k.signer.ID() && c.Chain == s.Chain {
				k.config.OnError(fmt.Errorf("audit chain %s: checkpoint %d of this weir's own key closed it after event %d, and this weir did not: "+
					"another "+
					"weir uses a copy of the key %s, on another host or in another container. weir audit verify takes the events after that for put in. "+
					"Stop one of the two, move the copy of the key and its .last file away and start it again: it makes a key of its own",
					s.Chain, c.N, c.Seq, k.config.Key.Path()))
				k.mu.Lock()
				k.heads[s.Chain].lost = true
				k.mu.Unlock()
				break
			}
		}
	}
	return nil
}

// sign signs statements and puts the newest checkpoint into the witness.
func (k *Custodian) sign(ctx context.Context, say []checkpoint.Statement) error {
	if len(say) == 0 {
		return nil
	}
	known := k.signer.Last().N
	newest, err := k.config.Store.Vouch(ctx, k.signer, say...)
	if err != nil {
		return k.unsigned(err)
	}
	if before := newest.N - int64(len(say)); known == 0 && before > 0 && k.config.Witness.Path() != "" {
		k.config.OnError(fmt.Errorf("audit record: %s knows nothing of this store, which has %d checkpoints of this key: the file was lost, or "+
			"the store was moved. They are taken as they are from now on; compare them with what you keep elsewhere: weir audit verify --head",
			k.config.Witness.Path(), before))
	}
	k.signer = k.signer.After(newest)
	k.remember()
	return nil
}

// remember writes the newest checkpoint into the file beside the key. If that fails, the file has an older checkpoint, which is
// still valid.
func (k *Custodian) remember() {
	if err := k.config.Witness.Store(k.signer.Last()); err != nil {
		k.config.OnError(err)
	}
}

// unsigned adds to ErrForgotten what to do. The custodian begins anew the next time: somebody may have accepted the store
// meanwhile.
func (k *Custodian) unsigned(err error) error {
	if !errors.Is(err, checkpoint.ErrForgotten) {
		return err
	}
	k.begun = false
	k.mu.Lock()
	for _, own := range k.heads {
		own.begun, own.signed = false, false // these checkpoints may be lost as well
	}
	k.mu.Unlock()
	last := k.signer.Last()
	return fmt.Errorf("audit record: checkpoint %d of %s: %w. weir records on, but signs nothing and removes nothing. Run weir audit verify "+
		"and keep a copy of the "+
		"store; if you restored it yourself, move %s away: that forgets the newest checkpoints of all stores of this key", last.N, last.Key, err,
		k.config.Witness.Path())
}

// begin finds out what this key has signed, and what earlier processes left.
func (k *Custodian) begin(ctx context.Context) error {
	if k.begun {
		return nil
	}
	last, err := k.config.Witness.Newest()
	if err != nil {
		return err
	}
	replaced := last.N > 0 && (last.Key != k.signer.ID() || !last.Authentic())
	if replaced {
		k.config.OnError(fmt.Errorf("audit record: the key is %s, and the newest checkpoint in %s is of %s: the key was lost or replaced. %s",
			k.signer.ID(), k.config.Witness.Path(), last.Key, keyReplaced))
		last = checkpoint.Signed{}
	}
	k.signer = k.signer.After(last)
	k.claim.release()
	var alone bool
	k.claim, alone = claimKey(k.config.Key.Path())
	defer k.claim.share()
	k.left, k.strays = nil, nil
	if alone {
		// Nobody writes to these any more: a process that starts later begins its own chain.
		if k.left, err = k.config.Store.Unclosed(ctx, k.signer.ID()); err != nil {
			return err
		}
		k.left = slices.DeleteFunc(k.left, k.isOwn)
	}
	if last.N == 0 {
		chains, others, err := k.config.Store.Unvouched(ctx, k.signer.ID())
		if err != nil {
			return err
		}
		if others && !replaced {
			k.config.OnError(fmt.Errorf("audit record: the key %s is new to this store, and others signed there: all is well if they are those of "+
				"other weir processes on the same database. Else the key was lost or replaced. %s", k.signer.ID(), keyReplaced))
		}
		if !others { // else other keys are responsible for them
			k.strays = slices.DeleteFunc(chains, k.isOwn)
		}
	}
	k.begun = true
	return nil
}

// ready says whether the custodian may sign and remove: it knows what its key signed, and no chain waits to be adopted.
func (k *Custodian) ready() bool { return k.begun && len(k.strays) == 0 }

// keyReplaced explains what it means that another key signed before.
const keyReplaced = "weir signs with this one from now on. What the other signed counts only if weir audit verify is given its public " +
	"half with --key, and a chain that it left open stays open. If you did not replace it, keep a copy of the store"
