package policy

import (
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/call"
)

func TestExplainText(t *testing.T) {
	p := mustParse(t, `version: 1
default: allow
rules:
  - {id: other, tool: [Read, Edit], verdict: deny}
  - {id: team, tool: Bash, verdict: deny, who: {team: core}}
  - id: no-destruction
    tool: [Bash]
    verdict: deny
    reason: Destructive shell commands are not allowed here.
    conditions:
      any:
        - {param_path: command, operator: matches, value: 'rm\s+-rf'}
        - {param_path: command, operator: contains, value: sudo}
        - {none: [{param_path: timeout, operator: lte, value: 600}]}
  - {id: soon, tool: "*", verdict: audit, shadow: true}
`)
	got := p.Explain(Query{
		Tools: []string{"bash"}, Actor: call.Actor{Team: "payments"},
		Args: []byte(`{"command":["sudo","ls"],"timeout":60}`),
	}).String()
	want := `tool "bash"
  no   other (deny, line 4): tool is not "Read" or "Edit"
  no   team (deny, line 5): who: team is "payments", not "core"
  yes  no-destruction (deny, line 6): tool matches; the conditions hold
      yes  any of:
        no   command matches "rm\\s+-rf"; any of "sudo", "ls", "sudo ls"
        yes  command contains "sudo"; any of "sudo", "ls", "sudo ls"
        no   none of:
          yes  timeout lte 600; saw 60
  yes  soon (audit, line 15, shadow): tool matches; no conditions
decision: deny (rule no-destruction)
code:     args_denied
reason:   Destructive shell commands are not allowed here.
flagged:  the name matched only after it was cleaned or folded
version:  ` + p.Version() + "\n"
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("explanation (-want +got):\n%s", diff)
	}
}

func TestExplainReadingsAndLongValues(t *testing.T) {
	p := mustParse(t, withCondition("param_path: command, operator: contains, value: x"))
	got := p.Explain(Query{
		Tools: []string{"Read", "Bash"},
		Args:  []byte(`{"command":["` + strings.Repeat("é", 500) + `",1,2,3,4,5,6]}`),
	})
	text := got.String()
	for _, want := range []string{"reading 1 of the name", "this reading: allow (the default: no rule decides)", "and 3 more", "é…"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in:\n%s", want, text)
		}
	}
	if len(text) > 2000 {
		t.Errorf("%d bytes for a person to read", len(text))
	}
}

func TestExplanationAsJSON(t *testing.T) {
	p := mustParse(t, "version: 1\ndefault: deny\n")
	got, err := json.Marshal(p.Explain(Query{Tools: []string{"Bash"}}), json.Deterministic(true))
	if err != nil {
		t.Fatal(err)
	}
	refusal := `{"verdict":"deny","code":"tool_denied","reason":"No rule allows this call."}`
	want := `{"policy_version":"` + p.Version() + `","default":"deny","readings":[{"tool":"Bash","folded":"bash","rules":[],` +
		`"outcome":` + refusal + `,"by_name":true}],"decision":` + refusal + `}`
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("JSON (-want +got):\n%s", diff)
	}
}

func TestCases(t *testing.T) {
	p := mustParse(t, "version: 1\ndefault: allow\nrules:\n- {id: stop, tool: Bash, verdict: deny, who: {team: core}}\n")
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
	for _, r := range p.RunCases(cases) {
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

func TestCaseProblems(t *testing.T) {
	_, err := ParseCases("cases.yaml", []byte(`cases:
- {name: a, tool: Bash, expect: maybe, args: [1], who: {user: ann}, code: nope}
- {tool: Bash, expct: deny}
- {name: c, tool: Bash, expect: allow, args: {n: 0x10}}
`))
	want := `cases.yaml:2:33: cases[0].expect: "maybe" is not a verdict; use allow, audit, deny, sanitize or cap_cost
cases.yaml:2:46: cases[0].args: expected a mapping, found a list
cases.yaml:2:57: cases[0].who.user: unknown key; the keys here are org, team, employee, key or session
cases.yaml:2:75: cases[0].code: "nope" is not a code a policy gives; use one of tool_denied, args_denied, args_unreadable, opaque_code, server_denied, unknown_tool, tool_changed, content_denied or connection_denied
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

// An expression has no path, also in a policy without any.
func TestExplainExpression(t *testing.T) {
	p := mustParse(t, "version: 1\ndefault: allow\nrules: [{id: a, tool: x, verdict: deny, conditions: {operator: expr, value: size(args) == 1}}]")
	e := p.Explain(Query{Tools: []string{"x"}, Args: []byte(`{"a":1}`)})
	if text := e.String(); !e.Decision.Refused() || !strings.Contains(text, "yes  expr \"size(args) == 1\"\n") {
		t.Errorf("explained as\n%s", text)
	}
}

// Several paths select together: in a deny one value is enough, in an allow all must do.
func TestSeveralPaths(t *testing.T) {
	p := mustParse(t, `version: 1
default: deny
rules:
- {id: fine, tool: x, verdict: allow, conditions: {param_path: [a, b], operator: starts_with, value: src/}}
- {id: bad, tool: x, verdict: deny, conditions: {param_path: [a, b], operator: equals, value: src/secret}}
`)
	for args, want := range map[string]string{
		`{"a":"src/x"}`: "fine", `{"a":"src/x","b":"src/y"}`: "fine", `{"a":"src/x","b":"/etc"}`: "", `{"b":"src/secret"}`: "bad", `{}`: "",
	} {
		if d := p.Decide(Query{Tools: []string{"x"}, Args: []byte(args)}); d.Rule != want {
			t.Errorf("%s: %+v, want rule %q", args, d, want)
		}
	}
}
