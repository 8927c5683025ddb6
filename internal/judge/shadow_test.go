package judge_test

import (
	"testing"
	"time"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/judge"
	"github.com/weir-gate/weir/internal/policy"
	"github.com/weir-gate/weir/internal/policy/limit"
)

// limited is a judge with limits that have not been touched.
func limited(t *testing.T, rules string, r judge.Recorder) *judge.Judge {
	t.Helper()
	p := parse(t, "version: 1\ndefault: allow\nrules:\n"+rules)
	budgets, err := limit.NewBudgets(t.Context(), limit.BudgetsConfig{Now: time.Now()})
	if err != nil {
		t.Fatal(err)
	}
	return judge.New(judge.Config{
		Policy: func() *policy.Policy { return p }, Recorder: r, Rates: limit.NewRates(limit.RatesConfig{}), Budgets: budgets, Prices: fixedPrices{},
	})
}

// The demands of shadow rules are tried: the record says what they would have come to, and nothing where they would not.
func TestShadowDemands(t *testing.T) {
	r := &notebook{}
	j := limited(t, `
  - {id: rate, tool: ping, verdict: allow, shadow: true, rate_limit: {calls_per_minute: 1, burst: 2}}
  - {id: cap, tool: ask, verdict: cap_cost, shadow: true, cap_cost: {limit: 0.4, per: org, window: 24h}}
  - {id: mail, tool: post, verdict: sanitize, shadow: true, sanitize: {presets: [email]}}
`, r)
	for i, tt := range []struct{ tool, args, wouldBe, rule string }{
		{"ping", `{}`, "", ""},
		{"ping", `{}`, "", ""},
		{"ping", `{}`, "deny", "rate"},
		{"ask", `{}`, "", ""},
		{"end", ``, "", ""},
		{"ask", `{}`, "deny", "cap"},
		{"post", `{"text":"nothing"}`, "", ""},
		{"post", `{"text":"ann@acme.com"}`, "sanitize", "mail"},
	} {
		if tt.tool == "end" {
			j.Ended(call.Outcome{Actor: aCall("", "").Actor})
			continue
		}
		got := ruled(t, j, aCall(tt.tool, tt.args))
		e := r.events[len(r.events)-1]
		if !got.Released || got.Args != nil || e.Verdict != "allow" || e.WouldBe != tt.wouldBe || e.Rule != tt.rule {
			t.Errorf("call %d: ruled %+v, recorded %+v", i, got, e)
		}
	}
}

// A rate restricts, whatever the verdict of its rule is: what a name might mean counts, and one value is enough.
func TestRatesRestrict(t *testing.T) {
	for name, tt := range map[string]struct {
		rule string
		call call.Call
	}{
		"a name that may be of the server": {
			`{id: r, server: fs, tool: "*", verdict: allow, rate_limit: {calls_per_minute: 1, burst: 1}}`, aCall("fs_read", `{}`),
		},
		"one of several commands": {
			`{id: r, tool: Bash, verdict: allow, rate_limit: {calls_per_minute: 1, burst: 1}, conditions: {operator: runs, value: curl}}`,
			aCall("Bash", `{"command":"curl a; ls"}`),
		},
	} {
		j := limited(t, "  - "+tt.rule+"\n", &notebook{})
		if got := ruled(t, j, tt.call); !got.Released {
			t.Errorf("%s: the first: ruled %+v", name, got)
		}
		if got := ruled(t, j, tt.call); got.Released || got.Code != call.CodeRateLimited {
			t.Errorf("%s: the second: ruled %+v", name, got)
		}
	}
}

// What a name might mean lets nothing pass.
func TestGuessesLetNothingPass(t *testing.T) {
	p := parse(t, `
version: 1
default: deny
rules:
  - {id: r, server: fs, tool: "*", verdict: allow, rate_limit: {calls_per_minute: 60}}
  - {id: s, server: fs, tool: "*", verdict: audit}
`)
	if d := p.Decide(policy.Query{Tools: []string{"fs_read"}}); !d.Refused() {
		t.Errorf("decided %+v", d)
	}
	if d := p.Decide(policy.Query{Tools: []string{"mcp__fs__read"}}); d.Refused() {
		t.Errorf("decided %+v", d)
	}
}

// A call that a limit refuses is recorded under the rule of that limit, whatever shadow rules would do.
func TestShadowBesideLimit(t *testing.T) {
	r := &notebook{}
	j := limited(t, `
  - {id: tried, tool: ping, verdict: audit, shadow: true, rate_limit: {calls_per_minute: 1, burst: 1}}
  - {id: real, tool: ping, verdict: allow, rate_limit: {calls_per_minute: 1, burst: 1}}
`, r)
	ruled(t, j, aCall("ping", `{}`))
	if got := ruled(t, j, aCall("ping", `{}`)); got.Released || got.Rule != "real" {
		t.Errorf("ruled %+v", got)
	}
	if e := r.events[1]; e.Rule != "real" || e.Verdict != "deny" || e.WouldBe != "" || e.Code != call.CodeRateLimited {
		t.Errorf("recorded %+v", e)
	}
}
