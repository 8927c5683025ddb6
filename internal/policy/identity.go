package policy

import (
	"slices"
	"strings"
)

// An identity is what a tool's name means: a tool of an MCP server, or of the agent itself.
type identity struct {
	server string // "": the agent's own
	tool   string
}

// mcpPrefix begins the names that say for certain that a tool is an MCP server's.
const mcpPrefix = "mcp__"

// functionsPrefix is the namespace that some models write ahead of every tool that they are offered.
const functionsPrefix = "functions."

// pluginPrefix begins the ids under which clients have the servers that plugins bring along: the plugin's name and the server's own id follow.
const pluginPrefix = "plugin_"

// maxMeanings bounds how many ways to divide a name are looked at.
const maxMeanings = 32

// identities are what a name means for certain. A server that the wire names is the one. A name such as mcp__server__tool is that
// server's; if it can be divided at more than one place, each is judged.
func identities(server, tool string) []identity {
	rest, ok := strings.CutPrefix(strings.TrimPrefix(fold(tool), functionsPrefix), mcpPrefix)
	if server != "" || !ok {
		return []identity{{server, tool}}
	}
	if out := divided(rest, "__"); len(out) > 0 {
		return out
	}
	return []identity{{"", tool}}
}

// guesses are what a name without such a prefix could mean besides, as some clients write the tools of MCP servers.
func guesses(tool string) []identity {
	name := fold(tool)
	var out []identity
	for _, separator := range []string{"__", ".", "/", "_", ":"} {
		out = append(out, divided(strings.TrimPrefix(name, "mcp_"), separator)...)
	}
	for _, rest := range Rests(name) {
		out = rest.divided(out)
	}
	return out
}

// means says whether a guess is a server's tool. Names without wildcards are compared by their letters, too: what stands between those is
// the client's own.
func (id identity) means(server, tool *glob) bool {
	return id.isOf(server) && (tool.namesAny(spellings(id.server, id.tool)) || tool.hasLetters(Letters(id.tool)))
}

// isOf says whether a guess is a tool of a server.
func (id identity) isOf(server *glob) bool {
	return server.matches(id.server) || server.hasLetters(Letters(id.server))
}

// joins says whether the reading's name is a server's id and a tool's name with nothing between them. A name that is the agent's own is not.
func (rd *reading) joins(server, tool *glob) bool {
	if rd.native || len(server.pieces) > 1 || len(tool.pieces) > 1 {
		return false
	}
	id, name := Letters(server.pieces[0]), Letters(tool.pieces[0])
	return id != "" && name != "" && slices.ContainsFunc(rd.rests, func(r Rest) bool { return r.Letters == id+name })
}

// divided are all ways to divide a name at a separator.
func divided(name, separator string) (out []identity) {
	for at := 0; len(out) < maxMeanings; {
		i := strings.Index(name[at:], separator)
		if i < 0 {
			break
		}
		at += i
		if server, tool := name[:at], name[at+len(separator):]; server != "" && tool != "" {
			out = append(out, identity{server, tool})
		}
		at++
	}
	return out
}

// serves says whether a rule speaks of the tools of a server. Without naming one it speaks of all tools.
func (r *rule) serves(server name) bool {
	if r.servers == nil {
		return true
	}
	for i := range r.servers {
		if r.servers[i].names(server) {
			return true
		}
	}
	return false
}

// namesServer says whether the rule is about certain servers, rather than about any.
func (r *rule) namesServer() bool {
	for i := range r.servers {
		if strings.Trim(r.servers[i].text, "*%") != "" {
			return true
		}
	}
	return false
}

// Identity is what a tool counts as, folded: of which server, if its name tells that for certain, and which tool.
func Identity(server, tool string) (ofServer, name string) {
	if ids := identities(server, tool); len(ids) == 1 {
		return fold(ids[0].server), fold(ids[0].tool)
	}
	return fold(server), fold(tool)
}
