package warn

import (
	"fmt"
	"slices"

	"github.com/weir-gate/weir/internal/policy"
	"github.com/weir-gate/weir/internal/text/yamlfile"
)

// checkLists warns of lists that nothing uses, and of entries of the lists of MCP servers and tools that others make useless.
func (f *Finder) checkLists() {
	for _, list := range f.written.Lists {
		f.add(policy.WarnUnusedList, nil, list, "nothing uses the list", "remove it, or use it by its name with a dollar sign")
	}
	n := f.written.MCP
	if n == nil || n.Kind != yamlfile.Map {
		return
	}
	f.checkDenied(n, "allowed_servers", "denied_servers", "id")
	f.checkDenied(n, "allowed_tools", "denied_tools", "server")
	f.checkDeclared(n)
}

// checkDenied warns of what one list allows although another denies it.
func (f *Finder) checkDenied(n *yamlfile.Node, allowed, denied, server string) {
	for _, a := range items(n.Get(allowed)) {
		if isAllOf(a, server) && len(n.Get(allowed).Items) == 1 && textOf(n.Get(policyOf(allowed))) != "allowlist" {
			continue // it says that everything is allowed which is not denied
		}
		i := slices.IndexFunc(items(n.Get(denied)), func(d *yamlfile.Node) bool {
			return coversPart(d, a, server) && coversPart(d, a, "tool")
		})
		if i >= 0 {
			f.add(policy.WarnList, nil, a, fmt.Sprintf("the entry changes nothing: %s denies the same (%s), and denied entries win", denied,
				place(n.Get(denied).Items[i], a)), "remove one of the two, or deny less")
		}
	}
}

// policyOf is the key that says how a list is used.
func policyOf(list string) string {
	if list == "allowed_servers" {
		return "server_policy"
	}
	return "tool_policy"
}

// isAllOf says whether an entry of a list is about everything.
func isAllOf(entry *yamlfile.Node, server string) bool {
	for _, key := range []string{server, "tool"} {
		if v := entry.Get(key); v != nil && !isAnything(v) {
			return false
		}
	}
	return true
}

// coversPart says whether one part of an entry is about all that the same part of another entry is about. A part that is missing is about
// everything.
func coversPart(wide, narrow *yamlfile.Node, key string) bool {
	w, n := wide.Get(key), narrow.Get(key)
	switch {
	case w == nil || isAnything(w):
		return true
	case n == nil:
		return false
	default:
		return coversGlob(w, n)
	}
}

// checkDeclared warns of servers that are declared although nobody may use them.
func (f *Finder) checkDeclared(n *yamlfile.Node) {
	only := textOf(n.Get("server_policy")) == "allowlist"
	for _, server := range items(n.Get("servers")) {
		id := server.Get("id")
		if id == nil {
			continue
		}
		named := func(entry *yamlfile.Node) bool { return entry.Get("id") != nil && coversGlob(entry.Get("id"), id) }
		switch {
		case slices.ContainsFunc(items(n.Get("denied_servers")), named):
			f.add(policy.WarnServer, nil, id, "the server is declared, but mcp.denied_servers denies it", "remove one of the two")
		case only && !slices.ContainsFunc(items(n.Get("allowed_servers")), named):
			f.add(policy.WarnServer, nil, id, "the server is declared, but is not on mcp.allowed_servers, so it is refused",
				"add it to that list, or remove the server")
		}
	}
}

// deniesServers says whether mcp.denied_servers denies all servers that some globs match.
func (f *Finder) deniesServers(servers []*yamlfile.Node) bool {
	if f.written.MCP == nil || slices.ContainsFunc(servers, isAnything) {
		return false
	}
	var denied []*yamlfile.Node
	for _, entry := range items(f.written.MCP.Get("denied_servers")) {
		if id := entry.Get("id"); id != nil {
			denied = append(denied, id)
		}
	}
	return coverGlobs(denied, servers)
}
