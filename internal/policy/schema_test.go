package policy

import (
	"strings"
	"testing"

	"github.com/weir-gate/weir/internal/policy/preset"
	"github.com/weir-gate/weir/internal/text/yamlfile/schematest"
)

func newChecker(t *testing.T) *schematest.Checker {
	t.Helper()
	c, err := schematest.New(Schema())
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestPresetsFitTheSchema(t *testing.T) {
	c := newChecker(t)
	for _, name := range preset.Names() {
		source, err := preset.Text(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := c.CheckFile(name, source); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// What the loader takes, the schema takes.
func TestSchemaTakesWhatTheLoaderTakes(t *testing.T) {
	c := newChecker(t)
	for seed := range uint64(200) {
		text := newMaker(seed).policy()
		mustParse(t, text)
		if err := c.CheckFile("policy.yaml", []byte(text)); err != nil {
			t.Fatalf("%v:\n%s", err, text)
		}
	}
	for _, rule := range []string{
		"verdict: sanitize, sanitize: {presets: email, patterns: [{name: n, regex: x}], paths: [a, 'b[*]']}",
		"verdict: cap_cost, cap_cost: {limit: 5.00, currency: USD, per: session, window: 24h}",
		"verdict: audit, rate_limit: {calls_per_minute: 0.5, burst: 3, per: [tool, session]}",
		"verdict: deny, server: ['a*', b], surface: [inbound, response]",
		"verdict: deny, conditions: {param_path: [a, b.c], operator: runs, value: [rm, 'git push*']}",
		"verdict: deny, conditions: {operator: expr, value: size(args) > 3}",
		"verdict: deny, conditions: {param_path: a, operator: secret, value: [jwt, email]}",
		"verdict: deny, conditions: {param_path: a, operator: not_within, value: ~/x}, shadow: true, reason: No., who: {key: ci}",
	} {
		text := "version: 1\ndefault: allow\nrules:\n- {id: r, tool: x, " + rule + "}\n"
		mustParse(t, text)
		if err := c.CheckFile("policy.yaml", []byte(text)); err != nil {
			t.Errorf("%s: %v", rule, err)
		}
	}
}

// A policy that extends another one may have parts of rules.
func TestSchemaOfExtendingPolicies(t *testing.T) {
	c := newChecker(t)
	for text, fits := range map[string]bool{
		"version: 1\nextends: balanced\n": true,
		"version: 1\nextends: balanced\nrules: [{id: ask-removal, verdict: deny}, {id: no-credentials, disabled: true, unless: [{until: 2026-12-24}]}]\n": true,
		"version: 1\nextends: 5\n": false, "extends: balanced\n": false, "version: 1\nextends: balanced\nrules: [{verdict: deny}]\n": false,
		"version: 1\nextends: balanced\nrules: [{id: ask-removal, unless: [{}]}]\n":                                    false,
		"version: 1\nextends: balanced\nrules: [{id: ask-removal, unless: [{frob: x}]}]\n":                             false,
		"version: 1\nextends: balanced\nrules: [{id: ask-removal, conditions: {time: {days: [moon]}}}]\n":              false,
		"version: 1\nextends: balanced\nrules: [{id: ask-removal, conditions: {time: {zone: UTC}}}]\n":                 false,
		"version: 1\nextends: balanced\nrules: [{id: ask-removal, conditions: {model: []}}]\n":                         false,
		"version: 1\nextends: balanced\nrules: [{id: ask-removal, conditions: {time: {hours: noon}}}]\n":               false,
		"version: 1\nextends: balanced\nrules: [{id: ask-removal, conditions: {time: {until: 2026-12-24}}}]\n":         true,
		"version: 1\nextends: balanced\nrules: [{id: ask-removal, conditions: {model: [a], time: {days: sat-sun}}}]\n": true,
	} {
		if _, err := Parse("policy.yaml", []byte(text)); (err == nil) != fits {
			t.Errorf("the loader says %v of\n%s", err, text)
		}
		if err := c.CheckFile("policy.yaml", []byte(text)); (err == nil) != fits {
			t.Errorf("the schema says %v of\n%s", err, text)
		}
	}
}

// What the loader rejects for a key, a type or a word, the schema rejects.
func TestSchemaRejectsWhatTheLoaderRejects(t *testing.T) {
	c := newChecker(t)
	var texts []string
	for _, document := range []string{
		"default: allow", "version: 1", "version: 2\ndefault: allow", "version: '1'\ndefault: allow", "version: 1\ndefault: sanitize",
		"version: 1\ndefault: allow\nmcp: {}", "version: 1\ndefault: allow\nrule: []", "version: 1\ndefault: allow\nrules: {}",
		"version: 1\ndefault: allow\nrules: [x]", "[]", "version: 1\ndefault: allow\nrules: [{id: a}]",
	} {
		texts = append(texts, document+"\n")
	}
	rule := func(body string) { texts = append(texts, "version: 1\ndefault: allow\nrules:\n- {"+body+"}\n") }
	for _, body := range []string{
		"tool: x, verdict: deny", "id: r, verdict: deny", "id: r, tool: x", "id: r r, tool: x, verdict: deny", "id: mcp.x, tool: x, verdict: deny", "id: Mcp.x, tool: x, verdict: deny", "id: 5, tool: x, verdict: deny",
		"id: r, tool: [], verdict: deny", "id: r, tool: '', verdict: deny", "id: r, tool: {a: b}, verdict: deny", "id: r, tool: 7, verdict: deny",
	} {
		rule(body)
	}
	for _, more := range []string{
		"verdict: dney", "verdict: deny, approval: {}", "verdict: deny, frob: 1", "verdict: deny, shadow: yes",
		"verdict: deny, surface: text", "verdict: deny, surface: []", "verdict: deny, who: {}", "verdict: deny, who: {user: a}",
		"verdict: deny, who: {team: 5}", "verdict: deny, server: 5", "verdict: deny, reason: 5", "verdict: deny, reason: ''",
		"verdict: sanitize", "verdict: deny, sanitize: {presets: [jwt]}", "verdict: sanitize, sanitize: {}",
		"verdict: sanitize, sanitize: {presets: [frob]}", "verdict: sanitize, sanitize: {patterns: [{name: x}]}",
		"verdict: cap_cost", "verdict: cap_cost, cap_cost: {limit: 5}", "verdict: cap_cost, cap_cost: {limit: -1, per: key, window: 1h}",
		"verdict: cap_cost, cap_cost: {limit: 1, per: tool, window: 1h}", "verdict: cap_cost, cap_cost: {limit: 1, per: key, window: 1y}",
		"verdict: deny, rate_limit: {calls_per_minute: 1}", "verdict: allow, rate_limit: {burst: 1}",
		"verdict: allow, rate_limit: {calls_per_minute: 1, burst: 0}", "verdict: allow, rate_limit: {calls_per_minute: 1, burst: 1.5}",
	} {
		rule("id: r, tool: x, " + more)
	}
	for _, condition := range []string{
		"{}", "[]", "x", "{any: []}", "{any: x}", "{some: [{param_path: a, operator: exists}]}", "{any: [{param_path: a, operator: exists}], operator: exists}",
		"{param_path: a}", "{operator: exists}", "{param_path: a, operator: frob, value: x}", "{param_path: a, operator: exists, value: x}",
		"{param_path: a, operator: equals}", "{param_path: a, operator: equals, value: [1]}", "{param_path: a, operator: in, value: x}",
		"{param_path: a, operator: in, value: []}", "{param_path: a, operator: contains, value: 5}", "{param_path: a, operator: contains, value: ''}",
		"{param_path: a, operator: gt, value: '5'}", "{param_path: a, operator: runs, value: 5}", "{param_path: a, operator: runs, value: []}",
		"{param_path: a, operator: secret, value: frob}", "{param_path: a, operator: not_secret, value: jwt}", "{param_path: a, operator: expr, value: 'true'}",
		"{operator: expr}", "{operator: expr, value: 5}", "{param_path: 5, operator: exists}", "{param_path: [], operator: exists}",
		"{param_path: a, operator: exists, frob: 1}", "{all: [{none: [{param_path: a, operator: frob}]}]}",
	} {
		rule("id: r, tool: x, verdict: deny, conditions: " + condition)
	}
	for _, text := range texts {
		if _, err := Parse("policy.yaml", []byte(text)); err == nil {
			t.Errorf("the loader takes\n%s", text)
		}
		if c.CheckFile("policy.yaml", []byte(text)) == nil {
			t.Errorf("the schema takes\n%s", strings.TrimSpace(text))
		}
	}
}
