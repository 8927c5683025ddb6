package policy

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/call"
)

func TestListGroupsWhatApplies(t *testing.T) {
	p := mustParse(t, `
version: 1
default: deny
rules:
  - {id: pass, tool: Read, verdict: allow}
  - {id: any-server, tool: Drop, server: "*", verdict: deny}
  - {id: one-server, tool: "*", server: git, verdict: deny}
  - {id: by-prefix, tool: ["mcp__a__*", "mcp__b__*"], verdict: deny}
  - {id: mixed, tool: ["mcp__a__*", Bash], verdict: deny}
  - {id: if, tool: Bash, conditions: {param_path: a, operator: exists}, verdict: deny}
  - {id: often, tool: Bash, verdict: allow, rate_limit: {calls_per_minute: 0.5}}
  - {id: core, tool: Bash, who: {team: core, employee: ["a*", b]}, verdict: audit}
`)
	groups := func(l Listing) (out [][2]string) {
		for _, r := range l.Rules {
			out = append(out, [2]string{string(r.Group), r.ID})
		}
		return out
	}
	want := [][2]string{
		{"refused", "any-server"},
		{"refused", "mixed"},
		{"conditional", "if"},
		{"conditional", "often"},
		{"mcp", "one-server"},
		{"mcp", "by-prefix"},
		{"passed", "pass"},
	}
	nobody := p.List(call.Actor{})
	if diff := cmp.Diff(want, groups(nobody)); diff != "" || nobody.Others != 1 || nobody.Default != Deny {
		t.Errorf("%d others, default %s (-want +got):\n%s", nobody.Others, nobody.Default, diff)
	}
	ann := p.List(call.Actor{Team: "core", Employee: "ann"})
	if diff := cmp.Diff(append(want, [2]string{"passed", "core"}), groups(ann)); diff != "" || ann.Others != 0 {
		t.Errorf("%d others (-want +got):\n%s", ann.Others, diff)
	}
	last := ann.Rules[len(ann.Rules)-1]
	if want := "team core, employee a* or b"; last.Who != want {
		t.Errorf("who is %q, want %q", last.Who, want)
	}
}

func TestConditionsOnOneLine(t *testing.T) {
	tests := map[string]string{
		"{param_path: a, operator: exists}":                                                                                               "a exists",
		"{param_path: a, operator: in, value: [x, 1, null]}":                                                                              `a in ["x",1,null]`,
		"{operator: expr, value: 'tool == \"x\"'}":                                                                                        `expr "tool == \"x\""`,
		"{any: [{param_path: a, operator: exists}]}":                                                                                      "a exists",
		"{none: [{param_path: a, operator: exists}, {param_path: b, operator: exists}]}":                                                  "not (a exists or b exists)",
		"{all: [{param_path: a, operator: exists}, {none: [{param_path: b, operator: exists}]}]}":                                         "a exists and not (b exists)",
		"{any: [{param_path: a, operator: exists}], none: [{param_path: b, operator: exists}]}":                                           "a exists and not (b exists)",
		"{any: [{all: [{param_path: a, operator: exists}, {param_path: b, operator: gt, value: 1}]}, {param_path: c, operator: exists}]}": "(a exists and b gt 1) or c exists",
	}
	for text, want := range tests {
		p := mustParse(t, "version: 1\ndefault: allow\nrules: [{id: r, tool: T, verdict: deny, conditions: "+text+"}]")
		if got := p.List(call.Actor{}).Rules[0].Conditions; got != want {
			t.Errorf("%s\n got %s\nwant %s", text, got, want)
		}
	}
}

func TestChanges(t *testing.T) {
	want := map[[2]Verdict]Change{
		{Deny, Deny}: Unchanged, {Deny, Allow}: NewlyReleased, {Deny, Audit}: NewlyReleased, {Deny, Sanitize}: NewlyReleased,
		{Allow, Deny}: NewlyRefused, {Audit, Deny}: NewlyRefused, {Sanitize, Deny}: NewlyRefused,
		{Allow, Sanitize}: NewlySanitized, {Audit, Sanitize}: NewlySanitized, {Allow, Audit}: NewlyFlagged,
		{Audit, Allow}: NoLongerMarked, {Sanitize, Allow}: NoLongerMarked, {Sanitize, Audit}: NoLongerMarked, {Allow, Allow}: Unchanged,
	}
	for verdicts, change := range want {
		if got := ChangeOf(Settled{Verdict: verdicts[0]}, Settled{Verdict: verdicts[1]}); got != change {
			t.Errorf("from %s to %s: got %s, want %s", verdicts[0], verdicts[1], got, change)
		}
	}
}

// A replay keeps no more than its bounds, and says what it left out.
func TestReplayIsBounded(t *testing.T) {
	p := mustParse(t, "version: 1\ndefault: deny\n")
	r := NewReplay(p)
	for i := range 2 * maxChangeGroups {
		tool := "t" + string(rune('a'+i%26)) + string(rune(0x4e00+i))
		r.Meet(Query{Tools: []string{tool}})
		for range 2 * maxExamples {
			r.Add(Replayed{Tool: tool, Then: Settled{Verdict: Allow}, Now: Settled{Verdict: Deny}})
		}
	}
	report := r.Report()
	if len(report.Groups) != maxChangeGroups || len(report.Bare) != maxBareTools || len(report.Groups[0].Examples) != maxExamples {
		t.Errorf("%d groups, %d tools, %d examples", len(report.Groups), len(report.Bare), len(report.Groups[0].Examples))
	}
	if report.Changed != 2*maxChangeGroups*2*maxExamples || report.MoreChanges != report.Changed/2 || report.MoreBare != maxBareTools {
		t.Errorf("%d changed, %d more, %d more without a rule", report.Changed, report.MoreChanges, report.MoreBare)
	}
}
