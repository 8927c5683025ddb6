package policy_test

import (
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/policy"
	"github.com/weir-gate/weir/internal/policy/preset"
)

const inboundRules = `
version: 1
default: deny
rules:
  - {id: no-search, tool: web_search, surface: inbound, verdict: deny}
  - {id: seen, tool: "get_*", surface: [inbound, response], verdict: audit}
  - {id: no-delete, tool: "mcp__*__delete_*", surface: inbound, verdict: deny}
  - {id: no-github, tool: "github.admin", surface: inbound, verdict: deny}
  - id: ask-first
    tool: mcp
    surface: inbound
    conditions: {all: [{param_path: require_approval, operator: equals, value: never}]}
    verdict: deny
`

// What a request offers is not called yet, so the default does not decide on it. What it leaves open is judged as all that
// it could be.
func TestInbound(t *testing.T) {
	p, err := policy.Parse("policy.yaml", []byte(inboundRules))
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name    string
		query   policy.Query
		verdict policy.Verdict
		rule    string
	}{
		{"no rule", policy.Query{Tools: []string{"Bash"}}, policy.Allow, ""},
		{"by name", policy.Query{Tools: []string{"web_search"}}, policy.Deny, "no-search"},
		{"by another spelling", policy.Query{Tools: []string{"search"}, Spellings: []string{"web_search"}}, policy.Deny, "no-search"},
		{"flagged", policy.Query{Tools: []string{"get_weather"}}, policy.Audit, "seen"},
		{"all tools of a server", policy.Query{Server: "files", Tools: []string{"mcp"}, Open: true}, policy.Deny, "no-delete"},
		{"some of a server", policy.Query{Server: "files", Tools: []string{"read", "write"}}, policy.Allow, ""},
		{"a bad one of a server", policy.Query{Server: "files", Tools: []string{"read", "delete_all"}}, policy.Deny, "no-delete"},
		{"a condition on the declaration", policy.Query{
			Server: "docs", Tools: []string{"read"}, Spellings: []string{"mcp"}, Args: jsontext.Value(`{"require_approval":"never"}`),
		}, policy.Deny, "ask-first"},
		{"a condition that does not hold", policy.Query{
			Server: "docs", Tools: []string{"read"}, Spellings: []string{"mcp"}, Args: jsontext.Value(`{"require_approval":"always"}`),
		}, policy.Allow, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			q := tt.query
			q.Surface = call.Inbound
			d := p.Decide(q)
			if d.Verdict != tt.verdict || d.Rule != tt.rule {
				t.Errorf("decided %s by rule %q, want %s by %q", d.Verdict, d.Rule, tt.verdict, tt.rule)
			}
			if e := p.Explain(q); e.Decision.Verdict != d.Verdict || e.Decision.Rule != d.Rule {
				t.Errorf("explained as %+v, decided %+v", e.Decision, d)
			}
			byName, refused := p.RefusedByName(q)
			if refused && byName.Rule != d.Rule {
				t.Errorf("refused by name by rule %q", byName.Rule)
			}
		})
	}
	if d := p.Decide(policy.Query{Tools: []string{"web_search"}}); d.Verdict != policy.Deny || d.Rule != "" {
		t.Errorf("a rule for inbound decides a call: %+v", d)
	}
}

// An open name matches an exact rule that begins so, and a glob that could.
func TestOpenNames(t *testing.T) {
	for _, tt := range []struct {
		tool    string
		refused bool
	}{
		{"mcp__docs__read", true},
		{"docs.read", true},
		{"docs/*", true},
		{"mcp__*", true},
		{"*", true},
		{"mcp__docs*write", true},
		{"mcp__*__write", true},
		{"%delete%", true},
		{"MCP__DOCS__Read", true},
		{"mcp__doc__read", false},
		{"mcp__other__*", false},
		{"read", false},
		{"docs", false},
		{"mcp__docs_", false},
	} {
		p, err := policy.Parse("policy.yaml", []byte("version: 1\ndefault: allow\nrules: [{id: a, tool: '"+tt.tool+"', surface: inbound, verdict: deny}]"))
		if err != nil {
			t.Fatal(err)
		}
		q := policy.Query{Surface: call.Inbound, Server: "docs", Tools: []string{"mcp"}, Open: true}
		if got := p.Decide(q).Refused(); got != tt.refused {
			t.Errorf("a rule for %s refuses an open server: %v", tt.tool, got)
		}
	}
}

func TestCovers(t *testing.T) {
	p, err := policy.Parse("policy.yaml", []byte(inboundRules))
	if err != nil {
		t.Fatal(err)
	}
	starter, err := policy.Parse("starter", preset.Starter())
	if err != nil {
		t.Fatal(err)
	}
	if !p.Covers(call.Inbound) || starter.Covers(call.Inbound) {
		t.Error("inbound is covered by rules for it, and only by those")
	}
}

// A rule that can have no effect is an error.
func TestInboundAllow(t *testing.T) {
	for rule, wrong := range map[string]bool{
		"surface: inbound, verdict: allow":             true,
		"surface: [inbound], verdict: allow":           true,
		"surface: [inbound, response], verdict: allow": false,
		"surface: inbound, verdict: audit":             false,
		"surface: inbound, verdict: deny":              false,
		"verdict: allow":                               false,
	} {
		_, err := policy.Parse("p", []byte("version: 1\ndefault: allow\nrules: [{id: r, tool: x, "+rule+"}]"))
		if (err != nil) != wrong {
			t.Errorf("{%s}: %v", rule, err)
		}
	}
}
