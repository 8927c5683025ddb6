package outbox

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// maxAnswer is how much of an answer is read: more than any answer needs to say.
const maxAnswer = 64 << 10

// A failure is why an attempt failed.
type failure struct {
	err   error
	again bool          // another attempt may succeed
	after time.Duration // which must wait so long; 0: nothing is said of that
}

// post makes attempts until one succeeds or there is no point in another.
func (o *Outbox) post(letter Letter) (answer []byte, err error) {
	began := time.Now()
	for attempt := 0; ; attempt++ {
		last := o.isClosing()
		answer, fail := o.attempt(letter)
		if fail == nil {
			return answer, nil
		}
		o.cfg.Meter.Failed()
		if last || !fail.again || o.ctx.Err() != nil {
			return nil, fail.err
		}
		pause := max(fail.after, o.pause(attempt))
		if time.Since(began)+pause > o.cfg.GiveUpAt {
			return nil, fmt.Errorf("given up after %d attempts: %w", attempt+1, fail.err)
		}
		o.tell(fail.err)
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

// pause is how long to wait after an attempt, counted from 0. It is drawn by lot, so that many who failed together do
// not come back together.
func (o *Outbox) pause(attempt int) time.Duration {
	d := o.cfg.Longest
	if attempt < 30 && o.cfg.First<<attempt < d {
		d = o.cfg.First << attempt
	}
	return d/2 + rand.N(d/2+1)
}

// attempt sends one request and reads its answer.
func (o *Outbox) attempt(letter Letter) ([]byte, *failure) {
	ctx, cancel := context.WithTimeout(o.ctx, o.cfg.Timeout)
	defer cancel()
	req, err := letter(ctx)
	if err != nil {
		return nil, &failure{err: fmt.Errorf("make request: %w", err)}
	}
	resp, err := o.client.Do(req)
	if err != nil {
		return nil, &failure{err: withoutAddress(err), again: true}
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer))
	switch code := resp.StatusCode; {
	case code/100 == 2 && err != nil:
		// It was taken; only what else was to be said of it is lost.
		return nil, nil
	case code/100 == 2:
		return answer, nil
	default:
		return nil, &failure{
			err: fmt.Errorf("the answer is %d %s", code, http.StatusText(code)), again: o.cfg.Retry(code),
			after: retryAfter(resp.Header.Get("Retry-After"), time.Now()),
		}
	}
}

// withoutAddress removes the address from an error: a path or query may be a secret.
func withoutAddress(err error) error {
	var u *url.Error
	if errors.As(err, &u) {
		return u.Err
	}
	return err
}

// retryAfter reads a Retry-After header: seconds, or a date. What is neither says nothing.
func retryAfter(text string, now time.Time) time.Duration {
	text = strings.TrimSpace(text)
	if text == "" {
		return 0
	}
	if n, err := strconv.ParseUint(text, 10, 31); err == nil {
		return time.Duration(n) * time.Second
	}
	at, err := http.ParseTime(text)
	if err != nil {
		return 0
	}
	return max(0, at.Sub(now))
}
