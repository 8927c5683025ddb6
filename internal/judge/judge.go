// Package judge is the one enforcement point: it asks the policy for a decision, has it recorded, and rules.
package judge

import (
	"context"
	"time"

	"github.com/weir-gate/weir/internal/approval"
	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/policy"
	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/text/nested"
)

// A Mode says how far the policy is enforced.
type Mode string

// The modes.
const (
	Enforce Mode = "enforce"
	Shadow  Mode = "shadow"  // verdicts become audit; what cannot be read or recorded is still refused
	Observe Mode = "observe" // nothing is refused and nothing waits
)

// A Recorder makes events durable. It calls done once, and does not block. With a nil done nobody waits: what cannot be
// recorded now is recorded later.
type Recorder interface {
	Record(e record.Event, done func(error))
	// RecordAll makes all of the events durable, or none.
	RecordAll(events []record.Event, with record.Effects, done func(error))
	// RecordAgain records events that RecordAll failed to record, with the same ids, as soon as that is possible. If they had been
	// recorded after all, it records instead; nil: nothing. Nobody waits for it.
	RecordAgain(events, instead []record.Event, with record.Effects)
}

// Config sets up a Judge.
type Config struct {
	Policy func() *policy.Policy // the policy in force
	// SessionPolicy is the policy of a session, which is fixed when it begins; nil, or a nil policy: the one in force.
	SessionPolicy func(session string) *policy.Policy
	Recorder      Recorder
	Memory        Memory  // what was ruled before; nil: nothing is remembered, and calls that are read again are judged as new ones
	Rates         Rates   // nil: rates are not limited
	Budgets       Budgets // nil: nothing is counted
	Prices        Prices  // nil: nothing costs anything
	Record        Record  // finds the call that a result belongs to; nil: no call is found
	// Registry is what is known of MCP servers; nil: nothing, and every tool of theirs is unknown.
	Registry Registry
	// Approvals asks people; nil: nobody can be asked, and calls that need a person's yes are refused.
	Approvals Approvals
	Mode      Mode // "": Enforce
	// MCPOnly says that of the calls of models only those of MCP servers' tools are judged and recorded. The others pass.
	MCPOnly bool
	Egress  Egress
	// SessionFolder is the folder of a session; nil, or "": it is not known.
	SessionFolder func(session string) string
	// Project is the folder of calls of which no other folder is known; "": it is not known either.
	Project string
	// Now is the clock by which the policy is asked, and by which rulings say how long they took; nil: no time is known.
	Now func() time.Time
	// OnUnrecorded is told of each call that is refused because it cannot be recorded; nil: nobody is.
	OnUnrecorded func()
	// RecordLater releases calls before their record is durable. It waives the promise that nothing passes unrecorded.
	RecordLater   bool
	WarnArguments int // size of arguments past which a call is recorded with a warning; 0: none is
	// MaxArguments is the size of arguments past which the record has their size and digest instead; 0: it has all.
	MaxArguments int
	// Contact is whom to ask about what the policy refuses; "": nobody is named.
	Contact string
}

// A Judge rules calls. It is safe for concurrent use.
type Judge struct {
	cfg Config
	// asked are the latest ruled calls: their results may arrive before the calls are recorded.
	asked recent[[]askedCall]
	// answered are calls of which it is known that their results are on record, or cannot be.
	answered recent[struct{}]
	declared declared
	scans    scans
	// underway are the calls that the agents of sessions are making.
	underway underway
	turns    turns
}

// New returns a Judge.
func New(cfg Config) *Judge {
	if cfg.Mode == "" {
		cfg.Mode = Enforce
	}
	return &Judge{cfg: cfg}
}

// policyOf is the policy by which an actor is judged.
func (j *Judge) policyOf(a call.Actor) *policy.Policy {
	if a.Session != "" && j.cfg.SessionPolicy != nil {
		if p := j.cfg.SessionPolicy(a.Session); p != nil {
			return p
		}
	}
	return j.cfg.Policy()
}

// RefusedByName refuses a call before its arguments have arrived, if no arguments could change the ruling.
func (j *Judge) RefusedByName(c call.Call) (call.Ruling, bool) {
	if j.cfg.Mode != Enforce {
		return call.Ruling{}, false
	}
	p := j.policyOf(c.Actor)
	c.Known = j.known(c, p)
	d, refused := p.RefusedByName(j.query(c))
	return refusal(d, p).WithContact(j.cfg.Contact), refused
}

// Judge decides on a complete call. It calls done with the ruling once that is final and recorded. A call that the provider
// stores, and that is read again, is ruled at least as strictly as before.
func (j *Judge) Judge(ctx context.Context, c call.Call, done func(call.Ruling)) {
	began := j.now()
	if c.Surface == call.Response {
		j.underway.hear(c.Actor)
	}
	before := j.recall(ctx, c)
	p := j.policyOf(c.Actor)
	f, events, unrecorded := j.consider(ctx, c, p, before)
	if unrecorded {
		j.underway.begin(c)
		done(call.Ruling{Released: true, Judged: j.now().Sub(began)})
		return
	}
	f.ruling.Judged = j.now().Sub(began)
	if f.needsYes() {
		j.ask(ctx, f, p, func(a approval.Answer) { j.rule(f, p, judgement{call: c, before: before, answer: a}, done) })
		return
	}
	j.rule(f, p, judgement{call: c, before: before, events: events}, done)
}

// rule concludes what was found of a call.
func (j *Judge) rule(f *finding, p *policy.Policy, g judgement, done func(call.Ruling)) {
	if g.events == nil {
		g.events = f.events(p)
	}
	if f.ruling.Released && g.before.nothing() {
		j.declare(f, p)
		j.underway.begin(g.call)
	}
	g.ruling = f.ruling
	j.conclude(g, done)
}

// consider decides on a call and makes its events, or says that the call passes without a record. A large call waits for its turn
// first.
func (j *Judge) consider(
	ctx context.Context, c call.Call, p *policy.Policy, before recollection,
) (f *finding, events []record.Event, unrecorded bool) {
	defer j.turns.take(ctx, c)()
	f = j.decide(c, p, newWork(ctx), before.nothing())
	j.scanRequest(f, p)
	switch {
	case before.err != nil:
		f.overrule(call.Ruling{Code: call.CodeStoreUnavailable, Reason: "What was ruled before could not be read."})
	case before.refused():
		f.overrule(before.ruling)
	}
	if !f.overruled && f.ordinary() {
		return f, nil, true
	}
	if before.nothing() {
		j.warn(c, p)
		j.fulfil(f, p)
	} else {
		j.sanitizeAgain(f, p)
	}
	if f.needsYes() {
		return f, nil, false
	}
	return f, f.events(p), false
}

// now is the time; the zero time if the judge has no clock.
func (j *Judge) now() (t time.Time) {
	if j.cfg.Now != nil {
		t = j.cfg.Now()
	}
	return t
}

// Refuse records a call that is refused whatever the policy says, because of its form.
func (j *Judge) Refuse(c call.Call, ruling call.Ruling, done func(call.Ruling)) {
	before := j.recall(context.Background(), c)
	if before.refused() {
		before.ruling.Silent = ruling.Silent
		ruling = before.ruling
	}
	e := j.refusedEvent(c)
	refuse(&e, ruling, j.cfg.Mode != Observe)
	locate(&e, j.policyOf(c.Actor))
	if j.cfg.Mode == Observe {
		ruling = call.Ruling{Released: true}
	}
	j.conclude(judgement{call: c, before: before, ruling: ruling, events: []record.Event{e}}, done)
}

// refusedEvent makes the event of a refused call, without the ruling. There are no events for the calls in its arguments, but their
// secrets are removed from this one.
func (j *Judge) refusedEvent(c call.Call) record.Event {
	p := j.policyOf(c.Actor)
	c.Known = j.known(c, p)
	e := event(c, p)
	if inner, opaque := nested.Find(c); opaque || len(inner) > 0 {
		shown, err := p.ForRecordOfCode(c.Args)
		show(&e, shown, err)
	}
	return e
}

// Arguments records the arguments of a call that was refused before they arrived. fault says why they are incomplete, if they are.
func (j *Judge) Arguments(c call.Call, fault call.Ruling) {
	e := j.refusedEvent(c)
	e.Type, e.Code, e.Reason = record.Types.CallArguments, fault.Code, fault.Reason
	if c.WireID == "" {
		j.remember(c) // it is known by its arguments
	}
	if j.cfg.MaxArguments > 0 {
		e.CapArguments(j.cfg.MaxArguments)
	}
	j.cfg.Recorder.Record(e, nil)
}

// Withdraw records that a call is refused after all, though it was, or may have been, recorded as released.
func (j *Judge) Withdraw(c call.Call, ruling call.Ruling, done func(call.Ruling)) {
	e := withdrawn(j.refusedEvent(c))
	e.ID = record.NewID()
	refuse(&e, ruling, j.cfg.Mode != Observe)
	g := judgement{call: c, ruling: ruling}
	events, with := []record.Event{e}, record.Effects{Remember: j.toRemember(g)}
	if j.cfg.Mode == Observe || j.cfg.RecordLater {
		j.cfg.Recorder.RecordAll(events, with, nil)
		done(ruling)
		return
	}
	began := j.now()
	j.cfg.Recorder.RecordAll(events, with, func(err error) {
		if err != nil {
			j.recordAgain(with, events, nil)
		}
		ruling.Recorded = j.now().Sub(began)
		done(ruling)
	})
}

// withdrawn turns the event of a call into one that withdraws it.
func withdrawn(e record.Event) record.Event {
	e.Type, e.Args, e.Detail = record.Types.CallWithdrawn, nil, nil
	return e
}

// A judgement is a ruling with everything that is recorded with it.
type judgement struct {
	call   call.Call
	before recollection
	ruling call.Ruling
	events []record.Event  // of the call, and of those in its arguments
	with   record.Effects  // of the events
	answer approval.Answer // of the people who were asked about it; zero: nobody was
}

// conclude calls done with the ruling once the events are durable. A ruling that must be remembered is stored with them. A call
// that cannot be recorded is refused.
func (j *Judge) conclude(g judgement, done func(call.Ruling)) {
	g.ruling = g.ruling.WithContact(j.cfg.Contact)
	if g.before.nothing() && (g.call.WireID != "" || !g.call.ArgsFollow) {
		j.remember(g.call)
	}
	if g.answer.Released {
		g.events = append(g.events, usedEvent(g.answer, g.call, time.Now()))
	}
	named(g.events)
	for i := range g.events {
		e := &g.events[i]
		if !g.before.nothing() {
			e.Type = record.Types.Reread
		}
		if j.cfg.MaxArguments > 0 {
			e.CapArguments(j.cfg.MaxArguments)
		}
	}
	ruling, remembered := g.ruling, j.toRemember(g)
	g.with.Remember = remembered
	// A refusal to be remembered is not recorded later: the agent may continue at once, and the provider then expects an output that
	// only the memory knows of.
	later := j.cfg.RecordLater && (ruling.Released || remembered == nil)
	if later || j.cfg.Mode == Observe {
		j.cfg.Recorder.RecordAll(g.events, g.with, nil)
		j.settled(g, true)
		done(ruling)
		return
	}
	began := j.now()
	j.cfg.Recorder.RecordAll(g.events, g.with, func(err error) {
		j.settled(g, err == nil)
		if err != nil {
			ruling = j.unrecorded(g)
		}
		ruling.Recorded = j.now().Sub(began)
		done(ruling)
	})
}

// unrecorded refuses a call that could not be recorded, and records the refusal as soon as that is possible. The store may have taken
// the events without being able to say so: then the record also says that the call was not delivered.
func (j *Judge) unrecorded(g judgement) call.Ruling {
	var instead []record.Event
	if g.ruling.Released {
		j.declared.end(g.call.ID)
		g.ruling = call.Ruling{Code: call.CodeStoreUnavailable, Reason: "The call could not be recorded.", Judged: g.ruling.Judged}
		for i := range g.events {
			refuse(&g.events[i], g.ruling, true)
		}
		g.with.Remember = j.toRemember(g)
		for _, e := range g.events {
			instead = append(instead, withdrawn(e))
		}
		named(instead)
		if j.cfg.OnUnrecorded != nil {
			j.cfg.OnUnrecorded()
		}
	}
	j.recordAgain(g.with, g.events, instead)
	return g.ruling
}

func (j *Judge) warn(c call.Call, p *policy.Policy) {
	if j.cfg.WarnArguments == 0 || len(c.Args) <= j.cfg.WarnArguments {
		return
	}
	c.Known = j.known(c, p)
	size := int64(len(c.Args))
	c.Args = nil // they are not shown
	e := event(c, p)
	e.Type = record.Types.CallWarning
	e.Detail = record.CallWarning{SizeBytes: size, LimitBytes: int64(j.cfg.WarnArguments)}
	j.cfg.Recorder.Record(e, nil)
}
