package judge

import (
	"slices"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/mcp/registry"
	"github.com/weir-gate/weir/internal/policy"
	"github.com/weir-gate/weir/internal/policy/toolname"
)

// Recognise says which of the tools that a request shows to the model are tools of MCP servers, where their names could as well be those
// of the agent's own: by how they are defined, now or when they were trusted.
func (j *Judge) Recognise(who call.Actor, shown []call.Shown) call.Menu {
	menu := call.Menu{}
	if j.cfg.Registry == nil {
		return menu
	}
	p := j.policyOf(who)
	for i := range shown {
		for _, name := range shown[i].Names {
			if !p.Native(name) {
				continue
			}
			for _, candidate := range j.cfg.Registry.Lookup(registry.Question{Name: name}) {
				if candidate.Bare {
					note(menu, toolname.Fold(name), candidate.Identity, j.match(candidate.Identity, shown[i].Define()))
				}
			}
		}
	}
	return menu
}

// match compares what a request shows with a tool as it is defined now, and as it is trusted.
func (j *Judge) match(id registry.Identity, s call.Definition) registry.Match {
	var found []registry.Match
	if t, known := j.cfg.Registry.Tool(id.Server, id.Name); known {
		found = append(found, t.Match(s))
	}
	if pin := j.cfg.Registry.State(id.Server, id.Name).Pin; pin != nil {
		found = append(found, pin.Match(s))
	}
	for _, m := range []registry.Match{registry.Same, registry.Untold} {
		if slices.Contains(found, m) {
			return m
		}
	}
	return registry.Another
}

// note has a menu say what a name means. A request may show several tools of one name.
func note(menu call.Menu, name string, id registry.Identity, m registry.Match) {
	meaning := menu[name]
	switch m {
	case registry.Same:
		meaning.Tools = append(meaning.Tools, call.ServerTool{Server: id.Server, Tool: id.Name})
	case registry.Untold:
		meaning.Doubt = true
	}
	menu[name] = meaning
}

// isOwn says whether a call has the name of a tool that agents bring along.
func isOwn(c call.Call, p *policy.Policy) bool {
	return c.Server == "" && slices.ContainsFunc(names(c), p.Native)
}

// isBare says whether a call by a name that agents use for tools of their own may mean such a one rather than a server's tool, and whether
// that is in doubt: by what the model was offered under that name.
func isBare(menu call.Menu, name string, id registry.Identity) (bare, doubt bool) {
	meaning, shown := menu[toolname.Fold(name)]
	if slices.Contains(meaning.Tools, call.ServerTool{Server: id.Server, Tool: id.Name}) {
		return false, false
	}
	return true, !shown || meaning.Doubt
}
