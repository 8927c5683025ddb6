package custodian

import (
	"context"
	"errors"
	"math"
	"slices"
	"time"

	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/checkpoint"
)

// closeLeft closes the chains that earlier processes with the same key left open, each at the end of the events that follow its
// last checkpoint. A chain that is not whole is reported, and stays as it is.
func (k *Custodian) closeLeft(ctx context.Context) error {
	if len(k.left) == 0 {
		return nil
	}
	standing, err := k.config.Store.Standing(ctx)
	if err != nil {
		return err
	}
	var say []checkpoint.Statement
	for _, chain := range k.left {
		marks, err := k.config.Store.Marks(ctx, chain, 0, math.MaxInt64)
		if err != nil {
			return err
		}
		v := vouchedFor(k.signer.ID(), chain, marks)
		stands := standing.chain(chain)
		if v.closed || !v.begun && (v.others || stands.Head != v.newest || k.config.Now().Sub(v.at) < quietFor) {
			continue
		}
		head, err := k.follow(ctx, stands, v.newest)
		if errors.Is(err, errBroken) {
			k.config.OnError(err)
			continue
		}
		if err != nil {
			return err
		}
		say = append(say, checkpoint.Statement{Head: head, Closed: true})
	}
	if err := k.sign(ctx, say); err != nil {
		return err
	}
	k.left = nil
	return nil
}

// quietFor is how long an adopted chain must not have grown before it is closed: a weir that does not sign may still write to it.
const quietFor = 24 * time.Hour

func (k *Custodian) isOwn(chain string) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.heads[chain] != nil || chain == k.config.Chain()
}

// vouched is the part of a chain that a key vouched for.
type vouched struct {
	newest record.Head // the newest event, or the last event of removals that continue from there
	at     time.Time   // the time of that checkpoint
	begun  bool        // a process with the key wrote the chain
	closed bool        // the key closed it
	others bool        // another key vouched for it as well
}

// vouchedFor evaluates the checkpoints of a chain, by ascending event. Of other keys only removals count, and only those that
// continue from events that the key itself vouched for: anybody can make a key.
func vouchedFor(key, chain string, marks []checkpoint.Signed) vouched {
	v := vouched{newest: record.Head{Chain: chain, Hash: record.Genesis}}
	var removed []checkpoint.Checkpoint
	for _, s := range marks {
		c, ok := s.Said()
		switch {
		case !ok || c.Chain != chain:
		case c.Key != key:
			v.others = v.others || !c.Cut
			if c.Cut {
				removed = append(removed, c)
			}
		default:
			v.begun = v.begun || c.Seq == 0
			v.closed = v.closed || c.Closed
			if c.Seq >= v.newest.Seq {
				v.newest, v.at = c.Head, c.Time
			}
		}
	}
	for _, c := range removed {
		if c.CutFirst == v.newest.Seq+1 && c.CutPrev == v.newest.Hash {
			v.newest, v.at = c.Head, c.Time
		}
	}
	return v
}

// adopt vouches for chains without checkpoints, in a store that is new to this key, or that the witness does not know. The chains
// stay open: somebody may still write to them.
func (k *Custodian) adopt(ctx context.Context) error {
	if len(k.strays) == 0 {
		return nil
	}
	standing, err := k.config.Store.Standing(ctx)
	if err != nil {
		return err
	}
	var say []checkpoint.Statement
	for _, chain := range k.strays {
		head, err := k.follow(ctx, standing.chain(chain), record.Head{Chain: chain, Hash: record.Genesis})
		if errors.Is(err, errBroken) {
			marks, unread := k.config.Store.Marks(ctx, chain, 0, math.MaxInt64)
			if unread != nil {
				return unread
			}
			if len(marks) == 0 { // else another process adopted it meanwhile, and has begun to remove old events
				k.config.OnError(err)
			}
			continue
		}
		if err != nil {
			return err
		}
		if head.Seq > 0 {
			say = append(say, checkpoint.Statement{Head: head})
		}
	}
	if err := k.sign(ctx, say); err != nil {
		return err
	}
	k.strays = nil
	return nil
}

// followAtOnce is how many events are read at once to check that a chain is whole.
const followAtOnce = 500

// follow reads a chain from an event to its end in the store's notes, and returns that end. If the chain is not whole up to there,
// the error is errBroken. Events that are added meanwhile are left out.
func (k *Custodian) follow(ctx context.Context, c record.ChainState, from record.Head) (record.Head, error) {
	for from.Seq < c.Seq {
		entries, err := k.config.Store.Oldest(ctx, from.Chain, from.Seq+1, int(min(followAtOnce, c.Seq-from.Seq)))
		if err != nil {
			return record.Head{}, err
		}
		if len(entries) == 0 {
			break
		}
		if from, err = whole(from, entries); err != nil {
			return record.Head{}, err
		}
	}
	if c.Seq != from.Seq || c.Seq > 0 && c.Hash != from.Hash {
		return record.Head{}, broken(from.Chain, from.Seq+1)
	}
	return from, nil
}

// chain is the state of a chain.
func (s Standing) chain(id string) record.ChainState {
	at := slices.IndexFunc(s.Chains, func(c record.ChainState) bool { return c.Chain == id })
	if at < 0 {
		return record.ChainState{Head: record.Head{Chain: id, Hash: record.Genesis}, First: 1}
	}
	return s.Chains[at]
}
