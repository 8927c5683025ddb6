package verify

import (
	"context"
	"time"

	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/query"
	"github.com/weir-gate/weir/internal/text/inert"
)

// lookAgain is how often the record is read.
const lookAgain = 50 * time.Millisecond

// await waits for an event of this verification: refusals are recorded a moment later. nil: there is none.
func (v *verifier) await(ctx context.Context, f query.Filter, is func(record.Event) bool) (e *record.Event, trouble string) {
	if v.Record == nil {
		return nil, "the record cannot be read: " + inert.Text(v.NoRecord, 200)
	}
	const skew = time.Minute // the store's clock may differ
	f.Since = v.began.Add(-skew)
	within := v.RecordWithin
	if v.missed {
		within = lookAgain // the last event was not recorded, so do not wait long again
	}
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	for {
		found, err := v.look(ctx, f, is)
		switch {
		case found != nil:
			return found, ""
		case err != nil && ctx.Err() == nil:
			return nil, "the record cannot be read: " + inert.Text(err.Error(), 200)
		}
		select {
		case <-ctx.Done():
			v.missed = true
			return nil, ""
		case <-time.After(lookAgain):
		}
	}
}

// look reads the events that a filter selects.
func (v *verifier) look(ctx context.Context, f query.Filter, is func(record.Event) bool) (*record.Event, error) {
	for entry, err := range query.Joined(ctx, v.Record, v.Record.Entries(ctx, f)) {
		if err != nil {
			return nil, err
		}
		if e, err := entry.Event(); err == nil && is(e) {
			return &e, nil
		}
	}
	return nil, nil
}
