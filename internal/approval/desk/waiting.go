package desk

import (
	"context"
	"sync"
	"time"

	"github.com/weir-gate/weir/internal/approval"
)

// waiting are the calls that wait for a decision, by request. The zero value is empty; wake must be set.
type waiting struct {
	mu   sync.Mutex
	byID map[string]*waited
	wake chan struct{} // tells the poller that somebody waits
}

// waited is a request that calls wait for.
type waited struct {
	calls   int
	decided chan struct{}    // closed when the request is not pending any more
	last    approval.Request // from then on
}

func (w *waiting) join(id string) *waited {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.byID == nil {
		w.byID = map[string]*waited{}
	}
	one := w.byID[id]
	if one == nil {
		one = &waited{decided: make(chan struct{})}
		w.byID[id] = one
	}
	one.calls++
	select {
	case w.wake <- struct{}{}:
	default:
	}
	return one
}

func (w *waiting) leave(id string, one *waited) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if one.calls--; one.calls == 0 && w.byID[id] == one {
		delete(w.byID, id)
	}
}

// changed tells the calls that wait for a request what became of it.
func (w *waiting) changed(r approval.Request) {
	if r.State == approval.Pending {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if one := w.byID[r.ID]; one != nil {
		delete(w.byID, r.ID)
		one.last = r
		close(one.decided)
	}
}

// ids are the requests that calls wait for.
func (w *waiting) ids() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	ids := make([]string, 0, len(w.byID))
	for id := range w.byID {
		ids = append(ids, id)
	}
	return ids
}

// await waits until a request is decided, until a time, or until whoever asked is gone. Where nobody learns of the request, it does not
// wait.
func (d *Desk) await(ctx context.Context, r approval.Request, until time.Time) (approval.Request, error) {
	wait := min(until.Sub(d.cfg.Now()), r.Terms.Wait.Duration())
	if wait <= 0 || d.cfg.Reachable == nil || !d.cfg.Reachable(r) {
		return r, nil
	}
	one := d.waiting.join(r.ID)
	defer d.waiting.leave(r.ID, one)
	// The decision may have come before anybody waited for it.
	if err := d.look(ctx, []string{r.ID}); err != nil {
		return r, err
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-one.decided:
		return one.last, nil
	case <-timer.C:
	case <-ctx.Done():
	}
	return r, nil
}

// look tells waiting calls what the store says of their requests.
func (d *Desk) look(ctx context.Context, ids []string) error {
	found, err := d.cfg.Store.Approvals(ctx, approval.Filter{IDs: ids, Limit: len(ids)})
	for _, r := range found {
		if aged := r.Aged(d.now()); aged.State == r.State {
			d.waiting.changed(r)
		}
		// One that has ended by itself is told by the sweep, which has that recorded.
	}
	return err
}

// Run looks for votes that other processes took, and for requests that ended by themselves, until ctx ends.
func (d *Desk) Run(ctx context.Context) {
	sweep := time.NewTicker(d.cfg.Sweep)
	defer sweep.Stop()
	poll := time.NewTimer(d.cfg.Poll)
	defer poll.Stop()
	d.sweep(ctx)
	for {
		select {
		case <-ctx.Done():
			return
		case <-sweep.C:
			d.sweep(ctx)
			continue
		case <-d.waiting.wake:
			poll.Reset(d.cfg.Poll)
			continue
		case <-poll.C:
		}
		if ids := d.waiting.ids(); len(ids) > 0 {
			d.reportWithin(ctx, d.look(ctx, ids))
			poll.Reset(d.cfg.Poll)
		}
	}
}
