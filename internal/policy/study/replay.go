package study

import (
	"cmp"
	"slices"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/policy"
)

// A Settled is a policy's verdict on one call.
type Settled struct {
	Verdict policy.Verdict // deny, sanitize, audit or allow
	Rule    string         // that decided the call; "": the default
}

// A Change says how the verdict on a call differs from an earlier one.
type Change string

// These are the changes.
const (
	Unchanged      Change = "unchanged"
	NewlyRefused   Change = "newly_refused"
	NewlyAsked     Change = "newly_asked" // a person would be asked
	NewlyReleased  Change = "newly_released"
	NewlySanitized Change = "newly_sanitized"
	NewlyFlagged   Change = "newly_flagged"
	// NoLongerMarked says that a call passes as before, but is no longer flagged or sanitized.
	NoLongerMarked Change = "no_longer_marked"
)

// Changes are the changes that a Replay can find, the gravest first.
var Changes = []Change{NewlyRefused, NewlyAsked, NewlyReleased, NewlySanitized, NewlyFlagged, NoLongerMarked}

// ChangeOf compares the verdict on a call now with the one then.
func ChangeOf(then, now Settled) Change {
	switch {
	case now.Verdict == then.Verdict:
		return Unchanged
	case now.Verdict == policy.Deny:
		return NewlyRefused
	case now.Verdict == policy.PendingApproval:
		return NewlyAsked
	case then.Verdict == policy.Deny, then.Verdict == policy.PendingApproval:
		return NewlyReleased
	case now.Verdict == policy.Sanitize:
		return NewlySanitized
	case now.Verdict == policy.Audit && then.Verdict != policy.Sanitize:
		return NewlyFlagged
	default:
		return NoLongerMarked
	}
}

// A Replayed is a call that was ruled before and is now decided again.
type Replayed struct {
	Server, Tool string
	Then, Now    Settled
	Example      Example
	// Stopped says that the agent itself refused the call, whatever Then is.
	Stopped bool
}

// An Example is one of the changed calls, as it is shown to people.
type Example struct {
	Time   string `json:"time"`
	CallID string `json:"call_id"`
	At     string `json:"at,omitzero"` // the file and line of a transcript
	Who    string `json:"who,omitzero"`
	Args   string `json:"args,omitzero"`
	// Stopped says that the agent itself refused the call.
	Stopped bool `json:"refused_by_agent,omitzero"`
}

// A Replay collects a policy's decisions on calls that were ruled before. It holds counts and a few examples, never all calls. The
// zero Replay is not usable: use NewReplay.
type Replay struct {
	policy  *policy.Policy
	totals  map[Change]int
	inexact map[string]int
	groups  map[groupKey]*ChangeGroup
	rules   []policy.RuleSummary
	fired   []bool // by rule: it matched a call
	bare    map[toolKey]*ToolCount
	// droppedChanges counts the changes for which groups had no room, and droppedTools the calls of tools for which bare had none.
	droppedChanges, droppedTools int
	stopped                      int // calls that the agent itself refused
}

type groupKey struct {
	change             Change
	rule, server, tool string
}

type toolKey struct{ server, tool string }

// These bound the memory of a Replay. Names of tools come from models, so there can be any number of them.
const (
	maxExamples     = 3
	maxChangeGroups = 2000
	maxBareTools    = 2000
)

// NewReplay returns a Replay without calls.
func NewReplay(p *policy.Policy) *Replay {
	rules := p.Rules()
	return &Replay{
		policy: p, totals: map[Change]int{}, inexact: map[string]int{}, groups: map[groupKey]*ChangeGroup{},
		rules: rules, fired: make([]bool, len(rules)), bare: map[toolKey]*ToolCount{},
	}
}

// Add counts a call.
func (r *Replay) Add(c Replayed) {
	change := ChangeOf(c.Then, c.Now)
	r.totals[change]++
	if c.Stopped {
		r.stopped++
	}
	if change == Unchanged {
		return
	}
	// If something newly applies, the new rule is named; if it no longer applies, the old one.
	rule := c.Now.Rule
	if change == NewlyReleased || change == NoLongerMarked {
		rule = c.Then.Rule
	}
	key := groupKey{change, rule, c.Server, c.Tool}
	g := r.groups[key]
	if g == nil {
		if len(r.groups) >= maxChangeGroups {
			r.droppedChanges++
			return
		}
		g = &ChangeGroup{Change: change, Rule: rule, Server: c.Server, Tool: c.Tool}
		r.groups[key] = g
	}
	g.Count++
	if c.Stopped {
		g.Stopped++
	}
	if len(g.Examples) < maxExamples {
		g.Examples = append(g.Examples, c.Example)
	}
}

// AddInexact counts a call that cannot be decided again because the record lacks something, and why.
func (r *Replay) AddInexact(why string) { r.inexact[why]++ }

// Meet notes which rules match a call, and whether any rule is about its tool.
func (r *Replay) Meet(q policy.Query) {
	places, covered := r.policy.Meets(q)
	for _, place := range places {
		r.fired[place] = true
	}
	if !covered && len(q.Tools) > 0 && q.Surface != call.Egress {
		r.uncovered(toolKey{q.Server, q.Tools[0]})
	}
}

func (r *Replay) uncovered(key toolKey) {
	t := r.bare[key]
	if t == nil {
		if len(r.bare) >= maxBareTools {
			r.droppedTools++
			return
		}
		t = &ToolCount{Server: key.server, Tool: key.tool}
		r.bare[key] = t
	}
	t.Count++
}

// A ChangeGroup is the calls of one tool that one rule changed in one way.
type ChangeGroup struct {
	Change   Change    `json:"change"`
	Rule     string    `json:"rule,omitzero"` // "": the default
	Server   string    `json:"server,omitzero"`
	Tool     string    `json:"tool"`
	Count    int       `json:"count"`
	Stopped  int       `json:"refused_by_agent,omitzero"` // of Count: calls that the agent itself refused
	Examples []Example `json:"examples"`
}

// A ToolCount says how often a tool was called.
type ToolCount struct {
	Server string `json:"server,omitzero"`
	Tool   string `json:"tool"`
	Count  int    `json:"count"`
}

// A Report is the result of a Replay.
type Report struct {
	Policy    string         `json:"policy_version"`
	Calls     int            `json:"calls"` // those that could be decided again
	Unchanged int            `json:"unchanged"`
	Changed   int            `json:"changed"`
	Totals    map[Change]int `json:"totals"`
	// Stopped are the calls that the agent itself refused; only transcripts tell.
	Stopped int `json:"refused_by_agent,omitzero"`
	// Inexact are the calls that could not be decided again, by reason.
	Inexact map[string]int `json:"inexact"`
	Groups  []ChangeGroup  `json:"groups"` // the gravest and most frequent first
	// Idle are the rules that matched no call, and Bare the tools that no rule is about. Default is the verdict on them.
	Idle    []policy.RuleSummary `json:"rules_that_never_fired"`
	Bare    []ToolCount          `json:"tools_without_rule"`
	Default policy.Verdict       `json:"default"`
	// MoreChanges counts the changes that are not in Groups, and MoreBare the calls of tools that are not in Bare.
	MoreChanges int `json:"more_changes,omitzero"`
	MoreBare    int `json:"more_calls_without_rule,omitzero"`
}

// Report returns the result.
func (r *Replay) Report() Report {
	out := Report{
		Policy: r.policy.Version(), Default: r.policy.Default(), Unchanged: r.totals[Unchanged],
		Totals: map[Change]int{}, Inexact: r.inexact, MoreChanges: r.droppedChanges, MoreBare: r.droppedTools,
		Stopped: r.stopped,
	}
	for _, change := range Changes {
		out.Totals[change] = r.totals[change]
		out.Changed += r.totals[change]
	}
	out.Calls = out.Unchanged + out.Changed
	for _, g := range r.groups {
		out.Groups = append(out.Groups, *g)
	}
	slices.SortFunc(out.Groups, func(a, b ChangeGroup) int {
		return cmp.Or(slices.Index(Changes, a.Change)-slices.Index(Changes, b.Change), b.Count-a.Count,
			cmp.Compare(a.Rule, b.Rule), cmp.Compare(a.Server, b.Server), cmp.Compare(a.Tool, b.Tool))
	})
	for i, fired := range r.fired {
		if !fired {
			out.Idle = append(out.Idle, r.rules[i])
		}
	}
	for _, t := range r.bare {
		out.Bare = append(out.Bare, *t)
	}
	slices.SortFunc(out.Bare, func(a, b ToolCount) int {
		return cmp.Or(b.Count-a.Count, cmp.Compare(a.Server, b.Server), cmp.Compare(a.Tool, b.Tool))
	})
	return out
}
