package policy

import (
	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/policy/condition"
	"github.com/weir-gate/weir/internal/policy/toolname"
	"github.com/weir-gate/weir/internal/text/truth"
	"github.com/weir-gate/weir/internal/text/when"
	"github.com/weir-gate/weir/internal/text/yamlfile"
)

const (
	keyUnless   = "unless"
	keyDisabled = "disabled"
)

var exceptionShape = yamlfile.Shape{Optional: []string{"tool", "not_tool", "server", "hints", "who", "conditions", "until", "reason"}}

// An exception is calls that a rule is not about. It has what rules compare.
type exception struct {
	line   int
	from   string
	reason string
	until  *when.End // nil: it has no end
	// sure compares as a rule that allows does, and maybe as one that restricts: they differ in what is in doubt.
	sure, maybe rule
}

// exceptions compiles the key unless of a rule.
func (c *compiler) exceptions(n *yamlfile.Node, r *rule) {
	items, ok := c.report.List(n)
	if !ok {
		return
	}
	for _, item := range items {
		if x, ok := c.exception(item, r); ok {
			r.unless = append(r.unless, x)
			r.secrets = append(r.secrets, sanitizersOf(x.sure.conditions.Secrets())...)
		}
	}
}

func (c *compiler) exception(n *yamlfile.Node, r *rule) (x exception, ok bool) {
	if !c.report.Mapping(n, exceptionShape) {
		return x, false
	}
	if about := len(n.Entries); about == 0 || about == 1 && n.Get("reason") != nil {
		c.report.Add(n, "the exception does not say what it is about", "write tool, server, who or conditions, or until when the rule is off")
		return x, false
	}
	c.expand(n)
	x = exception{line: n.Line, from: c.from(n), sure: rule{verdict: Allow, tools: []toolname.Glob{toolname.NewGlob("*")}}}
	m := &x.sure
	if v := n.Get("tool"); v != nil {
		m.tools = c.globs(v, aTool)
	}
	if v := n.Get("not_tool"); v != nil {
		m.notTools = c.globs(v, aTool)
	}
	if v := n.Get("server"); v != nil {
		m.servers = c.globs(v, aServer)
	}
	if v := n.Get("who"); v != nil {
		m.who = c.who(v)
	}
	if v := n.Get("hints"); v != nil {
		m.hints = c.hints(v, r)
	}
	if v := n.Get("conditions"); v != nil {
		c.conditions.OfConnections = r.onlyOn(call.Egress)
		m.conditions = c.conditions.Compile(v)
		c.conditions.OfConnections = false
		c.separateExceptions(v, m, r)
	}
	if v := n.Get("reason"); v != nil {
		x.reason = c.reason(v)
	}
	if v := n.Get("until"); v != nil {
		if end, ok := c.conditions.End(v); ok {
			x.until = &end
		}
	}
	x.maybe = x.sure
	x.maybe.verdict = Deny
	return x, true
}

// separateExceptions reports conditions of an exception that would mean different things on the surfaces of its rule.
func (c *compiler) separateExceptions(n *yamlfile.Node, m, r *rule) {
	apart := r.covers(call.Inbound) && !r.onlyOn(call.Inbound) || r.covers(call.Egress) && !r.onlyOn(call.Egress)
	if apart && m.conditions != nil && m.conditions.LooksAtArguments() {
		c.report.Add(n, "the conditions would mean different things on the surfaces of the rule", "write a rule for each surface")
	}
}

// ended says whether the exception is over.
func (x *exception) ended(now when.Moment) truth.Value {
	if x.until == nil {
		return truth.No
	}
	return x.until.Passed(now)
}

// ofCall says whether a call is one of the exception's, whatever its arguments are.
func (x *exception) ofCall(rd *reading) truth.Value {
	over := x.ended(rd.now)
	about := func(m *rule) bool { return !m.excepts(rd) && m.hinted(rd) && m.misfit(rd.actor) == nil }
	named := x.sure.namesAny(rd.names) && x.sure.serves(rd.server)
	switch {
	case over == truth.Yes:
		return truth.No
	case over == truth.No && named && about(&x.sure):
		return truth.Yes
	case (named || x.maybe.guessed(rd)) && about(&x.maybe):
		return truth.Maybe
	default:
		return truth.No
	}
}

// holds says whether the exception holds for a call. What cannot be evaluated is in doubt, and does not refuse the call.
func (x *exception) holds(rd *reading, f *condition.Facts) truth.Value {
	of, conditions := x.ofCall(rd), x.sure.conditions
	switch {
	case of == truth.No || conditions == nil:
		return of
	case f.Unknown || !f.Readable():
		return truth.Maybe
	}
	failed := f.Failed
	defer func() { f.Failed = failed }()
	f.Failed = false
	every := conditions.Holds(f, condition.EveryValue, nil)
	some := conditions.Holds(f, condition.AnyValue, nil)
	switch {
	case f.Failed:
		return truth.Maybe
	case every:
		return of
	case some:
		return truth.Maybe
	default:
		return truth.No
	}
}

// excused is the most certain of the rule's exceptions for a call.
func (r *rule) excused(rd *reading, f *condition.Facts) (best truth.Value) {
	for i := range r.unless {
		best = max(best, r.unless[i].holds(rd, f))
	}
	return best
}

// excusedByName says whether an exception surely holds, whatever the arguments are.
func (r *rule) excusedByName(rd *reading) bool {
	for i := range r.unless {
		if x := &r.unless[i]; x.sure.conditions == nil && x.ofCall(rd) == truth.Yes {
			return true
		}
	}
	return false
}

// excusable says whether an exception could hold for some arguments.
func (r *rule) excusable(rd *reading) bool {
	for i := range r.unless {
		if x := &r.unless[i]; x.sure.conditions != nil && x.ofCall(rd) != truth.No {
			return true
		}
	}
	return false
}

// except applies the exceptions of a rule to how far it matches. An exception that surely holds takes the call from the rule. One that may
// hold takes it only from a rule that would allow it.
func (m *match) except(rd *reading, f *condition.Facts) {
	if len(m.rule.unless) == 0 {
		return
	}
	switch m.rule.excused(rd, f) {
	case truth.Yes:
		*m = match{rule: m.rule}
	case truth.Maybe:
		m.every = false
	}
}
