package gate

import "time"

// A watcher serves a response while frames are held: it writes ruled frames, sends keep-alives to the agent, and refuses calls that
// are held too long.
type watcher struct {
	t    *transit
	stop chan struct{}
	done chan struct{}
}

func newWatcher(t *transit) *watcher {
	return &watcher{t: t, stop: make(chan struct{}), done: make(chan struct{})}
}

// ensureWatcher starts the watcher with the first call: responses without calls never need a watcher. If the queue was empty, it
// wakes the watcher: the agent may have got nothing for a long time.
func (t *transit) ensureWatcher() {
	if len(t.queue) == 0 {
		t.rulings.nudge()
	}
	if t.watcher == nil {
		t.watcher = newWatcher(t)
		go t.watcher.run(false)
	}
}

// stopWatcher waits until the watcher is gone. The reader calls it, without mu.
func (t *transit) stopWatcher() {
	t.mu.Lock()
	w := t.watcher
	t.watcher = nil
	t.mu.Unlock()
	if w != nil {
		close(w.stop)
		<-w.done
	}
}

// run works until it is stopped or, at the end of a response, until nothing is held any more.
func (w *watcher) run(untilEmpty bool) {
	defer close(w.done)
	t := w.t
	timer := time.NewTimer(t.gate.cfg.KeepAlive)
	defer timer.Stop()
	for {
		select {
		case <-w.stop:
			return
		case <-t.ctx.Done():
			t.mu.Lock()
			if t.outErr == nil {
				t.outErr = t.ctx.Err()
			}
			t.mu.Unlock()
			return
		case <-t.rulings.wake:
		case <-timer.C:
		}
		t.mu.Lock()
		next := t.tend()
		finished := t.outErr != nil || untilEmpty && len(t.queue) == 0
		stuck := !untilEmpty && (t.outErr != nil || t.refused != nil)
		t.mu.Unlock()
		if stuck && t.p.Abort != nil {
			// The reader waits for an upstream whose response nobody wants any more.
			t.p.Abort()
		}
		if finished || stuck {
			if untilEmpty {
				return
			}
			<-w.stop
			return
		}
		timer.Reset(next)
	}
}

// tend does the work that is due and returns the time until the next work.
func (t *transit) tend() time.Duration {
	now := time.Now()
	expiry := t.expire(now)
	t.submit()
	t.settle()
	t.flush()
	if len(t.queue) == 0 && t.judged == len(t.calls) {
		return t.gate.cfg.KeepAlive
	}
	if now.Sub(t.lastWrite) >= t.gate.cfg.KeepAlive {
		t.showLife()
		t.lastWrite = now
	}
	wait := t.gate.cfg.KeepAlive - now.Sub(t.lastWrite)
	if !expiry.IsZero() {
		wait = min(wait, expiry.Sub(now))
	}
	return max(wait, time.Millisecond)
}

// showLife shows the agent that its response is still on the way. White space before a whole body is part of JSON, and HTTP clients
// take it for progress.
func (t *transit) showLife() {
	if t.p.Whole {
		t.buf = append(t.buf, '\n')
	} else if f, ok := t.p.Dialect.KeepAlive(); ok {
		t.write(f)
	}
	t.flush()
}
