package judge

import (
	"context"
	"errors"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/policy"
	"github.com/weir-gate/weir/internal/record"
)

// Inspects says whether the policy speaks of what requests of an actor offer.
func (j *Judge) Inspects(who call.Actor) bool { return j.policyOf(who).Covers(call.Inbound) }

// ErrUnrecorded says that what a rule wants on record could not be recorded.
var ErrUnrecorded = errors.New("what the request offers could not be recorded")

// Offered rules on the tools that a request offers, and returns when what a rule says of them is on record. What no rule
// speaks of is not recorded: requests offer the same tools again and again.
func (j *Judge) Offered(ctx context.Context, offers []call.Call) ([]call.Ruling, error) {
	if len(offers) == 0 {
		return nil, nil
	}
	p := j.policyOf(offers[0].Actor) // they are of one request
	rulings := make([]call.Ruling, len(offers))
	var events []record.Event
	work := newWork(ctx)
	for i, c := range offers {
		f := j.decide(c, p, work, false)
		rulings[i] = f.ruling.WithContact(j.cfg.Contact)
		if d := f.parts[0].decision; d.Verdict != policy.Allow || d.WouldBe != "" {
			events = append(events, f.events(p)...)
		}
	}
	if len(events) == 0 {
		return rulings, nil
	}
	if j.cfg.RecordLater || j.cfg.Mode == Observe {
		j.cfg.Recorder.RecordAll(events, record.Effects{}, nil)
		return rulings, nil
	}
	named(events)
	recorded := make(chan error, 1)
	j.cfg.Recorder.RecordAll(events, record.Effects{}, func(err error) { recorded <- err })
	select {
	case err := <-recorded:
		if err != nil {
			j.cfg.Recorder.RecordAgain(events, nil, record.Effects{}) // the request is refused, and they are recorded when they can be
			return rulings, ErrUnrecorded
		}
		return rulings, nil
	case <-ctx.Done():
		return rulings, ctx.Err()
	}
}
