package bodies

import (
	"context"
	"fmt"
	"math"
	"time"
)

// A RetentionStore is a store that lets go of bodies.
type RetentionStore interface {
	// DropBodies deletes some of the oldest bodies that are beyond the limit, so few that nobody waits for it, and says how many it
	// deleted and whether there are more.
	DropBodies(ctx context.Context, beyond Limit) (n int64, more bool, err error)
	// BodyStanding returns how the bodies stand.
	BodyStanding(ctx context.Context) (Standing, error)
	// FreeSpace gives space back that deleted bodies took.
	FreeSpace(ctx context.Context) error
}

// A Limit is how much is kept.
type Limit struct {
	Since time.Time // bodies of requests before are let go
	Old   int64     // so many of those at most, in all; 0: all
	Size  int64     // bytes that all bodies together may take in the store
}

// Standing is how the bodies of a store stand.
type Standing struct {
	Count  int64
	Newest time.Time // the latest time of a body, or of an event in the record; zero: there is none
}

// RetentionConfig sets up a Retention.
type RetentionConfig struct {
	Store   RetentionStore
	Age     time.Duration    // how long bodies are kept; at least a second
	Size    int64            // how much all of them may take in the store, in bytes
	Every   time.Duration    // how often it looks; 0: once a minute
	Now     func() time.Time // nil: time.Now
	OnError func(error)      // nil: nobody is told
}

// A Retention lets go of bodies that are too old, or too many: the oldest first.
//
// A clock can be wrong. Age is counted from the newest body or event if that is earlier than now, and in one go at most a tenth of all
// bodies is let go for its age; the next go is after half an hour, or a twentieth of the age that they may have if that is shorter. So
// whoever notices a clock that jumped has lost a tenth by then, not everything. Size looks at no clock.
type Retention struct {
	cfg  RetentionConfig
	pace time.Duration // the time between goes for age
	last time.Time     // when the last of them was; zero: there was none yet
}

// The bounds of a go for age.
const (
	longestPace = 30 * time.Minute
	oneInTen    = 10
)

// NewRetention returns a Retention. Run does its work.
func NewRetention(cfg RetentionConfig) *Retention {
	if cfg.Every == 0 {
		cfg.Every = time.Minute
	}
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	if cfg.OnError == nil {
		cfg.OnError = func(error) {}
	}
	// In a tenth of the age a tenth of the bodies grows too old: at twice that pace nothing stays behind.
	return &Retention{cfg: cfg, pace: max(cfg.Every, min(longestPace, cfg.Age/(2*oneInTen)))}
}

// Run looks after the bodies until ctx ends.
func (k *Retention) Run(ctx context.Context) {
	tick := time.NewTicker(k.cfg.Every)
	defer tick.Stop()
	for {
		if err := k.look(ctx); err != nil && ctx.Err() == nil {
			k.cfg.OnError(err)
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// look lets go of what is beyond the limit now, portion by portion, so that others can write in between.
func (k *Retention) look(ctx context.Context) error {
	limit, err := k.limit(ctx)
	if err != nil {
		return err
	}
	var total int64
	for more := true; more; {
		var n int64
		if n, more, err = k.cfg.Store.DropBodies(ctx, limit); err != nil {
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
	if err := k.cfg.Store.FreeSpace(ctx); err != nil {
		return fmt.Errorf("free the space of old bodies: %w", err)
	}
	return nil
}

// limit is what may be let go now. Between the goes for age that is what is too much.
func (k *Retention) limit(ctx context.Context) (Limit, error) {
	limit := Limit{Size: k.cfg.Size}
	// The pace is that of a clock that nobody can set.
	if !k.last.IsZero() && time.Since(k.last) < k.pace {
		return limit, nil
	}
	standing, err := k.cfg.Store.BodyStanding(ctx)
	if err != nil {
		return Limit{}, fmt.Errorf("look for old bodies: %w", err)
	}
	k.last = time.Now()
	now := k.cfg.Now()
	if standing.Newest.Before(now) {
		now = standing.Newest // also when there is none: then it is long ago
	}
	limit.Since = now.Add(-k.cfg.Age)
	limit.Old = k.share(standing.Count)
	return limit, nil
}

// share is how many of n bodies may go at once for their age: a tenth, rounded up, or more where they grow old faster than that.
func (k *Retention) share(n int64) int64 {
	part := max(1.0/oneInTen, 2*k.pace.Seconds()/k.cfg.Age.Seconds())
	return max(1, min(n, int64(math.Ceil(float64(n)*part))))
}
