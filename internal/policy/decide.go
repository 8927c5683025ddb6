package policy

import (
	"cmp"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/internal/call"
)

// A Query is a call as the policy sees it.
type Query struct {
	Surface call.Surface // "": response
	Actor   call.Actor
	Server  string   // the MCP server that the wire names, or ""
	Tools   []string // every reading of the name; all are judged and the strictest decision counts
	// Spellings are other ways to write the first of Tools: a rule that matches any of them matches.
	Spellings []string
	// Open says that the query stands for any tool of Server: a rule that could match one of them matches.
	Open bool
	Args jsontext.Value
}

// A reading is a query under one of the names that its tool could have.
type reading struct {
	names    []name // spellings of that one name
	surface  call.Surface
	actor    call.Actor
	fallback Verdict // if no rule matches
}

func (p *Policy) newReading(q *Query, i int) reading {
	names := spellings(q.Server, q.Tools[i])
	if i == 0 {
		for _, s := range q.Spellings {
			names = append(names, newName(s))
		}
		if q.Open {
			names = append(names, openSpellings(q.Server)...)
		}
	}
	surface := cmp.Or(q.Surface, call.Response)
	return reading{names: names, surface: surface, actor: q.Actor, fallback: p.fallbackOn(surface)}
}

// fallbackOn is the verdict on what no rule matches. The policy's default is about calls: what a request offers is not
// called yet.
func (p *Policy) fallbackOn(s call.Surface) Verdict {
	if s == call.Inbound {
		return Allow
	}
	return p.fallback
}

// A Decision is what the policy says of a call.
type Decision struct {
	Verdict Verdict `json:"verdict"`
	Code    string  `json:"code,omitzero"`   // "" if not refused; tool_denied when no arguments could change it
	Rule    string  `json:"rule,omitzero"`   // the deciding rule; "" for the default
	Reason  string  `json:"reason,omitzero"` // one line; always there for a refusal
	// Flagged says that the name was disguised (invisible or unusual characters), or that the deciding rule matched it only
	// in another case.
	Flagged bool `json:"flagged,omitzero"`
	// WouldBe is what the verdict would be if shadow rules were enforced, when that differs; else "".
	WouldBe     Verdict `json:"would_be,omitzero"`
	WouldBeRule string  `json:"would_be_rule,omitzero"`
}

// Refused says that the call must not pass.
func (d Decision) Refused() bool { return d.Verdict != Allow && d.Verdict != Audit }

// The reasons given when a rule gives none.
const (
	reasonTool       = "This tool is not allowed here."
	reasonArgs       = "These arguments are not allowed here."
	reasonDefault    = "No rule allows this call."
	reasonUnreadable = "The arguments are not one strict JSON object."
	reasonNameless   = "The call names no tool."
)

// Decide decides a call. Empty arguments are an empty object. The arguments are read only when a condition asks for them;
// if they cannot be read then, the call is refused.
func (p *Policy) Decide(q Query) Decision {
	return p.decide(q, nil)
}

// RefusedByName decides a call whose arguments are not known yet. It is true only when no arguments could change the
// refusal; Decide then gives the same verdict, code, rule and reason whatever the arguments are.
func (p *Policy) RefusedByName(q Query) (Decision, bool) {
	if len(q.Tools) == 0 {
		return p.decide(q, nil), true
	}
	for i := range q.Tools {
		r := p.newReading(&q, i)
		if o, refused := r.refusedByName(p.relevant(r)); refused {
			return o.decision(r.names), true
		}
	}
	return Decision{}, false
}

// decide decides each reading of the name and keeps the strictest decision.
func (p *Policy) decide(q Query, trace *Explanation) Decision {
	if len(q.Tools) == 0 {
		return Decision{Verdict: Deny, Code: call.CodeToolDenied, Reason: reasonNameless}
	}
	f := &facts{policy: p, raw: q.Args}
	var real, shadowed outcome
	var deciding []name
	disguised := false
	for i, tool := range q.Tools {
		reading := p.newReading(&q, i)
		disguised = disguised || reading.names[0].disguised()
		r, s := p.decideReading(reading, f, trace.reading(tool, i))
		if i == 0 || r.rank() > real.rank() {
			real, deciding = r, reading.names
		}
		if i == 0 || s.rank() > shadowed.rank() {
			shadowed = s
		}
	}
	d := real.decision(deciding)
	d.Flagged = d.Flagged || disguised
	if shadowed.verdict != d.Verdict {
		d.WouldBe, d.WouldBeRule = shadowed.verdict, shadowed.ruleID()
	}
	return d
}

// decideReading decides one reading of the name, as it is and as it would be with shadow rules enforced.
func (p *Policy) decideReading(r reading, f *facts, trace *ReadingTrace) (real, shadowed outcome) {
	rules := p.relevant(r)
	real, refused := r.refusedByName(rules)
	hasShadow := slices.ContainsFunc(rules, func(r *rule) bool { return r.shadow })
	shadowed = real
	// Arguments that cannot change anything are not read.
	if !refused || hasShadow {
		matches := p.match(rules, f)
		if !refused {
			real = r.settle(matches, false)
		}
		if shadowed = real; hasShadow {
			shadowed = r.settle(matches, true)
		}
	}
	if trace != nil {
		p.explainRules(r, f, trace)
		trace.Outcome, trace.ByName = real.decision(r.names), refused
	}
	return real, shadowed
}

// relevant returns the rules that match by tool, surface and actor, in the order of the file.
func (p *Policy) relevant(rd reading) []*rule {
	var out []*rule
	for _, i := range p.index.candidates(rd.names) {
		if r := &p.rules[i]; r.covers(rd.surface) && r.misfit(rd.actor) == nil {
			out = append(out, r)
		}
	}
	return out
}

// refusedByName says whether the rules refuse the call whatever its arguments are.
func (rd reading) refusedByName(rules []*rule) (outcome, bool) {
	permitted := rd.fallback != Deny
	for _, r := range rules {
		switch {
		case r.shadow:
		case r.verdict == Deny && r.conditions == nil:
			return outcome{verdict: Deny, rule: r, byName: true}, true
		case r.verdict != Deny:
			permitted = true
		}
	}
	return outcome{verdict: Deny, byName: true}, !permitted
}

// A match is a rule that matches by name, and how far its conditions hold.
type match struct {
	rule *rule
	// some: the conditions hold if one value is enough. That makes a deny refuse and an audit flag.
	some bool
	// every: they hold even if all values must satisfy. Only that lets a call pass that would otherwise be refused.
	every bool
	// unread: they could not be evaluated.
	unread bool
}

func (p *Policy) match(rules []*rule, f *facts) []match {
	out := make([]match, 0, len(rules))
	for _, r := range rules {
		m := match{rule: r, some: true, every: true}
		switch {
		case r.conditions == nil:
		case !f.readable():
			m = match{rule: r, unread: true}
		default:
			m.some = r.verdict != Allow && r.conditions.holds(f, anyValue, nil)
			m.every = r.verdict != Deny && r.conditions.holds(f, everyValue, nil)
		}
		out = append(out, m)
	}
	return out
}

// settle applies the order of verdicts: deny, audit, allow, default.
func (rd reading) settle(matches []match, withShadow bool) outcome {
	var deny, flag, permit, allow *rule
	first := func(at **rule, r *rule, holds bool) {
		if *at == nil && holds {
			*at = r
		}
	}
	for _, m := range matches {
		if m.rule.shadow && !withShadow {
			continue
		}
		if m.unread {
			return outcome{verdict: Deny, unread: true}
		}
		switch m.rule.verdict {
		case Deny:
			first(&deny, m.rule, m.some)
		case Audit:
			first(&flag, m.rule, m.some)
			first(&permit, m.rule, m.every)
		default:
			first(&allow, m.rule, m.every)
		}
	}
	switch {
	case deny != nil:
		return outcome{verdict: Deny, rule: deny}
	case flag != nil && (allow != nil || rd.fallback != Deny):
		return outcome{verdict: Audit, rule: flag}
	case permit != nil:
		return outcome{verdict: Audit, rule: permit}
	case allow != nil:
		return outcome{verdict: Allow, rule: allow}
	default:
		return outcome{verdict: rd.fallback}
	}
}
