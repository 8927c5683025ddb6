package policy

import (
	"strings"
	"testing"
)

// What a tool does is in its name and in its arguments. In a rule that allows, everything that it does must be named.
func TestActsOfTools(t *testing.T) {
	for _, tt := range []struct {
		condition, server, tool, args string
		denied, allowed               bool
	}{
		{"{operator: acts, value: destroy}", "github", "delete_repository", `{}`, true, true},
		{"{operator: acts, value: destroy}", "", "mcp__github__delete_repository", `{}`, true, true},
		{"{operator: acts, value: destroy}", "github", "get_repository", `{}`, false, false},
		{"{operator: acts, value: destroy}", "dns", "apply", `{"changes":[{"action":"CREATE"},{"action":"DELETE"}]}`, true, false},
		{"{operator: acts, value: [destroy, write]}", "dns", "apply", `{"changes":[{"action":"DELETE"}]}`, true, true},
		{"{operator: acts, value: read}", "github", "list_issues", `{"filter":{"action":"DELETE"}}`, true, true},
		{"{operator: acts, value: read}", "x", "tidy", `{}`, false, false},
		{"{operator: acts, value: unknown}", "x", "tidy", `{}`, true, true},
		{"{operator: not_acts, value: read}", "x", "tidy", `{}`, true, true},
		{"{operator: not_acts, value: read}", "x", "get_x", `{}`, false, false},
		{"{operator: not_acts, value: destroy}", "x", "find_and_delete", `{}`, false, false},
		{"{none: [{operator: acts, value: read}]}", "x", "create_x", `{}`, true, true},
		{"{operator: acts, value: publish}", "s3", "put", `{"options":{"acl":"public-read"}}`, true, false},
		{"{param_path: options, operator: acts, value: publish}", "s3", "put", `{"acl":"public-read"}`, false, false},
	} {
		for verdict, want := range map[string]bool{"deny": tt.denied, "allow": tt.allowed} {
			fallback := map[string]string{"deny": "allow", "allow": "deny"}[verdict]
			p := mustParse(t, "version: 1\ndefault: "+fallback+"\nrules:\n  - {id: a, tool: \"*\", verdict: "+verdict+", conditions: "+tt.condition+"}\n")
			d := p.Decide(Query{Server: tt.server, Tools: []string{tt.tool}, Args: []byte(tt.args)})
			if got := d.Rule == "a"; got != want {
				t.Errorf("%s: %s/%s %s: %s matches: %v, want %v", tt.condition, tt.server, tt.tool, tt.args, verdict, got, want)
			}
		}
	}
}

// Of code, parts of the arguments may not be known. A tool is still what its name says.
func TestActsDoNotDependOnHoles(t *testing.T) {
	p := mustParse(t, "version: 1\ndefault: allow\nrules:\n  - {id: a, tool: \"*\", verdict: deny, conditions: {operator: acts, value: destroy}}\n")
	for tool, want := range map[string]string{"get_issue": "", "delete_issue": "a"} {
		d := p.Decide(Query{Server: "x", Tools: []string{tool}, Args: []byte(`{"id":null}`), Holes: []string{"/id"}})
		if d.Rule != want {
			t.Errorf("%s: decided by %q, want %q", tool, d.Rule, want)
		}
	}
}

func TestWrongActsAreReported(t *testing.T) {
	_, err := Parse("p.yaml", []byte("version: 1\ndefault: allow\nrules:\n"+
		"  - {id: a, tool: x, verdict: deny, conditions: {operator: acts, value: [destroys]}}\n"))
	if err == nil || !strings.Contains(err.Error(), `"destroys" is not what a tool does`) {
		t.Errorf("got %v", err)
	}
}
