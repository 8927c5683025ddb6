package toolname

import (
	"strings"
)

// An Identity is what a tool's name means: a tool of an MCP server, or of the agent itself.
type Identity struct {
	Server string // "": the agent's own
	Tool   string
}

// mcpPrefix begins the names that surely belong to a tool of an MCP server.
const mcpPrefix = "mcp__"

// functionsPrefix is the namespace that some models write before every offered tool.
const functionsPrefix = "functions."

// pluginPrefix begins the ids that clients give to servers of plugins. The name of the plugin and the server's own id follow.
const pluginPrefix = "plugin_"

// maxMeanings bounds how many ways to divide a name are tried.
const maxMeanings = 32

// Identities are the certain meanings of a name. If the request or response names the server, it is that one. A name such as
// mcp__server__tool belongs to that server; if it can be divided at several positions, each is judged.
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

// Guesses are the other meanings that a name without such a prefix could have, because some clients write the tools of MCP servers
// that way.
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

// Means says whether a guess is this tool of this server. Names without wildcards are also compared by their letters alone, because
// clients choose the signs between them.
func (id Identity) Means(server, tool *Glob) bool {
	return id.IsOf(server) && (tool.NamesAny(Spellings(id.Server, id.Tool)) || tool.hasLetters(Letters(id.Tool)))
}

// IsOf says whether a guess is a tool of a server.
func (id Identity) IsOf(server *Glob) bool {
	return server.MatchesFolded(id.Server) || server.hasLetters(Letters(id.Server))
}

// divided returns all ways to divide a name at a separator.
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

// CountsAs is the server and tool that a call is counted for, folded. The server is set only if the name says so for certain.
func CountsAs(server, tool string) (ofServer, name string) {
	if ids := Identities(server, tool); len(ids) == 1 {
		return Fold(ids[0].Server), Fold(ids[0].Tool)
	}
	return Fold(server), Fold(tool)
}

// Divide returns the MCP server of a tool and the tool's name there, if the name alone says so for certain.
func Divide(tool string) (server, name string, certain bool) {
	ids := Identities("", tool)
	if len(ids) != 1 || ids[0].Server == "" {
		return "", "", false
	}
	return ids[0].Server, ids[0].Tool, true
}

// OfPlugin says that the server comes from a plugin: its id includes the server's own id.
func (id Identity) OfPlugin() bool { return strings.HasPrefix(id.Server, pluginPrefix) }

// WithoutNamespace removes the namespace from a folded name if the rest is like the name of an MCP server's tool: the namespace
// does not say whose tool it is.
func WithoutNamespace(folded string) string {
	if rest, ok := strings.CutPrefix(folded, functionsPrefix); ok && strings.HasPrefix(rest, mcpPrefix) {
		return rest
	}
	return folded
}
