package policy

import (
	"cmp"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/policy/condition"
	"github.com/weir-gate/weir/internal/text/shell"
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
	// Unknown says that the arguments are not known: rules that restrict by arguments apply, rules that allow by arguments do not.
	Unknown bool
	// Recorded says that the arguments come from the record, where tokens stand in the place of secrets.
	Recorded bool
	// Holes are JSON pointers to the parts of Args that are not known. A condition on one may hold, but not for certain.
	Holes []string
	Args  jsontext.Value
	// Known are the tools of MCP servers that the call could mean, as the registry knows them: each is judged, too.
	Known []call.Known
	condition.Circumstances
	// Method says that the call is an MCP request that calls no tool, as prompts/get: Tools is the method's name.
	Method bool
	// Beside is what goes to an MCP server beside the arguments, as one object: conditions on $ look at it, too. nil: there is nothing.
	Beside jsontext.Value
	Terms
}

// Terms say how a query is decided.
type Terms struct {
	// Work counts the work of deciding this call and the calls that are decided together with it; nil: of this call only.
	Work *Work
	// Fallback is the verdict on a call on the surface egress that no rule matches: allow, audit or deny; "": allow. The policy's
	// default is not about connections.
	Fallback Verdict
	// MCPOnly says that only calls of MCP servers' tools are judged. For any other call only the mcp block counts, and rules that
	// restrict a server whose tool it could be.
	MCPOnly bool
}

// QueryOf is a call as the policy sees it.
func QueryOf(c call.Call) Query {
	return Query{
		Surface: c.Surface, Actor: c.Actor, Server: c.Server,
		Tools: append([]string{c.Tool}, c.Aliases...), Spellings: c.Spellings, Open: c.Open,
		Args: c.Args, Unknown: c.Unknown, Holes: c.Holes, Recorded: c.Recorded,
		Known: c.Known, Method: c.MCP.Method != "", Beside: c.MCP.Beside,
		Circumstances: condition.Circumstances{Model: c.Exchange.Model, Project: c.Folder},
	}
}

// facts are what conditions look at in a query.
func (p *Policy) facts(q *Query) *condition.Facts {
	return p.paths.Look(condition.Call{
		Args: q.Args, Beside: q.Beside, Unknown: q.Unknown, Holes: q.Holes, Recorded: q.Recorded, Work: q.Work, Circumstances: q.Circumstances,
	})
}

// fallbackOn is the verdict when no rule matches. The policy's default is for calls: an offer is not called yet, and connections
// have a fallback of their own.
func (p *Policy) fallbackOn(s call.Surface) Verdict {
	if s == call.Inbound || s == call.Egress {
		return Allow
	}
	return p.fallback
}

// A Decision is what the policy says of a call.
type Decision struct {
	Verdict Verdict `json:"verdict"`
	Code    string  `json:"code,omitzero"`   // "" if not refused
	Rule    string  `json:"rule,omitzero"`   // the deciding rule; "" for the default
	Reason  string  `json:"reason,omitzero"` // one line; always there for a refusal
	// Matched is the part of the call that a refusal by conditions is about, without secrets; "": there is none to show.
	Matched string `json:"matched,omitzero"`
	// Doubt is why such a call is refused although it only may meet the conditions; "": it meets them.
	Doubt shell.Doubt `json:"doubt,omitzero"`
	// Flagged says that the name was disguised (invisible or unusual characters), or that the deciding rule matched it only
	// in another case.
	Flagged bool `json:"flagged,omitzero"`
	// WouldBe is what the verdict would be if shadow rules were enforced, when that differs; else "".
	WouldBe     Verdict `json:"would_be,omitzero"`
	WouldBeRule string  `json:"would_be_rule,omitzero"`
	// Approval is whom to ask about the call; nil: nobody.
	Approval *Approval `json:"-"`
	// Obligations are what must be done before the call is released; nil: nothing.
	Obligations *Obligations `json:"-"`
	// Ordinary says that only calls of MCP servers' tools are judged, and that this is none.
	Ordinary bool `json:"-"`
	// Shadow are what shadow rules would demand of a call that passes; nil: nothing.
	Shadow *Obligations `json:"-"`
	// Flag is the rule that flags the call, and its reason, where a stricter rule decides and still lets it pass; "": none.
	Flag, FlagReason string `json:"-"`
}

// Refused says that the call must not pass.
func (d Decision) Refused() bool { return d.Verdict == Deny || d.Verdict == PendingApproval }

// The reasons given when a rule gives none.
const (
	reasonTool = "This tool is not allowed here."
	// ReasonArgs is also given where a secret cannot be replaced.
	ReasonArgs       = "These arguments are not allowed here."
	reasonDefault    = "No rule allows this call."
	reasonUnreadable = "The arguments are not one strict JSON object."
	reasonFailed     = "A condition of the policy could not be evaluated for these arguments."
	reasonApproval   = "This call needs the approval of a person."
	reasonNameless   = "The call names no tool."
	reasonComputed   = "(The code computes these arguments; write them out.)"
)

// Decide decides a call. Empty arguments are an empty object. The arguments are parsed only when a condition asks for them; if
// they cannot be parsed then, the call is refused.
func (p *Policy) Decide(q Query) Decision {
	return p.decide(q, nil)
}

// RefusedByName decides a call whose arguments are not known yet. It is true only when no arguments could change the
// refusal; Decide then gives the same verdict, code, rule and reason whatever the arguments are.
func (p *Policy) RefusedByName(q Query) (Decision, bool) {
	if len(q.Tools) == 0 {
		return p.decideReadings(q, nil), true
	}
	readings := p.readings(&q)
	for i := range readings {
		r := &readings[i]
		if o, refused := r.refusedByName(p.relevant(r)); refused {
			return o.decision(r), true
		}
	}
	return Decision{}, false
}

// decide decides each reading of the name. The strictest decision counts. Too much work refuses the call.
func (p *Policy) decide(q Query, trace *Explanation) (d Decision) {
	if q.Work == nil {
		q.Work = &Work{}
	}
	defer func() {
		if thrown := recover(); thrown != nil {
			d = p.caught(q, thrown)
		}
	}()
	return p.decideReadings(q, trace)
}

func (p *Policy) decideReadings(q Query, trace *Explanation) Decision {
	if len(q.Tools) == 0 {
		code := call.CodeToolDenied
		if q.Surface == call.Egress {
			code = call.CodeConnectionDenied
		}
		return Decision{Verdict: Deny, Code: code, Reason: reasonNameless}
	}
	f := p.facts(&q)
	var enforced, shadowed outcome
	var deciding *reading
	var applied, tried []*rule // under any reading; tried: with shadow rules
	var flag *rule
	disguised := false
	readings := p.readings(&q)
	for i := range readings {
		reading := &readings[i]
		disguised = disguised || reading.names[0].Disguised()
		r, s := p.decideReading(reading, f, trace.reading(reading, i))
		if i == 0 || r.rank() > enforced.rank() {
			enforced, deciding = r, reading
		}
		if i == 0 || s.rank() > shadowed.rank() {
			shadowed = s
		}
		applied = append(applied, r.applied...)
		tried = append(tried, s.applied...)
		flag = cmp.Or(flag, r.flag)
	}
	d := enforced.decision(deciding)
	f.As = deciding.subject()
	if flag != nil && (d.Verdict == Sanitize || d.Verdict == CapCost) {
		d.Flag, d.FlagReason = flag.id, flag.reason
	}
	if d.Code == call.CodeArgsDenied && !f.Certainly(enforced.rule.conditions) {
		d.Code, d.Reason = call.CodeOpaqueCode, d.Reason+" "+reasonComputed
	}
	p.tell(&d, &q, f, deciding, enforced)
	if d.Verdict != Deny {
		slices.SortStableFunc(applied, inOrder)
		d.Approval = approvalOf(applied)
		d.Obligations = obligationsOf(applied)
		d.Shadow = obligationsOf(slices.DeleteFunc(tried, func(r *rule) bool { return !r.shadow }))
	}
	d.Flagged = d.Flagged || disguised
	d.Ordinary = deciding.ordinary
	if shadowed.verdict != d.Verdict {
		d.WouldBe, d.WouldBeRule = shadowed.verdict, shadowed.ruleID()
	}
	return d
}

// decideReading decides one reading of the name, as it is and as it would be with shadow rules enforced.
func (p *Policy) decideReading(r *reading, f *condition.Facts, trace *ReadingTrace) (enforced, shadowed outcome) {
	rules := p.relevant(r)
	f.As = r.subject()
	enforced, refused := r.refusedByName(rules)
	hasShadow := slices.ContainsFunc(rules, func(r *rule) bool { return r.shadow })
	shadowed = enforced
	// Arguments that cannot change the decision are not parsed.
	if !refused || hasShadow {
		matches := p.match(r, rules, f)
		if !refused {
			enforced = r.settle(matches, false)
		}
		if shadowed = enforced; hasShadow {
			shadowed = r.settle(matches, true)
		}
	}
	if trace != nil {
		f.Uncounted()
		p.explainRules(r, f, trace)
		trace.Outcome, trace.ByName = enforced.decision(r), refused
	}
	return enforced, shadowed
}

// relevant returns the rules that match by tool, surface and actor, in the order of the file, and weir's own rules that apply.
func (p *Policy) relevant(rd *reading) []*rule {
	var out []*rule
	if !rd.ordinary {
		for _, i := range p.index.Candidates(rd.names) {
			if r := &p.rules[i]; r.serves(rd.server) && !r.excepts(rd) && r.hinted(rd) && r.covers(rd.surface) && r.misfit(rd.actor) == nil &&
				!r.excusedByName(rd) {
				out = append(out, r)
			}
		}
	}
	if len(rd.guesses) > 0 {
		out = p.withGuessed(out, rd)
	}
	out = p.guard.meet(out, rd)
	if r := p.canaryFor(rd); r != nil {
		out = slices.Insert(out, 0, r) // so that it is named, whatever else refuses the call
	}
	return out
}

// withGuessed adds the rules that restrict what the name could mean, too.
func (p *Policy) withGuessed(rules []*rule, rd *reading) []*rule {
	for i := range p.rules {
		r := &p.rules[i]
		if r.covers(rd.surface) && r.misfit(rd.actor) == nil && !r.excepts(rd) && r.hinted(rd) && r.guessed(rd) &&
			!r.excusedByName(rd) && !slices.Contains(rules, r) {
			rules = append(rules, r)
		}
	}
	slices.SortFunc(rules, inOrder)
	return rules
}

// inOrder orders rules as they are in the policy, and weir's own before them.
func inOrder(a, b *rule) int {
	if (a.own != nil) != (b.own != nil) {
		return map[bool]int{true: -1, false: 1}[a.own != nil]
	}
	return a.place - b.place
}

// refusedByName says whether the rules refuse the call whatever its arguments are.
func (rd *reading) refusedByName(rules []*rule) (outcome, bool) {
	permitted := rd.fallback != Deny
	for _, r := range rules {
		switch {
		case r.shadow, r.own != nil && r.verdict != Deny:
		case r.verdict == Deny && r.conditions == nil && !r.excusable(rd):
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
	// every: the conditions hold for all values. Only then can the rule allow a call that would otherwise be refused.
	every bool
	// unread: they could not be evaluated; failed: an expression failed on arguments that could be parsed.
	unread, failed bool
}

// unevaluated is the outcome of a match whose conditions were not evaluated.
func (m match) unevaluated() outcome {
	if m.failed {
		return outcome{verdict: Deny, rule: m.rule, unread: true}
	}
	return outcome{verdict: Deny, unread: true}
}

func (p *Policy) match(rd *reading, rules []*rule, f *condition.Facts) []match {
	out := make([]match, 0, len(rules))
	for _, r := range rules {
		m := match{rule: r, some: true, every: true}
		switch {
		case r.conditions == nil:
		case f.Unknown:
			m.some, m.every = r.restricts(), false
		case !f.Readable():
			m = match{rule: r, unread: true}
		default:
			f.Failed = false
			m.some = r.restricts() && r.conditions.Holds(f, condition.AnyValue, nil)
			m.every = r.verdict != Deny && r.conditions.Holds(f, condition.EveryValue, nil)
			m.unread, m.failed = f.Failed, f.Failed
		}
		if len(rd.guesses) > 0 && !(r.namesAny(rd.names) && r.serves(rd.server)) {
			m.every = false // a guessed meaning of a name cannot allow a call
		}
		if r.own != nil && r.verdict != Deny {
			m.every = false // a rule of weir's own cannot allow a call either
		}
		m.except(rd, f)
		out = append(out, m)
	}
	return out
}

// settle applies the order of verdicts: deny, pending_approval, sanitize, cap_cost, audit, allow, default. A rule restricts a call if
// at least one value meets its conditions. It allows a call that would otherwise be refused only if all values meet them.
func (rd *reading) settle(matches []match, withShadow bool) outcome {
	var first [len(strictness)]*rule // the first rule of each verdict that applies
	var applied []*rule
	passes := rd.fallback != Deny
	for _, m := range matches {
		if m.rule.shadow && !withShadow {
			continue
		}
		if m.unread {
			return m.unevaluated()
		}
		applies := m.some
		switch {
		case m.rule.verdict == Allow:
			applies = m.every
		case m.rule.verdict != Deny && rd.fallback == Deny:
			applies = m.some || m.every // it lets the call pass, so it is also what decides
		}
		if m.every && m.rule.verdict != Deny {
			passes = true
		}
		if m.rule.verdict != Deny && (applies || m.rule.rate != nil && m.some) {
			applied = append(applied, m.rule)
		}
		if !applies {
			continue
		}
		if at := slices.Index(strictness[:], m.rule.verdict); first[at] == nil {
			first[at] = m.rule
		}
	}
	if deny := first[len(first)-1]; deny != nil {
		return outcome{verdict: Deny, rule: deny}
	}
	if !passes {
		return outcome{verdict: Deny}
	}
	for i, r := range slices.Backward(first[:]) {
		if r != nil {
			return outcome{verdict: strictness[i], rule: r, applied: applied, flag: first[slices.Index(strictness[:], Audit)]}
		}
	}
	return outcome{verdict: rd.fallback, applied: applied}
}
