package limit

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/weir-gate/weir/internal/call"
)

// MaxWindow is the longest time over which a budget can be counted.
const MaxWindow = 31 * 24 * time.Hour

// A Ledger remembers what was spent, also when weir is not running.
type Ledger interface {
	// Spends returns what was spent since a time, in order of time.
	Spends(ctx context.Context, since time.Time) ([]call.Spend, error)
}

// BudgetsConfig sets up Budgets.
type BudgetsConfig struct {
	Ledger Ledger    // what was spent before; nil: nothing was
	Now    time.Time // the time at the start; required
}

// Budgets count what each scope has spent in the last minutes, hours or days.
//
// They count in memory, from what a ledger knows at the start. Whoever adds to them has the same spends recorded with
// the event that brought them, and so what is counted is lost only together with that event. All that is spent must come
// this way: what others write to the ledger meanwhile is not seen. Budgets are safe for concurrent use.
type Budgets struct {
	mu     sync.Mutex
	scopes map[string]*account
	// sweepAt is how many scopes there may be before those are dropped that have not spent for long.
	sweepAt int
}

// A Cap is the most that a scope may spend.
type Cap struct {
	Scope  string
	Limit  int64         // in millionths of the currency's unit
	Window time.Duration // how far back spends count; past MaxWindow they may be forgotten
}

// Exceeded says which cap a scope has passed.
type Exceeded struct {
	Cap
	Spent int64
}

// NewBudgets reads what was spent before.
func NewBudgets(ctx context.Context, c BudgetsConfig) (*Budgets, error) {
	b := &Budgets{scopes: map[string]*account{}, sweepAt: minSweep}
	if c.Ledger == nil {
		return b, nil
	}
	spends, err := c.Ledger.Spends(ctx, c.Now.Add(-MaxWindow))
	if err != nil {
		return nil, fmt.Errorf("budgets: read what was spent: %w", err)
	}
	for _, s := range spends {
		// A clock that was wrong may have left spends in the future. They count from now on.
		b.add(min(minuteOf(s.Time), minuteOf(c.Now)), s)
	}
	return b, nil
}

// Add counts spends as made now. Those of less than one millionth are nothing.
func (b *Budgets) Add(now time.Time, spends []call.Spend) {
	b.mu.Lock()
	defer b.mu.Unlock()
	minute := minuteOf(now)
	for _, s := range spends {
		b.add(minute, s)
	}
	if len(b.scopes) > b.sweepAt {
		b.sweep(minute)
	}
}

func (b *Budgets) add(minute int64, s call.Spend) {
	if s.Micro <= 0 {
		return
	}
	a := b.scopes[s.Scope]
	if a == nil {
		a = &account{}
		b.scopes[s.Scope] = a
	}
	a.add(minute, s.Micro)
}

// Spent returns what a scope has spent in the window that ends now. The minute in which the window begins counts as a
// whole.
func (b *Budgets) Spent(now time.Time, scope string, window time.Duration) int64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	a := b.scopes[scope]
	if a == nil {
		return 0
	}
	window = max(window, 0)
	return a.spent(minuteOf(now), minuteOf(now.Add(-window)), window)
}

// Check returns the first cap that its scope has passed, and true if there is none. A scope that has spent exactly its
// limit has not passed it.
func (b *Budgets) Check(now time.Time, caps []Cap) (Exceeded, bool) {
	for _, c := range caps {
		if spent := b.Spent(now, c.Scope, c.Window); spent > c.Limit {
			return Exceeded{c, spent}, false
		}
	}
	return Exceeded{}, true
}

// sweep drops the scopes that have spent nothing in the longest window.
func (b *Budgets) sweep(minute int64) {
	active := make(map[string]*account, len(b.scopes)/2)
	for scope, a := range b.scopes {
		if a.minutes[len(a.minutes)-1].minute >= oldestAt(minute) {
			active[scope] = a
		}
	}
	b.scopes = active
	b.sweepAt = max(2*len(active), minSweep)
}

// minuteOf is the minute that t lies in, counted from 1970.
func minuteOf(t time.Time) int64 { return t.Truncate(time.Minute).Unix() / 60 }
