package policy

import "testing"

// A list is used by its name wherever several texts may stand: among tools, servers and actors, and in conditions, nested or not.
func TestNamedLists(t *testing.T) {
	p := mustParse(t, `
version: 1
default: allow
lists:
  shells: [Bash, run_shell]
  keys: [~/.ssh/**, "*.pem"]
  places: [$keys, /etc/**]
  people: ann@acme.com
  words: [one, "2"]
rules:
  - {id: files, tool: [$shells, Read], verdict: deny, conditions: {any: [{none: [{operator: reads, value: ./**}]}, {operator: reads, value: [$places, x]}]}}
  - {id: who, tool: deploy, who: {employee: $people}, verdict: deny}
  - {id: in, tool: say, verdict: deny, conditions: {param_path: word, operator: in, value: [$words, three]}}
  - {id: text, tool: text, verdict: deny, conditions: {param_path: word, operator: equals, value: $words}}
`)
	for _, tt := range []struct {
		tool, args, employee, rule string
	}{
		{"Bash", `{"command":"cat /etc/hosts"}`, "", "files"},
		{"run_shell", `{"command":"cat my.pem"}`, "", "files"},
		{"Read", `{"file_path":"x"}`, "", "files"},
		{"Read", `{"file_path":"y"}`, "", ""},
		{"Edit", `{"file_path":"/etc/hosts"}`, "", ""},
		{"deploy", `{}`, "ann@acme.com", "who"},
		{"deploy", `{}`, "bob@acme.com", ""},
		{"say", `{"word":"one"}`, "", "in"},
		{"say", `{"word":"three"}`, "", "in"},
		{"say", `{"word":"$words"}`, "", ""},
		{"text", `{"word":"$words"}`, "", "text"},
		{"text", `{"word":"one"}`, "", ""},
	} {
		q := Query{Tools: []string{tt.tool}, Args: []byte(tt.args)}
		q.Actor.Employee = tt.employee
		if d := p.Decide(q); d.Rule != tt.rule {
			t.Errorf("%s %s: decided by %q, want %q", tt.tool, tt.args, d.Rule, tt.rule)
		}
	}
}
