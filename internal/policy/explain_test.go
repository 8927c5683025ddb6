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
	e := p.Explain(Query{
		Tools: []string{"bash"}, Actor: call.Actor{Team: "payments"},
		Args: []byte(`{"command":["sudo","ls"],"timeout":60}`),
	})
	want := `decision: deny (rule no-destruction)
code:     args_denied
reason:   Destructive shell commands are not allowed here. The tool itself is allowed; this use of it is not: "sudo".
flagged:  the name matched only after it was cleaned or folded
version:  ` + p.Version() + `
tool "bash"
  no   other (deny, line 4): tool is not "Read" or "Edit"
  no   team (deny, line 5): who: team is "payments", not "core"
  yes  no-destruction (deny, line 6): tool matches; the conditions hold
      yes  any of:
        no   command matches "rm\\s+-rf"; any of "sudo", "ls", "sudo ls"
        yes  command contains "sudo"; any of "sudo", "ls", "sudo ls"
        no   none of:
          yes  timeout lte 600; saw 60
  yes  soon (audit, line 15, shadow): tool matches; no conditions
`
	if diff := cmp.Diff(want, e.String()); diff != "" {
		t.Errorf("explanation (-want +got):\n%s", diff)
	}
	brief := `tool "bash"
  yes  no-destruction (deny, line 6): tool matches; the conditions hold
      yes  any of: (2 more)
        yes  command contains "sudo"; any of "sudo", "ls", "sudo ls"
  yes  soon (audit, line 15, shadow): tool matches; no conditions
  no   2 rules for other tools, servers or people
       (--all shows why)
`
	if diff := cmp.Diff(brief, e.RulesText(false)); diff != "" {
		t.Errorf("what matters (-want +got):\n%s", diff)
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
