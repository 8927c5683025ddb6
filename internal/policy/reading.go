package policy

import (
	"cmp"
	"slices"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/policy/condition"
	"github.com/weir-gate/weir/internal/policy/toolname"
	"github.com/weir-gate/weir/internal/text/when"
)

// A reading is a query under one of the possible identities of its tool.
type reading struct {
	tool string // as written in the query
	// toolOfServer is the tool's name without the server, if it belongs to one.
	toolOfServer string
	names        []toolname.Name // spellings of that one identity
	server       toolname.Name   // "": it belongs to no MCP server
	// guesses are the other things that the name could mean. Only rules that name the server of a guess match it: otherwise a name
	// with an underscore could be a tool of any server.
	guesses  []toolname.Identity
	rests    []toolname.Rest // of the name, if there are guesses
	surface  call.Surface
	actor    call.Actor
	now      when.Moment // when the call is judged
	fallback Verdict     // if no rule matches
	// known are the registry's tools of this identity. There may be several if their names differ only in what folding removes.
	known   []call.Known
	method  bool // it calls no tool
	open    bool // it means any tool of its server
	native  bool // its name is that of one of the agent's own tools
	vouched bool // it is a known tool, of whatever server
	hosted  bool // the request or response itself names the server, as for servers that the provider connects to
	// ordinary says that the call is of no known MCP server, while only calls of MCP servers are to be judged.
	ordinary bool
}

// readings are the query under every possible identity: all names, and every meaning of each.
func (p *Policy) readings(q *Query) []reading {
	surface := cmp.Or(q.Surface, call.Response)
	if surface == call.Egress {
		return connectionReadings(q)
	}
	guarded := p.guard.concerns(q)
	var out []reading
	for i, tool := range q.Tools {
		native := guarded && p.guard.native.called(q, i)
		for _, id := range toolname.Identities(q.Server, tool) {
			names := toolname.Spellings(id.Server, id.Tool)
			if i == 0 {
				for _, s := range q.Spellings {
					names = append(names, toolname.New(s))
				}
				if q.Open {
					names = append(names, toolname.OpenSpellings(q.Server)...)
				}
			}
			r := reading{
				tool: tool, toolOfServer: id.Tool, names: names, server: toolname.New(id.Server), surface: surface, actor: q.Actor,
				now: q.Now, fallback: p.fallbackOn(surface),
				method: q.Method, open: q.Open, native: native, hosted: q.Server != "",
			}
			uncertain := id.Server == "" || q.Server == "" && id.OfPlugin()
			if uncertain && p.namesServers {
				r.guesses, r.rests = toolname.Guesses(tool), toolname.Rests(toolname.Fold(tool))
			}
			out = append(out, r)
			// If the registry knows what the name means, there is nothing to guess.
			if uncertain && !native && !isKnown(q, tool) {
				out = append(out, p.guard.declaredReadings(r)...)
			}
		}
	}
	if guarded {
		out = inform(q, out)
	}
	if q.MCPOnly && !q.Method && !slices.ContainsFunc(out, func(rd reading) bool { return rd.server.Folded != "" }) {
		for i := range out {
			out[i].ordinary, out[i].fallback = true, Allow
		}
	}
	return out
}

// subject is the reading as expressions see it.
func (rd *reading) subject() condition.Subject {
	tool := rd.tool
	if rd.server.Written != "" {
		tool = rd.toolOfServer
	}
	return condition.Subject{Tool: tool, Server: rd.server.Written, Actor: rd.actor, Connection: rd.surface == call.Egress}
}
