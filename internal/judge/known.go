package judge

import (
	"context"
	"slices"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/mcp/registry"
	"github.com/weir-gate/weir/internal/policy"
	"github.com/weir-gate/weir/internal/policy/toolname"
	"github.com/weir-gate/weir/internal/record"
)

// A Registry knows the tools of MCP servers.
type Registry interface {
	// Lookup returns every tool that a model could mean.
	Lookup(q registry.Question) []registry.Candidate
	// State says how a tool stands. Server and name are compared exactly.
	State(server, name string) registry.Standing
	// Tool returns what is known of a tool. Server and name are compared exactly.
	Tool(server, name string) (registry.Tool, bool)
	// Observe takes note of what a server offers, and returns what that changes.
	Observe(ctx context.Context, l registry.Listing) (registry.Changes, error)
	// Met takes note that a server was met.
	Met(ctx context.Context, s registry.Server) (fresh bool, err error)
	// Mark is the revision of what is known of a server's tools; 0: not known.
	Mark(server string) registry.Mark
	// Server returns what is known of a server that was met.
	Server(id string) (registry.Server, bool)
	// Servers are the ids of all servers that are known.
	Servers() []string
	// Tools are the known tools of a server.
	Tools(server string) []registry.Tool
}

// known are the tools of MCP servers that a call could mean. On the surface of MCP there is no doubt: the server is the one that is
// called, and compares names exactly.
func (j *Judge) known(c call.Call, p *policy.Policy) []call.Known {
	if j.cfg.Registry == nil {
		return c.Known // what is on record of a call that is judged again
	}
	if c.MCP.Method != "" || c.Open {
		return nil
	}
	if c.Surface == call.MCP {
		if k := j.knownTool(registry.Identity{Server: c.Server, Name: c.Tool}, p); k.Hash != "" {
			return []call.Known{k}
		}
		return nil
	}
	own := c.Surface == call.Response && isOwn(c, p)
	var out []meantTool
	for _, name := range names(c) {
		for _, candidate := range j.cfg.Registry.Lookup(registry.Question{Server: c.Server, Name: name}) {
			k := meantTool{Known: j.knownTool(candidate.Identity, p), alone: candidate.Bare}
			if k.Bare = candidate.Bare; own && k.Bare {
				k.Bare, k.Doubt = isBare(c.Menu, name, candidate.Identity)
			}
			k.ruledOut = own && k.Bare && !k.Doubt
			at := slices.IndexFunc(out, func(have meantTool) bool { return have.Server == k.Server && have.Tool == k.Tool })
			if at < 0 {
				out = append(out, k)
				continue
			}
			have := &out[at]
			have.alone, have.ruledOut = have.alone && k.alone, have.ruledOut && k.ruledOut
			if !k.Bare {
				have.Bare, have.Doubt = false, false
			} else {
				have.Doubt = have.Bare && (have.Doubt || k.Doubt)
			}
		}
	}
	return j.notTaken(c, out)
}

// A meantTool is one that a call could mean.
type meantTool struct {
	call.Known
	alone    bool // the call says nothing of the server: it has the name of the tool alone
	ruledOut bool // the model was offered the agent's own tool of that name
}

// certainty orders tools by how sure it is that a call means them.
func (m meantTool) certainty() int {
	switch {
	case m.ruledOut:
		return 0
	case m.Bare:
		return 1
	}
	return 2
}

// names are all ways in which a call names its tool.
func names(c call.Call) []string {
	return slices.Concat([]string{c.Tool}, c.Aliases, c.Spellings)
}

func (j *Judge) knownTool(id registry.Identity, p *policy.Policy) call.Known {
	standing := j.cfg.Registry.State(id.Server, id.Name)
	k := call.Known{Server: id.Server, Tool: id.Name, Hash: string(standing.Hash), State: stateOf(standing.Pin, standing.Hash)}
	if standing.Hash == "" {
		return k
	}
	k.ServerType, k.ServerAddr = j.serverOf(id.Server, p)
	if t, ok := j.cfg.Registry.Tool(id.Server, id.Name); ok {
		k.Severity, k.Hints = severity(j.scans.definition(p, t)), t.Hints()
	}
	return k
}

// stateOf is how far a tool that is defined so can be trusted. That its server did not offer it lately makes no difference: servers
// offer different clients different tools, and know best which they have.
func stateOf(pin *registry.Pin, hash registry.Hash) call.ToolState {
	switch {
	case pin == nil:
		return call.ToolUnknown
	case pin.Hash != hash:
		return call.ToolChanged
	}
	return call.ToolTrusted
}

// onlyKnown is the one tool of an MCP server that a call means, if there is no doubt that it means one.
func onlyKnown(c call.Call) (call.Known, bool) {
	var out call.Known
	found := 0
	for _, k := range c.Known {
		if !k.Bare || c.Surface == call.MCP {
			out = k
			found++
		}
	}
	return out, found == 1
}

// identify has an event say which tool of which MCP server its call means, if there is no doubt about that, and be of the type that
// goes with it.
func identify(e *record.Event, d *record.ToolCall, c call.Call, p *policy.Policy) {
	e.MCP.ServerType, e.MCP.ServerAddr, e.MCP.RPCID = c.MCP.ServerType, c.MCP.ServerAddr, c.MCP.RPCID
	defer func() {
		// A server that the wire names is the provider's own, and may be another than the one that is known by that name.
		if e.MCP.ServerType == "" && c.Server == "" && e.Server != "" {
			e.MCP.ServerType, e.MCP.ServerAddr = declaredServer(e.Server, p)
		}
	}()
	k, is := mcpTool(c, p)
	switch {
	case c.MCP.Method != "":
		e.Type = record.Types.MCPRequest
		return
	case c.Surface == call.MCP:
		e.Type = record.Types.MCPCalled
	case !is:
		return
	case c.Surface == call.Response:
		e.Type = record.Types.MCPIntercepted
	}
	e.MCP.ToolHash, d.ToolSeverity, d.ToolHints = k.Hash, k.Severity, k.Hints
	if k.State != call.ToolTrusted {
		d.ToolState = string(k.State)
	}
	if k.Server != "" && e.Server == "" {
		d.Written, e.Server, e.Tool = e.Tool, k.Server, k.Tool
		e.MCP.ServerType, e.MCP.ServerAddr = k.ServerType, k.ServerAddr
	}
}

// serverOf says of which type an MCP server is and where, as the record has it; "": that is not known.
func (j *Judge) serverOf(id string, p *policy.Policy) (typ, addr string) {
	if j.cfg.Registry != nil {
		if s, met := j.cfg.Registry.Server(id); met && s.Type != "" {
			return s.Type, s.Addr
		}
	}
	return declaredServer(id, p)
}

// declaredServer is what a policy says of a server that nobody has met.
func declaredServer(id string, p *policy.Policy) (typ, addr string) {
	block := p.MCP()
	if block == nil {
		return "", ""
	}
	for _, s := range block.Servers {
		if toolname.Fold(s.ID) == toolname.Fold(id) {
			return s.Type, s.PublicAddr()
		}
	}
	return "", ""
}

// mcpTool says whether a call is of an MCP server's tool, and of which if that is certain; else the server is "".
func mcpTool(c call.Call, p *policy.Policy) (k call.Known, is bool) {
	if known, ok := onlyKnown(c); ok {
		return known, true
	}
	if slices.ContainsFunc(c.Known, func(k call.Known) bool { return !k.Bare }) {
		return call.Known{}, true // several
	}
	if c.Server != "" {
		return call.Known{Server: c.Server, Tool: c.Tool}, true
	}
	if server, tool, certain := toolname.Divide(c.Tool); certain {
		return call.Known{Server: server, Tool: tool}, true
	}
	if len(c.Known) == 0 || p.Native(c.Tool) {
		return call.Known{}, false
	}
	if len(c.Known) == 1 {
		return c.Known[0], true
	}
	return call.Known{}, true
}
