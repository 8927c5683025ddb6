package policy

import (
	"cmp"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/policy/toolname"
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
	// Work counts what it takes to decide, for this call and what is decided together with it; nil: it is counted for this call alone.
	Work *Work
	// Unknown says that the arguments are not known: what restricts calls by their arguments applies, and what allows them by
	// those does not.
	Unknown bool
	// Recorded says that the arguments are as on record, where tokens stand in the place of secrets.
	Recorded bool
	// Holes are JSON pointers to the parts of Args that are not known: a condition that looks at one could hold, and does not
	// for certain.
	Holes []string
	Args  jsontext.Value
	// Beside is what goes to an MCP server beside the arguments, as one object: conditions on $ look at it, too. nil: there is nothing.
	Beside jsontext.Value
	// Known are the tools of MCP servers that the call could mean, as the registry knows them: each is judged, too.
	Known []call.Known
	// Method says that the call is a request of MCP that calls no tool, as prompts/get: Tools is the method's name.
	Method bool
	// Fallback is the verdict on a call on the surface egress that no rule matches: allow, audit or deny; "": allow. The policy's
	// default is not about connections.
	Fallback Verdict
	// MCPOnly says that only calls of MCP servers' tools are to be judged: about any other only the mcp block of the policy is asked, and
	// rules that restrict a server whose tool it could be.
	MCPOnly bool
}

// A reading is a query under one of the identities that its tool could have.
type reading struct {
	tool string // as the query has it
	// toolOfServer is the tool without its server, if it is one's.
	toolOfServer string
	names        []toolname.Name // spellings of that one identity
	server       toolname.Name   // "" if it is no MCP server's
	// guesses are what else the name could mean. Only rules that restrict the server of such a guess by name match it, so that a
	// name with an underscore in it is not taken for half of the tools there are.
	guesses  []toolname.Identity
	rests    []toolname.Rest // of the name, where there are guesses
	surface  call.Surface
	actor    call.Actor
	fallback Verdict // if no rule matches
	// known are what the registry knows of the identity. Several tools can differ in no more than what folding takes away.
	known   []call.Known
	method  bool // it calls no tool
	open    bool // it stands for any tool of its server
	native  bool // its name is that of a tool of the agent's own
	vouched bool // it is a tool that is known, whoever's it is
	hosted  bool // the wire names its server, as it does for servers that the provider connects to
	// ordinary says that the call is no MCP server's, as far as anybody knows, and only those are to be judged.
	ordinary bool
}

// readings are the query under every identity that it could have: all names, and of each all that it could mean.
func (p *Policy) readings(q *Query) []reading {
	surface := cmp.Or(q.Surface, call.Response)
	if surface == call.Egress {
		return connectionReadings(q)
	}
	guarded := p.guard.concerns(q)
	var out []reading
	for i, tool := range q.Tools {
		native := guarded && p.guard.native.called(q, i)
		for _, id := range toolname.Identities(q.Server, tool) {
			names := toolname.Spellings(id.Server, id.Tool)
			if i == 0 {
				for _, s := range q.Spellings {
					names = append(names, toolname.New(s))
				}
				if q.Open {
					names = append(names, toolname.OpenSpellings(q.Server)...)
				}
			}
			r := reading{
				tool: tool, toolOfServer: id.Tool, names: names, server: toolname.New(id.Server), surface: surface, actor: q.Actor, fallback: p.fallbackOn(surface),
				method: q.Method, open: q.Open, native: native, hosted: q.Server != "",
			}
			uncertain := id.Server == "" || q.Server == "" && id.OfPlugin()
			if uncertain && p.namesServers {
				r.guesses, r.rests = toolname.Guesses(tool), toolname.Rests(toolname.Fold(tool))
			}
			out = append(out, r)
			// Where the registry knows what the name means, it need not be guessed.
			if uncertain && !native && !isKnown(q, tool) {
				out = append(out, p.guard.declaredReadings(r)...)
			}
		}
	}
	if guarded {
		out = inform(q, out)
	}
	if q.MCPOnly && !q.Method && !slices.ContainsFunc(out, func(rd reading) bool { return rd.server.Folded != "" }) {
		for i := range out {
			out[i].ordinary, out[i].fallback = true, Allow
		}
	}
	return out
}

// fallbackOn is the verdict on what no rule matches. The policy's default is about calls: what a request offers is not
// called yet, and connections have a fallback of their own.
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
	// Flagged says that the name was disguised (invisible or unusual characters), or that the deciding rule matched it only
	// in another case.
	Flagged bool `json:"flagged,omitzero"`
	// WouldBe is what the verdict would be if shadow rules were enforced, when that differs; else "".
	WouldBe     Verdict `json:"would_be,omitzero"`
	WouldBeRule string  `json:"would_be_rule,omitzero"`
	// Obligations are what must be done before the call is released; nil: nothing.
	Obligations *Obligations `json:"-"`
	// Ordinary says that the call is no MCP server's, and that it was to be judged only if it were.
	Ordinary bool `json:"-"`
	// Shadow are what shadow rules would demand of a call that passes; nil: nothing.
	Shadow *Obligations `json:"-"`
	// Flag is the rule that flags a call where a stricter one decides that still lets it pass, and its reason; "": there is none.
	Flag, FlagReason string `json:"-"`
}

// Refused says that the call must not pass.
func (d Decision) Refused() bool { return d.Verdict == Deny }

// The reasons given when a rule gives none.
const (
	reasonTool = "This tool is not allowed here."
	// ReasonArgs is also given where a secret cannot be replaced.
	ReasonArgs       = "These arguments are not allowed here."
	reasonDefault    = "No rule allows this call."
	reasonUnreadable = "The arguments are not one strict JSON object."
	reasonFailed     = "A condition of the policy could not be evaluated for these arguments."
	reasonNameless   = "The call names no tool."
	reasonComputed   = "(The code computes these arguments; write them out.)"
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

// decide decides each reading of the name and keeps the strictest decision, unless that takes too much work.
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
	var real, shadowed outcome
	var deciding *reading
	var applied, tried []*rule // under any reading; tried: with shadow rules
	var flag *rule
	disguised := false
	readings := p.readings(&q)
	for i := range readings {
		reading := &readings[i]
		disguised = disguised || reading.names[0].Disguised()
		r, s := p.decideReading(reading, f, trace.reading(reading, i))
		if i == 0 || r.rank() > real.rank() {
			real, deciding = r, reading
		}
		if i == 0 || s.rank() > shadowed.rank() {
			shadowed = s
		}
		applied = append(applied, r.applied...)
		tried = append(tried, s.applied...)
		flag = cmp.Or(flag, r.flag)
	}
	d := real.decision(deciding)
	if flag != nil && (d.Verdict == Sanitize || d.Verdict == CapCost) {
		d.Flag, d.FlagReason = flag.id, flag.reason
	}
	if d.Code == call.CodeArgsDenied && !f.certainly(real.rule) {
		d.Code, d.Reason = call.CodeOpaqueCode, d.Reason+" "+reasonComputed
	}
	if !d.Refused() {
		slices.SortStableFunc(applied, func(a, b *rule) int { return a.line - b.line })
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
func (p *Policy) decideReading(r *reading, f *facts, trace *ReadingTrace) (real, shadowed outcome) {
	rules := p.relevant(r)
	f.reading = r
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
		f.work = nil // what is told beyond the decision is not counted
		p.explainRules(r, f, trace)
		trace.Outcome, trace.ByName = real.decision(r), refused
	}
	return real, shadowed
}

// relevant returns the rules that match by tool, surface and actor, in the order of the file, and those of weir's own that apply.
func (p *Policy) relevant(rd *reading) []*rule {
	var out []*rule
	if !rd.ordinary {
		for _, i := range p.index.Candidates(rd.names) {
			if r := &p.rules[i]; r.serves(rd.server) && r.covers(rd.surface) && r.misfit(rd.actor) == nil {
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
		if r.covers(rd.surface) && r.misfit(rd.actor) == nil && r.guessed(rd) && !slices.Contains(rules, r) {
			rules = append(rules, r)
		}
	}
	slices.SortFunc(rules, func(a, b *rule) int { return a.line - b.line })
	return rules
}

// refusedByName says whether the rules refuse the call whatever its arguments are.
func (rd *reading) refusedByName(rules []*rule) (outcome, bool) {
	permitted := rd.fallback != Deny
	for _, r := range rules {
		switch {
		case r.shadow, r.own != nil && r.verdict != Deny:
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
	// unread: they could not be evaluated, and failed: because an expression failed on arguments that could be read.
	unread, failed bool
}

// unevaluated is the outcome of a match of which nothing is known.
func (m match) unevaluated() outcome {
	if m.failed {
		return outcome{verdict: Deny, rule: m.rule, unread: true}
	}
	return outcome{verdict: Deny, unread: true}
}

func (p *Policy) match(rules []*rule, f *facts) []match {
	out := make([]match, 0, len(rules))
	for _, r := range rules {
		m := match{rule: r, some: true, every: true}
		switch {
		case r.conditions == nil:
		case f.unknown:
			m.some, m.every = r.restricts(), false
		case !f.readable():
			m = match{rule: r, unread: true}
		default:
			f.failed = false
			m.some = r.restricts() && r.conditions.holds(f, anyValue, nil)
			m.every = r.verdict != Deny && r.conditions.holds(f, everyValue, nil)
			m.unread, m.failed = f.failed, f.failed
		}
		if len(f.reading.guesses) > 0 && !(r.namesAny(f.reading.names) && r.serves(f.reading.server)) {
			m.every = false // what a name might mean lets nothing pass
		}
		if r.own != nil && r.verdict != Deny {
			m.every = false // nor does a rule of weir's own
		}
		out = append(out, m)
	}
	return out
}

// settle applies the order of verdicts: deny, sanitize, cap_cost, audit, allow, default. A rule that restricts applies if one
// value is enough for its conditions; only if all values must satisfy them, and do, does it let a call pass that would
// otherwise be refused.
func (rd *reading) settle(matches []match, withShadow bool) outcome {
	var first [5]*rule // by strictness: the first rule of each verdict that applies
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
		if m.rule.verdict == Allow {
			applies = m.every
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
		if at := slices.Index(strictness, m.rule.verdict); first[at] == nil {
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
			return outcome{verdict: strictness[i], rule: r, applied: applied, flag: first[slices.Index(strictness, Audit)]}
		}
	}
	return outcome{verdict: rd.fallback, applied: applied}
}
