package policy

import (
	"testing"
)

// A name that is a server's id and a tool's name is that tool, whatever clients write around and between them; no other name is.
func TestSpellingsOfDeniedTools(t *testing.T) {
	lists := map[string]string{
		"list":               "mcp: {denied_tools: [{server: my-files, tool: read_file}]}",
		"list, declared":     "mcp: {servers: [{id: my-files, type: http, url: 'https://a.example/mcp'}], denied_tools: [{server: my-files, tool: read_file}]}",
		"rule":               "rules: [{id: no, server: my-files, tool: read_file, verdict: deny}]",
		"rule of a declared": "mcp: {servers: [{id: my-files, type: http, url: 'https://a.example/mcp'}]}\nrules: [{id: no, server: my-files, tool: 'read_*', verdict: deny}]",
	}
	for kind, text := range lists {
		p, err := Parse("policy.yaml", []byte("version: 1\ndefault: allow\n"+text+"\n"))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{
			"my-files-read_file", "mcp-my-files-read_file", "my-files___read_file", "my-files|read_file", "my-files — read_file",
			"functions.mcp__my-files__read_file", "mcp__plugin_x_my-files__read_file", "mcp__plugin_some-thing_my-files__read_file",
			"functions.mcp__plugin_x_my-files__read_file", "MY_FILES::Read_File", "tools.my.files.read_file", "my-files\u200b-read_file",
		} {
			if d := p.Decide(Query{Tools: []string{name}, Args: []byte(`{}`)}); d.Verdict != Deny {
				t.Errorf("%s: %s is %+v", kind, name, d)
			}
		}
		for _, name := range []string{
			"read_file", "my-files-write", "any-my-files-read_file", "my-filesystem-read_file", "files-read_file", "mcp__other__read_file", "my-files", "x-my-files",
			"functions.read_file", "mcp__plugin_x_other__read_file",
		} {
			if d := p.Decide(Query{Tools: []string{name}, Args: []byte(`{}`)}); d.Verdict != Allow {
				t.Errorf("%s: %s is %+v", kind, name, d)
			}
		}
		if kind != "rule of a declared" { // a wildcard tells nothing of where the tool's name begins
			if d := p.Decide(Query{Tools: []string{"myfilesread_file"}, Args: []byte(`{}`)}); d.Verdict != Deny {
				t.Errorf("%s: without anything between: %+v", kind, d)
			}
		}
	}
}

// What stands for an agent's own tool is no server's for its letters.
func TestLettersOfNativeTools(t *testing.T) {
	p, err := Parse("policy.yaml", []byte("version: 1\ndefault: allow\nmcp: {denied_tools: [{server: web, tool: search}]}\n"))
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]Verdict{"websearch": Allow, "WebSearch": Allow, "web-search": Deny, "web|search": Deny} {
		if d := p.Decide(Query{Tools: []string{name}, Args: []byte(`{}`)}); d.Verdict != want {
			t.Errorf("%s is %+v", name, d)
		}
	}
}
