// Package desk is where calls wait for people: it asks, waits, takes votes, and uses up a yes for one call.
package desk

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/weir-gate/weir/internal/approval"
	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/record"
)

// A Recorder makes events durable. It calls done once, and does not block. With a nil done nobody waits: what cannot be recorded now is
// recorded later.
type Recorder interface {
	Record(e record.Event, done func(error))
}

// Config sets up a Desk.
type Config struct {
	Store    approval.Store
	Recorder Recorder
	Now      func() time.Time // nil: time.Now
	// Reachable says whether anybody learns of a request now; nil: nobody does, so that no call waits.
	Reachable func(approval.Request) bool
	// Recorded says whether the record has a call; nil: it has none.
	Recorded func(ctx context.Context, id call.ID) (bool, error)
	// Poll is how often the store is asked for votes that other processes took; 0: twice a second.
	Poll time.Duration
	// Sweep is how often requests that ended by themselves are looked for; 0: every 10 seconds.
	Sweep time.Duration
	// OnError is told what fails where nobody waits for it; nil: nobody is.
	OnError func(error)
}

const (
	// maxOpen is how many requests of one session can be pending.
	maxOpen = 50
	// lapseAfter is how long a yes may be used up without the record having the call, before it counts as lost.
	lapseAfter = 2 * time.Minute
)

// A Desk asks people. It is safe for concurrent use.
type Desk struct {
	cfg     Config
	waiting waiting
}

// New returns a Desk.
func New(cfg Config) *Desk {
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	if cfg.Poll == 0 {
		cfg.Poll = time.Second / 2
	}
	if cfg.Sweep == 0 {
		cfg.Sweep = 10 * time.Second
	}
	d := &Desk{cfg: cfg}
	d.waiting.wake = make(chan struct{}, 1)
	return d
}

// now is the time, as the store keeps it.
func (d *Desk) now() time.Time { return d.cfg.Now().UTC().Truncate(time.Microsecond) }

func (d *Desk) report(err error) {
	if err != nil && d.cfg.OnError != nil {
		d.cfg.OnError(err)
	}
}

// reportWithin is report for work that may end with its context.
func (d *Desk) reportWithin(ctx context.Context, err error) {
	if ctx.Err() == nil {
		d.report(err)
	}
}

// Ask asks people about a call and hands the answer to done, once. It does not wait itself. An answer that releases the call has used up
// a yes: whoever asked says with Settled whether the record has the call.
func (d *Desk) Ask(ctx context.Context, q approval.Question, done func(approval.Answer)) {
	go func() { done(d.ask(ctx, q)) }()
}

func (d *Desk) ask(ctx context.Context, q approval.Question) approval.Answer {
	for {
		g, granted, err := d.cfg.Store.GrantFor(ctx, q.Match, q.Card.Actor.Session, d.now())
		if err != nil {
			return d.failed(ctx, err)
		}
		if granted {
			return approval.Answer{Released: true, Grant: g.ID, Request: grantedRequest(g, q)}
		}
		r, err := d.open(ctx, q)
		switch {
		case errors.Is(err, approval.ErrFlood):
			return approval.Answer{Code: call.CodeApprovalFlood}
		case err != nil:
			return d.failed(ctx, err)
		}
		if r.State == approval.Pending {
			if r, err = d.await(ctx, r, q.Until); err != nil {
				return d.failed(ctx, err)
			}
		}
		switch r.State {
		case approval.Pending, approval.Withdrawn:
			return approval.Answer{Code: call.CodeApprovalPending, Request: r}
		case approval.Denied:
			return approval.Answer{Code: call.CodeApprovalDenied, Request: r, Said: r.Said()}
		case approval.Expired:
			return approval.Answer{Code: call.CodeApprovalExpired, Request: r}
		case approval.Approved:
			if ctx.Err() != nil {
				return approval.Answer{Code: call.CodeApprovalPending, Request: r} // nobody would get the call: the yes stays
			}
			used, err := d.cfg.Store.UseApproval(ctx, r.ID, func(r approval.Request) (approval.Request, error) {
				return r.Use(q.By, d.now())
			}, d.now())
			if err == nil {
				return approval.Answer{Released: true, Request: used}
			}
			if !errors.Is(err, approval.ErrNotApproved) {
				return d.failed(ctx, err)
			}
		}
		// Another call was faster, and used up the yes: this one asks again.
	}
}

// grantedRequest is what a call that a grant lets pass is recorded with.
func grantedRequest(g approval.Grant, q approval.Question) approval.Request {
	r := approval.Request{ID: g.Approval, State: approval.Used, Match: g.Match, Card: q.Card, Scope: approval.Session, Origin: q.Origin}
	for _, user := range g.By {
		r.Votes = append(r.Votes, approval.Vote{Voter: approval.Person{User: user}, Yes: true})
	}
	return r
}

// failed refuses a call because the store cannot tell, or because whoever asked is gone.
func (d *Desk) failed(ctx context.Context, err error) approval.Answer {
	d.reportWithin(ctx, fmt.Errorf("ask for approval: %w", err))
	return approval.Answer{Code: call.CodeStoreUnavailable}
}

// open finds the open request about a matter, or opens one and has that recorded.
func (d *Desk) open(ctx context.Context, q approval.Question) (approval.Request, error) {
	r, err := q.NewRequest(d.now())
	if err != nil {
		return r, err
	}
	opened, err := d.cfg.Store.OpenApproval(ctx, r, maxOpen)
	if err != nil {
		return r, err
	}
	for _, ended := range opened.Ended {
		d.ended(ended)
	}
	if !opened.New {
		return opened.Request, nil
	}
	return r, d.record(ctx, record.ApprovalEvent(record.Types.ApprovalRequested, r, r.Created))
}

// ended records that a request ended by itself.
func (d *Desk) ended(r approval.Request) {
	typ := record.Types.ApprovalDecided
	if r.State == approval.Lapsed {
		typ = record.Types.ApprovalLapsed
	}
	d.cfg.Recorder.Record(record.ApprovalEvent(typ, r, d.now()), nil)
	d.waiting.changed(r)
}

// record records an event and returns when it is durable.
func (d *Desk) record(ctx context.Context, e record.Event) error {
	recorded := make(chan error, 1)
	d.cfg.Recorder.Record(e, func(err error) { recorded <- err })
	select {
	case err := <-recorded:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Settled notes whether the record has the call for which a yes was used up. If it has not, the yes is lost, and the record says so.
func (d *Desk) Settled(a approval.Answer, by call.ID, recorded bool) {
	if !a.Released || a.Grant != "" {
		return
	}
	go func() {
		ctx, cancel := context.WithTimeout(context.Background(), settleWithin)
		defer cancel()
		d.report(d.settle(ctx, a.Request.ID, by, recorded))
	}()
}

// settleWithin is how long the store may take to note how a call ended. If it takes longer, a sweep finds it out.
const settleWithin = 30 * time.Second

func (d *Desk) settle(ctx context.Context, id string, by call.ID, recorded bool) error {
	r, err := d.cfg.Store.ChangeApproval(ctx, id, func(r approval.Request) (approval.Request, error) {
		if recorded {
			return r.Settle(by)
		}
		return r.Lapse(by)
	})
	if err != nil {
		return fmt.Errorf("note how an approved call ended: %w", err)
	}
	if !recorded {
		d.cfg.Recorder.Record(record.ApprovalEvent(record.Types.ApprovalLapsed, r, d.now()), nil)
	}
	return nil
}
