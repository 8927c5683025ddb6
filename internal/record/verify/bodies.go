package verify

import (
	"fmt"
	"time"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/record"
)

// keptBodies is what verifying has seen of bodies.
//
// Bodies go with their age and when there is no room, the oldest first. So one that is gone is no news, unless an older one is still
// there that was kept already before the request of the first one came. Clocks differ and step, so it must have been well before.
type keptBodies struct {
	since   time.Time // when the response ended whose body is there and which ended first; zero: none was seen
	request string    // of that response
	missing []Problem // bodies that went before their time
}

// wellBefore is more than clocks are off.
const wellBefore = time.Hour

// bodies compares the bodies that an event names with those that are kept.
func (v *verifier) bodies(e record.Entry, t record.Text) error {
	if t.Type != record.TypeResponseDone {
		return nil
	}
	detail, err := t.ReadDetail()
	if err != nil {
		return nil // numbers say so
	}
	done, _ := detail.(record.ResponseDone)
	if done.RequestBody.Digest == "" && done.ResponseBody.Digest == "" {
		return nil
	}
	kept, err := v.Record.StoredBodies(v.ctx, t.RequestID)
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
		body, there := bodyOf(kept, side)
		switch {
		case !there:
			if !v.kept.since.IsZero() && done.Timings.Started.After(v.kept.since.Add(wellBefore)) {
				v.kept.missing = append(v.kept.missing, problem("is gone, and older ones are there: it was removed"))
			}
			continue
		case body.Garbled != "":
			v.problem(problem("is not as it was kept: " + fmt.Sprintf(garbled, body.Garbled)))
		case body.Body != named:
			v.problem(problem("was exchanged: another one is kept"))
		case !body.Whole:
			v.problem(problem("does not have its digest: it was changed"))
		}
		if v.kept.since.IsZero() || t.Time.Before(v.kept.since) {
			v.kept.since, v.kept.request = t.Time, t.RequestID
		}
	}
	return nil
}

func bodyOf(kept []StoredBody, side string) (StoredBody, bool) {
	for _, b := range kept {
		if b.Side == side {
			return b, true
		}
	}
	return StoredBody{}, false
}

// findMissingBodies reports bodies that went before their time. If the one that shows it is gone as well, the store let go of old
// bodies meanwhile, and nothing can be said.
func (v *verifier) findMissingBodies() error {
	if len(v.kept.missing) == 0 {
		return nil
	}
	still, err := v.Record.StoredBodies(v.ctx, v.kept.request)
	if err != nil || len(still) == 0 {
		return err
	}
	for _, p := range v.kept.missing {
		v.problem(p)
	}
	return nil
}
