package policy

import (
	"slices"
	"strings"

	"github.com/weir-gate/weir/internal/call"
)

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

// RefusesServer says whether an actor is kept from a server altogether, and the refusal: by the lists of servers, or by a rule that denies
// all of its tools, whatever their arguments. A default does not: it is about calls that no rule speaks of.
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

// deniesAll says whether a rule denies its actor everything of the server of a reading.
func (r *rule) deniesAll(rd *reading) bool {
	return r.verdict == Deny && !r.shadow && r.conditions == nil && r.covers(rd.surface) && r.misfit(rd.actor) == nil && r.serves(rd.server) &&
		slices.ContainsFunc(r.tools, func(g glob) bool { return g.takesAllOf(rd.server.written) })
}

// takesAllOf says whether a glob matches every tool of a server, in one of the ways in which clients write them.
func (g *glob) takesAllOf(server string) bool {
	if g.anything() {
		return true
	}
	if len(g.pieces) != 2 || g.pieces[1] != "" {
		return false
	}
	return slices.ContainsFunc(openSpellings(server), func(n name) bool { return strings.HasPrefix(n.folded, g.pieces[0]) })
}
