package gate

import (
	"sync"
	"time"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/intake/budget"
	"github.com/weir-gate/weir/internal/model/dialect"
)

// register notes new calls, and refuses those whose name is reason enough. It fails if the memory budget has no room for them.
func (t *transit) register(slots []*dialect.Slot) error {
	now := time.Now()
	for _, s := range slots {
		if err := t.p.Account.Take(budget.Calls, callOverhead); err != nil {
			return err
		}
		p := &heldCall{slot: s, id: call.NewID(now), since: now, charged: callOverhead}
		t.calls, t.open = append(t.calls, p), append(t.open, p)
		if s.Ruling != nil || s.IsStored() {
			continue // a call that the provider stores must not be refused before its refusal is durable
		}
		if ruling, refused := t.gate.cfg.Judge.RefusedByName(t.call(p)); refused {
			t.refuseEarly(p, ruling)
			t.ensureWatcher() // the agent may get nothing while the rest of the call arrives
		}
	}
	return nil
}

// tally looks at the open calls after a frame. It charges the bytes by which they have grown, and fails if the memory budget has no
// room for those. An incomplete call that can no longer pass is refused now, so that the rest of it need not be held.
func (t *transit) tally() error {
	open := t.open[:0]
	for _, p := range t.open {
		s := p.slot
		if grown := s.Held + callOverhead - p.charged; grown > 0 {
			if err := t.p.Account.Take(budget.Calls, grown); err != nil {
				return err
			}
			p.charged += grown
		}
		if s.Done {
			continue
		}
		if s.Fault != nil && p.early == nil && s.Ruling == nil && !s.IsStored() {
			t.refuseEarly(p, call.Ruling{Code: s.Fault.Code, Reason: s.Fault.Reason})
		}
		open = append(open, p)
	}
	t.open = open
	if len(open) > maxOpen {
		return errManyOpen
	}
	return nil
}

// refuseEarly refuses a call without waiting for the judge. The refusal of an incomplete call is recorded now, without arguments;
// that of a complete call is recorded in the order of all calls.
func (t *transit) refuseEarly(p *heldCall, ruling call.Ruling) {
	p.early = &ruling
	if !p.slot.Done {
		t.tell(p)
	}
}

// tell records an early refusal now.
func (t *transit) tell(p *heldCall) {
	p.told = time.Now()
	c := t.call(p)
	if !p.asked.IsZero() {
		t.gate.cfg.Judge.Withdraw(c, *p.early, t.earlyDone(p)) // the judge's own record of this call differs from what the agent is told
		return
	}
	p.follows = !p.slot.Done
	c.ArgsFollow = p.follows
	t.gate.cfg.Judge.Refuse(c, *p.early, t.earlyDone(p))
}

// earlyDone returns the function that is called when an early refusal is recorded. It delivers the refusal as the call's ruling.
func (t *transit) earlyDone(p *heldCall) func(call.Ruling) {
	ruling := *p.early
	return func(recorded call.Ruling) {
		ruling.Judged, ruling.Recorded = recorded.Judged, recorded.Recorded
		t.rulings.put(p, ruling)
	}
}

// measure counts how long a call waited until it was ruled. An incomplete call waited only for the model.
func (t *transit) measure(p *heldCall, ruled time.Time) {
	waited := time.Duration(0)
	if !p.asked.IsZero() {
		waited = ruled.Sub(p.asked)
	}
	t.gate.cfg.Meter.CallHeld(ruled.Sub(p.since))
	t.gate.cfg.Meter.CallReleased(waited)
}

// maxOpen is how many calls may be open at once. tally looks at each of them after every frame.
const maxOpen = 1024

// submit hands complete calls to the judge, in the order in which they appeared.
func (t *transit) submit() {
	for t.judged < len(t.calls) && t.calls[t.judged].slot.Done {
		p := t.calls[t.judged]
		if with := p.slot.With; with != nil && with.Ruling == nil {
			return // wait for that ruling: if it is a refusal, it refuses this call, too
		}
		t.judged++
		p.asked = time.Now()
		c := t.call(p)
		done := func(ruling call.Ruling) { t.rulings.put(p, ruling) }
		switch {
		case p.early != nil:
			t.recordEarly(p, c)
		case p.slot.Fault != nil:
			t.gate.cfg.Judge.Refuse(c, t.faulty(p.slot), func(ruling call.Ruling) {
				ruling.Silent = p.slot.Silent
				done(ruling)
			})
		case p.slot.With != nil && !p.slot.With.Ruling.Released:
			t.gate.cfg.Judge.Refuse(c, refusedWith(*p.slot.With.Ruling), done)
		default:
			c.HoldUntil = t.holdUntil(p)
			t.gate.cfg.Judge.Judge(t.ctx, c, done)
		}
	}
}

// holdUntil is how long a call can be held for a person's decision, so that the ruling is still recorded before the call expires.
func (t *transit) holdUntil(p *heldCall) time.Time {
	end := t.expiry(p.since, t.patience)
	if t.p.Wait > 0 {
		end = earlier(end, p.since.Add(t.p.Wait))
	}
	return end.Add(-min(leastHold, end.Sub(p.asked)/4))
}

// recordEarly records what the record still lacks about a call that was refused early.
func (t *transit) recordEarly(p *heldCall, c call.Call) {
	switch {
	case p.told.IsZero():
		t.gate.cfg.Judge.Refuse(c, *p.early, t.earlyDone(p))
	case !p.follows:
	case p.slot.Fault != nil:
		t.gate.cfg.Judge.Arguments(c, t.faulty(p.slot))
	default:
		t.gate.cfg.Judge.Arguments(c, call.Ruling{})
	}
}

// abandon records the calls that were not submitted to the judge before the agent left. If the provider stores them, they may come
// again, and are ruled then.
func (t *transit) abandon() {
	t.giveUp(false)
	nobody := func(call.Ruling) {}
	for ; t.judged < len(t.calls); t.judged++ {
		p := t.calls[t.judged]
		if !p.slot.Done && p.slot.Fault == nil {
			p.slot.Fault, p.slot.Silent = dialect.CutShort(), true
		}
		c := t.call(p)
		switch {
		case p.early != nil:
			t.recordEarly(p, c)
		case p.slot.Fault != nil:
			t.gate.cfg.Judge.Refuse(c, t.faulty(p.slot), nobody)
		default:
			left := call.Ruling{Code: call.CodeCutShort, Reason: "The agent left before the call was ruled.", Silent: true}
			t.gate.cfg.Judge.Refuse(c, left, nobody)
		}
	}
}

// giveUp tells the dialect, once, that no more frames come. It returns the incomplete calls.
func (t *transit) giveUp(clean bool) []*dialect.Slot {
	if t.ended {
		return nil
	}
	t.ended = true
	return t.p.Dialect.End(clean)
}

// refusedWith is the refusal of a call that needs another call, which was refused.
func refusedWith(leader call.Ruling) call.Ruling {
	return call.Ruling{
		Code: leader.Code, Rule: leader.Rule, Policy: leader.Policy, Silent: leader.Silent,
		Reason: "This call depends on another one, which was refused.",
	}
}

// faulty is the refusal of a call that is itself invalid. If the upstream broke off inside the call, the call may come again
// complete, and is judged then. If weir stopped reading inside it, the refusal is final.
func (t *transit) faulty(s *dialect.Slot) call.Ruling {
	return call.Ruling{Code: s.Fault.Code, Reason: s.Fault.Reason, Silent: s.Silent && t.refused == nil}
}

// applyRulings gives the calls the rulings that have arrived.
func (t *transit) applyRulings() {
	for items := t.rulings.takeAll(); len(items) > 0; items = t.rulings.takeAll() {
		for _, d := range items {
			switch {
			case d.p.closed:
			case d.ruling.Released && d.ruling.Args != nil && !d.p.slot.Accepts(d.ruling.Args):
				p := d.p
				done := func(ruling call.Ruling) { t.rulings.put(p, ruling) }
				t.gate.cfg.Judge.Refuse(t.call(p), irreplaceable(d.ruling), done)
			default:
				t.rule(d)
			}
		}
	}
}

// rule gives a call its ruling.
func (t *transit) rule(d delivery) {
	p := d.p
	p.closed = true
	p.slot.Ruling = &d.ruling
	t.measure(p, d.came)
	began := p.asked
	if !p.told.IsZero() {
		began = p.told
	}
	t.count(began, d.came, d.ruling)
}

// count adds the time for which a call waited. Time in which several calls waited is counted once.
func (t *transit) count(asked, came time.Time, ruling call.Ruling) {
	if asked.Before(t.countedTo) {
		asked = t.countedTo
	}
	waited := max(0, came.Sub(asked))
	recorded := min(ruling.Recorded, waited)
	t.took.Held += waited
	t.took.Recorded += recorded
	t.took.Judged += min(ruling.Judged, waited-recorded)
	if came.After(t.countedTo) {
		t.countedTo = came
	}
}

// irreplaceable is the refusal of a call whose arguments must be replaced but cannot be.
func irreplaceable(r call.Ruling) call.Ruling {
	return call.Ruling{
		Code: call.CodeArgsDenied, Rule: r.Rule, Policy: r.Policy,
		Reason: "Its arguments would have to be changed, and cannot be where they stand.",
	}
}

// leastHold is the least time to wait for a ruling, and for the record, even if the agent's timeout is near. Normally both take
// much less.
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

// expiry is when a call that is held since a time is refused. patience is how long the agent waits for progress; 0: without limit.
func (t *transit) expiry(began time.Time, patience time.Duration) time.Time {
	end := began.Add(t.maxHold)
	if patience > 0 {
		end = earlier(end, later(t.lastEvent.Add(patience), began.Add(leastHold)))
	}
	return end
}

// expire refuses the calls that were held too long and returns when the next one expires. The agent's timeout matters only for the
// first call: its notice already counts as progress.
func (t *transit) expire(now time.Time) time.Time {
	var next time.Time
	patience := t.patience
	for t.ruled < len(t.calls) && t.calls[t.ruled].slot.Ruling != nil {
		t.ruled++
	}
	for _, p := range t.calls[t.ruled:] {
		if p.closed || p.slot.Ruling != nil {
			continue
		}
		began := p.since
		if !p.told.IsZero() {
			began = p.told
		}
		end := t.expiry(began, patience)
		patience = 0
		switch {
		case end.After(now):
			if next.IsZero() || end.Before(next) {
				next = end
			}
		case p.early != nil && (!p.told.IsZero() || !p.asked.IsZero()):
			// Within that time the record has neither confirmed the refusal nor failed to store it.
			t.rule(delivery{p, *p.early, now})
		default:
			if p.early == nil {
				p.early = &call.Ruling{Code: call.CodeCutShort, Reason: "The call was held longer than weir's bound."}
			}
			t.tell(p)
		}
	}
	return next
}

// call returns the call that the judge is asked about.
func (t *transit) call(p *heldCall) call.Call {
	t.exchange()
	c := p.slot.Call(t.p.Exchange, t.p.Menu)
	c.ID, c.Actor = p.id, t.p.Actor
	return c
}

// exchange updates the model, the response id and the conversation from the dialect.
func (t *transit) exchange() {
	m := t.p.Dialect.Meta()
	t.p.Exchange.Model, t.p.Exchange.ResponseID, t.p.Exchange.Conversation = m.Model, m.ResponseID, m.Conversation
}

// An inbox collects rulings from the judge's goroutines. It never blocks them.
type inbox struct {
	mu    sync.Mutex
	items []delivery
	wake  chan struct{}
}

type delivery struct {
	p      *heldCall
	ruling call.Ruling
	came   time.Time
}

func (b *inbox) put(p *heldCall, ruling call.Ruling) {
	now := time.Now()
	b.mu.Lock()
	b.items = append(b.items, delivery{p, ruling, now})
	b.mu.Unlock()
	b.nudge()
}

// nudge wakes the watcher.
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
