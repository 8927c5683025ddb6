package policy

import (
	"errors"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/text/yamlfile"
)

// mustParse compiles a policy that has to be right.
func mustParse(t testing.TB, text string) *Policy {
	t.Helper()
	p, err := Parse("policy.yaml", []byte(text))
	if err != nil {
		t.Fatalf("parse:\n%v\n%s", err, text)
	}
	return p
}

// withRule is a policy of one rule with the given lines.
func withRule(lines ...string) string {
	return "version: 1\ndefault: allow\nrules:\n  - " + strings.Join(lines, "\n    ") + "\n"
}

// withCondition is a policy of one deny rule with one condition, on line 8.
func withCondition(condition string) string {
	return withRule("id: r", "tool: Bash", "verdict: deny", "conditions:", "  all:", "  - {"+condition+"}")
}

func TestParseProblems(t *testing.T) {
	tests := []struct {
		name, text string
		want       []string // all problems, without the file's name
	}{
		{"empty", "", []string{": the file is empty; write a mapping of keys to values"}},
		{"a list", "- a\n", []string{":1:1: expected a mapping, found a list"}},
		{"nothing required", "rules: []\n", []string{
			`:1:1: the key "version" is missing; add it`,
			`:1:1: the key "default" is missing; add it`,
		}},
		{"version", "version: 2\ndefault: allow\n", []string{":1:10: version: only version 1 is known; write version: 1"}},
		{"version as a string", "version: '1'\ndefault: allow\n", []string{":1:10: version: only version 1 is known; write version: 1"}},
		{"unknown key", "version: 1\ndefault: allow\nrule: []\n", []string{":3:1: rule: unknown key; did you mean rules?"}},
		{"rules empty", "version: 1\ndefault: allow\nrules:\n", []string{":3:8: rules: expected a list of rules; write each rule as a list item, or rules: []"}},
		{
			"everything at once", withRule("id: r", "tool: []", "verdict: dney", "shadow: yes", "toool: x", "surface: [response, mcp, sea]"),
			[]string{
				`:5:11: rules[0].tool: the list is empty; write at least one item, or remove the key`,
				`:6:14: rules[0].verdict: "dney" is not a verdict; use allow, audit, deny, pending_approval, sanitize or cap_cost`,
				`:7:13: rules[0].shadow: expected true or false, found a string`,
				`:8:5: rules[0].toool: unknown key; did you mean tool?`,
				`:9:30: rules[0].surface[2]: "sea" is not a surface; use response, mcp, inbound or egress`,
			},
		},
		{"missing keys", withRule("reason: x"), []string{
			`:4:5: rules[0]: the key "id" is missing; add it`,
			`:4:5: rules[0]: the key "tool" is missing; add it`,
			`:4:5: rules[0]: the key "verdict" is missing; add it`,
		}},
		{"lists", "version: 1\ndefault: allow\nlists: {Bad: [a], empty: [], later: [$good], good: [a], x: [$y], y: [b, $x]}\nrules:\n- {id: r, tool: [$good, $nope], verdict: deny}\n", []string{
			`:3:14: lists.Bad: "Bad" is not the name of a list; use up to 64 small letters, digits, dashes and underscores, a letter first`,
			`:3:26: lists.empty: the list is empty; write at least one item, or remove the key`,
			`:3:73: lists.y[1]: the list "x" contains itself; remove its name from one of the lists`,
			`:5:25: rules[0].tool[1]: there is no list "nope"; define it under the key lists`,
		}},
		{"nobody is asked about offers", withRule("id: r", "tool: x", "verdict: pending_approval", "surface: inbound"), []string{
			`:6:14: rules[0].verdict: nobody is asked about what requests offer: it is not called yet; use audit or deny for surface: inbound, in a rule of its own`,
		}},
		{"surfaces to come", withRule("id: r", "tool: x", "verdict: deny", "surface: text"), []string{`:7:14: rules[0].surface: "text" is not built yet; use response, mcp, inbound or egress`}},
		{"duplicate id", withRule("id: r", "tool: x", "verdict: deny", "shadow: false\n  - id: r", "tool: y", "verdict: deny"), []string{
			`:8:9: rules[1].id: the id "r" is used twice, first on line 4; give each rule its own id`,
		}},
		{"duplicate key", withRule("id: r", "tool: x", "tool: y", "verdict: deny"), []string{":6:5: rules[0].tool: this key is given twice, first on line 5; remove one of them"}},
		{"bad id", withRule("id: a b", "tool: x", "verdict: deny"), []string{`:4:9: rules[0].id: "a b" is not an id; use up to 64 letters, digits, dots, dashes and underscores`}},
		{"an id of weir's own", withRule("id: MCP.scan", "tool: x", "verdict: deny"), []string{`:4:9: rules[0].id: ids that begin with mcp. are those of weir's own rules; use another id`}},
		{"tool as a number", withRule("id: r", "tool: 7", "verdict: deny"), []string{":5:11: rules[0].tool: expected a string or a list of strings, found a number; write a tool name or glob"}},
		{"invisible tool", withRule("id: r", `tool: "\u200b"`, "verdict: deny"), []string{":5:11: rules[0].tool: nothing of this pattern can be seen; write a tool name or glob"}},
		{"who of nobody", withRule("id: r", "tool: x", "verdict: deny", "who: {}"), []string{":7:10: rules[0].who: who names nobody; name one of org, team, employee, key or session, or remove the key"}},
		{"who unknown", withRule("id: r", "tool: x", "verdict: deny", "who: {user: ann}"), []string{":7:11: rules[0].who.user: unknown key; the keys here are org, team, employee, key or session"}},
		{"reason of two lines", withRule("id: r", "tool: x", "verdict: deny", `reason: "a\nb"`), []string{":7:13: rules[0].reason: a reason is one line of printable characters; put it on one line"}},
		{"shadow as a word", withRule("id: r", "tool: x", "verdict: deny", "shadow: yes"), []string{":7:13: rules[0].shadow: expected true or false, found a string"}},
		{"no conditions", withRule("id: r", "tool: x", "verdict: deny", "conditions: {}"), []string{
			":7:17: rules[0].conditions: expected a condition; write any, all or none with a list, time, model, or param_path with operator and value",
		}},
		{"conditions as a list", withRule("id: r", "tool: x", "verdict: deny", "conditions: []"), []string{
			":7:17: rules[0].conditions: expected a condition; write any, all or none with a list, time, model, or param_path with operator and value",
		}},
		{"empty block", withRule("id: r", "tool: x", "verdict: deny", "conditions: {any: []}"), []string{
			":7:23: rules[0].conditions.any: the list is empty; write at least one item, or remove the key",
		}},
		{"block beside a test", withRule("id: r", "tool: x", "verdict: deny", "conditions: {none: [{param_path: a, operator: exists}], param_path: b}"), []string{
			":7:61: rules[0].conditions.param_path: unknown key; the keys here are any, all, none, time or model",
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			checkProblems(t, tt.text, tt.want)
		})
	}
}

func checkProblems(t *testing.T, text string, want []string) {
	t.Helper()
	p, err := Parse("policy.yaml", []byte(text))
	if p != nil {
		t.Fatalf("a policy came with the error %v", err)
	}
	var problems yamlfile.Problems
	if !errors.As(err, &problems) {
		t.Fatalf("got %T %v, want Problems", err, err)
	}
	var got []string
	for line := range strings.SplitSeq(problems.Error(), "\n") {
		got = append(got, strings.TrimPrefix(line, "policy.yaml"))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("problems (-want +got):\n%s", diff)
	}
}

func TestConditionProblems(t *testing.T) {
	tests := []struct{ condition, want string }{
		{"param_path: a, operator: contain, value: x", `.operator: "contain" is not an operator; did you mean contains?`},
		{"param_path: a, operator: sql, value: frob", `.value: statement kind "frob" is not known; write a verb such as DROP, a verb and an object such as DROP TABLE, DELETE without WHERE, or one of read, write, ddl, shell, file, admin`},
		{"operator: exists", `: "exists" needs a param_path; name the parameter, or write $ for all of them`},
		{"param_path: a", `: the key "operator" is missing; add it`},
		{"param_path: a, operator: equals", `: "equals" needs a value; add the key value`},
		{"param_path: a, operator: equals, value: ", `.value: expected a value, found nothing; write null to mean null, or "" for an empty string`},
		{"param_path: a, operator: equals, value: [1]", `.value: expected a string, number, true, false or null, found a list; compare arrays with param_path: name[*]`},
		{"param_path: a, operator: equals, value: 0x10", `.value: "0x10" is not a decimal number; write it as JSON does, such as 16 or 1.5, or in quotes if it is a string`},
		{"param_path: a, operator: equals, value: 1e9999999999", `.value: the exponent is too large; write a number that a tool could be given`},
		{"param_path: a, operator: exists, value: true", `.value: "exists" takes no value; remove the key`},
		{"param_path: a, operator: in, value: x", `.value: expected a list, found a string`},
		{"param_path: a, operator: in, value: []", `.value: the list is empty; write at least one item, or remove the key`},
		{"param_path: a, operator: contains, value: ''", `.value: expected a string to look for, found an empty string; write a string to look for`},
		{"param_path: a, operator: contains, value: 5", `.value: expected a string, found a number; put it in quotes`},
		{"param_path: a, operator: gt, value: '5'", `.value: expected a number, found a string`},
		{"param_path: a, operator: gt, value: .inf", `.value: ".inf" is not a decimal number; write it as JSON does, such as 16 or 1.5, or in quotes if it is a string`},
		{"param_path: a, operator: matches, value: 'a('", `.value: this is not a regular expression: missing closing ): "a("; write RE2, which has no look-around and no back-references`},
		{"param_path: a, operator: matches, value: '(?=a)'", `.value: this is not a regular expression: invalid or unsupported Perl syntax: "(?="; write RE2, which has no look-around and no back-references`},
		{"param_path: $, operator: equals, value: x", `.operator: "equals" does not fit $, which is always an object; use a string operator, or name a parameter`},
		{"param_path: $, operator: not_exists", `.operator: "not_exists" does not fit $, which is always an object; use a string operator, or name a parameter`},
		{"param_path: 'a..b', operator: exists", `.param_path: "a..b" is not a path; a name is missing: write a.b, without dots at the ends or next to each other`},
	}
	for _, tt := range tests {
		t.Run(tt.condition, func(t *testing.T) {
			_, err := Parse("policy.yaml", []byte(withCondition(tt.condition)))
			if err == nil {
				t.Fatal("no problem")
			}
			_, got, _ := strings.Cut(err.Error(), "rules[0].conditions.all[0]")
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("problem (-want +got):\n%s\nwhole: %v", diff, err)
			}
		})
	}
}

// An error names the operators that there are.
func TestUnknownOperator(t *testing.T) {
	_, err := Parse("policy.yaml", []byte(withCondition("param_path: a, operator: frobnicate, value: x")))
	if err == nil {
		t.Fatal("no problem")
	}
	for _, want := range []string{`"frobnicate" is not an operator; use one of acts, cidr_in, `, ", not_runs, ", ", surely_sends, ", " or writes"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q is not in: %v", want, err)
		}
	}
}

func TestVersionNamesTheSource(t *testing.T) {
	a, b := mustParse(t, "version: 1\ndefault: allow\n"), mustParse(t, "version: 1\ndefault: deny\n")
	if a.Version() == b.Version() {
		t.Error("two policies, one version")
	}
	if again := mustParse(t, "version: 1\ndefault: allow\n"); again.Version() != a.Version() {
		t.Error("one policy, two versions")
	}
}

func TestJSONIsYAML(t *testing.T) {
	p := mustParse(t, `{"version": 1, "default": "deny", "rules": [
	{"id": "r", "tool": "Bash", "verdict": "allow", "conditions": {"all": [
		{"param_path": "command", "operator": "equals", "value": "ls \u002d\/"}]}}]}`)
	d := p.Decide(Query{Tools: []string{"Bash"}, Args: []byte(`{"command":"ls -/"}`)})
	if d.Verdict != Allow {
		t.Errorf("got %+v", d)
	}
}

func quoted(s string) []byte {
	b, _ := jsontext.AppendQuote(nil, s)
	return b
}
