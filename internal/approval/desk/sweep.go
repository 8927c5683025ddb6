package desk

import (
	"context"
	"fmt"

	"github.com/weir-gate/weir/internal/approval"
)

// sweep ends requests whose time is over, and finds out about yeses that were used up by a process that is gone.
func (d *Desk) sweep(ctx context.Context) {
	d.reportWithin(ctx, d.endOld(ctx))
	d.reportWithin(ctx, d.settleOld(ctx))
}

func (d *Desk) endOld(ctx context.Context) error {
	now := d.now()
	old, err := d.cfg.Store.Approvals(ctx, approval.Filter{EndedBy: now})
	for _, r := range old {
		did := false
		ended, err := d.cfg.Store.ChangeApproval(ctx, r.ID, func(r approval.Request) (approval.Request, error) {
			aged := r.Aged(now)
			did = aged.State != r.State
			return aged, nil
		})
		if err != nil {
			return fmt.Errorf("end an approval: %w", err)
		}
		if did {
			d.ended(ended)
		}
	}
	return err
}

// settleOld asks the record about yeses that were used up some time ago. If it does not have the call, weir ended between the two: the
// call was never released, and the yes is lost.
func (d *Desk) settleOld(ctx context.Context) error {
	if d.cfg.Recorded == nil {
		return nil
	}
	unsettled, err := d.cfg.Store.Approvals(ctx, approval.Filter{Unsettled: true})
	for _, r := range unsettled {
		if d.now().Sub(r.Used) < lapseAfter {
			continue
		}
		recorded, err := d.cfg.Recorded(ctx, r.UsedBy)
		if err == nil {
			err = d.settle(ctx, r.ID, r.UsedBy, recorded)
		}
		if err != nil {
			return err
		}
	}
	return err
}
