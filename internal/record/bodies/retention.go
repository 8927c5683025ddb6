package bodies

import (
	"context"
	"fmt"
	"math"
	"time"
)

// A shrinking store can remove bodies.
type shrinking interface {
	// DropBodies deletes some of the oldest bodies that are beyond the limit, so few that nobody waits for long. It returns how many
	// it deleted and whether there are more.
	DropBodies(ctx context.Context, beyond Limit) (n int64, more bool, err error)
	// BodyStanding returns the number of bodies, and the latest time of a body or of an event in the record; zero: there is none.
	BodyStanding(ctx context.Context) (count int64, newest time.Time, err error)
	// FreeSpace gives the space of deleted bodies back.
	FreeSpace(ctx context.Context) error
}

// A Limit says how much may be stored.
type Limit struct {
	Since time.Time // bodies of earlier requests are removed
	Old   int64     // how many of those at most, in all; 0: all
	Size  int64     // bytes that all bodies together may take in the store
}

// A Retention removes bodies that are too old, or too many: the oldest first.
//
// A clock can be wrong. Age is counted from the newest body or event if that is earlier than now, and at most a tenth of all bodies
// is removed for its age at once. The next removal is after half an hour, or a twentieth of Age if that is shorter. So when a clock
// jumps, a tenth is lost before somebody notices, not everything. Removal for size uses no clock.
type Retention struct {
	Store   shrinking
	Age     time.Duration    // how long bodies are stored; at least a second
	Size    int64            // how much all of them may take in the store, in bytes
	Every   time.Duration    // how often it checks; 0: once a minute
	Now     func() time.Time // nil: time.Now
	OnError func(error)      // nil: not called

	pace time.Duration // the time between removals for age
	last time.Time     // when the last of them was; zero: there was none yet
}

// The bounds of a removal for age.
const (
	longestPace = 30 * time.Minute
	oneInTen    = 10
)

// Run removes bodies until ctx ends.
func (k *Retention) Run(ctx context.Context) {
	if k.Every == 0 {
		k.Every = time.Minute
	}
	if k.Now == nil {
		k.Now = time.Now
	}
	if k.OnError == nil {
		k.OnError = func(error) {}
	}
	// In a tenth of Age a tenth of the bodies becomes too old: twice that pace is fast enough.
	k.pace = max(k.Every, min(longestPace, k.Age/(2*oneInTen)))
	tick := time.NewTicker(k.Every)
	defer tick.Stop()
	for {
		if err := k.look(ctx); err != nil && ctx.Err() == nil {
			k.OnError(err)
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// look removes the bodies that are beyond the limit now, in portions, so that others can write in between.
func (k *Retention) look(ctx context.Context) error {
	limit, err := k.limit(ctx)
	if err != nil {
		return err
	}
	var total int64
	for more := true; more; {
		var n int64
		if n, more, err = k.Store.DropBodies(ctx, limit); err != nil {
			return fmt.Errorf("let go of old bodies: %w", err)
		}
		total += n
		if limit.Old -= n; limit.Old <= 0 {
			limit.Since = time.Time{}
		}
	}
	if total == 0 {
		return nil
	}
	if err := k.Store.FreeSpace(ctx); err != nil {
		return fmt.Errorf("free the space of old bodies: %w", err)
	}
	return nil
}

// limit is the limit that applies now. Between the removals for age only the size counts.
func (k *Retention) limit(ctx context.Context) (Limit, error) {
	limit := Limit{Size: k.Size}
	// time.Since uses the monotonic clock, which nobody can set.
	if !k.last.IsZero() && time.Since(k.last) < k.pace {
		return limit, nil
	}
	count, newest, err := k.Store.BodyStanding(ctx)
	if err != nil {
		return Limit{}, fmt.Errorf("look for old bodies: %w", err)
	}
	k.last = time.Now()
	now := k.Now()
	if newest.Before(now) {
		now = newest // also when there is none: then it is long ago
	}
	limit.Since = now.Add(-k.Age)
	limit.Old = k.share(count)
	return limit, nil
}

// share is how many of n bodies may be removed at once for their age: a tenth, rounded up, or more if they become old faster than
// that.
func (k *Retention) share(n int64) int64 {
	part := max(1.0/oneInTen, 2*k.pace.Seconds()/k.Age.Seconds())
	return max(1, min(n, int64(math.Ceil(float64(n)*part))))
}
