package policy

import "github.com/weir-gate/weir/internal/call"

// RuleScan is the id of the rule that decides by what scans find in the texts of MCP servers.
const RuleScan = ruleScan

// Divide says of which MCP server a tool is, and what it is called there, if its name alone tells that for certain.
func Divide(tool string) (server, name string, certain bool) {
	ids := identities("", tool)
	if len(ids) != 1 || ids[0].server == "" {
		return "", "", false
	}
	return ids[0].server, ids[0].tool, true
}

// Native says whether a name is that of a tool of the agent's own.
func (p *Policy) Native(tool string) bool {
	return p.guard.native.called(&Query{Tools: []string{tool}}, 0)
}

// TrustsFirst says whether a tool is trusted as it is first seen.
func (p *Policy) TrustsFirst() bool {
	mcp := p.MCP()
	return mcp == nil || mcp.Pinning.TrustFirst
}

// RefusesServer says whether the lists of servers keep clients from a server altogether, and the refusal.
func (p *Policy) RefusesServer(server string) (Decision, bool) {
	q := Query{Surface: call.MCP, Server: server, Tools: []string{""}, Method: true}
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
	}
	return Decision{}, false
}
