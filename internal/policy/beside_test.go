package policy

import (
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

// Conditions on all arguments look at what is beside them as well, and no others do.
func TestBeside(t *testing.T) {
	p := mustParse(t, `version: 1
default: deny
rules:
  - {id: order, tool: a, conditions: {param_path: $, operator: contains, value: evil}, verdict: deny}
  - {id: key, tool: a, conditions: {param_path: $, operator: secret, value: [email]}, verdict: deny}
  - {id: one, tool: a, conditions: {param_path: path, operator: contains, value: x}, verdict: deny}
  - {id: deep, tool: a, conditions: {param_path: "**.path", operator: contains, value: x}, verdict: deny}
  - {id: several, tool: b, conditions: {param_path: [path, $], operator: contains, value: evil}, verdict: deny}
  - {id: plain, tool: [a, b], verdict: allow}
  - {id: unless, tool: c, conditions: {param_path: $, operator: not_contains, value: evil}, verdict: allow}
`)
	for _, tt := range []struct{ tool, beside, rule string }{
		{"a", ``, "plain"},
		{"a", `{"_meta":{"a":"b","progressToken":7}}`, "plain"},
		{"a", `{"_meta":{"path":"x"}}`, "plain"},
		{"a", `{"_meta":{"a":{"b":["so evil"]}}}`, "order"},
		{"a", `{"task":{"a":"ann@example.com"}}`, "key"},
		{"b", `{"_meta":{"a":"evil"}}`, "several"},
		{"c", `{"_meta":{"a":"good"}}`, "unless"},
		{"c", `{"_meta":{"a":"evil"}}`, ""},
		{"a", `{"_meta":`, ""},
	} {
		q := to("fs", tt.tool)
		q.Args = jsontext.Value(`{"path":"y"}`)
		if tt.beside != "" {
			q.Beside = jsontext.Value(tt.beside)
		}
		if d := p.Decide(q); d.Rule != tt.rule {
			t.Errorf("%s beside %s: %+v, want rule %q", tt.tool, tt.beside, d, tt.rule)
		}
	}
}

// Secrets are replaced beside the arguments by the rules that look everywhere.
func TestSanitizeBeside(t *testing.T) {
	p := mustParse(t, `version: 1
default: allow
rules:
  - {id: everywhere, tool: a, verdict: sanitize, sanitize: {presets: [email]}}
  - {id: in-path, tool: b, verdict: sanitize, sanitize: {presets: [email], paths: [path]}}
`)
	const members = `{"_meta":{"to":"ann@example.com"}}`
	for tool, want := range map[string]string{"a": `{"_meta":{"to":"[redacted:email]"}}`, "b": members} {
		q := to("fs", tool)
		q.Args, q.Beside = jsontext.Value(`{"path":"ann@example.com"}`), jsontext.Value(members)
		d := p.Decide(q)
		s, err := p.Sanitize(d.Obligations, q.Args)
		if err != nil {
			t.Fatal(err)
		}
		more, err := p.SanitizeBeside(d.Obligations, q.Beside)
		if err != nil || string(more.Args) != want {
			t.Errorf("%s: %s, %v", tool, more.Args, err)
		}
		count := 1
		if tool == "a" {
			count = 2
		}
		if s.Add(more); len(s.Replaced) != 1 || s.Replaced[0].Count != count {
			t.Errorf("%s: %v", tool, s.Replaced)
		}
	}
}
