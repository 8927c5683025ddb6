package policy

import (
	"fmt"
	"slices"
	"strings"

	"github.com/weir-gate/weir/internal/approval"
)

// AskingProblems are the rules that ask in vain: nobody of these people may vote, fewer than are needed may, or the call can never be held
// for as long as the rule waits. hold is how long a call is held at most. Each says how to fix it.
func (p *Policy) AskingProblems(people []approval.Person, hold approval.Seconds) (out []string) {
	for i := range p.rules {
		r := &p.rules[i]
		if r.asking == nil {
			continue
		}
		t := r.asking.terms
		if t.Wait > hold && t.Wait != defaultWait {
			out = append(out, fmt.Sprintf("rule %s waits %d seconds, and bounds.hold in weir.yaml is %d; lower the one or raise the other",
				r.id, t.Wait, hold))
		}
		for _, d := range t.Demands {
			if problem := votersFor(d, people); problem != "" {
				out = append(out, "rule "+r.id+" "+problem)
			}
		}
	}
	return out
}

// votersFor says why a demand cannot be met by these people; "": it can be.
func votersFor(d approval.Demand, people []approval.Person) string {
	able := 0
	for _, person := range people {
		if d.MayApprove(person) {
			able++
		}
	}
	for _, a := range d.Approvers {
		only := approval.Demand{Approvers: []string{a}}
		if !slices.ContainsFunc(people, only.MayApprove) {
			return fmt.Sprintf("names the approver %s, and people in weir.yaml has none such; add one, or correct approvers", a)
		}
	}
	if able < d.Votes {
		return fmt.Sprintf("needs %d votes, and people in weir.yaml has only %d who may vote (%s)",
			d.Votes, able, strings.Join(d.Approvers, ", "))
	}
	return ""
}
