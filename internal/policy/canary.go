package policy

import (
	"slices"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/policy/condition"
	"github.com/weir-gate/weir/internal/policy/toolname"
)

// Every policy refuses these, so that anyone can check whether calls and connections are judged at all.
const (
	// RuleCanary is the id of the rule that refuses them.
	RuleCanary = call.CanaryRule
	// CanaryTool is refused if a model or a client calls it. A request may offer it.
	CanaryTool = "weir_canary"
	// CanaryHost is refused as a host, and so is every name below it. No name server resolves it.
	CanaryHost = "canary.weir.invalid"
)

const reasonCanary = "This is weir's own test call: it is always refused."

var canaryTool = ownRule(RuleCanary, Deny, call.CodeToolDenied, reasonCanary)

// canary is the rule that refuses connections to the canary's host.
func (c *compiler) canary() *rule {
	r := ownRule(RuleCanary, Deny, call.CodeConnectionDenied, reasonCanary)
	r.conditions = c.conditions.ToHost(CanaryHost)
	return r
}

// canaryFor is the canary's rule for a reading; nil: none. Requests may offer the tool: a rule about offers would make weir inspect
// every request.
func (p *Policy) canaryFor(rd *reading) *rule {
	switch rd.surface {
	case call.Egress:
		return p.canary
	case call.Response, call.MCP:
		if slices.ContainsFunc(rd.names, func(n toolname.Name) bool { return n.Folded == CanaryTool }) {
			return canaryTool
		}
	}
	return nil
}

// explainCanary adds the canary's rule to the trace if it applies.
func (p *Policy) explainCanary(rd *reading, f *condition.Facts, trace *ReadingTrace) {
	r := p.canaryFor(rd)
	if r == nil {
		return
	}
	t := RuleTrace{ID: r.id, Verdict: r.verdict}
	if rd.explainConditions(r, f, &t); t.Matched {
		trace.Rules = append(trace.Rules, t)
	}
}

// canarySummary is the summary of the canary's rule.
func canarySummary() RuleSummary {
	return RuleSummary{
		Group: GroupOwn, ID: RuleCanary, Verdict: Deny, Surfaces: []call.Surface{call.Response, call.MCP, call.Egress},
		Tools:      []string{CanaryTool},
		Conditions: "on egress, whatever the tool: host is " + CanaryHost + " or below it", Reason: reasonCanary,
	}
}
