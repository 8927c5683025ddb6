package policycmd

import (
	"fmt"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/policy"
	"github.com/weir-gate/weir/internal/policy/study"
	"github.com/weir-gate/weir/internal/record"
)

// An explained is what a policy says about a call and about its inner calls.
type explained struct {
	Call *recordedCall `json:"call,omitzero"` // nil: it is not recorded
	policy.Explanation
	Duties *duties `json:"duties,omitzero"`
	// Inside are the inner calls. If one is refused, all are.
	Inside []explained `json:"inside,omitzero"`
	// Ruling is what would be ruled, if it differs from what the policy says about the call alone.
	Ruling *ruling `json:"ruling,omitzero"`
	// Then is what was ruled, if it differs.
	Then *ruling `json:"then,omitzero"`
	// Note says why the policy cannot explain the ruling; "": it can.
	Note string `json:"note,omitzero"`
	// InForce says whether the running weir has this policy, and if not, which one it has; "": no weir runs.
	InForce string `json:"in_force,omitzero"`
}

type recordedCall struct {
	CallID  string         `json:"call_id"`
	WireID  string         `json:"wire_id,omitzero"`
	Time    time.Time      `json:"time"`
	Surface call.Surface   `json:"surface"`
	Server  string         `json:"server,omitzero"`
	Tool    string         `json:"tool"`
	Actor   call.Actor     `json:"actor,omitzero"`
	Args    jsontext.Value `json:"args,omitzero"`
	Partial string         `json:"partial,omitzero"` // why these are not the complete original arguments
}

type ruling struct {
	Verdict policy.Verdict `json:"verdict"`
	Rule    string         `json:"rule,omitzero"`
	Code    string         `json:"code,omitzero"`
	Reason  string         `json:"reason,omitzero"`
	Policy  string         `json:"policy_version"`
}

func rulingOf(e record.Event) *ruling {
	s := settled(e)
	return &ruling{Verdict: s.Verdict, Rule: s.Rule, Code: e.Code, Reason: e.Reason, Policy: e.PolicyVersion}
}

func explainAct(p *policy.Policy, a act) explained {
	events := newForesight(p).ruleAct(a)
	out := explainEvent(p, a.event)
	for _, e := range events[1:] {
		out.Inside = append(out.Inside, explainEvent(p, e))
	}
	if now := settled(events[0]); now.Verdict == policy.Deny && !out.Decision.Refused() {
		out.Ruling = rulingOf(events[0])
	}
	out.remember(a, settled(events[0]))
	return out
}

// remember adds the recorded call, and what was ruled then if it differs from what is ruled now.
func (e *explained) remember(a act, now study.Settled) {
	was := a.event
	if was.Type == "" {
		return
	}
	e.Call = &recordedCall{
		CallID: string(was.CallID), WireID: was.WireID, Time: was.Time, Surface: was.Surface, Server: was.Server, Tool: was.Tool,
		Actor: was.Actor, Args: was.Args, Partial: a.partial(),
	}
	if then := settled(was); study.ChangeOf(then, now) != study.Unchanged || then.Rule != now.Rule {
		e.Then = rulingOf(was)
	}
}

func explainEvent(p *policy.Policy, e record.Event) explained {
	q := queryOf(e)
	out := explained{Explanation: p.Explain(q)}
	out.Duties = dutiesOf(p, out.Decision, q.Args)
	return out
}

// duties are what must be done before a call is released.
type duties struct {
	Sanitized jsontext.Value       `json:"sanitized,omitzero"` // the sanitized arguments
	Replaced  []policy.Replacement `json:"replaced,omitzero"`
	Trouble   string               `json:"trouble,omitzero"` // why that refuses the call
	Limits    []string             `json:"limits,omitzero"`
}

// dutiesOf tries what the decision requires; nil: it requires nothing.
func dutiesOf(p *policy.Policy, d policy.Decision, args jsontext.Value) *duties {
	o := d.Obligations
	if o == nil {
		return nil
	}
	out := &duties{}
	for _, c := range o.Caps {
		out.Limits = append(out.Limits, fmt.Sprintf("%s (rule %s)", c, c.Rule))
	}
	for _, l := range o.Rates {
		out.Limits = append(out.Limits, fmt.Sprintf("%s (rule %s)", l, l.Rule))
	}
	if s, err := p.Sanitize(o, args); err != nil {
		out.Trouble = policy.ErrUnsanitizable.Error()
	} else if len(s.Replaced) > 0 {
		out.Sanitized, out.Replaced = s.Args, s.Replaced
	}
	return out
}
