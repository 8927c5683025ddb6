package daemon

import (
	"context"

	"github.com/weir-gate/weir/internal/call"
)

// An onlooker stands where the judge would when calls are not to be judged: every call passes, and all that is recorded is how
// responses end.
type onlooker struct {
	ended func(call.Outcome)
}

// RefusedByName implements gate.Judge.
func (onlooker) RefusedByName(call.Call) (call.Ruling, bool) { return call.Ruling{}, false }

// Judge implements gate.Judge.
func (onlooker) Judge(_ context.Context, _ call.Call, done func(call.Ruling)) {
	done(call.Ruling{Released: true})
}

// Refuse implements gate.Judge.
func (onlooker) Refuse(_ call.Call, _ call.Ruling, done func(call.Ruling)) {
	done(call.Ruling{Released: true})
}

// Ended implements gate.Judge. That a response could not be read made no difference to it.
func (o onlooker) Ended(outcome call.Outcome) {
	outcome.Code, outcome.Reason = "", ""
	o.ended(outcome)
}
