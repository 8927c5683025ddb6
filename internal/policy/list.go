package policy

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/policy/toolname"
)

// A RuleGroup is the kind of a rule, for people who want to know which rules apply to them.
type RuleGroup string

// These are the groups, in the order in which they are shown.
const (
	GroupRefused     RuleGroup = "refused"     // deny, whatever the arguments
	GroupConditional RuleGroup = "conditional" // it depends on arguments, secrets, budgets or rates
	GroupMCP         RuleGroup = "mcp"         // about MCP servers and their tools
	GroupPassed      RuleGroup = "passed"      // allow or audit, whatever the arguments
	GroupOwn         RuleGroup = "weir"        // weir's own, in every policy: listed separately, in Listing.Own
)

// RuleGroups are the groups of a policy's rules in their order.
var RuleGroups = []RuleGroup{GroupRefused, GroupConditional, GroupMCP, GroupPassed}

// A RuleSummary is a rule as it is shown to people.
type RuleSummary struct {
	Group      RuleGroup      `json:"group"`
	ID         string         `json:"id"`
	Line       int            `json:"line"` // 0: it applies without being in the policy
	Verdict    Verdict        `json:"verdict"`
	Shadow     bool           `json:"shadow,omitzero"`
	Surfaces   []call.Surface `json:"surfaces"`
	Tools      []string       `json:"tools"`
	NotTools   []string       `json:"not_tools,omitzero"`
	Servers    []string       `json:"servers,omitzero"`
	Hints      []call.Hint    `json:"hints,omitzero"` // one of which the tool must have
	Who        string         `json:"who,omitzero"`
	Conditions string         `json:"conditions,omitzero"` // on one line
	Duties     []string       `json:"duties,omitzero"`     // what is done with calls that pass
	Reason     string         `json:"reason,omitzero"`
	// Unless are its exceptions.
	Unless []ExceptionSummary `json:"unless,omitzero"`
	// From is its file, if the policy has several, and Changed what other files change of it.
	From    string   `json:"from,omitzero"`
	Changed []string `json:"changed,omitzero"`
}

// A Listing is the part of a policy that concerns one actor.
type Listing struct {
	Policy  string        `json:"policy_version"`
	Default Verdict       `json:"default"` // for calls that no rule matches; not for connections
	Rules   []RuleSummary `json:"rules"`   // by group, then in the order of the file
	// Own are the rules that every policy has.
	Own []RuleSummary `json:"own_rules"`
	// Servers are the MCP servers that the policy declares.
	Servers []ServerSummary `json:"servers,omitzero"`
	// Disabled are rules that are switched off.
	Disabled []RuleSummary `json:"disabled,omitzero"`
	// Others is the number of rules that are about other people.
	Others int `json:"rules_about_others"`
}

// A ServerSummary is a declared MCP server as it is shown to people.
type ServerSummary struct {
	ID      string `json:"id"`
	Line    int    `json:"line"`
	Type    string `json:"type"`
	Address string `json:"address"` // without credentials
}

// List returns the rules that apply to an actor.
func (p *Policy) List(a call.Actor) Listing {
	out := Listing{Policy: p.version, Default: p.fallback, Rules: []RuleSummary{}, Own: []RuleSummary{canarySummary()}}
	for i, summary := range p.Rules() {
		if i >= len(p.rules) || p.rules[i].misfit(a) == nil {
			out.Rules = append(out.Rules, summary)
		} else {
			out.Others++
		}
	}
	for i := range p.disabled {
		out.Disabled = append(out.Disabled, p.disabled[i].summary(p))
	}
	if block := p.guard.block; block != nil {
		for _, s := range block.Servers {
			out.Servers = append(out.Servers, ServerSummary{ID: s.ID, Line: s.Line, Type: s.Type, Address: s.Address()})
		}
	}
	slices.SortStableFunc(out.Rules, func(a, b RuleSummary) int {
		return slices.Index(RuleGroups, a.Group) - slices.Index(RuleGroups, b.Group)
	})
	return out
}

// Rules are the rules of the policy in the order of the file, followed by those of its mcp block.
func (p *Policy) Rules() []RuleSummary {
	out := make([]RuleSummary, len(p.rules))
	for i := range p.rules {
		out[i] = p.rules[i].summary(p)
	}
	return append(out, p.guard.summaries()...)
}

func (r *rule) summary(p *Policy) RuleSummary {
	s := RuleSummary{
		Group: r.group(), ID: r.id, Line: r.line, Verdict: r.verdict, Shadow: r.shadow, Surfaces: r.surfaces,
		Tools: written(r.tools), NotTools: written(r.notTools), Servers: written(r.servers), Hints: r.hints, Duties: r.duties(), Reason: r.reason,
		From: r.from, Changed: r.changed,
	}
	for i := range r.unless {
		s.Unless = append(s.Unless, r.unless[i].summary(p))
	}
	var who []string
	for _, w := range r.who {
		who = append(who, w.field+" "+strings.Join(written(w.globs), " or "))
	}
	s.Who = strings.Join(who, ", ")
	if r.conditions != nil {
		s.Conditions = r.conditions.Line(p.paths)
	}
	return s
}

func written(globs []toolname.Glob) (out []string) {
	for _, g := range globs {
		out = append(out, g.Text)
	}
	return out
}

func (r *rule) group() RuleGroup {
	aboutServers := r.namesServer() || r.hints != nil ||
		!slices.ContainsFunc(r.tools, func(g toolname.Glob) bool { return !g.OfServers() })
	switch {
	case aboutServers:
		return GroupMCP
	case r.conditions != nil || len(r.duties()) > 0:
		return GroupConditional
	case r.verdict == Deny:
		return GroupRefused
	default:
		return GroupPassed
	}
}

// duties are what the rule demands of calls that pass, each in a few words.
func (r *rule) duties() (out []string) {
	if r.sanitize != nil {
		out = append(out, "replaces secrets")
	}
	if r.cap != nil {
		out = append(out, r.cap.String())
	}
	if r.rate != nil {
		out = append(out, r.rate.String())
	}
	return out
}

// String says what the cap refuses.
func (c Cap) String() string {
	window := fmt.Sprintf("%d minutes", c.Window/60)
	if c.Window%3600 == 0 {
		window = fmt.Sprintf("%d hours", c.Window/3600)
	}
	return fmt.Sprintf("refuses once the %s has spent %s USD in %s", c.Per,
		strconv.FormatFloat(float64(c.Limit)/1e6, 'f', -1, 64), window)
}

// String says how often calls may come.
func (l RateLimit) String() string {
	text := fmt.Sprintf("at most %s calls a minute, %d at once", strconv.FormatFloat(l.PerMinute, 'f', -1, 64), l.Burst)
	if len(l.Per) > 0 {
		text += ", per " + strings.Join(l.Per, " and ")
	}
	return text
}
