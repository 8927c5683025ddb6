package outbox

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"
)

// A Delivery makes one attempt to deliver a batch and returns the receiver's response. An error ends the delivery, unless it is a
// PassingError.
type Delivery func(ctx context.Context) (response []byte, err error)

// A PassingError is the reason why an attempt failed, if another attempt may succeed.
type PassingError struct {
	Err   error
	After time.Duration // how long to wait before the next attempt; 0: not given
}

// Error implements error.
func (e PassingError) Error() string { return e.Err.Error() }

// Unwrap returns the reason.
func (e PassingError) Unwrap() error { return e.Err }

// attempts makes attempts until one succeeds or another would be useless.
func (o *Outbox) attempts(deliver Delivery) (response []byte, err error) {
	began := time.Now()
	for attempt := 0; ; attempt++ {
		last := o.isClosing()
		ctx, cancel := context.WithTimeout(o.ctx, o.cfg.Timeout)
		response, err := deliver(ctx)
		cancel()
		if err == nil {
			return response, nil
		}
		o.cfg.Meter.Failed()
		var passing PassingError
		if last || !errors.As(err, &passing) || o.ctx.Err() != nil {
			return nil, err
		}
		pause := max(passing.After, o.pause(attempt))
		if time.Since(began)+pause > o.cfg.GiveUpAt {
			return nil, fmt.Errorf("given up after %d attempts: %w", attempt+1, err)
		}
		o.tell(err)
		o.wait(pause)
	}
}

func (o *Outbox) isClosing() bool {
	select {
	case <-o.closing:
		return true
	default:
		return false
	}
}

// wait waits, but not when the outbox is being closed.
func (o *Outbox) wait(d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-o.closing:
	case <-o.ctx.Done():
	}
}

// pause is how long to wait after an attempt, counted from 0. It is random, so that many weirs that failed together do not try
// again together.
func (o *Outbox) pause(attempt int) time.Duration {
	d := o.cfg.Longest
	if attempt < 30 && o.cfg.First<<attempt < d {
		d = o.cfg.First << attempt
	}
	return d/2 + rand.N(d/2+1)
}
