package policy

import (
	"slices"
	"testing"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/policy/preset"
)

const emptyPolicy = "version: 1\ndefault: allow\n"

// Every policy refuses the canary where calls are made and where connections are, and requests may offer it.
func TestCanary(t *testing.T) {
	policies := []string{
		emptyPolicy, "version: 1\ndefault: deny\nrules: [{id: all, tool: '*', verdict: allow}, {id: out, surface: egress, verdict: allow}]",
		emptyPolicy + "rules: [{id: none, tool: '*', verdict: deny}, {id: out, surface: egress, conditions: {param_path: host, operator: exists}, verdict: deny}]",
		emptyPolicy + "mcp: {server_policy: allowlist, allowed_servers: []}\n",
	}
	for _, name := range preset.Names() {
		source, err := preset.Text(name)
		if err != nil {
			t.Fatal(err)
		}
		policies = append(policies, string(source))
	}
	for _, text := range policies {
		p := mustParse(t, text)
		for name, tt := range map[string]struct {
			query Query
			code  string // "": it is not the canary
		}{
			"a model's call":   {said("weir_canary"), call.CodeToolDenied},
			"in other letters": {said("Weir_Canary"), call.CodeToolDenied},
			"a server's":       {said("mcp__fs__weir_canary"), call.CodeToolDenied},
			"to a server":      {to("fs", "weir_canary"), call.CodeToolDenied},
			"offered":          {offered(said("weir_canary")), ""},
			"another tool":     {said("weir_canary2"), ""},
			"connected":        {connecting(`{"host":"canary.weir.invalid","address":"192.0.2.1","port":443}`), call.CodeConnectionDenied},
			"below":            {connecting(`{"host":"A1.Canary.weir.invalid."}`), call.CodeConnectionDenied},
			"among others":     {connecting(`{"host":["a.example","canary.weir.invalid"]}`), call.CodeConnectionDenied},
			"another host":     {connecting(`{"host":"notcanary.weir.invalid"}`), ""},
			"no host":          {connecting(`{"address":"192.0.2.1"}`), ""},
			"host as a tool":   {Query{Tools: []string{"Bash"}, Args: []byte(`{"host":"canary.weir.invalid"}`)}, ""},
		} {
			d := p.Decide(tt.query)
			isCanary := d.Rule == RuleCanary
			if isCanary != (tt.code != "") || isCanary && (d.Code != tt.code || !d.Refused() || d.Reason != reasonCanary) {
				t.Errorf("%s: %+v\n%s", name, d, text)
			}
			checkExplained(t, text, p, tt.query)
			early, refused := p.RefusedByName(tt.query)
			if byName := tt.code == call.CodeToolDenied; byName && (!refused || early.Rule != RuleCanary) {
				t.Errorf("%s: not refused by name: %+v", name, early)
			}
		}
	}
}

// The canary makes no policy a restricting one, and no request one that must be inspected.
func TestCanaryRestrictsNothing(t *testing.T) {
	p := mustParse(t, emptyPolicy)
	for _, s := range []call.Surface{call.Response, call.MCP, call.Inbound, call.Egress} {
		if p.Covers(s) || p.Restricts(s, call.Actor{}) {
			t.Errorf("an empty policy covers or restricts %s", s)
		}
	}
	if p.Len() != 0 || len(p.List(call.Actor{}).Rules) != 0 || len(p.Rules()) != 0 {
		t.Error("the canary counts as a rule of the policy")
	}
	own := p.List(call.Actor{}).Own
	if !slices.ContainsFunc(own, func(s RuleSummary) bool { return s.ID == RuleCanary && s.Line == 0 }) {
		t.Errorf("the canary is not listed: %+v", own)
	}
	if e := p.Explain(connecting(`{"host":"a.example"}`)); len(e.Readings) != 1 || len(e.Readings[0].Rules) != 0 {
		t.Errorf("the canary is told of where it does not apply: %+v", e)
	}
	if e := p.Explain(connecting(`{"host":"canary.weir.invalid"}`)); len(e.Readings[0].Rules) != 1 || !e.Readings[0].Rules[0].Matched {
		t.Errorf("the canary is not told of: %+v", e)
	}
}

// A rule about connections covers egress and nothing else, and one about calls does not cover egress.
func TestCoversConnections(t *testing.T) {
	for text, want := range map[string][2]bool{ // covers and restricts egress
		"{id: a, surface: egress, verdict: deny}":                     {true, true},
		"{id: a, surface: egress, verdict: allow}":                    {true, false},
		"{id: a, surface: [egress, mcp], tool: '*', verdict: audit}":  {true, false},
		"{id: a, surface: egress, verdict: deny, who: {team: other}}": {true, false},
		"{id: a, tool: '*', verdict: deny}":                           {false, false},
	} {
		p := mustParse(t, emptyPolicy+"rules: ["+text+"]")
		if got := [2]bool{p.Covers(call.Egress), p.Restricts(call.Egress, call.Actor{})}; got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
	if p := mustParse(t, "version: 1\ndefault: deny\nmcp: {denied_servers: [{id: x}]}"); !p.Covers(call.Egress) || !p.Restricts(call.Egress, call.Actor{}) {
		t.Error("the lists of servers are not about egress")
	}
	if p := mustParse(t, "version: 1\ndefault: deny\nrules: [{id: a, surface: egress, verdict: deny}]"); p.Covers(call.Inbound) || p.Covers(call.Response) {
		t.Error("a rule about connections covers another surface")
	}
}
