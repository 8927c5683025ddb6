package policy

import (
	"slices"

	"github.com/weir-gate/weir/internal/call"
)

// An outcome is the result of one reading of a name.
type outcome struct {
	verdict Verdict
	rule    *rule // nil: the default
	byName  bool  // the arguments cannot change it
	unread  bool  // refused because the arguments could not be decoded
	// applied are the rules that match a call that passes, in the order of the file.
	applied []*rule
	flag    *rule // the first rule that flags it
}

// rank orders outcomes by strictness. A refusal by name comes before any other, so that it is the same whether the arguments are
// known or not.
func (o outcome) rank() int {
	if o.byName {
		return len(strictness)
	}
	return slices.Index(strictness[:], o.verdict)
}

// strictness are the verdicts, the strictest last.
var strictness = [...]Verdict{Allow, Audit, CapCost, Sanitize, PendingApproval, Deny}

func (o outcome) ruleID() string {
	if o.rule == nil {
		return ""
	}
	return o.rule.id
}

// Unreplaced is the decision about a call that is sanitized, if there is nothing to replace in it: it passes as it is, and a rule that
// flags it still does.
func (d Decision) Unreplaced() Decision {
	d.Verdict = Allow
	if d.Flag != "" {
		d.Verdict, d.Rule, d.Reason = Audit, d.Flag, d.FlagReason
	}
	return d
}

// decision turns the outcome of a reading into a decision.
func (o outcome) decision(rd *reading) Decision {
	names := rd.names
	d := Decision{Verdict: o.verdict, Rule: o.ruleID(), Flagged: names[0].Disguised()}
	if o.rule != nil {
		if !o.unread {
			d.Reason = o.rule.reason
		}
		d.Flagged = d.Flagged || o.rule.own == nil && !o.rule.namesAsWritten(names)
	}
	if o.verdict == PendingApproval {
		d.Code, d.Reason = call.CodeNotApproved, reasonOr(d.Reason, reasonApproval)
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
		d.Code, fallback = call.CodeArgsDenied, ReasonArgs
	default:
		fallback = reasonTool
	}
	if d.Reason == "" {
		d.Reason = fallback
	}
	return d
}
