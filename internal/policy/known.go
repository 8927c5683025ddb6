package policy

import (
	"slices"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/policy/toolname"
)

// inform adds to readings what the registry knows of them. It adds a reading for each known tool that the name alone does not
// reveal.
func inform(q *Query, out []reading) []reading {
	named := len(out)
	// If the model was offered the agent's own tool, its name does not count as that of a server's tool. Otherwise any server could
	// take over a tool by offering one with the same name.
	own := !slices.ContainsFunc(out, func(rd reading) bool { return !rd.native })
	for i := range q.Known {
		k := &q.Known[i]
		if k.Bare && own && !k.Doubt {
			continue
		}
		server, tool := toolname.New(k.Server), toolname.Fold(k.Tool)
		met := false
		for j := range out {
			if rd := &out[j]; rd.server.Folded == server.Folded && toolname.Fold(rd.toolOfServer) == tool {
				rd.known, met = append(rd.known, *k), true
			}
		}
		if met {
			continue
		}
		rd := out[0]
		rd.toolOfServer, rd.server, rd.names = k.Tool, server, toolname.Spellings(k.Server, k.Tool)
		rd.known, rd.guesses, rd.rests, rd.native, rd.vouched = []call.Known{*k}, nil, nil, false, true
		out = append(out, rd)
	}
	for i := range out[:named] {
		out[i].vouched = out[i].native || vouched(q, &out[i])
	}
	return out
}

// vouched says whether the registry knows a tool that the reading could mean. If the reading names a server, it must be that
// server's: otherwise any server could offer a tool with another's name. If a call could mean one of several tools, it must be one
// that the reading itself names.
func vouched(q *Query, rd *reading) bool {
	return slices.ContainsFunc(q.Known, func(k call.Known) bool {
		if rd.server.Folded != "" {
			return toolname.Fold(k.Server) == rd.server.Folded && toolname.Fold(k.Tool) == toolname.Fold(rd.toolOfServer)
		}
		if len(q.Tools) == 1 {
			return true
		}
		return writes(k, toolname.Fold(rd.tool))
	})
}

// isKnown says whether the registry knows a tool with this spelling.
func isKnown(q *Query, tool string) bool {
	written := toolname.Fold(tool)
	return slices.ContainsFunc(q.Known, func(k call.Known) bool { return writes(k, written) })
}

// writes says whether a folded name is one of the spellings of a tool.
func writes(k call.Known, folded string) bool {
	return slices.ContainsFunc(toolname.Spellings(k.Server, k.Tool), func(n toolname.Name) bool { return n.Folded == folded })
}

// worst is the state of the least trusted among several known tools of one identity; "": nothing is known.
func (rd *reading) worst() call.ToolState {
	state := call.ToolState("")
	for i := range rd.known {
		if s := rd.known[i].State; distrust(s) > distrust(state) {
			state = s
		}
	}
	return state
}

// distrust orders states. A state that is not listed counts as unknown.
func distrust(s call.ToolState) int {
	switch s {
	case "":
		return 0
	case call.ToolTrusted:
		return 1
	case call.ToolChanged:
		return 4
	default:
		return 3
	}
}
