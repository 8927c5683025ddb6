package policycmd

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/policy"
	"github.com/weir-gate/weir/internal/policy/study"
	"github.com/weir-gate/weir/internal/record"
)

// connectionEvent is a connection as it is recorded.
func connectionEvent(host, verdict, rule string) record.Event {
	e := record.Event{
		Type: record.Types.Connection, Surface: call.Egress, Tool: string(call.Connect), CallID: "call_1",
		Ruling: record.Ruling{Verdict: verdict, Rule: rule},
		Args:   []byte(`{"host":"` + host + `","address":"192.0.2.1","port":443}`), Detail: record.Connection{RemoteAddr: "192.0.2.1:443"},
	}
	if verdict == "deny" {
		e.Blocked, e.Code = true, call.CodeConnectionDenied
	}
	return e
}

const connectionPolicy = `
version: 1
default: deny
rules:
  - {id: no-evil, surface: egress, verdict: deny, conditions: {param_path: host, operator: equals, value: evil.example}}
  - {id: ours, surface: egress, verdict: allow, conditions: {param_path: host, operator: host_in, value: "*.example.com"}}
  - {id: idle, surface: egress, tool: resolve, verdict: deny}
`

// A recorded connection is decided by the rules of another policy, and by the default that it had where no rule decides.
func TestReplayConnections(t *testing.T) {
	for name, tt := range map[string]struct {
		event record.Event
		want  study.Change
	}{
		"newly refused":                  {connectionEvent("evil.example", "allow", ""), study.NewlyRefused},
		"refused by another rule":        {connectionEvent("evil.example", "deny", "old"), study.Unchanged},
		"newly released by a rule":       {connectionEvent("a.example.com", "deny", ""), study.NewlyReleased},
		"by the same default, allowed":   {connectionEvent("x.example", "allow", ""), study.Unchanged},
		"by the same default, refused":   {connectionEvent("x.example", "deny", ""), study.Unchanged},
		"by the same default, flagged":   {connectionEvent("x.example", "audit", ""), study.Unchanged},
		"by a rule of weir's own":        {connectionEvent("x.example", "audit", "egress.models"), study.Unchanged},
		"a rule is gone, the default is": {connectionEvent("x.example", "allow", "old"), study.NewlyFlagged},
		"a rule that refused is gone":    {connectionEvent("x.example", "deny", "old"), study.NewlyReleased},
	} {
		t.Run(name, func(t *testing.T) {
			r := newReplayer(mustPolicy(t, connectionPolicy))
			r.egress = policy.Audit
			r.add(act{event: tt.event})
			report := r.tally.Report()
			got := study.Unchanged
			for change, n := range report.Totals {
				if n > 0 {
					got = change
				}
			}
			if got != tt.want || report.Calls != 1 || len(report.Bare) > 0 {
				t.Errorf("%s, want %s: %+v", got, tt.want, report)
			}
		})
	}
}

func TestReplayNamesIdleRulesAboutConnections(t *testing.T) {
	r := newReplayer(mustPolicy(t, connectionPolicy))
	r.add(act{event: connectionEvent("evil.example", "deny", "no-evil")})
	r.add(act{event: connectionEvent("a.example.com", "allow", "")})
	var idle []string
	for _, s := range r.tally.Report().Idle {
		idle = append(idle, s.ID)
	}
	if diff := cmp.Diff([]string{"idle"}, idle); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A connection on record is explained with what was ruled then, if that differs.
func TestExplainRecordedConnection(t *testing.T) {
	p := mustPolicy(t, connectionPolicy)
	changed := explainConnection(p, act{event: connectionEvent("evil.example", "allow", "")}, policy.Allow)
	if changed.Decision.Rule != "no-evil" || changed.Call == nil || changed.Then == nil || changed.Then.Verdict != policy.Allow {
		t.Errorf("%+v", changed)
	}
	same := explainConnection(p, act{event: connectionEvent("x.example", "audit", "")}, policy.Allow)
	if same.Decision.Verdict != policy.Audit || same.Default != policy.Audit || same.Then != nil {
		t.Errorf("%+v", same)
	}
}

// A suggestion is about calls.
func TestSuggestLeavesConnectionsOut(t *testing.T) {
	s := study.NewSuggestion()
	for _, seen := range (act{event: connectionEvent("evil.example", "allow", "")}).seen() {
		s.Add(seen)
	}
	if p := mustPolicy(t, s.YAML()); p.Len() != 0 {
		t.Errorf("%d rules of a connection:\n%s", p.Len(), s.YAML())
	}
}

// What one of weir's own rules refused is not said to be refused by the default.
func TestExplainOwnRules(t *testing.T) {
	p := mustPolicy(t, "version: 1\ndefault: deny\n")
	for rule := range ownRules {
		e := connectionEvent("a.example", "deny", rule)
		got := explainConnection(p, act{event: e}, policy.Allow)
		if got.Decision.Verdict != policy.Allow || got.Then == nil || got.Then.Rule != rule || !strings.Contains(got.Note, rule) {
			t.Errorf("%s: %+v, then %+v, note %q", rule, got.Decision, got.Then, got.Note)
		}
	}
	if got := explainConnection(p, act{event: connectionEvent("a.example", "deny", "")}, policy.Allow); got.Decision.Verdict != policy.Deny || got.Note != "" {
		t.Errorf("by the default: %+v, note %q", got.Decision, got.Note)
	}
}
