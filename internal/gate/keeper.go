package gate

import "time"

// A keeper looks after a response while frames are held: it writes what is ruled, shows the agent signs of life, and
// refuses what is held too long.
type keeper struct {
	r    *response
	stop chan struct{}
	done chan struct{}
}

func newKeeper(r *response) *keeper {
	return &keeper{r: r, stop: make(chan struct{}), done: make(chan struct{})}
}

// ensureKeeper starts the keeper with the first call: responses without calls never need one. When something is held
// again after a while, the keeper must know: the agent may have heard nothing for long.
func (r *response) ensureKeeper() {
	if len(r.queue) == 0 {
		r.rulings.nudge()
	}
	if r.keeper == nil {
		r.keeper = newKeeper(r)
		go r.keeper.run(false)
	}
}

// stopKeeper waits until the keeper is gone. The reader calls it, without mu.
func (r *response) stopKeeper() {
	r.mu.Lock()
	k := r.keeper
	r.keeper = nil
	r.mu.Unlock()
	if k != nil {
		close(k.stop)
		<-k.done
	}
}

// run works until it is stopped or, at the end of a response, until nothing is held any more.
func (k *keeper) run(untilEmpty bool) {
	defer close(k.done)
	r := k.r
	timer := time.NewTimer(r.gate.cfg.KeepAlive)
	defer timer.Stop()
	for {
		select {
		case <-k.stop:
			return
		case <-r.ctx.Done():
			r.mu.Lock()
			if r.outErr == nil {
				r.outErr = r.ctx.Err()
			}
			r.mu.Unlock()
			return
		case <-r.rulings.wake:
		case <-timer.C:
		}
		r.mu.Lock()
		next := r.tend()
		finished := r.outErr != nil || untilEmpty && len(r.queue) == 0
		stuck := !untilEmpty && (r.outErr != nil || r.refused != nil)
		r.mu.Unlock()
		if stuck && r.p.Abort != nil {
			// The reader waits for an upstream whose answer nobody wants any more.
			r.p.Abort()
		}
		if finished || stuck {
			if untilEmpty {
				return
			}
			<-k.stop
			return
		}
		timer.Reset(next)
	}
}

// tend does what is due and says in how long something else will be.
func (r *response) tend() time.Duration {
	now := time.Now()
	expiry := r.expire(now)
	r.submit()
	r.settle()
	r.flush()
	if len(r.queue) == 0 && r.judged == len(r.calls) {
		return r.gate.cfg.KeepAlive
	}
	if now.Sub(r.lastWrite) >= r.gate.cfg.KeepAlive {
		if f, ok := r.p.Dialect.KeepAlive(); ok {
			r.write(f)
			r.flush()
		}
		r.lastWrite = now
	}
	wait := r.gate.cfg.KeepAlive - now.Sub(r.lastWrite)
	if !expiry.IsZero() {
		wait = min(wait, expiry.Sub(now))
	}
	return max(wait, time.Millisecond)
}
