package study

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/policy"
)

func TestCases(t *testing.T) {
	p := parsed(t, "version: 1\ndefault: allow\nrules:\n- {id: stop, tool: Bash, verdict: deny, who: {team: core}}\n")
	cases, err := ParseCases("cases.yaml", []byte(`cases:
- {name: right, tool: Bash, who: {team: core}, expect: deny, rule: stop, code: tool_denied}
- {name: wrong verdict, tool: Bash, expect: deny}
- {name: wrong rule, tool: Bash, who: {team: core}, expect: deny, rule: other}
- {name: wrong code, tool: Bash, who: {team: core}, expect: deny, code: args_denied}
- {name: arguments, tool: Read, args: {n: 1e3, list: [a, null, true], nested: {k: "v"}}, expect: allow}
`))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, r := range RunCases(p, cases) {
		got = append(got, r.Case.Name+": "+r.Problem)
	}
	want := []string{
		"right: ", "wrong verdict: expected deny, got allow by default",
		"wrong rule: expected rule other, which the policy does not have",
		`wrong code: expected code args_denied, got "tool_denied"`, "arguments: ",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("results (-want +got):\n%s", diff)
	}
	if got, want := string(cases[4].Args), `{"n":1e3,"list":["a",null,true],"nested":{"k":"v"}}`; got != want {
		t.Errorf("arguments %s, want %s", got, want)
	}
}

// A rule that flags a call still does where another has nothing to replace.
func TestFlagWithNothingToReplace(t *testing.T) {
	p := parsed(t, "version: 1\ndefault: allow\nrules:\n- {id: hide, tool: Bash, verdict: sanitize, sanitize: {presets: [secrets]}}\n"+
		"- {id: watch, tool: Bash, verdict: audit}\n")
	cases, err := ParseCases("cases.yaml", []byte("cases:\n- {name: a, tool: Bash, args: {command: ls}, expect: audit, rule: watch}\n"))
	if err != nil {
		t.Fatal(err)
	}
	if r := RunCases(p, cases)[0]; r.Problem != "" {
		t.Error(r.Problem)
	}
}

func TestCaseProblems(t *testing.T) {
	_, err := ParseCases("cases.yaml", []byte(`cases:
- {name: a, tool: Bash, expect: maybe, args: [1], who: {user: ann}, code: nope}
- {tool: Bash, expct: deny}
- {name: c, tool: Bash, expect: allow, args: {n: 0x10}}
`))
	want := `cases.yaml:2:33: cases[0].expect: "maybe" is not a verdict; use allow, audit, deny, pending_approval, sanitize or cap_cost
cases.yaml:2:46: cases[0].args: expected a mapping, found a list
cases.yaml:2:57: cases[0].who.user: unknown key; the keys here are org, team, employee, key or session
cases.yaml:2:75: cases[0].code: "nope" is not a code a policy gives; use one of tool_denied, args_denied, args_unreadable, opaque_code, server_denied, unknown_tool, tool_changed, content_denied, connection_denied or not_approved
cases.yaml:3:3: cases[1]: the key "name" is missing; add it
cases.yaml:3:3: cases[1]: the key "expect" is missing; add it
cases.yaml:3:16: cases[1].expct: unknown key; did you mean expect?
cases.yaml:4:50: cases[2].args.n: "0x10" is not a decimal number; write it as JSON does, such as 16 or 1.5, or in quotes if it is a string`
	if err == nil {
		t.Fatal("no problem")
	}
	if diff := cmp.Diff(want, err.Error()); diff != "" {
		t.Errorf("problems (-want +got):\n%s", diff)
	}
}

func TestCasesWithKnownTools(t *testing.T) {
	p := parsed(t, mcpPolicy("allow", "version_pinning: {}\nfail_closed: true\ndenied_tools: [{server: fs, tool: remove}]")+
		"\nrules: [{id: destructive, tool: '*', hints: destructive, verdict: pending_approval}]")
	cases, err := ParseCases("cases.yaml", []byte(`cases:
- {name: changed, surface: mcp, server: fs, tool: read, known: {state: changed}, expect: deny, code: tool_changed, rule: mcp.version_pinning}
- {name: trusted, surface: mcp, server: fs, tool: read, known: {state: trusted}, expect: allow}
- {name: by a model, tool: mcp__fs__read, known: {state: unknown}, expect: deny, code: unknown_tool}
- {name: in another spelling, tool: fs_read, known: {server: fs, tool: read, state: trusted}, expect: allow}
- {name: bare, tool: seek, known: [{server: fs, state: trusted}, {server: web, state: changed}], expect: deny, code: tool_changed}
- {name: findings, tool: seek, known: {server: fs, state: trusted, severity: critical}, expect: deny, code: content_denied, rule: mcp.scan}
- {name: nobody knows it, tool: seek, expect: deny, code: unknown_tool, rule: mcp.fail_closed}
- {name: a list, tool: mcp__fs__remove, known: {state: trusted}, expect: deny, code: tool_denied, rule: mcp.denied_tools}
- {name: a hint, tool: mcp__fs__purge, known: {state: trusted, hints: [destructive, open_world]}, expect: pending_approval, code: not_approved, rule: destructive}
- {name: another hint, tool: mcp__fs__purge, known: {state: trusted, hints: idempotent}, expect: allow}
- {name: a method, surface: mcp, server: fs, tool: prompts/get, expect: allow}
- {name: no such list, tool: Bash, expect: allow, rule: mcp.denied_servers}
`))
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range RunCases(p, cases) {
		want := ""
		if r.Case.Name == "no such list" {
			want = "expected rule mcp.denied_servers, which the policy does not have"
		}
		if r.Problem != want {
			t.Errorf("%s: %s", r.Case.Name, r.Problem)
		}
	}
	if diff := cmp.Diff(call.Known{Server: "fs", Tool: "seek", State: call.ToolTrusted, Bare: true}, cases[4].Known[0]); diff != "" {
		t.Errorf("known (-want +got):\n%s", diff)
	}
}

func TestKnownProblems(t *testing.T) {
	for known, want := range map[string]string{
		"tool: a, known: {server: s, state: new}":                              `known.state: "new" is not a state of a tool; use trusted, unknown or changed`,
		"tool: a, known: {server: s, state: trusted, hints: cruel}":            `known.hints: "cruel" is not a hint; use destructive, read_only, open_world or idempotent`,
		"tool: a, known: {server: s}":                                          `known: the key "state" is missing; add it`,
		"tool: a, known: {state: changed}":                                     `known: the case does not say of which server the tool is; add the key server, and tool if it is called otherwise there`,
		"tool: a, known: []":                                                   `known: the list is empty; write at least one item, or remove the key`,
		"tool: a, known: {server: s, state: changed, severity: bad}":           `known.severity: "bad" is not a severity; use critical, high, medium or low`,
		"surface: mcp, server: s, tool: a, known: {server: t, state: changed}": `known.server: on the surface mcp it is certain which tool is called; remove the key`,
		"surface: mcp, server: s, tool: roots/list, known: {state: changed}":   `known: the request calls no tool; remove the key`,
		"surface: inbound, tool: a, known: {server: s, state: changed}":        `known: what is known of a tool does not count for what requests offer; remove the key`,
		"surface: mcp, tool: a":                                                `surface: a call on the surface mcp is made to a server; name it with the key server`,
	} {
		_, err := ParseCases("c", []byte("cases: [{name: n, expect: allow, "+known+"}]"))
		if err == nil {
			t.Errorf("%s: no problem", known)
			continue
		}
		if _, got, _ := strings.Cut(err.Error(), "cases[0]."); got != want {
			t.Errorf("%s:\n got %s\nwant %s", known, got, want)
		}
	}
}

// Whatever a file of cases holds, it is read or refused, and what is read can be run.
func FuzzCases(f *testing.F) {
	f.Add("cases:\n- {name: a, tool: Bash, expect: deny, args: {a: 1}}\n")
	f.Add("cases: [{name: a, surface: mcp, server: fs, tool: read, known: {state: changed, severity: high}, expect: deny, code: tool_changed}]")
	f.Add("cases: [{name: a, tool: mcp__a__b__c, known: [{server: a, state: changed}, {server: b, tool: c, state: trusted}], expect: allow}]")
	f.Add("cases: [{name: a, surface: mcp, server: fs, tool: prompts/get, expect: allow}, {surface: inbound, known: 5}]")
	p, err := policy.Parse("policy.yaml", []byte(mcpPolicy("deny", "fail_closed: true\nversion_pinning: {}\nrate_limits: {default_rpm: 1}")))
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text string) {
		cases, err := ParseCases("cases.yaml", []byte(text))
		if err != nil {
			return
		}
		for _, r := range RunCases(p, cases) {
			if r.Decision.Refused() && (r.Decision.Code == "" || r.Decision.Reason == "") {
				t.Errorf("refused without a word: %+v", r)
			}
		}
	})
}

func parsed(t *testing.T, text string) *policy.Policy {
	t.Helper()
	p, err := policy.Parse("policy.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// mcpPolicy is a policy with an mcp block of these lines.
func mcpPolicy(fallback, keys string) string {
	return "version: 1\ndefault: " + fallback + "\nmcp:\n  " + strings.ReplaceAll(keys, "\n", "\n  ") + "\n"
}
