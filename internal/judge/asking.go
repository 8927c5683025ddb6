package judge

import (
	"context"
	"errors"
	"time"

	"github.com/weir-gate/weir/internal/approval"
	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/policy"
	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/text/inert"
)

// Approvals asks people about calls.
type Approvals interface {
	// Ask asks people about a call and hands the answer to done, once. It does not wait itself. An answer that releases the call has
	// used up a yes for it.
	Ask(ctx context.Context, q approval.Question, done func(approval.Answer))
	// Settled says whether the call for which a yes was used up is on record.
	Settled(a approval.Answer, by call.ID, recorded bool)
}

// The reasons of calls that people did not let pass.
const (
	reasonSaidNo       = "A person said no"
	reasonNotInTime    = "A person was asked, and nobody decided in time."
	reasonFlood        = "Too many calls of this session wait for a person already."
	reasonUnanswerable = "People could not be asked, because the store is not available."
	reasonHiddenArgs   = "The arguments hold secrets that cannot be masked, so they cannot be shown to a person."
	reasonNoDigest     = "The arguments cannot be compared with what a person would say yes to."
)

// maxSaid is how many characters of a person's words are shown.
const maxSaid = 300

// asks says whether people are asked about this part: the policy is enforced, and the call can still be stopped.
func (j *Judge) asks(t *part) bool {
	return j.cfg.Approvals != nil && t.decision.Verdict == policy.PendingApproval && t.decision.Approval != nil && t.enforced && !t.call.Ran
}

// approvedBefore says that people let this very act pass when the model asked for it, by the same rules.
func (t *part) approvedBefore() bool {
	a := t.decision.Approval
	return a != nil && t.decision.Verdict == policy.PendingApproval && t.call.MCP.Approved == a.Text
}

// demanded is what all parts of a call demand together; nil: nobody is asked.
func (f *finding) demanded() *policy.Approval {
	var out *policy.Approval
	for i := range f.parts {
		t := &f.parts[i]
		switch {
		case !t.asked:
		case out == nil:
			all := *t.decision.Approval
			out = &all
		default:
			out.Add(t.decision.Approval)
		}
	}
	return out
}

// question is what people are asked about a call: the call as it would be sent.
func (j *Judge) question(f *finding, p *policy.Policy, demand *policy.Approval) (q approval.Question, err error) {
	t := &f.parts[0]
	c := t.call
	if f.ruling.Args != nil {
		c.Args = f.ruling.Args
	}
	if f.ruling.Beside != nil {
		c.MCP.Beside = f.ruling.Beside
	}
	matter := approval.MatterOf(c)
	matter.Rules, matter.Folder = demand.Text, j.query(c).Project
	if matter.Args, err = p.SameArgs(demand, c); err != nil {
		return q, err
	}
	if matter.Beside, err = approval.WithoutCallIDs(c.MCP.Beside); err != nil {
		return q, err
	}
	if q.Match, err = matter.Match(); err != nil {
		return q, err
	}
	shown, err := f.shown(c, p)
	if err != nil {
		return q, err
	}
	q.Terms, q.By, q.Until = demand.Terms, c.ID, c.HoldUntil
	q.Card = approval.Card{
		Call: c.ID, Surface: c.Surface, Server: c.Server, Tool: c.Tool, Args: shown.Args, Prose: policy.ProseOf(c.Server, c.Tool),
		Actor: c.Actor, Folder: matter.Folder, Provider: c.Exchange.Provider, Model: c.Exchange.Model, Rules: demand.Rules,
		Reason: f.askingPart().decision.Reason, Policy: p.Version(),
	}
	q.Origin = approval.Origin{Exchange: c.Exchange, ServerType: shown.MCP.ServerType, ServerAddr: shown.MCP.ServerAddr}
	if d, ok := shown.Detail.(record.ToolCall); ok {
		q.Card.Beside, q.Card.Masked = d.Beside, len(d.Replaced) > 0
	}
	return q, nil
}

// errHidden says that a call has secrets that cannot be masked.
var errHidden = errors.New("the arguments cannot be shown")

// shown is the event of a call as people are shown it: with everything but secrets.
func (f *finding) shown(c call.Call, p *policy.Policy) (record.Event, error) {
	t := f.parts[0]
	t.call = c
	e := t.event(p, nil)
	if f.carrier {
		masked, err := p.ForRecordOfCode(c.Args)
		show(&e, masked, err)
	}
	if e.Args == nil && len(c.Args) > 0 {
		return e, errHidden
	}
	return e, nil
}

// askingPart is the first part about which people are asked.
func (f *finding) askingPart() *part {
	for i := range f.parts {
		if f.parts[i].asked {
			return &f.parts[i]
		}
	}
	return &f.parts[0]
}

// ask asks people about a call, and calls next with what became of it once the finding says it. next must not block.
func (j *Judge) ask(ctx context.Context, f *finding, p *policy.Policy, next func(a approval.Answer)) {
	q, err := j.question(f, p, f.demanded())
	if err != nil {
		reason := reasonNoDigest
		if errors.Is(err, errHidden) {
			reason = reasonHiddenArgs
		}
		f.unapproved(call.Ruling{Code: call.CodeNotApproved, Reason: reason, Rule: f.askingPart().decision.Rule, Policy: p.Version()})
		next(approval.Answer{})
		return
	}
	j.cfg.Approvals.Ask(ctx, q, func(a approval.Answer) {
		if !a.Released {
			f.unapproved(refusalOf(a, f.askingPart().decision, p))
		}
		f.ruling.Approval = a.Request.ID
		next(a)
	})
}

// unapproved refuses all parts because people did not let the call pass.
func (f *finding) unapproved(r call.Ruling) {
	for i := range f.parts {
		if t := &f.parts[i]; t.asked {
			t.refusal, t.enforced = r, true
			if f.denied == nil || !f.denied.enforced {
				f.denied = t
			}
		}
	}
	f.ruling = f.denied.refusal
}

// refusalOf is the ruling on a call that people did not let pass.
func refusalOf(a approval.Answer, d policy.Decision, p *policy.Policy) call.Ruling {
	r := call.Ruling{Code: a.Code, Reason: d.Reason, Rule: d.Rule, Policy: p.Version(), Approval: a.Request.ID}
	switch a.Code {
	case call.CodeApprovalDenied:
		r.Reason = reasonSaidNo + "."
		if said := inert.Text(a.Said, maxSaid); said != "" {
			r.Reason = reasonSaidNo + ": " + call.Sentence(said)
		}
	case call.CodeApprovalExpired:
		r.Reason = reasonNotInTime
	case call.CodeApprovalFlood:
		r.Reason = reasonFlood
	case call.CodeStoreUnavailable:
		r.Reason = reasonUnanswerable
	}
	return r
}

// usedEvent says that a yes lets a call pass. It is recorded together with the call.
func usedEvent(a approval.Answer, c call.Call, now time.Time) record.Event {
	e := record.ApprovalEvent(record.Types.ApprovalUsed, a.Request, now)
	e.CallID, e.Actor, e.Exchange, e.WireID = c.ID, c.Actor, c.Exchange, c.WireID // of this call, not of the one that asked first
	if d, ok := e.Detail.(record.Approval); ok {
		d.Grant = a.Grant
		e.Detail = d
	}
	return e
}

// settled tells the desk whether the call for which a yes was used up is on record.
func (j *Judge) settled(g judgement, recorded bool) {
	if g.answer.Released {
		j.cfg.Approvals.Settled(g.answer, g.call.ID, recorded)
	}
}

// askAndWait asks people about a call, if the policy wants that, and waits for their answer.
func (j *Judge) askAndWait(ctx context.Context, f *finding, p *policy.Policy) (answer approval.Answer) {
	if !f.needsYes() {
		return approval.Answer{}
	}
	answered := make(chan approval.Answer, 1)
	j.ask(ctx, f, p, func(a approval.Answer) { answered <- a })
	return <-answered
}
