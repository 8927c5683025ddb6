package study

import (
	"slices"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/policy"
	"github.com/weir-gate/weir/internal/policy/argument"
	"github.com/weir-gate/weir/internal/policy/toolname"
)

// A Seen is a call that was ruled before, and its ruling.
type Seen struct {
	Query  policy.Query
	Then   Settled
	Code   string // of a refusal
	Reason string // of a refusal
	Day    string // such as 2026-01-31
	// Partial says that the record does not have the original arguments.
	Partial bool
}

// A Suggestion collects calls and makes a policy from them that allows only what was released. It holds counts, names of tools and
// people, and of arguments only folders, hosts and programs.
type Suggestion struct {
	tools   map[toolKey]*seenTool
	refused map[refusalKey]*seenRefusal
	// dropped counts the calls of tools for which there was no room.
	dropped int
}

// A seenTool is a tool with a call that was released.
type seenTool struct {
	server, tool string // as first written
	owner        string // the server that surely has the tool, folded; "": none
	uses
	flagged, sanitized int
	partial            bool                  // the arguments of some call are not known
	params             map[string]*parameter // of the first call, by folded name
}

// uses say how often something was called, by whom and when.
type uses struct {
	count int
	who   []string // the first few actors
	more  bool     // there are more actors
	last  string   // the last day
}

type refusalKey struct {
	toolKey
	code, rule, reason string
}

type seenRefusal struct {
	server, tool string
	uses
}

// These bound the memory of a Suggestion.
const (
	maxSeenTools  = 5000
	maxNamed      = 3
	maxParameters = 64
	// enoughCalls is how many calls must support a condition.
	enoughCalls = 5
)

// NewSuggestion returns a Suggestion that has seen nothing.
func NewSuggestion() *Suggestion {
	return &Suggestion{tools: map[toolKey]*seenTool{}, refused: map[refusalKey]*seenRefusal{}}
}

// Add counts a call. Only calls of tools count. Offers in requests are no calls yet, and connections are effects of calls.
func (s *Suggestion) Add(c Seen) {
	if c.Query.Surface == call.Inbound || c.Query.Surface == call.Egress || len(c.Query.Tools) == 0 {
		return
	}
	server, tool := c.Query.Server, c.Query.Tools[0]
	key := toolKey{toolname.Fold(server), toolname.Fold(tool)}
	if c.Then.Verdict == policy.Deny || c.Then.Verdict == policy.PendingApproval {
		s.addRefused(refusalKey{key, c.Code, c.Then.Rule, c.Reason}, c)
		return
	}
	t := s.tools[key]
	if t == nil {
		if len(s.tools) >= maxSeenTools {
			s.dropped++
			return
		}
		t = &seenTool{server: toolname.Visible(server), tool: toolname.Visible(tool), owner: owner(&c.Query), params: map[string]*parameter{}}
		s.tools[key] = t
	}
	t.add(c)
	switch c.Then.Verdict {
	case policy.Audit:
		t.flagged++
	case policy.Sanitize:
		t.sanitized++
	}
	args, err := argument.Decode(c.Query.Args)
	if c.Partial || c.Query.Unknown || len(c.Query.Holes) > 0 || err != nil {
		t.partial = true
		return
	}
	t.learn(&args)
}

// owner is the server whose tool is called, folded: if the name says so for certain, or if the registry knows only that one; "":
// none.
func owner(q *policy.Query) string {
	if ids := toolname.Identities(q.Server, q.Tools[0]); len(ids) == 1 && ids[0].Server != "" {
		return toolname.Fold(ids[0].Server)
	}
	if len(q.Known) == 0 || slices.ContainsFunc(q.Known, func(k call.Known) bool { return k.Bare || k.Server != q.Known[0].Server }) {
		return ""
	}
	return toolname.Fold(q.Known[0].Server)
}

func (s *Suggestion) addRefused(key refusalKey, c Seen) {
	r := s.refused[key]
	if r == nil {
		if len(s.refused) >= maxSeenTools {
			s.dropped++
			return
		}
		r = &seenRefusal{server: toolname.Visible(c.Query.Server), tool: toolname.Visible(c.Query.Tools[0])}
		s.refused[key] = r
	}
	r.add(c)
}

func (u *uses) add(c Seen) {
	u.count++
	u.last = max(u.last, c.Day)
	a := c.Query.Actor
	name := ""
	for _, field := range []string{a.Employee, a.Key, a.Team, a.Org} {
		if name == "" {
			name = field
		}
	}
	switch {
	case name == "" || slices.Contains(u.who, name):
	case len(u.who) < maxNamed:
		u.who = append(u.who, name)
	default:
		u.more = true
	}
}

// learn updates the parameters with those of a call.
func (t *seenTool) learn(args *argument.Value) {
	if len(args.Members) > maxParameters {
		t.partial = true
		return
	}
	met := map[*parameter]bool{}
	for i := range args.Members {
		m := &args.Members[i]
		name := toolname.Fold(m.Name) // operators ignore the case of parameter names
		p := t.params[name]
		if p == nil {
			if t.count > 1 {
				continue // it was missing before, so no condition could require it
			}
			p = newParameter(m.Name)
			t.params[name] = p
		}
		p.opaque = p.opaque || met[p]
		met[p] = true
		p.learn(m)
	}
}
