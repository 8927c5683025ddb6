// Package policy is the language of rules. It compiles a policy and decides calls with it, without clock, I/O or goroutines.
package policy

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/policy/condition"
	"github.com/weir-gate/weir/internal/policy/toolname"
	"github.com/weir-gate/weir/internal/text/yamlfile"
)

// A Verdict is what a rule, or a whole policy, says about a call.
type Verdict string

// These are the verdicts.
const (
	Allow           Verdict = "allow"
	Audit           Verdict = "audit"            // pass, flagged in the record
	CapCost         Verdict = "cap_cost"         // pass, unless a budget is used up
	Sanitize        Verdict = "sanitize"         // pass with secrets replaced
	PendingApproval Verdict = "pending_approval" // pass if a person says yes
	Deny            Verdict = "deny"
)

// A Policy is a compiled policy. It does not change and is safe for concurrent use.
type Policy struct {
	version  string
	fallback Verdict // for calls that no rule matches
	rules    []rule
	disabled []rule
	paths    condition.Paths // every param_path, once
	index    toolname.Index
	// namesServers says that some rule, or a list of denied servers or tools, is about certain MCP servers.
	namesServers bool
	// hiders are the sanitizers of all rules.
	hiders []*sanitizer
	guard  *guard // never nil
	canary *rule  // refuses connections to the canary's host; never nil
	// written is what it was compiled from.
	written Written
}

// Parse compiles the policy in data. The file's name is for messages. The error is yamlfile.Problems: everything that is wrong,
// with its position and how to fix it.
func Parse(file string, data []byte) (*Policy, error) {
	return ParseSources(Sources{Files: []Text{{Name: file, Data: data}}})
}

// FromNode compiles a policy that is part of another file. It reports problems there, and returns nil if there are any.
func FromNode(n *yamlfile.Node, report *yamlfile.Report) *Policy {
	l := layering{
		report: report, sources: Sources{Files: []Text{{Data: n.JSON()}}}, inline: true, changes: map[*yamlfile.Node][]change{},
	}
	return l.compile([]*yamlfile.Node{n})
}

// finish makes what the policy needs to decide.
func (c *compiler) finish() {
	c.policy.canary = c.canary()
	tools := make([][]toolname.Glob, len(c.policy.rules))
	for i := range c.policy.rules {
		tools[i] = c.policy.rules[i].tools
	}
	c.policy.index = toolname.NewIndex(tools)
	c.policy.namesServers = c.policy.guard.namesServers || slices.ContainsFunc(c.policy.rules, func(r rule) bool { return r.namesServer() })
	c.policy.hiders = allHiders(c.policy.rules)
	c.policy.paths = c.conditions.Done()
}

// Version identifies the source of the policy: the same source has the same version.
func (p *Policy) Version() string { return p.version }

// Default is the verdict on calls that no rule matches; connections have another default.
func (p *Policy) Default() Verdict { return p.fallback }

// Covers says whether any rule, except the canary's, is about a surface.
func (p *Policy) Covers(s call.Surface) bool {
	for i := range p.rules {
		if p.rules[i].covers(s) {
			return true
		}
	}
	return p.guard.covers(s)
}

// Restricts says whether the policy, apart from the canary, could refuse or change a call of an actor on a surface.
func (p *Policy) Restricts(s call.Surface, a call.Actor) bool {
	if p.fallbackOn(s) == Deny || p.guard.restricts(s) {
		return true
	}
	for i := range p.rules {
		r := &p.rules[i]
		restricts := r.verdict != Allow && r.verdict != Audit || r.rate != nil
		if restricts && !r.shadow && r.covers(s) && r.misfit(a) == nil {
			return true
		}
	}
	return false
}

// Len is the number of rules, without weir's own.
func (p *Policy) Len() int { return len(p.rules) }

func digest(source []byte) string {
	sum := sha256.Sum256(source)
	return "sha256:" + hex.EncodeToString(sum[:8])
}

// HasRule says whether a rule of the policy, or one of weir's own rules, has this id.
func (p *Policy) HasRule(id string) bool {
	return id == RuleCanary || p.guard.has(id) || slices.ContainsFunc(p.rules, func(r rule) bool { return r.id == id })
}
