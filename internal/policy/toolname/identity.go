package toolname

import (
	"strings"
)

// An Identity is what a tool's name means: a tool of an MCP server, or of the agent itself.
type Identity struct {
	Server string // "": the agent's own
	Tool   string
}

// mcpPrefix begins the names that say for certain that a tool is an MCP server's.
const mcpPrefix = "mcp__"

// functionsPrefix is the namespace that some models write ahead of every tool that they are offered.
const functionsPrefix = "functions."

// pluginPrefix begins the ids under which clients have the servers that plugins bring along: the plugin's name and the server's own id
// follow.
const pluginPrefix = "plugin_"

// maxMeanings bounds how many ways to divide a name are looked at.
const maxMeanings = 32

// Identities are what a name means for certain. A server that the wire names is the one. A name such as mcp__server__tool is that
// server's; if it can be divided at more than one place, each is judged.
func Identities(server, tool string) []Identity {
	rest, ok := strings.CutPrefix(strings.TrimPrefix(Fold(tool), functionsPrefix), mcpPrefix)
	if server != "" || !ok {
		return []Identity{{server, tool}}
	}
	if out := divided(rest, "__"); len(out) > 0 {
		return out
	}
	return []Identity{{"", tool}}
}

// Guesses are what a name without such a prefix could mean besides, as some clients write the tools of MCP servers.
func Guesses(tool string) []Identity {
	name := Fold(tool)
	var out []Identity
	for _, separator := range []string{"__", ".", "/", "_", ":"} {
		out = append(out, divided(strings.TrimPrefix(name, "mcp_"), separator)...)
	}
	for _, rest := range Rests(name) {
		out = rest.divided(out)
	}
	return out
}

// Means says whether a guess is a server's tool. Names without wildcards are compared by their letters, too: what stands between those is
// the client's own.
func (id Identity) Means(server, tool *Glob) bool {
	return id.IsOf(server) && (tool.NamesAny(Spellings(id.Server, id.Tool)) || tool.hasLetters(Letters(id.Tool)))
}

// IsOf says whether a guess is a tool of a server.
func (id Identity) IsOf(server *Glob) bool {
	return server.MatchesFolded(id.Server) || server.hasLetters(Letters(id.Server))
}

// divided are all ways to divide a name at a separator.
func divided(name, separator string) (out []Identity) {
	for at := 0; len(out) < maxMeanings; {
		i := strings.Index(name[at:], separator)
		if i < 0 {
			break
		}
		at += i
		if server, tool := name[:at], name[at+len(separator):]; server != "" && tool != "" {
			out = append(out, Identity{server, tool})
		}
		at++
	}
	return out
}

// CountsAs is what a tool counts as, folded: of which server, if its name tells that for certain, and which tool.
func CountsAs(server, tool string) (ofServer, name string) {
	if ids := Identities(server, tool); len(ids) == 1 {
		return Fold(ids[0].Server), Fold(ids[0].Tool)
	}
	return Fold(server), Fold(tool)
}

// Divide says of which MCP server a tool is, and what it is called there, if its name alone tells that for certain.
func Divide(tool string) (server, name string, certain bool) {
	ids := Identities("", tool)
	if len(ids) != 1 || ids[0].Server == "" {
		return "", "", false
	}
	return ids[0].Server, ids[0].Tool, true
}

// OfPlugin says that a plugin brought the server along: its id has the server's own in it.
func (id Identity) OfPlugin() bool { return strings.HasPrefix(id.Server, pluginPrefix) }

// WithoutNamespace takes the namespace off a folded name that goes on as those of MCP servers' tools do: it says nothing of whose tool
// it is.
func WithoutNamespace(folded string) string {
	if rest, ok := strings.CutPrefix(folded, functionsPrefix); ok && strings.HasPrefix(rest, mcpPrefix) {
		return rest
	}
	return folded
}
