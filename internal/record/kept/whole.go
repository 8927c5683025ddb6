package kept

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/query"
	"github.com/weir-gate/weir/internal/record/recordlog"
	"github.com/weir-gate/weir/internal/record/verify"
)

// whole yields all events as the logs have them, for those who verify the record. Damage does not end it: see Recount.
func (h *history) whole(ctx context.Context) iter.Seq2[record.Entry, error] {
	return func(yield func(record.Entry, error) bool) {
		logs, cut, err := h.beginWhole(ctx)
		if err != nil {
			yield(record.Entry{}, err)
			return
		}
		for _, log := range logs {
			for e, err := range h.wholeOf(log, cut) {
				if !yield(e, err) || err != nil {
					return
				}
			}
		}
	}
}

// beginWhole returns the logs, and what of them was removed.
func (h *history) beginWhole(ctx context.Context) (logs []string, cut cuts, err error) {
	h.damage.clear()
	if cut, err = h.cuts(ctx); err != nil {
		return nil, nil, err
	}
	logs, err = recordlog.Names(h.folder)
	return logs, cut, err
}

// wholeOf yields the events of one log.
func (h *history) wholeOf(log string, cut cuts) iter.Seq2[record.Entry, error] {
	return func(yield func(record.Entry, error) bool) {
		for g, err := range recordlog.Scan(filepath.Join(h.folder, log), 0) {
			if h.damage.is(err) || err == nil && g.Kind != recordlog.Event {
				continue
			}
			var e record.Entry
			if err == nil {
				e = asFound(g)
			}
			if err == nil && cut.hides(&e) {
				continue
			}
			if !yield(e, err) || err != nil {
				return
			}
		}
	}
}

// thorough yields what a filter selects, as the logs have it: whoever passes the record on must not miss what the index does not know. What
// cannot be read is an error. The entries have no rows, so rows do not count.
func (h *history) thorough(ctx context.Context, f query.Filter) iter.Seq2[record.Entry, error] {
	matches := f.Matcher()
	return func(yield func(record.Entry, error) bool) {
		n := 0
		for e, err := range h.byTime(ctx) {
			switch {
			case err == nil && ctx.Err() != nil:
				err = ctx.Err()
			case err == nil && len(h.damage.all()) > 0:
				err = h.damage.all()[0]
			case err == nil && e.Hash == "":
				err = fmt.Errorf("chain %q, event %d is no event any more; run weir audit verify", e.Chain, e.Seq)
			case err == nil && !matches(&e):
				continue
			}
			if n++; !yield(e, err) || err != nil || n == f.Limit {
				return
			}
		}
		if all := h.damage.all(); len(all) > 0 {
			yield(record.Entry{}, all[0])
		}
	}
}

// asFound returns an entry as the log has it, whether it is an event or not.
func asFound(g recordlog.Logged) record.Entry {
	e, err := g.Entry()
	if err == nil {
		return e
	}
	e = record.Entry{Text: slices.Clone(g.Text)}
	e.Head, _ = record.LinkOf(g.Text) // what is no event may have no place in a chain
	return e
}

// Damaged returns what was found damaged in the logs so far.
func (h *history) Damaged() []*recordlog.Damage { return h.damage.all() }

// Recount implements verify.Record. The index is made from the logs and proves nothing, so it is not counted; but what is damaged in the
// logs is a problem.
func (h *history) Recount() verify.Recount { return recount{h} }

type recount struct{ *history }

// Add implements verify.Recount.
func (recount) Add(context.Context, record.Entry, func(verify.Problem)) error { return nil }

// Finish implements verify.Recount.
func (r recount) Finish(_ context.Context, _ func() (time.Time, error), wrong func(verify.Problem)) error {
	for _, d := range r.damage.all() {
		wrong(verify.Problem{What: d.Error()})
	}
	return nil
}

// damages are what was found damaged in the logs.
type damages struct {
	mu    sync.Mutex
	found []*recordlog.Damage
}

// mostDamages is how many are remembered: the first say what happened.
const mostDamages = 100

func (d *damages) clear() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.found = nil
}

// is says whether an error is damage of a log, and remembers it. What comes after it can be read.
func (d *damages) is(err error) bool {
	var one *recordlog.Damage
	if !errors.As(err, &one) {
		return false
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	same := func(other *recordlog.Damage) bool { return *other == *one }
	if len(d.found) < mostDamages && !slices.ContainsFunc(d.found, same) {
		d.found = append(d.found, one)
	}
	return true
}

func (d *damages) all() []*recordlog.Damage {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Clone(d.found)
}
