package verify

import (
	"fmt"
	"time"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/record"
)

// bodiesSeen is what a verifier has seen of bodies.
//
// Retention removes bodies by age and by size, the oldest first. So a missing body is no problem, unless a body still exists that
// was stored well before the request of the missing body came. "Well before", because clocks differ and jump.
type bodiesSeen struct {
	since   time.Time // the earliest end of a response whose body exists; zero: none was seen
	request string    // of that response
	missing []Problem // bodies that were removed too early
}

// wellBefore is more than clocks differ.
const wellBefore = time.Hour

// bodies compares the bodies that an event names with the stored bodies.
func (v *verifier) bodies(e record.Entry, t record.Text) error {
	if t.Type != record.Types.ResponseDone {
		return nil
	}
	detail, err := t.ReadDetail()
	if err != nil {
		return nil // the columns show the problem
	}
	done, _ := detail.(record.ResponseDone)
	if done.RequestBody.Digest == "" && done.ResponseBody.Digest == "" {
		return nil
	}
	stored, err := v.Record.StoredBodies(v.ctx, t.RequestID)
	if err != nil {
		return err
	}
	for i, named := range []call.Body{done.RequestBody, done.ResponseBody} {
		side := []string{"request", "response"}[i]
		if named.Digest == "" {
			continue
		}
		problem := func(what string) Problem {
			return Problem{Row: e.Row, Chain: e.Chain, Seq: e.Seq, What: fmt.Sprintf("the body of the %s that the event names, of %q, %s", side,
				t.RequestID, what)}
		}
		body, there := bodyOf(stored, side)
		switch {
		case !there:
			if !v.storedBodies.since.IsZero() && done.Timings.Started.After(v.storedBodies.since.Add(wellBefore)) {
				v.storedBodies.missing = append(v.storedBodies.missing, problem("is gone, and older ones are there: it was removed"))
			}
			continue
		case body.Garbled != "":
			v.problem(problem("is not as it was kept: " + fmt.Sprintf(garbled, body.Garbled)))
		case body.Body != named:
			v.problem(problem("was exchanged: another one is kept"))
		case !body.Whole:
			v.problem(problem("does not have its digest: it was changed"))
		}
		if v.storedBodies.since.IsZero() || t.Time.Before(v.storedBodies.since) {
			v.storedBodies.since, v.storedBodies.request = t.Time, t.RequestID
		}
	}
	return nil
}

func bodyOf(stored []StoredBody, side string) (StoredBody, bool) {
	for _, b := range stored {
		if b.Side == side {
			return b, true
		}
	}
	return StoredBody{}, false
}

// findMissingBodies reports bodies that were removed too early. If the older body that proves it is gone by now, retention removed
// old bodies meanwhile, and nothing is reported.
func (v *verifier) findMissingBodies() error {
	if len(v.storedBodies.missing) == 0 {
		return nil
	}
	still, err := v.Record.StoredBodies(v.ctx, v.storedBodies.request)
	if err != nil || len(still) == 0 {
		return err
	}
	for _, p := range v.storedBodies.missing {
		v.problem(p)
	}
	return nil
}
