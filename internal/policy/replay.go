package policy

import (
	"cmp"
	"slices"

	"github.com/weir-gate/weir/internal/call"
)

// A Settled call is what became of one by a policy.
type Settled struct {
	Verdict Verdict // deny, sanitize, audit or allow
	Rule    string  // that decided; "": the default
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
	case now.Verdict == Deny:
		return NewlyRefused
	case then.Verdict == Deny:
		return NewlyReleased
	case now.Verdict == Sanitize:
		return NewlySanitized
	case now.Verdict == Audit && then.Verdict != Sanitize:
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
	policy  *Policy
	totals  map[Change]int
	inexact map[string]int
	groups  map[groupKey]*ChangeGroup
	fired   []bool          // by rule: it matched some call
	met     map[string]bool // ids of weir's own rules that did
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
func NewReplay(p *Policy) *Replay {
	return &Replay{
		policy: p, totals: map[Change]int{}, inexact: map[string]int{}, groups: map[groupKey]*ChangeGroup{},
		fired: make([]bool, len(p.rules)), met: map[string]bool{}, bare: map[toolKey]*ToolCount{},
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
func (r *Replay) Meet(q Query) {
	covered := false
	q.Recorded = true
	f := r.policy.facts(&q)
	readings := r.policy.readings(&q)
	for i := range readings {
		f.reading = &readings[i]
		rules := r.policy.relevant(f.reading)
		covered = covered || len(rules) > 0
		for _, m := range r.policy.match(rules, f) {
			if m.rule.own != nil {
				r.met[m.rule.id] = true
				continue
			}
			if m.some && m.rule.verdict != Allow || m.every && m.rule.verdict != Deny {
				r.fired[r.policy.placeOf(m.rule)] = true
			}
		}
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

// placeOf is the place of a rule in the file.
func (p *Policy) placeOf(r *rule) int {
	place, _ := slices.BinarySearchFunc(p.rules, r.line, func(have rule, line int) int { return have.line - line })
	for ; place < len(p.rules)-1 && &p.rules[place] != r; place++ { // several rules on one line
	}
	return place
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
	Idle    []RuleSummary `json:"rules_that_never_fired"`
	Bare    []ToolCount   `json:"tools_without_rule"`
	Default Verdict       `json:"default"`
	// MoreChanges are changes beyond those in Groups, and MoreBare calls of tools beyond those in Bare.
	MoreChanges int `json:"more_changes,omitzero"`
	MoreBare    int `json:"more_calls_without_rule,omitzero"`
}

// Report sums up.
func (r *Replay) Report() Report {
	out := Report{
		Policy: r.policy.version, Default: r.policy.fallback, Unchanged: r.totals[Unchanged],
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
			out.Idle = append(out.Idle, r.policy.rules[i].summary(r.policy))
		}
	}
	for _, own := range r.policy.guard.summaries() {
		if !r.met[own.ID] {
			out.Idle = append(out.Idle, own)
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
