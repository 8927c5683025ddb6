package gate

import (
	"sync"
	"time"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/intake/budget"
	"github.com/weir-gate/weir/internal/model/dialect"
)

// register notes calls that have appeared and rules those whose name alone refuses them. It fails if there is no room for them.
func (r *response) register(slots []*dialect.Slot) error {
	now := time.Now()
	for _, s := range slots {
		if err := r.p.Account.Take(budget.Calls, callOverhead); err != nil {
			return err
		}
		p := &passing{slot: s, id: call.NewID(now), since: now, charged: callOverhead}
		r.calls, r.open = append(r.calls, p), append(r.open, p)
		if s.Ruling != nil || s.IsStored() {
			continue // what the provider keeps must not be refused before that is durable
		}
		if ruling, refused := r.gate.cfg.Judge.RefusedByName(r.call(p)); refused {
			r.refuseEarly(p, ruling)
			r.ensureKeeper() // the agent may hear nothing while the rest of it comes
		}
	}
	return nil
}

// tally looks at the calls under way after a frame: it has the bytes charged that they have grown by, and fails if there is no
// room for them. Calls of which it is clear before they are complete that they cannot pass are ruled now,
// so that what is still to come of them need not be held.
func (r *response) tally() error {
	open := r.open[:0]
	for _, p := range r.open {
		s := p.slot
		if grown := s.Kept + callOverhead - p.charged; grown > 0 {
			if err := r.p.Account.Take(budget.Calls, grown); err != nil {
				return err
			}
			p.charged += grown
		}
		if s.Done {
			continue
		}
		if s.Fault != nil && p.early == nil && s.Ruling == nil && !s.IsStored() {
			r.refuseEarly(p, call.Ruling{Code: s.Fault.Code, Reason: s.Fault.Reason})
		}
		open = append(open, p)
	}
	r.open = open
	if len(open) > maxOpen {
		return errManyOpen
	}
	return nil
}

// refuseEarly gives a call a ruling that does not wait for the judge's. One that is not complete is recorded now, without its
// arguments; one that is complete is recorded with the others, in their order.
func (r *response) refuseEarly(p *passing, ruling call.Ruling) {
	p.early = &ruling
	if !p.slot.Done {
		r.tell(p)
	}
}

// tell has an early refusal recorded now.
func (r *response) tell(p *passing) {
	p.told = time.Now()
	c := r.call(p)
	if !p.asked.IsZero() {
		r.gate.cfg.Judge.Withdraw(c, *p.early, r.earlyDone(p)) // what the judge has or will have recorded is not what the agent is told
		return
	}
	p.follows = !p.slot.Done
	c.ArgsFollow = p.follows
	r.gate.cfg.Judge.Refuse(c, *p.early, r.earlyDone(p))
}

// earlyDone takes note that an early refusal is on record.
func (r *response) earlyDone(p *passing) func(call.Ruling) {
	ruling := *p.early
	return func(recorded call.Ruling) {
		ruling.Judged, ruling.Recorded = recorded.Judged, recorded.Recorded
		r.rulings.put(p, ruling)
	}
}

// measure has counted how long a call waited that is ruled at this time. One that is not complete yet waited for nobody but the model.
func (r *response) measure(p *passing, ruled time.Time) {
	waited := time.Duration(0)
	if !p.asked.IsZero() {
		waited = ruled.Sub(p.asked)
	}
	r.gate.cfg.Meter.CallHeld(ruled.Sub(p.since))
	r.gate.cfg.Meter.CallReleased(waited)
}

// maxOpen is how many calls may be under way at once. Each is looked at with every frame.
const maxOpen = 1024

// submit hands complete calls to the judge, in the order in which they appeared.
func (r *response) submit() {
	for r.judged < len(r.calls) && r.calls[r.judged].slot.Done {
		p := r.calls[r.judged]
		if with := p.slot.With; with != nil && with.Ruling == nil {
			return // its ruling decides on this one too
		}
		r.judged++
		p.asked = time.Now()
		c := r.call(p)
		done := func(ruling call.Ruling) { r.rulings.put(p, ruling) }
		switch {
		case p.early != nil:
			r.recordEarly(p, c)
		case p.slot.Fault != nil:
			r.gate.cfg.Judge.Refuse(c, r.faulty(p.slot), func(ruling call.Ruling) {
				ruling.Silent = p.slot.Silent
				done(ruling)
			})
		case p.slot.With != nil && !p.slot.With.Ruling.Released:
			r.gate.cfg.Judge.Refuse(c, refusedWith(*p.slot.With.Ruling), done)
		default:
			r.gate.cfg.Judge.Judge(r.ctx, c, done)
		}
	}
}

// recordEarly has recorded what is not on record yet of a call that was refused early.
func (r *response) recordEarly(p *passing, c call.Call) {
	switch {
	case p.told.IsZero():
		r.gate.cfg.Judge.Refuse(c, *p.early, r.earlyDone(p))
	case !p.follows:
	case p.slot.Fault != nil:
		r.gate.cfg.Judge.Arguments(c, r.faulty(p.slot))
	default:
		r.gate.cfg.Judge.Arguments(c, call.Ruling{})
	}
}

// abandon has the record say what became of the calls that the agent did not wait for. They may come again, if the provider keeps
// them, and are ruled then.
func (r *response) abandon() {
	r.giveUp(false)
	nobody := func(call.Ruling) {}
	for ; r.judged < len(r.calls); r.judged++ {
		p := r.calls[r.judged]
		if !p.slot.Done && p.slot.Fault == nil {
			p.slot.Fault, p.slot.Silent = dialect.CutShort(), true
		}
		c := r.call(p)
		switch {
		case p.early != nil:
			r.recordEarly(p, c)
		case p.slot.Fault != nil:
			r.gate.cfg.Judge.Refuse(c, r.faulty(p.slot), nobody)
		default:
			left := call.Ruling{Code: call.CodeCutShort, Reason: "The agent left before the call was ruled.", Silent: true}
			r.gate.cfg.Judge.Refuse(c, left, nobody)
		}
	}
}

// giveUp has the dialect give up the calls that are not complete, once, and returns them.
func (r *response) giveUp(clean bool) []*dialect.Slot {
	if r.ended {
		return nil
	}
	r.ended = true
	return r.p.Dialect.End(clean)
}

// refusedWith is the ruling of a call that cannot do without another one, which was refused.
func refusedWith(leader call.Ruling) call.Ruling {
	return call.Ruling{
		Code: leader.Code, Rule: leader.Rule, Policy: leader.Policy, Silent: leader.Silent,
		Reason: "The call that leads its set was refused, and the set is of no use without it.",
	}
}

// faulty is the ruling of a call that is refused for what it is. One in which the upstream broke off may come again whole,
// and then be judged; one in which weir stopped reading was refused for good.
func (r *response) faulty(s *dialect.Slot) call.Ruling {
	return call.Ruling{Code: s.Fault.Code, Reason: s.Fault.Reason, Silent: s.Silent && r.refused == nil}
}

// applyRulings gives the calls the rulings that have arrived.
func (r *response) applyRulings() {
	for items := r.rulings.takeAll(); len(items) > 0; items = r.rulings.takeAll() {
		for _, d := range items {
			switch {
			case d.p.closed:
			case d.ruling.Released && d.ruling.Args != nil && !d.p.slot.Accepts(d.ruling.Args):
				p := d.p
				done := func(ruling call.Ruling) { r.rulings.put(p, ruling) }
				r.gate.cfg.Judge.Refuse(r.call(p), irreplaceable(d.ruling), done)
			default:
				r.rule(d)
			}
		}
	}
}

// rule gives a call its ruling.
func (r *response) rule(d delivery) {
	p := d.p
	p.closed = true
	p.slot.Ruling = &d.ruling
	r.measure(p, d.came)
	began := p.asked
	if !p.told.IsZero() {
		began = p.told
	}
	r.count(began, d.came, d.ruling)
}

// count adds the time for which a call waited. Calls that waited together waited once.
func (r *response) count(asked, came time.Time, ruling call.Ruling) {
	if asked.Before(r.countedTo) {
		asked = r.countedTo
	}
	waited := max(0, came.Sub(asked))
	recorded := min(ruling.Recorded, waited)
	r.took.Held += waited
	r.took.Recorded += recorded
	r.took.Judged += min(ruling.Judged, waited-recorded)
	if came.After(r.countedTo) {
		r.countedTo = came
	}
}

// irreplaceable is the ruling of a call that may go out with other arguments only, which it cannot be given.
func irreplaceable(r call.Ruling) call.Ruling {
	return call.Ruling{
		Code: call.CodeArgsDenied, Rule: r.Rule, Policy: r.Policy,
		Reason: "Its arguments would have to be changed, and cannot be where they stand.",
	}
}

// leastHold is how long a call is held at least, and the record waited for, when the agent's patience is nearly at its end: both take much
// less as a rule.
const leastHold = 15 * time.Second

func earlier(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// expire refuses the calls that were held too long and returns when the next one will be. The agent's patience is for the first of them:
// what is said in its place is progress.
func (r *response) expire(now time.Time) time.Time {
	var next time.Time
	patience := r.patience
	for r.ruled < len(r.calls) && r.calls[r.ruled].slot.Ruling != nil {
		r.ruled++
	}
	for _, p := range r.calls[r.ruled:] {
		if p.closed || p.slot.Ruling != nil {
			continue
		}
		began := p.since
		if !p.told.IsZero() {
			began = p.told
		}
		end := began.Add(r.maxHold)
		if patience > 0 {
			end = earlier(end, later(r.lastEvent.Add(patience), began.Add(leastHold)))
		}
		patience = 0
		switch {
		case end.After(now):
			if next.IsZero() || end.Before(next) {
				next = end
			}
		case p.early != nil && (!p.told.IsZero() || !p.asked.IsZero()):
			// The record has not said for as long that it has the refusal, nor that it could not take it.
			r.rule(delivery{p, *p.early, now})
		default:
			if p.early == nil {
				p.early = &call.Ruling{Code: call.CodeCutShort, Reason: "The call was held longer than weir's bound."}
			}
			r.tell(p)
		}
	}
	return next
}

// call is what the judge is asked about.
func (r *response) call(p *passing) call.Call {
	r.exchange()
	c := p.slot.Call(r.p.Exchange, r.p.Menu)
	c.ID, c.Actor = p.id, r.p.Actor
	return c
}

// exchange brings what the response says of itself up to date.
func (r *response) exchange() {
	m := r.p.Dialect.Meta()
	r.p.Exchange.Model, r.p.Exchange.ResponseID, r.p.Exchange.Conversation = m.Model, m.ResponseID, m.Conversation
}

// An inbox takes rulings from the judge's goroutines. It never blocks them.
type inbox struct {
	mu    sync.Mutex
	items []delivery
	wake  chan struct{}
}

type delivery struct {
	p      *passing
	ruling call.Ruling
	came   time.Time
}

func (b *inbox) put(p *passing, ruling call.Ruling) {
	now := time.Now()
	b.mu.Lock()
	b.items = append(b.items, delivery{p, ruling, now})
	b.mu.Unlock()
	b.nudge()
}

// nudge makes the keeper look after things now.
func (b *inbox) nudge() {
	select {
	case b.wake <- struct{}{}:
	default:
	}
}

func (b *inbox) takeAll() []delivery {
	b.mu.Lock()
	defer b.mu.Unlock()
	items := b.items
	b.items = nil
	return items
}
