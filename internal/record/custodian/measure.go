package custodian

import (
	"context"
	"fmt"

	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/checkpoint"
)

// A measure is what the events of a chain were found to have.
type measure struct {
	first, upTo int64 // of these events
	bytes       int64 // of their texts
}

// measureAtOnce is how many events are measured at once, so that nothing takes long.
const measureAtOnce = 20_000

// measure makes sure that chains are as large as the store notes. Only what came since it was called last is measured, unless
// somebody else removed something. If that happens meanwhile, the error is ErrCutMoved.
func (k *Custodian) measure(ctx context.Context, s Standing) error {
	for _, c := range s.Chains {
		m := k.measured[c.Chain]
		if m.first != c.First || m.upTo > c.Seq {
			m = measure{first: c.First, upTo: c.First - 1}
		}
		for m.upTo < c.Seq {
			to := min(m.upTo+measureAtOnce, c.Seq)
			events, bytes, err := k.config.Store.Measure(ctx, c.Chain, m.upTo+1, to)
			if err != nil {
				return err
			}
			if events != to-m.upTo {
				return k.disagrees(ctx, c, fmt.Sprintf("events are missing between %d and %d", m.upTo+1, to))
			}
			m.upTo, m.bytes = to, m.bytes+bytes
		}
		if m.bytes != c.Bytes {
			return k.disagrees(ctx, c, fmt.Sprintf("its events have %d bytes, and the store says %d", m.bytes, c.Bytes))
		}
		k.measured[c.Chain] = m
	}
	return nil
}

// disagrees tells somebody who changed the store from another process that removed something.
func (k *Custodian) disagrees(ctx context.Context, c record.ChainState, what string) error {
	delete(k.measured, c.Chain)
	now, err := k.config.Store.Standing(ctx)
	if err != nil {
		return err
	}
	if now.chain(c.Chain).First != c.First {
		return ErrCutMoved
	}
	return fmt.Errorf("audit chain %s: %s: somebody changed the store, so nothing is removed for its size any more; run weir audit verify",
		c.Chain, what)
}

// shrunk notes what was removed.
func (k *Custodian) shrunk(cut checkpoint.Cut) {
	if m, ok := k.measured[cut.Last.Chain]; ok {
		k.measured[cut.Last.Chain] = measure{first: cut.Last.Seq + 1, upTo: m.upTo, bytes: m.bytes - cut.Bytes}
	}
}
