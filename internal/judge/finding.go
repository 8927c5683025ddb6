package judge

import (
	"cmp"
	"slices"
	"strings"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/policy"
	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/text/nested"
	"github.com/weir-gate/weir/internal/text/when"
)

// A finding is what was decided about a call and the calls in its arguments, its parts. They pass together or not at all.
type finding struct {
	parts  []part
	ruling call.Ruling
	// denied is the refusal that counts for all parts: the first that is enforced, else the first; nil: there is none.
	denied *part
	// overruled says that the ruling does not come from the policy.
	overruled bool
	// carrier says that the arguments of the call are other calls, or code that makes them.
	carrier bool
	mode    Mode
}

// A part is a call, or one in its arguments, with the policy's decision on it alone.
type part struct {
	call     call.Call
	within   call.ID // "": it is the call itself
	decision policy.Decision
	refusal  call.Ruling // set if the policy refuses the call
	enforced bool        // the refusal is enforced, not only recorded
	asked    bool        // people are asked about it
	obliged  bool        // the refusal comes from what the policy demands of calls that pass
	// sanitized is what became of the arguments; nil: they are as they were.
	sanitized *policy.Sanitized
	// found is what a request of an MCP server has in it that could mislead.
	found []record.Finding
}

// decide asks the policy about every part. If people may be asked about the call, that is not refused for want of a yes.
func (j *Judge) decide(c call.Call, p *policy.Policy, work *policy.Work, mayAsk bool) *finding {
	f := &finding{mode: j.cfg.Mode, ruling: call.Ruling{Released: true}, parts: make([]part, 0, 1+len(c.Inner))}
	f.parts = append(f.parts, part{call: c})
	found, opaque := nested.Find(c)
	for _, inner := range found {
		f.parts = append(f.parts, part{within: c.ID, call: innerCall(c, inner)})
	}
	f.carrier = opaque || len(f.parts) > 1
	for i := range f.parts {
		t := &f.parts[i]
		t.call.Known = j.known(t.call, p)
		q := j.query(t.call)
		q.Fallback, q.Work = j.cfg.Egress.Default, work
		t.decision = p.Decide(q)
		if !t.decision.Refused() || t.approvedBefore() {
			continue
		}
		t.refusal, t.enforced = refusal(t.decision, p), j.enforces(t.call, p)
		if t.asked = mayAsk && j.asks(t); t.asked {
			continue
		}
		if f.denied == nil || t.outweighs(f.denied) {
			f.denied = t
		}
	}
	if opaque && p.Restricts(c.Surface, c.Actor) && (f.denied == nil || !f.denied.enforced) {
		f.refuse(j, &f.parts[0], opaqueRefusal(p, "", reasonOpaque))
	}
	if f.denied != nil && f.denied.enforced {
		f.ruling = f.denied.refusal
	}
	return f
}

// needsYes says that the call passes only if people let it: nothing else refuses it.
func (f *finding) needsYes() bool {
	return !f.overruled && (f.denied == nil || !f.denied.enforced) && slices.ContainsFunc(f.parts, func(t part) bool { return t.asked })
}

// outweighs says that a refusal counts more than another: one that is enforced, then one that no person could approve.
func (t *part) outweighs(other *part) bool {
	if t.enforced != other.enforced {
		return t.enforced
	}
	return t.decision.Verdict == policy.Deny && other.decision.Verdict == policy.PendingApproval
}

// enforces says whether a deny of the policy refuses this call. A call that the provider has already run can only be hidden. That
// is done if its name alone refuses it.
func (j *Judge) enforces(c call.Call, p *policy.Policy) bool {
	if j.cfg.Mode != Enforce {
		return false
	}
	if !c.Ran {
		return true
	}
	_, byName := p.RefusedByName(j.query(c))
	return byName
}

// ordinary says that only calls of MCP servers' tools are judged, that this is none, and that nothing refuses or flags it.
func (f *finding) ordinary() bool {
	return f.denied == nil && !slices.ContainsFunc(f.parts, func(t part) bool {
		return !t.decision.Ordinary || t.decision.Verdict != policy.Allow || t.decision.WouldBe != ""
	})
}

// overrule refuses all parts, whatever the policy says.
func (f *finding) overrule(r call.Ruling) { f.ruling, f.overruled = r, true }

// flagged is the reason recorded for a disguised name.
const flagged = "(The tool's name matched only after folding case and unusual characters.)"

// leftOut is the reason recorded for a call that was delivered without some of its members.
const leftOut = "(Members of the call that no provider documents were left out.)"

// events makes one event for each part, the call itself first. A part that the policy allows is refused together with the
// others; its event says what refused them.
func (f *finding) events(p *policy.Policy) []record.Event {
	events := make([]record.Event, len(f.parts))
	work := &policy.Work{}
	for i := range f.parts {
		t, e := &f.parts[i], &events[i]
		*e = t.event(p, work)
		e.Within = t.within
		if len(t.found) > 0 {
			more, _ := e.Detail.(record.ToolCall)
			more.Findings = t.found
			e.Detail = more
		}
		d := t.decision
		switch {
		case f.overruled:
			refuse(e, f.ruling, true)
		case f.denied == nil:
			e.Verdict, e.Reason, e.Rule = string(d.Verdict), d.Reason, d.Rule
			if d.WouldBe != "" {
				e.WouldBe, e.Rule = string(d.WouldBe), d.WouldBeRule
			}
		case (d.Refused() || t.obliged) && t.enforced == f.denied.enforced:
			refuse(e, t.refusal, t.enforced)
			if d.Refused() && d.WouldBe != "" && t.enforced {
				e.WouldBe, e.Rule = string(d.WouldBe), d.WouldBeRule
			}
		default:
			refuse(e, f.denied.refusal, f.denied.enforced)
		}
		t.note(e, f.mode)
		if d.Flagged {
			e.Reason = strings.TrimSpace(e.Reason + " " + flagged)
		}
		if len(t.call.LeftOut) > 0 && e.Verdict == string(policy.Allow) {
			e.Verdict, e.Reason = string(policy.Audit), strings.TrimSpace(e.Reason+" "+leftOut)
		}
	}
	for i := range events {
		locate(&events[i], p)
	}
	if f.carrier {
		f.hideCarried(events, p)
	}
	return events
}

// hideCarried removes the secrets of the inner calls from the event of the outer one. They may be spelled differently there. So if
// there are any, the event shows no arguments.
func (f *finding) hideCarried(events []record.Event, p *policy.Policy) {
	shown, err := p.ForRecordOfCode(f.parts[0].call.Args)
	show(&events[0], shown, err)
	for i := range events[1:] {
		inner := &events[1+i]
		d, _ := inner.Detail.(record.ToolCall)
		if len(d.Replaced) > 0 || inner.Args == nil && f.parts[1+i].call.Args != nil {
			events[0].Args = nil
		}
	}
}

// query is a call as it is judged.
func (j *Judge) query(c call.Call) policy.Query {
	q := policy.QueryOf(c)
	q.MCPOnly = j.cfg.MCPOnly
	q.Now = when.At(j.now())
	folder := ""
	if j.cfg.SessionFolder != nil && c.Actor.Session != "" {
		folder = j.cfg.SessionFolder(c.Actor.Session)
	}
	q.Project = cmp.Or(folder, c.Folder, j.cfg.Project)
	return q
}

func refusal(d policy.Decision, p *policy.Policy) call.Ruling {
	return call.Ruling{Code: d.Code, Reason: d.Reason, Rule: d.Rule, Policy: p.Version()}
}
