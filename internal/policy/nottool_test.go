package policy

import "testing"

// A rule is not about the tools that not_tool names, in whatever spelling a client has them.
func TestNotTool(t *testing.T) {
	for tool, matches := range map[string]bool{
		"delete_repository":              true,
		"mcp__github__delete_repository": true,
		"list_deleted":                   false,
		"mcp__github__list_deleted":      false,
		"LIST_DELETED":                   false,
		"mcp__fs__delete_file":           false,
		"delete_list":                    true,
		"create_issue":                   false,
		"mcp__list__delete_all":          true, // the server's name is not the tool's
	} {
		p := mustParse(t, "version: 1\ndefault: allow\nrules: [{id: a, tool: '*delete*', not_tool: ['list*', '*delete_file'], verdict: deny}]")
		if d := p.Decide(Query{Tools: []string{tool}}); d.Refused() != matches {
			t.Errorf("%s: deny: %+v", tool, d)
		}
		if _, refused := p.RefusedByName(Query{Tools: []string{tool}}); refused != matches {
			t.Errorf("%s: refused by name: %v", tool, refused)
		}
		p = mustParse(t, "version: 1\ndefault: deny\nrules: [{id: a, tool: '*delete*', not_tool: ['list*', '*delete_file'], verdict: allow}]")
		if d := p.Decide(Query{Tools: []string{tool}}); d.Refused() == matches {
			t.Errorf("%s: allow: %+v", tool, d)
		}
	}
}

// A server whose tools are denied with exceptions is not denied as a whole.
func TestNotToolOfServer(t *testing.T) {
	p := mustParse(t, "version: 1\ndefault: allow\nrules: [{id: a, server: fs, tool: '*', not_tool: read, verdict: deny}]")
	for tool, refused := range map[string]bool{"read": false, "write": true} {
		if d := p.Decide(Query{Server: "fs", Tools: []string{tool}}); d.Refused() != refused {
			t.Errorf("%s: %+v", tool, d)
		}
	}
}
