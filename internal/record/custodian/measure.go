package custodian

import (
	"context"
	"fmt"

	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/checkpoint"
)

// A measure is the measured size of a range of a chain's events.
type measure struct {
	first, upTo int64 // the range
	bytes       int64 // of their texts
}

// measureAtOnce is how many events are measured at once, so that nothing takes long.
const measureAtOnce = 20_000

// measure checks that chains are as large as the store's notes say. It measures only events that came since its last call, unless
// another process removed events. If that happens meanwhile, the error is ErrCutMoved.
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

// disagrees is the error for a wrong size. It is ErrCutMoved if another process removed events; else somebody changed the store.
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

// shrunk subtracts removed events from the measure.
func (k *Custodian) shrunk(cut checkpoint.Cut) {
	if m, ok := k.measured[cut.Last.Chain]; ok {
		k.measured[cut.Last.Chain] = measure{first: cut.Last.Seq + 1, upTo: m.upTo, bytes: m.bytes - cut.Bytes}
	}
}
