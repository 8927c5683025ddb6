package desk

import (
	"context"
	"fmt"
	"time"

	"github.com/weir-gate/weir/internal/approval"
	"github.com/weir-gate/weir/internal/record"
)

// Vote takes a person's vote on a request. When it returns without an error, the vote counts and is on record. The same vote again is no
// error.
func (d *Desk) Vote(ctx context.Context, id string, v approval.Vote) (approval.Request, error) {
	voted, _, err := d.Cast(ctx, id, v)
	return voted, err
}

// Cast is Vote, and says whether the vote is new.
func (d *Desk) Cast(ctx context.Context, id string, v approval.Vote) (approval.Request, bool, error) {
	v.Time = d.now()
	var was, voted approval.Request
	voted, err := d.cfg.Store.ChangeApproval(ctx, id, func(r approval.Request) (approval.Request, error) {
		was = r
		return r.Vote(v)
	})
	if err != nil {
		return voted, false, err
	}
	fresh := len(voted.Votes) > len(was.Votes)
	if fresh {
		err = d.record(ctx, record.VoteEvent(voted, voted.Votes[len(voted.Votes)-1]))
	}
	if err == nil && voted.State != was.State {
		err = d.record(ctx, record.ApprovalEvent(record.Types.ApprovalDecided, voted, v.Time))
	}
	d.waiting.changed(voted)
	if err != nil {
		return voted, fresh, fmt.Errorf("the vote counts, but could not be recorded: %w", err)
	}
	return voted, fresh, nil
}

// Withdraw takes a question back.
func (d *Desk) Withdraw(ctx context.Context, id string) error {
	r, err := d.cfg.Store.ChangeApproval(ctx, id, func(r approval.Request) (approval.Request, error) { return r.Withdraw(d.now()) })
	if err != nil {
		return err
	}
	d.waiting.changed(r)
	return d.record(ctx, record.ApprovalEvent(record.Types.ApprovalWithdrawn, r, d.now()))
}

// Revoke ends a yes for a session.
func (d *Desk) Revoke(ctx context.Context, id, by string) (approval.Grant, error) {
	g, err := d.cfg.Store.RevokeGrant(ctx, id, by, d.now())
	if err != nil {
		return g, err
	}
	return g, d.record(ctx, record.Event{
		Time: d.now(), Type: record.Types.ApprovalRevoked, Actor: g.Actor, Server: g.Server, Tool: g.Tool,
		Detail: record.Approval{
			ID: g.Approval, State: string(approval.Used), Match: string(g.Match), Rules: g.Rules, By: []string{by},
			Scope: string(approval.Session), Grant: g.ID,
		},
	})
}

// List returns requests, the newest first, as they are now.
func (d *Desk) List(ctx context.Context, f approval.Filter) ([]approval.Request, error) {
	all, err := d.cfg.Store.Approvals(ctx, f)
	for i := range all {
		all[i] = all[i].Aged(d.now())
	}
	return all, err
}

// Grants returns the grants that hold now.
func (d *Desk) Grants(ctx context.Context) ([]approval.Grant, error) {
	return d.cfg.Store.Grants(ctx, d.now())
}

// Now is the desk's clock.
func (d *Desk) Now() time.Time { return d.now() }
