package policy

import (
	"github.com/weir-gate/weir/internal/call"
)

// RuleScan is the id of the rule that decides by the findings in texts of MCP servers.
const RuleScan = ruleScan

// Native says whether a name is that of one of the agent's own tools.
func (p *Policy) Native(tool string) bool {
	return p.guard.native.called(&Query{Tools: []string{tool}}, 0)
}

// TrustsFirst says whether a tool is trusted as it is when first seen.
func (p *Policy) TrustsFirst() bool {
	mcp := p.MCP()
	return mcp == nil || mcp.Pinning.TrustFirst
}

// RefusesServer says whether an actor may not use a server at all, and why: the lists of servers deny it, or a rule denies all of
// its tools, whatever their arguments. The default does not count, because it is for calls that no rule matches.
func (p *Policy) RefusesServer(server string, a call.Actor) (Decision, bool) {
	q := Query{Surface: call.MCP, Actor: a, Server: server, Tools: []string{""}, Method: true}
	for _, rd := range p.readings(&q) {
		for i := range p.guard.checks {
			c := &p.guard.checks[i]
			if c.id != ruleDeniedServers && c.id != ruleAllowedServers {
				continue
			}
			if r := c.meets(&rd, nil); r != nil && r.verdict == Deny {
				return outcome{verdict: Deny, rule: r, byName: true}.decision(&rd), true
			}
		}
		for i := range p.rules {
			if r := &p.rules[i]; r.deniesAll(&rd) {
				d := outcome{verdict: Deny, rule: r, byName: true}.decision(&rd)
				d.Code = call.CodeServerDenied
				return d, true
			}
		}
	}
	return Decision{}, false
}
