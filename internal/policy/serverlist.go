package policy

import (
	"fmt"
	"slices"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/policy/toolname"
	"github.com/weir-gate/weir/internal/text/yamlfile"
)

// These are the reasons of the lists.
const (
	reasonDeniedServer  = "This MCP server is not allowed here."
	reasonAllowedServer = "Only listed MCP servers are allowed here, and this is none of them."
	reasonDeniedTool    = "This tool of an MCP server is not allowed here."
	reasonAllowedTool   = "Only listed tools of MCP servers are allowed here, and this is none of them."
)

// notServed is why a check does not apply to a tool that surely belongs to no server.
const notServed = "it is no MCP server's for certain"

// A listEntry is one entry of a list of servers or tools.
type listEntry struct {
	server toolname.Glob
	tool   toolname.Glob // of a list of tools
	line   int
}

// servedBy says whether the reading belongs, or could belong, to a server. A name whose server is not certain counts as a tool of
// any server that is denied by name.
func (rd *reading) servedBy(server *toolname.Glob) bool {
	if rd.server.Folded != "" && server.Names(rd.server) {
		return true
	}
	if rd.native || server.Anything() {
		return false
	}
	return slices.ContainsFunc(rd.guesses, func(id toolname.Identity) bool { return id.IsOf(server) })
}

// denies says whether an entry of denied tools is about a reading. A tool that is on no list of native tools may belong to any
// server.
func (e *listEntry) denies(rd *reading) bool {
	switch {
	case rd.server.Folded != "" && rd.open && !e.server.Anything():
		return e.server.Names(rd.server) // all its tools are offered, so the denied ones are among them
	case rd.server.Folded != "" && e.server.Names(rd.server):
		return e.tool.NamesAny(rd.names)
	case rd.server.Folded != "" && e.server.Anything():
		return false
	case rd.native:
		return false
	case e.server.Anything():
		return e.tool.NamesAny(rd.names)
	}
	return e.meantBy(rd)
}

// meantBy says whether a reading could mean the entry's tool, because it is not certain that its name means another one. The name
// of one of the agent's own tools is never read as server and tool joined.
func (e *listEntry) meantBy(rd *reading) bool {
	return !rd.native && toolname.Joined(rd.rests, &e.server, &e.tool) ||
		slices.ContainsFunc(rd.guesses, func(id toolname.Identity) bool { return id.Means(&e.server, &e.tool) })
}

// allows says whether an entry of allowed tools is about a reading of a server's tool. Only the tool's own name counts: otherwise a
// server could get its tools allowed through its own name.
func (e *listEntry) allows(rd *reading) bool {
	if !e.server.Names(rd.server) {
		return false
	}
	return e.tool.Anything() || !rd.open && e.tool.MatchesFolded(toolname.Fold(rd.toolOfServer))
}

// deniedServers refuses the servers of a list.
func deniedServers(entries []listEntry, line int) check {
	deny := ownRule(ruleDeniedServers, Deny, call.CodeServerDenied, reasonDeniedServer)
	return check{
		id: ruleDeniedServers, line: line, verdict: Deny, surfaces: serverSurfaces,
		about: RuleSummary{Servers: serverTexts(entries), Reason: deny.reason},
		meets: func(rd *reading, why *string) *rule {
			for i := range entries {
				if e := &entries[i]; rd.servedBy(&e.server) {
					if why != nil {
						*why = fmt.Sprintf("server is denied by %s on line %d", yamlfile.Quote(e.server.Text), e.line)
					}
					return deny
				}
			}
			if why != nil {
				*why = fmt.Sprintf("server is %s", rd.ofWhom(entries))
			}
			return nil
		},
	}
}

// allowedServers refuses the servers that are not on a list.
func allowedServers(entries []listEntry, line int) check {
	deny := ownRule(ruleAllowedServers, Deny, call.CodeServerDenied, reasonAllowedServer)
	return check{
		id: ruleAllowedServers, line: line, verdict: Deny, surfaces: serverSurfaces,
		about: RuleSummary{Conditions: "the server is not " + oneOfTexts(serverTexts(entries)), Reason: deny.reason},
		meets: func(rd *reading, why *string) *rule {
			if rd.server.Folded == "" {
				if why != nil {
					*why = notServed
				}
				return nil
			}
			for i := range entries {
				if e := &entries[i]; e.server.Names(rd.server) {
					if why != nil {
						*why = fmt.Sprintf("server is allowed by %s on line %d", yamlfile.Quote(e.server.Text), e.line)
					}
					return nil
				}
			}
			if why != nil {
				*why = fmt.Sprintf("server is %s", rd.ofWhom(entries))
			}
			return deny
		},
	}
}

// deniedTools refuses the tools of a list.
func deniedTools(entries []listEntry, line int) check {
	deny := ownRule(ruleDeniedTools, Deny, call.CodeToolDenied, reasonDeniedTool)
	return check{
		id: ruleDeniedTools, line: line, verdict: Deny, surfaces: listedSurfaces, ofTools: true,
		about: RuleSummary{Tools: toolTexts(entries), Reason: deny.reason},
		meets: func(rd *reading, why *string) *rule {
			for i := range entries {
				if e := &entries[i]; e.denies(rd) {
					if why != nil {
						*why = fmt.Sprintf("tool is denied by %s on line %d", e, e.line)
					}
					return deny
				}
			}
			if why != nil {
				*why = fmt.Sprintf("tool is not %s", oneOfTexts(toolTexts(entries)))
			}
			return nil
		},
	}
}

// allowedTools refuses the tools of servers that are not on a list.
func allowedTools(entries []listEntry, line int) check {
	deny := ownRule(ruleAllowedTools, Deny, call.CodeToolDenied, reasonAllowedTool)
	return check{
		id: ruleAllowedTools, line: line, verdict: Deny, surfaces: listedSurfaces, ofTools: true,
		about: RuleSummary{Conditions: "the tool of a server is not " + oneOfTexts(toolTexts(entries)), Reason: deny.reason},
		meets: func(rd *reading, why *string) *rule {
			if rd.server.Folded == "" {
				if why != nil {
					*why = notServed
				}
				return nil
			}
			for i := range entries {
				if e := &entries[i]; e.allows(rd) {
					if why != nil {
						*why = fmt.Sprintf("tool is allowed by %s on line %d", e, e.line)
					}
					return nil
				}
			}
			if why != nil {
				*why = fmt.Sprintf("tool is not %s", oneOfTexts(toolTexts(entries)))
			}
			return deny
		},
	}
}

// ofWhom says whose tool a reading is, and which listed servers it is not.
func (rd *reading) ofWhom(entries []listEntry) string {
	if rd.server.Folded == "" {
		return "not " + oneOfTexts(serverTexts(entries))
	}
	return yamlfile.Quote(rd.server.Written) + ", not " + oneOfTexts(serverTexts(entries))
}

// String names the entry for people.
func (e *listEntry) String() string {
	if e.server.Anything() {
		return yamlfile.Quote(e.tool.Text)
	}
	return yamlfile.Quote(e.tool.Text) + " of " + yamlfile.Quote(e.server.Text)
}

func serverTexts(entries []listEntry) (out []string) {
	for i := range entries {
		out = append(out, entries[i].server.Text)
	}
	return out
}

func toolTexts(entries []listEntry) (out []string) {
	for i := range entries {
		text := entries[i].tool.Text
		if !entries[i].server.Anything() {
			text += " of " + entries[i].server.Text
		}
		out = append(out, text)
	}
	return out
}

// oneOfTexts formats the first few texts of a list.
func oneOfTexts(texts []string) string {
	if len(texts) == 0 {
		return "on the list, which is empty"
	}
	var shown []string
	for _, text := range texts[:min(len(texts), maxListed)] {
		shown = append(shown, yamlfile.Quote(text))
	}
	if more := len(texts) - len(shown); more > 0 {
		shown = append(shown, fmt.Sprintf("%d more", more))
	}
	return yamlfile.OneOf(shown)
}
