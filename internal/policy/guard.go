package policy

import (
	"slices"
	"strings"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/policy/toolname"
)

// ownPrefix begins the ids of the guard's rules.
const ownPrefix = "mcp."

// ownPrefixes begin the ids of all of weir's own rules: those of the guard, of the canary, and of other checks of connections.
var ownPrefixes = []string{ownPrefix, "weir.", "egress."}

// IsOwnRule says that the id of a rule is that of one of weir's own rules, which no rule of a policy can have.
func IsOwnRule(id string) bool {
	return slices.ContainsFunc(ownPrefixes, func(prefix string) bool { return strings.HasPrefix(id, prefix) })
}

// These are the ids of weir's own rules.
const (
	ruleDeniedServers  = ownPrefix + "denied_servers"
	ruleAllowedServers = ownPrefix + "allowed_servers"
	ruleDeniedTools    = ownPrefix + "denied_tools"
	ruleAllowedTools   = ownPrefix + "allowed_tools"
	ruleFailClosed     = ownPrefix + "fail_closed"
	rulePinning        = ownPrefix + "version_pinning"
	ruleScan           = ownPrefix + "scan"
	ruleRates          = ownPrefix + "rate_limits"
)

// A guard is the mcp block of a policy, compiled. Its checks are weir's own rules. They depend on whose tool a call means and on
// what the registry knows of it, never on arguments, so they apply before the arguments are known. None of them allows a call.
type guard struct {
	block  *MCP    // the parts of the block that other packages need; nil: the policy has none
	checks []check // in the order in which they are reported
	scan   Scan
	native *nativeTools
	// namesServers says that something is denied for certain servers.
	namesServers bool
}

// A check is one of weir's own rules.
type check struct {
	id       string
	line     int     // 0: it applies without being in the policy
	from     string  // its file, if the policy has several
	verdict  Verdict // the strictest verdict that it gives
	surfaces []call.Surface
	ofTools  bool // it is about calls of tools, not about other requests
	// meets returns the rule that applies to a reading, or nil. If why is not nil, it is set to the reason.
	meets func(rd *reading, why *string) *rule
	about RuleSummary // the summary for people, without the fields that all checks share
}

// These are the surfaces of checks.
var (
	calledSurfaces = []call.Surface{call.Response, call.MCP}
	listedSurfaces = []call.Surface{call.Response, call.MCP, call.Inbound}
	serverSurfaces = []call.Surface{call.Response, call.MCP, call.Inbound, call.Egress}
)

// newGuard is the guard of a policy without an mcp block: it still has the default scans.
func newGuard() *guard {
	g := &guard{scan: defaultScan(), native: defaultNative}
	g.checks = []check{g.scan.check(0)}
	return g
}

// declaredReadings returns the reading as a tool of each declared server that its name could begin with, as some clients write
// names. The registry knows more spellings, but only of servers that weir has met.
func (g *guard) declaredReadings(rd reading) (out []reading) {
	if g.block == nil || len(g.block.Servers) == 0 {
		return nil
	}
	for _, guess := range toolname.Guesses(rd.tool) {
		for _, s := range g.block.Servers {
			if id := toolname.Fold(s.ID); id != guess.Server && toolname.Letters(id) != toolname.Letters(guess.Server) {
				continue
			}
			r := rd
			r.toolOfServer, r.server, r.names, r.guesses, r.rests = guess.Tool, toolname.New(s.ID), toolname.Spellings(s.ID, guess.Tool), nil, nil
			if !slices.ContainsFunc(out, func(have reading) bool { return have.server == r.server && have.toolOfServer == r.toolOfServer }) {
				out = append(out, r)
			}
		}
	}
	return out
}

// concerns says whether a check could apply to a query.
func (g *guard) concerns(q *Query) bool { return g.block != nil || len(q.Known) > 0 }

// aside says why a check does not apply to a reading; "": it may apply.
func (c *check) aside(rd *reading) string {
	switch {
	case !slices.Contains(c.surfaces, rd.surface):
		return "surface is " + string(rd.surface)
	case c.ofTools && rd.method:
		return "it calls no tool"
	case rd.surface == call.Inbound && !rd.hosted:
		// In each request, agents declare the tools of all their servers. Those tools are judged when they are called.
		return "the request only declares the tool: it is judged when it is called"
	default:
		return ""
	}
}

// meet adds weir's own rules that apply to a reading. Refusals come after those of the policy. Rules that only flag come first: if
// several rules flag a call, the first is named, and that a tool changed is more important than that it is watched.
func (g *guard) meet(rules []*rule, rd *reading) []*rule {
	if g.block == nil && len(rd.known) == 0 {
		return rules
	}
	for i := range g.checks {
		c := &g.checks[i]
		if c.aside(rd) != "" {
			continue
		}
		switch r := c.meets(rd, nil); {
		case r == nil:
		case r.verdict == Audit:
			rules = slices.Insert(rules, 0, r)
		default:
			rules = append(rules, r)
		}
	}
	return rules
}

// explain reports every check. A check that is not in the policy is reported only if it applies.
func (g *guard) explain(rd *reading, trace *ReadingTrace) {
	for i := range g.checks {
		c := &g.checks[i]
		t := RuleTrace{ID: c.id, Line: c.line, From: c.from, Verdict: c.verdict}
		if t.Why = c.aside(rd); t.Why == "" {
			if r := c.meets(rd, &t.Why); r != nil {
				t.Matched, t.Verdict = true, r.verdict
			}
		}
		if t.Matched || c.line > 0 {
			trace.Rules = append(trace.Rules, t)
		}
	}
}

// covers says whether a check in the policy is about a surface.
func (g *guard) covers(s call.Surface) bool {
	return slices.ContainsFunc(g.checks, func(c check) bool { return c.line > 0 && slices.Contains(c.surfaces, s) })
}

// restricts says whether a check in the policy could refuse a call on a surface, or slow it down.
func (g *guard) restricts(s call.Surface) bool {
	return slices.ContainsFunc(g.checks, func(c check) bool {
		return c.line > 0 && slices.Contains(c.surfaces, s) && (c.verdict == Deny || c.id == ruleRates)
	})
}

// has says whether one of weir's own rules has an id.
func (g *guard) has(id string) bool {
	return slices.ContainsFunc(g.checks, func(c check) bool { return c.id == id })
}

// summaries are the summaries of the checks in the policy.
func (g *guard) summaries() (out []RuleSummary) {
	for i := range g.checks {
		if c := &g.checks[i]; c.line > 0 {
			out = append(out, c.summary())
		}
	}
	return out
}

func (c *check) summary() RuleSummary {
	s := c.about
	s.Group, s.ID, s.Line, s.From, s.Verdict, s.Surfaces = GroupMCP, c.id, c.line, c.from, c.verdict, c.surfaces
	if s.Tools == nil {
		s.Tools = []string{"*"}
	}
	return s
}
