package policy

import (
	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/policy/condition"
)

// A Work counts the steps of judging a call, and of what is judged together with it.
type Work = condition.Work

// These are the reasons if a judgement was stopped.
const (
	reasonCostly = "Its arguments take more work to judge than weir does for one call."
	reasonGone   = "The client was gone before the call was judged."
)

// caught returns the decision on a call whose judgement was stopped, given the recovered value. It panics again with any other
// value.
func (p *Policy) caught(q Query, thrown any) Decision {
	why, ok := thrown.(condition.Stopped)
	if !ok {
		panic(thrown)
	}
	if d, refused := p.RefusedByName(q); refused {
		return d
	}
	if why.Gone {
		return Decision{Verdict: Deny, Code: call.CodeCutShort, Reason: reasonGone}
	}
	return Decision{Verdict: Deny, Code: call.CodeTooCostly, Reason: reasonCostly}
}
