package policy

import (
	"cmp"
	"slices"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/policy/toolname"
	"github.com/weir-gate/weir/internal/text/yamlfile"
)

// acts are the tools on the surface egress.
var acts = []string{string(call.Connect), string(call.Resolve)}

// connectionRuleShape is the shape of a rule that is only about connections. Without a tool it is about any act.
var connectionRuleShape = yamlfile.Shape{
	Required: []string{"id", "verdict"},
	Optional: append([]string{"tool"}, ruleShape.Optional...),
}

// NamesEgressAlone says whether the key surface names egress and nothing else. The loader must know this before it parses the rest.
func NamesEgressAlone(n *yamlfile.Node) bool {
	switch {
	case n == nil:
		return false
	case n.Kind == yamlfile.List:
		return len(n.Items) > 0 && !slices.ContainsFunc(n.Items, func(item *yamlfile.Node) bool { return item.Text != string(call.Egress) })
	default:
		return n.Text == string(call.Egress)
	}
}

// connections checks what a rule says about connections. A part that could never match or be done there is an error.
func (c *compiler) connections(n *yamlfile.Node, r *rule) {
	if !r.covers(call.Egress) {
		return
	}
	switch r.verdict {
	case Sanitize:
		c.report.Add(n.Get("verdict"), "nothing can be replaced in a connection",
			"use allow, audit or deny for surface: egress, in a rule of its own")
	case CapCost:
		c.report.Add(n.Get("verdict"), "a connection has no cost of its own",
			"use allow, audit or deny for surface: egress, in a rule of its own")
	}
	named := n.Get("tool")
	if named == nil || !c.report.CleanAt(named.Key()) {
		return
	}
	if !slices.ContainsFunc(acts, func(act string) bool { return r.namesAny([]toolname.Name{toolname.New(act)}) }) {
		c.report.Add(named, "no act on the surface egress has such a name", "use "+yamlfile.OneOf(acts)+", or leave tool out to mean both")
	}
}

// separateSurfaces reports conditions that would mean different things on the surfaces of a rule.
func (c *compiler) separateSurfaces(n *yamlfile.Node, r *rule) {
	if r.conditions == nil || !r.conditions.LooksAtArguments() {
		return
	}
	for _, other := range []struct {
		surface call.Surface
		about   string
	}{{call.Inbound, "declarations of tools"}, {call.Egress, "connections"}} {
		if r.covers(other.surface) && !r.onlyOn(other.surface) {
			c.report.Add(n.Get("surface"),
				"the conditions would be about arguments on one surface and about "+other.about+" on "+string(other.surface),
				"write two rules, one for surface: "+string(other.surface))
			return
		}
	}
}

// NamesHosts says whether the name of a host could change the decision on an actor's connections: a rule looks at it, or a rule or
// list is about an MCP server, which is identified by its host.
func (p *Policy) NamesHosts(a call.Actor) bool {
	block := p.guard.block
	byHost := block != nil && slices.ContainsFunc(block.Servers, func(s Server) bool { return s.URL != "" })
	if byHost && p.guard.covers(call.Egress) {
		return true
	}
	return slices.ContainsFunc(p.rules, func(r rule) bool {
		if r.shadow || !r.covers(call.Egress) || r.misfit(a) != nil {
			return false
		}
		return r.namesHosts(p, byHost) || slices.ContainsFunc(r.unless, func(x exception) bool { return x.sure.namesHosts(p, byHost) })
	})
}

// namesHosts says whether the rule looks at the host of a connection.
func (r *rule) namesHosts(p *Policy, byHost bool) bool {
	return byHost && r.servers != nil || r.conditions != nil && p.paths.NamesHosts(r.conditions, byHost)
}

// connectionReadings are the query under every name of its act. Its server is the one that it names. Nothing is guessed.
func connectionReadings(q *Query) []reading {
	out := make([]reading, len(q.Tools))
	for i, tool := range q.Tools {
		out[i] = reading{
			tool: tool, toolOfServer: tool, names: []toolname.Name{toolname.New(tool)}, server: toolname.New(q.Server), surface: call.Egress,
			actor: q.Actor, now: q.Now,
			fallback: q.connectionFallback(), hosted: q.Server != "",
		}
	}
	return out
}

// connectionFallback is the verdict on a connection that no rule matches. An unknown one refuses.
func (q *Query) connectionFallback() Verdict {
	switch v := cmp.Or(q.Fallback, Allow); v {
	case Allow, Audit:
		return v
	default:
		return Deny
	}
}

// These are the reasons for connections if a rule gives none.
const (
	reasonConnection         = "This connection is not allowed here."
	reasonConnectionDefault  = "No rule allows this connection."
	reasonConnectionUnproven = "A condition of the policy could not be evaluated for this connection."
)

// refuseConnection sets the code and reason of a refusal on the surface egress. weir's own rules have theirs.
func (o outcome) refuseConnection(d *Decision) {
	switch {
	case o.unread:
		d.Code, d.Reason = call.CodeConnectionDenied, reasonConnectionUnproven
	case o.rule == nil:
		d.Code, d.Reason = call.CodeConnectionDenied, reasonConnectionDefault
	case o.rule.own != nil:
		d.Code = o.rule.own.code
	default:
		d.Code, d.Reason = call.CodeConnectionDenied, cmp.Or(d.Reason, reasonConnection)
	}
}
