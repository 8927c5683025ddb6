package study

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/policy"
)

func TestChanges(t *testing.T) {
	want := map[[2]policy.Verdict]Change{
		{policy.Deny, policy.Deny}: Unchanged, {policy.Deny, policy.Allow}: NewlyReleased, {policy.Deny, policy.Audit}: NewlyReleased, {policy.Deny, policy.Sanitize}: NewlyReleased,
		{policy.Allow, policy.Deny}: NewlyRefused, {policy.Audit, policy.Deny}: NewlyRefused, {policy.Sanitize, policy.Deny}: NewlyRefused,
		{policy.Allow, policy.Sanitize}: NewlySanitized, {policy.Audit, policy.Sanitize}: NewlySanitized, {policy.Allow, policy.Audit}: NewlyFlagged,
		{policy.Allow, policy.PendingApproval}: NewlyAsked, {policy.Deny, policy.PendingApproval}: NewlyAsked,
		{policy.PendingApproval, policy.Deny}: NewlyRefused, {policy.PendingApproval, policy.Allow}: NewlyReleased,
		{policy.PendingApproval, policy.Sanitize}: NewlyReleased, {policy.PendingApproval, policy.PendingApproval}: Unchanged,
		{policy.Audit, policy.Allow}: NoLongerMarked, {policy.Sanitize, policy.Allow}: NoLongerMarked, {policy.Sanitize, policy.Audit}: NoLongerMarked, {policy.Allow, policy.Allow}: Unchanged,
	}
	for verdicts, change := range want {
		if got := ChangeOf(Settled{Verdict: verdicts[0]}, Settled{Verdict: verdicts[1]}); got != change {
			t.Errorf("from %s to %s: got %s, want %s", verdicts[0], verdicts[1], got, change)
		}
	}
}

// A replay keeps no more than its bounds, and says what it left out.
func TestReplayIsBounded(t *testing.T) {
	p := parsed(t, "version: 1\ndefault: deny\n")
	r := NewReplay(p)
	for i := range 2 * maxChangeGroups {
		tool := "t" + string(rune('a'+i%26)) + string(rune(0x4e00+i))
		r.Meet(policy.Query{Tools: []string{tool}})
		for range 2 * maxExamples {
			r.Add(Replayed{Tool: tool, Then: Settled{Verdict: policy.Allow}, Now: Settled{Verdict: policy.Deny}})
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

// A replay says which of weir's own rules never fired.
func TestReplayMeetsTheBlock(t *testing.T) {
	p := parsed(t, mcpPolicy("allow", "denied_servers: [{id: evil}]\nversion_pinning: {}\nrate_limits: {default_rpm: 5}"))
	r := NewReplay(p)
	r.Meet(policy.Query{Surface: call.MCP, Server: "evil", Tools: []string{"x"}})
	r.Meet(policy.Query{Surface: call.MCP, Server: "fs", Tools: []string{"x"}, Known: []call.Known{{Server: "fs", Tool: "x", State: call.ToolTrusted}}})
	var idle []string
	for _, s := range r.Report().Idle {
		idle = append(idle, s.ID)
	}
	if diff := cmp.Diff([]string{"mcp.version_pinning"}, idle); diff != "" {
		t.Errorf("idle (-want +got):\n%s", diff)
	}
}
