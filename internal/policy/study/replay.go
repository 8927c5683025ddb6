package study

import (
	"cmp"
	"slices"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/policy"
)

// A Settled call is what became of one by a policy.
type Settled struct {
	Verdict policy.Verdict // deny, sanitize, audit or allow
	Rule    string         // that decided; "": the default
}

// A Change is how what a policy says of a call differs from what was said before.
type Change string

// The changes.
const (
	Unchanged      Change = "unchanged"
	NewlyRefused   Change = "newly_refused"
	NewlyReleased  Change = "newly_released"
	NewlySanitized Change = "newly_sanitized"
	NewlyFlagged   Change = "newly_flagged"
	// NoLongerMarked says that a call passes as before, but is not flagged or sanitised any more.
	NoLongerMarked Change = "no_longer_marked"
)

// Changes are those that a Replay can find, the gravest first.
var Changes = []Change{NewlyRefused, NewlyReleased, NewlySanitized, NewlyFlagged, NoLongerMarked}

// ChangeOf says how what is said of a call now differs from what was said then.
func ChangeOf(then, now Settled) Change {
	switch {
	case now.Verdict == then.Verdict:
		return Unchanged
	case now.Verdict == policy.Deny:
		return NewlyRefused
	case then.Verdict == policy.Deny:
		return NewlyReleased
	case now.Verdict == policy.Sanitize:
		return NewlySanitized
	case now.Verdict == policy.Audit && then.Verdict != policy.Sanitize:
		return NewlyFlagged
	default:
		return NoLongerMarked
	}
}

// A Replayed call is one that was ruled before and is decided again.
type Replayed struct {
	Server, Tool string
	Then, Now    Settled
	Example      Example
}

// An Example is one of the calls that changed, as people see it.
type Example struct {
	Time   string `json:"time"`
	CallID string `json:"call_id"`
	Who    string `json:"who,omitzero"`
	Args   string `json:"args,omitzero"`
}

// A Replay adds up what a policy says of calls that were ruled before. It keeps counts and a few examples, never all calls.
// The zero Replay is not usable: NewReplay makes one.
type Replay struct {
	policy  *policy.Policy
	totals  map[Change]int
	inexact map[string]int
	groups  map[groupKey]*ChangeGroup
	rules   []policy.RuleSummary
	fired   []bool // by rule: it matched some call
	bare    map[toolKey]*ToolCount
	// dropped are the changes that found no place among the groups, and the calls of tools that found none among the tools.
	droppedChanges, droppedTools int
}

type groupKey struct {
	change             Change
	rule, server, tool string
}

type toolKey struct{ server, tool string }

// The bounds of what a Replay keeps. Names of tools come from models, so there can be any number of them.
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
	if change == Unchanged {
		return
	}
	// What newly applies is the new rule's doing; what does not apply any more was the old one's.
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
	if len(g.Examples) < maxExamples {
		g.Examples = append(g.Examples, c.Example)
	}
}

// AddInexact counts a call of which the record does not hold enough to decide it again, and why.
func (r *Replay) AddInexact(why string) { r.inexact[why]++ }

// Meet notes which rules match a call, and whether any is about its tool.
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

// A ChangeGroup are the calls of one tool that one rule changed in one way.
type ChangeGroup struct {
	Change   Change    `json:"change"`
	Rule     string    `json:"rule,omitzero"` // "": the default
	Server   string    `json:"server,omitzero"`
	Tool     string    `json:"tool"`
	Count    int       `json:"count"`
	Examples []Example `json:"examples"`
}

// A ToolCount says how often a tool was called.
type ToolCount struct {
	Server string `json:"server,omitzero"`
	Tool   string `json:"tool"`
	Count  int    `json:"count"`
}

// A Report is what a Replay came to.
type Report struct {
	Policy    string         `json:"policy_version"`
	Calls     int            `json:"calls"` // that could be decided again
	Unchanged int            `json:"unchanged"`
	Changed   int            `json:"changed"`
	Totals    map[Change]int `json:"totals"`
	// Inexact are the calls that could not be decided again, by why.
	Inexact map[string]int `json:"inexact"`
	Groups  []ChangeGroup  `json:"groups"` // the gravest and most frequent first
	// Idle are the rules that matched no call, and Bare the tools that no rule is about, with the verdict on them.
	Idle    []policy.RuleSummary `json:"rules_that_never_fired"`
	Bare    []ToolCount          `json:"tools_without_rule"`
	Default policy.Verdict       `json:"default"`
	// MoreChanges are changes beyond those in Groups, and MoreBare calls of tools beyond those in Bare.
	MoreChanges int `json:"more_changes,omitzero"`
	MoreBare    int `json:"more_calls_without_rule,omitzero"`
}

// Report sums up.
func (r *Replay) Report() Report {
	out := Report{
		Policy: r.policy.Version(), Default: r.policy.Default(), Unchanged: r.totals[Unchanged],
		Totals: map[Change]int{}, Inexact: r.inexact, MoreChanges: r.droppedChanges, MoreBare: r.droppedTools,
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
