package outbox

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"time"
)

// attempts makes attempts until one succeeds or another would be useless.
func (o *Outbox) attempts(request func(context.Context) (*http.Request, error)) (response []byte, err error) {
	began := time.Now()
	for attempt := 0; ; attempt++ {
		last := o.isClosing()
		ctx, cancel := context.WithTimeout(o.ctx, o.cfg.Timeout)
		response, err := o.attempt(ctx, request)
		cancel()
		if err == nil {
			return response, nil
		}
		o.cfg.Meter.Failed()
		var passing passingError
		if last || !errors.As(err, &passing) || o.ctx.Err() != nil {
			return nil, err
		}
		pause := max(passing.after, o.pause(attempt))
		if time.Since(began)+pause > o.cfg.GiveUpAt {
			return nil, fmt.Errorf("given up after %d attempts: %w", attempt+1, err)
		}
		o.tell(err)
		o.wait(pause)
	}
}

func (o *Outbox) attempt(ctx context.Context, request func(context.Context) (*http.Request, error)) ([]byte, error) {
	req, err := request(ctx)
	if err != nil {
		return nil, err
	}
	return o.post(req)
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
