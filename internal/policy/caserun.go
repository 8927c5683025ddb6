package policy

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/internal/call"
)

// RunCases decides every case and compares.
func (p *Policy) RunCases(cases []Case) []CaseResult {
	out := make([]CaseResult, len(cases))
	for i, c := range cases {
		d, args := p.runCase(c)
		out[i] = CaseResult{Case: c, Decision: d, Problem: p.compare(c, d, args)}
	}
	return out
}

// runCase decides a case and replaces what the decision demands. As when a call is ruled, one in which nothing is to be
// replaced is allowed, and one in which that cannot be done is refused.
func (p *Policy) runCase(c Case) (Decision, jsontext.Value) {
	d := p.Decide(Query{
		Surface: c.Surface, Actor: c.Actor, Server: c.Server, Tools: []string{c.Tool}, Args: c.Args, Known: c.Known,
		Method: c.Surface == call.MCP && IsMethod(c.Tool),
	})
	if d.Obligations == nil || d.Verdict != Sanitize {
		return d, c.Args
	}
	s, err := p.Sanitize(d.Obligations, c.Arguments())
	switch {
	case err != nil:
		return Decision{Verdict: Deny, Code: call.CodeArgsDenied, Rule: d.Rule, Reason: reasonArgs}, c.Args
	case len(s.Replaced) == 0:
		d.Verdict = Allow
	default:
		d.Rule = s.Rule
	}
	return d, s.Args
}

// Arguments are those of the case's call: an empty object where it gives none.
func (c Case) Arguments() jsontext.Value {
	if len(c.Args) == 0 {
		return jsontext.Value("{}")
	}
	return c.Args
}

// Overruled is the result of a case whose call is refused for more than what the policy says of the call itself: for what
// stands in its arguments.
func (p *Policy) Overruled(r CaseResult, d Decision) CaseResult {
	return CaseResult{Case: r.Case, Decision: d, Problem: p.compare(r.Case, d, r.Case.Args)}
}

func (p *Policy) compare(c Case, d Decision, args jsontext.Value) string {
	decided := string(d.Verdict)
	if d.Rule != "" {
		decided += " by rule " + d.Rule
	} else {
		decided += " by default"
	}
	switch {
	case d.Verdict != c.Expect:
		return fmt.Sprintf("expected %s, got %s", c.Expect, decided)
	case c.Rule != "" && !p.hasRule(c.Rule):
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

// hasRule says whether a rule of the policy, or one of weir's own, has an id.
func (p *Policy) hasRule(id string) bool {
	return id == RuleCanary || p.guard.has(id) || slices.ContainsFunc(p.rules, func(r rule) bool { return r.id == id })
}

// sameJSON compares two texts as values.
func sameJSON(a, b jsontext.Value) bool {
	a, b = bytes.Clone(a), bytes.Clone(b)
	return a.Canonicalize() == nil && b.Canonicalize() == nil && bytes.Equal(a, b)
}
