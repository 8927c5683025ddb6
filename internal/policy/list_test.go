package policy

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/call"
)

func TestListGroupsWhatApplies(t *testing.T) {
	p := mustParse(t, `
version: 1
default: deny
rules:
  - {id: pass, tool: Read, verdict: allow}
  - {id: any-server, tool: Drop, server: "*", verdict: deny}
  - {id: one-server, tool: "*", server: git, verdict: deny}
  - {id: by-prefix, tool: ["mcp__a__*", "mcp__b__*"], verdict: deny}
  - {id: mixed, tool: ["mcp__a__*", Bash], verdict: deny}
  - {id: if, tool: Bash, conditions: {param_path: a, operator: exists}, verdict: deny}
  - {id: often, tool: Bash, verdict: allow, rate_limit: {calls_per_minute: 0.5}}
  - {id: core, tool: Bash, who: {team: core, employee: ["a*", b]}, verdict: audit}
`)
	groups := func(l Listing) (out [][2]string) {
		for _, r := range l.Rules {
			out = append(out, [2]string{string(r.Group), r.ID})
		}
		return out
	}
	want := [][2]string{
		{"refused", "any-server"},
		{"refused", "mixed"},
		{"conditional", "if"},
		{"conditional", "often"},
		{"mcp", "one-server"},
		{"mcp", "by-prefix"},
		{"passed", "pass"},
	}
	nobody := p.List(call.Actor{})
	if diff := cmp.Diff(want, groups(nobody)); diff != "" || nobody.Others != 1 || nobody.Default != Deny {
		t.Errorf("%d others, default %s (-want +got):\n%s", nobody.Others, nobody.Default, diff)
	}
	ann := p.List(call.Actor{Team: "core", Employee: "ann"})
	if diff := cmp.Diff(append(want, [2]string{"passed", "core"}), groups(ann)); diff != "" || ann.Others != 0 {
		t.Errorf("%d others (-want +got):\n%s", ann.Others, diff)
	}
	last := ann.Rules[len(ann.Rules)-1]
	if want := "team core, employee a* or b"; last.Who != want {
		t.Errorf("who is %q, want %q", last.Who, want)
	}
}

func TestConditionsOnOneLine(t *testing.T) {
	tests := map[string]string{
		"{param_path: a, operator: exists}":                                                                                               "a exists",
		"{param_path: a, operator: in, value: [x, 1, null]}":                                                                              `a in ["x",1,null]`,
		"{operator: expr, value: 'tool == \"x\"'}":                                                                                        `expr "tool == \"x\""`,
		"{any: [{param_path: a, operator: exists}]}":                                                                                      "a exists",
		"{none: [{param_path: a, operator: exists}, {param_path: b, operator: exists}]}":                                                  "not (a exists or b exists)",
		"{all: [{param_path: a, operator: exists}, {none: [{param_path: b, operator: exists}]}]}":                                         "a exists and not (b exists)",
		"{any: [{param_path: a, operator: exists}], none: [{param_path: b, operator: exists}]}":                                           "a exists and not (b exists)",
		"{any: [{all: [{param_path: a, operator: exists}, {param_path: b, operator: gt, value: 1}]}, {param_path: c, operator: exists}]}": "(a exists and b gt 1) or c exists",
	}
	for text, want := range tests {
		p := mustParse(t, "version: 1\ndefault: allow\nrules: [{id: r, tool: T, verdict: deny, conditions: "+text+"}]")
		if got := p.List(call.Actor{}).Rules[0].Conditions; got != want {
			t.Errorf("%s\n got %s\nwant %s", text, got, want)
		}
	}
}

func TestListTellsTheBlock(t *testing.T) {
	p := mustParse(t, withBlock("allow", `servers:
  - {id: w, type: http, url: "https://h/x?v=1", auth: {type: bearer, token: hunter2}}
server_policy: allowlist
allowed_servers: [{id: w}, {id: "f*"}]
denied_servers: [{id: evil}]
tool_policy: allowlist
allowed_tools: []
denied_tools: [{server: w, tool: x}, {tool: y}]
fail_closed: true
version_pinning: {auto_trust_first: false}
scan: {results: {high: deny}}
rate_limits: {default_rpm: 60, per_server: {w: {calls_per_minute: 10, burst: 3}}}`)+
		"rules: [{id: git, tool: '*', server: git, verdict: deny}, {id: no, tool: x, verdict: deny}]\n")
	list := p.List(call.Actor{})
	var got []string
	for _, r := range list.Rules {
		line := fmt.Sprintf("%s %s %d %s %v", r.Group, r.ID, r.Line, r.Verdict, r.Tools)
		for _, more := range []string{strings.Join(r.Servers, "+"), r.Conditions, strings.Join(r.Duties, "; ")} {
			if more != "" {
				line += " | " + more
			}
		}
		got = append(got, line)
	}
	want := []string{
		`refused no 16 deny [x]`,
		`mcp git 16 deny [*] | git`,
		`mcp mcp.denied_servers 8 deny [*] | evil`,
		`mcp mcp.allowed_servers 7 deny [*] | the server is not "w" or "f*"`,
		`mcp mcp.denied_tools 11 deny [x of w y]`,
		`mcp mcp.allowed_tools 10 deny [*] | the tool of a server is not on the list, which is empty`,
		`mcp mcp.fail_closed 12 deny [*] | the tool is neither a known server's nor one of native_tools`,
		`mcp mcp.version_pinning 13 deny [*] | a server's tool is not defined as it was when it was trusted | trusts tools only when a person does`,
		`mcp mcp.scan 14 deny [*] | the definition of a server's tool has findings | definitions: critical deny high audit medium audit low allow; results: critical audit high deny medium allow low allow`,
		`mcp mcp.rate_limits 15 allow [*] | w: at most 10 calls a minute, 3 at once, per server; at most 60 calls a minute, 60 at once, per server`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("rules (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]ServerSummary{{ID: "w", Line: 5, Type: "http", Address: "https://h/x"}}, list.Servers); diff != "" {
		t.Errorf("servers (-want +got):\n%s", diff)
	}
}
