package policy

import (
	"slices"
	"strings"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/policy/condition"
	"github.com/weir-gate/weir/internal/policy/toolname"
)

// A rule is one compiled rule.
type rule struct {
	id         string
	line       int
	from       string   // the file, if the policy has several; "": there is one
	changed    []string // what other files change of it
	place      int      // among the rules of the policy
	disabled   bool
	unless     []exception
	verdict    Verdict
	reason     string
	shadow     bool
	surfaces   []call.Surface
	tools      []toolname.Glob
	notTools   []toolname.Glob // tools that it is not about
	servers    []toolname.Glob // nil: any server, or none
	hints      []call.Hint     // one of which the tool must have; nil: any tool
	who        []whoTest
	conditions *condition.Condition // nil: none
	sanitize   *sanitizer           // of the verdict sanitize
	secrets    []*sanitizer         // the secrets that its conditions search for with the operator secret
	cap        *Cap                 // of the verdict cap_cost
	asking     *asking              // of the verdict pending_approval
	rate       *RateLimit           // nil: none
	own        *ownPart             // nil: it is a rule of the policy
}

// An ownPart is set only in weir's own rules, those of the guard and of the canary. Their tools, surfaces and actors are not
// compared, and they allow no call.
type ownPart struct {
	code string // of a refusal
}

// A whoTest requires that one field of the actor matches one of some globs.
type whoTest struct {
	field string
	globs []toolname.Glob
}

// ownRule is one of weir's own rules, which refuses or flags calls.
func ownRule(id string, verdict Verdict, code, reason string) *rule {
	return &rule{id: id, verdict: verdict, reason: reason, own: &ownPart{code}}
}

// restricts says whether the rule demands something of calls. For its demand one matching value is enough, even if the rule allows
// calls only when all values match.
func (r *rule) restricts() bool { return r.verdict != Allow || r.rate != nil }

// covers says whether the rule is about a surface.
func (r *rule) covers(s call.Surface) bool {
	for _, surface := range r.surfaces {
		if surface == s {
			return true
		}
	}
	return false
}

// onlyOn says whether the rule is about this surface alone.
func (r *rule) onlyOn(s call.Surface) bool {
	return len(r.surfaces) > 0 && !slices.ContainsFunc(r.surfaces, func(other call.Surface) bool { return other != s })
}

func (r *rule) namesAny(names []toolname.Name) bool { return nameAny(r.tools, names) }

// excepts says whether the rule is not about a tool that its other globs name. The name of a tool's server excepts nothing.
func (r *rule) excepts(rd *reading) bool {
	if r.notTools == nil {
		return false
	}
	name := rd.tool
	if rd.toolOfServer != "" {
		name = rd.toolOfServer
	}
	folded := toolname.Fold(name)
	return slices.ContainsFunc(r.notTools, func(g toolname.Glob) bool { return g.MatchesFolded(folded) })
}

func nameAny(globs []toolname.Glob, names []toolname.Name) bool {
	for i := range globs {
		for _, n := range names {
			if globs[i].Names(n) {
				return true
			}
		}
	}
	return false
}

// namesAsWritten says whether the rule matches one of the names without folding.
func (r *rule) namesAsWritten(names []toolname.Name) bool {
	for i := range r.tools {
		for _, n := range names {
			if r.tools[i].NamesAsWritten(n) {
				return true
			}
		}
	}
	return false
}

// serves says whether the rule is about the tools of a server. A rule that names no server is about all tools.
func (r *rule) serves(server toolname.Name) bool {
	if r.servers == nil {
		return true
	}
	for i := range r.servers {
		if r.servers[i].Names(server) {
			return true
		}
	}
	return false
}

// hinted says whether the reading's tool, as the registry knows it, has one of the rule's hints. For a rule that restricts, one of
// several known tools is enough. A rule that allows needs all of them, and trusts only definitions that are trusted: the hints are the
// server's own words.
func (r *rule) hinted(rd *reading) bool {
	if r.hints == nil {
		return true
	}
	has := func(k call.Known) bool {
		return slices.ContainsFunc(k.Hints, func(h call.Hint) bool { return slices.Contains(r.hints, h) })
	}
	if r.restricts() {
		return slices.ContainsFunc(rd.known, has)
	}
	return len(rd.known) > 0 && !slices.ContainsFunc(rd.known, func(k call.Known) bool { return !has(k) || k.State != call.ToolTrusted })
}

// namesServer says whether the rule is about certain servers, not about any.
func (r *rule) namesServer() bool {
	for i := range r.servers {
		if strings.Trim(r.servers[i].Text, "*%") != "" {
			return true
		}
	}
	return false
}

// guessed says whether the rule restricts another tool that the name could mean.
func (r *rule) guessed(rd *reading) bool {
	if !r.restricts() || !r.namesServer() {
		return false
	}
	for i := range r.servers {
		for k := range r.tools {
			e := listEntry{server: r.servers[i], tool: r.tools[k]}
			if e.meantBy(rd) {
				return true
			}
		}
	}
	return false
}

// deniesAll says whether the rule denies its actor every tool of the reading's server.
func (r *rule) deniesAll(rd *reading) bool {
	if r.verdict != Deny || r.shadow || r.conditions != nil || r.hints != nil || r.notTools != nil || r.unless != nil {
		return false
	}
	return r.covers(rd.surface) && r.misfit(rd.actor) == nil && r.serves(rd.server) &&
		slices.ContainsFunc(r.tools, func(g toolname.Glob) bool { return g.TakesAllOf(rd.server.Written) })
}

// misfit returns the first who test that the actor fails, or nil.
func (r *rule) misfit(a call.Actor) *whoTest {
	for i := range r.who {
		if !r.who[i].matches(a) {
			return &r.who[i]
		}
	}
	return nil
}

func (w *whoTest) matches(a call.Actor) bool {
	if w.field == "session" { // an id, which nobody spells in two ways
		written := toolname.Name{Written: a.Session}
		return slices.ContainsFunc(w.globs, func(g toolname.Glob) bool { return g.NamesAsWritten(written) })
	}
	folded := toolname.Fold(w.of(a))
	for i := range w.globs {
		if w.globs[i].MatchesFolded(folded) {
			return true
		}
	}
	return false
}

// of returns the field of the actor that the test is about.
func (w *whoTest) of(a call.Actor) string {
	switch w.field {
	case "org":
		return a.Org
	case "team":
		return a.Team
	case "employee":
		return a.Employee
	case "key":
		return a.Key
	default:
		return a.Session
	}
}
