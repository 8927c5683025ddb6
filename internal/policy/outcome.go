package policy

import (
	"slices"

	"github.com/weir-gate/weir/internal/call"
)

// An outcome is what one reading of a name came to.
type outcome struct {
	verdict Verdict
	rule    *rule // nil: the default
	byName  bool  // no arguments could change it
	unread  bool  // refused because the arguments could not be read
	// applied are the rules that match a call that passes, in the order of the file.
	applied []*rule
	flag    *rule // the first rule that flags it
}

// rank orders outcomes by strictness. A refusal by name comes before any other, so that it reads the same whether the
// arguments are known or not.
func (o outcome) rank() int {
	if o.byName {
		return len(strictness)
	}
	return slices.Index(strictness, o.verdict)
}

// strictness are the verdicts, the strictest last.
var strictness = []Verdict{Allow, Audit, CapCost, Sanitize, Deny}

func (o outcome) ruleID() string {
	if o.rule == nil {
		return ""
	}
	return o.rule.id
}

// decision words the outcome for the reading that came to it.
func (o outcome) decision(rd *reading) Decision {
	names := rd.names
	d := Decision{Verdict: o.verdict, Rule: o.ruleID(), Flagged: names[0].disguised()}
	if o.rule != nil {
		if !o.unread {
			d.Reason = o.rule.reason
		}
		d.Flagged = d.Flagged || o.rule.own == nil && !o.rule.namesAsWritten(names)
	}
	if o.verdict != Deny {
		return d
	}
	if rd.surface == call.Egress {
		o.refuseConnection(&d)
		return d
	}
	fallback := reasonDefault
	d.Code = call.CodeToolDenied
	switch {
	case o.unread && o.rule != nil:
		d.Code, fallback = call.CodeArgsUnreadable, reasonFailed
	case o.unread:
		d.Code, fallback = call.CodeArgsUnreadable, reasonUnreadable
	case o.rule == nil:
	case o.rule.own != nil:
		d.Code = o.rule.own.code
	case o.rule.conditions != nil:
		d.Code, fallback = call.CodeArgsDenied, reasonArgs
	default:
		fallback = reasonTool
	}
	if d.Reason == "" {
		d.Reason = fallback
	}
	return d
}

// namesAsWritten says whether the rule matches one of the names without folding.
func (r *rule) namesAsWritten(names []name) bool {
	for i := range r.tools {
		for _, n := range names {
			if r.tools[i].namesAsWritten(n) {
				return true
			}
		}
	}
	return false
}

// covers says whether the rule speaks of a surface.
func (r *rule) covers(s call.Surface) bool {
	for _, surface := range r.surfaces {
		if surface == s {
			return true
		}
	}
	return false
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
	folded := fold(w.of(a))
	for i := range w.globs {
		if w.globs[i].matches(folded) {
			return true
		}
	}
	return false
}

// of returns the field of the actor that the test asks for.
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
