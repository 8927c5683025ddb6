package study

import (
	"bytes"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/policy"
	"github.com/weir-gate/weir/internal/policy/condition"
)

// RunCases decides every case and compares the decision with the expected one.
func RunCases(p *policy.Policy, cases []Case) []CaseResult {
	out := make([]CaseResult, len(cases))
	for i, c := range cases {
		d, args := runCase(p, c)
		out[i] = CaseResult{Case: c, Decision: d, Problem: compare(p, c, d, args)}
	}
	return out
}

// runCase decides a case and sanitizes its arguments if the decision demands that. As in real rulings, a call in which there is
// nothing to replace is allowed or flagged, and a call in which a secret cannot be replaced is refused.
func runCase(p *policy.Policy, c Case) (policy.Decision, jsontext.Value) {
	d := p.Decide(policy.Query{
		Surface: c.Surface, Actor: c.Actor, Server: c.Server, Tools: []string{c.Tool}, Args: c.Args, Known: c.Known,
		Method:        c.Surface == call.MCP && policy.IsMethod(c.Tool),
		Circumstances: condition.Circumstances{Now: c.At, Model: c.Model, Project: c.Project},
	})
	if d.Obligations == nil || d.Verdict != policy.Sanitize {
		return d, c.Args
	}
	s, err := p.Sanitize(d.Obligations, c.Arguments())
	switch {
	case err != nil:
		return policy.Decision{Verdict: policy.Deny, Code: call.CodeArgsDenied, Rule: d.Rule, Reason: policy.ReasonArgs}, c.Args
	case len(s.Replaced) == 0:
		d = d.Unreplaced()
	default:
		d.Rule = s.Rule
	}
	return d, s.Args
}

// Arguments are the arguments of the case's call: an empty object if it has none.
func (c Case) Arguments() jsontext.Value {
	if len(c.Args) == 0 {
		return jsontext.Value("{}")
	}
	return c.Args
}

// Overruled is the result of a case whose call the policy itself allows, but which is refused because of what is in its arguments.
func Overruled(p *policy.Policy, r CaseResult, d policy.Decision) CaseResult {
	return CaseResult{Case: r.Case, Decision: d, Problem: compare(p, r.Case, d, r.Case.Args)}
}

func compare(p *policy.Policy, c Case, d policy.Decision, args jsontext.Value) string {
	decided := string(d.Verdict)
	if d.Rule != "" {
		decided += " by rule " + d.Rule
	} else {
		decided += " by default"
	}
	switch {
	case d.Verdict != c.Expect:
		return fmt.Sprintf("expected %s, got %s", c.Expect, decided)
	case c.Rule != "" && !p.HasRule(c.Rule):
		return fmt.Sprintf("expected rule %s, which the policy does not have", c.Rule)
	case c.Rule != "" && d.Rule != c.Rule:
		return fmt.Sprintf("expected rule %s, got %s", c.Rule, decided)
	case c.Code != "" && d.Code != c.Code:
		return fmt.Sprintf("expected code %s, got %q", c.Code, d.Code)
	case c.Sanitized != nil && !sameJSON(c.Sanitized, args):
		return fmt.Sprintf("expected the arguments %s, got %s", c.Sanitized, args)
	default:
		return ""
	}
}

// sameJSON compares two JSON texts by value.
func sameJSON(a, b jsontext.Value) bool {
	a, b = bytes.Clone(a), bytes.Clone(b)
	return a.Canonicalize() == nil && b.Canonicalize() == nil && bytes.Equal(a, b)
}
