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

// A Ledger stores what was spent, so that it outlives the process.
type Ledger interface {
	// Spends returns what was spent since a time, ordered by time.
	Spends(ctx context.Context, since time.Time) ([]call.Spend, error)
}

// BudgetsConfig sets up Budgets.
type BudgetsConfig struct {
	Ledger Ledger    // what was spent before; nil: nothing
	Now    time.Time // the time at the start; required
}

// Budgets count what each scope has spent in the last minutes, hours or days.
//
// They count in memory, and start from the ledger. Whoever adds a spend also records it with the event that caused it, so a spend
// is lost only together with its event. Everything that is spent must be added here: later writes of others to the ledger are not
// seen. Budgets are safe for concurrent use.
type Budgets struct {
	mu     sync.Mutex
	scopes map[string]*account
	// sweepAt is the number of scopes at which those that have not spent for long are dropped.
	sweepAt int
}

// A Cap is the most that a scope may spend.
type Cap struct {
	Scope  string
	Limit  int64         // in millionths of the currency's unit
	Window time.Duration // how far back spends count; beyond MaxWindow they may be forgotten
}

// Exceeded says which cap a scope has exceeded.
type Exceeded struct {
	Cap
	Spent int64
}

// NewBudgets reads what was spent before from the ledger.
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
		// A wrong clock may have left spends in the future. They count from now on.
		b.add(min(minuteOf(s.Time), minuteOf(c.Now)), s)
	}
	return b, nil
}

// Add counts spends as made now. Spends below one millionth are ignored.
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

// Check returns the first cap that its scope has exceeded, and true if there is none. A scope that has spent exactly its limit has
// not exceeded it.
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

// minuteOf is the minute of t, counted from 1970.
func minuteOf(t time.Time) int64 { return t.Truncate(time.Minute).Unix() / 60 }
