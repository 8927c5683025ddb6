package follower

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/recordlog"
)

const (
	// firstRetry and lastRetry are how long it waits after a failure: at first, and at most.
	firstRetry = 100 * time.Millisecond
	lastRetry  = 2 * time.Second
	// quiet is how long the same error is not reported again.
	quiet = 30 * time.Second
)

// run is the goroutine that stores.
func (f *Follower) run() {
	defer close(f.ended)
	defer func() { f.answer(errEnded) }()
	retry := firstRetry
	for {
		if !f.await() {
			return
		}
		for f.isBehind() && f.ctx.Err() == nil {
			if err := f.step(); err != nil {
				f.rest(retry)
				retry = min(2*retry, lastRetry)
				continue
			}
			retry = firstRetry
		}
	}
}

var errEnded = errors.New("the record is closed before the store has the event")

// await waits until there is something to store, and then a moment for more. It returns false when the follower ends.
func (f *Follower) await() bool {
	for {
		f.mu.Lock()
		closing, behind := f.closing, f.stored < f.end
		f.mu.Unlock()
		if f.ctx.Err() != nil || closing && !behind {
			return false
		}
		if behind {
			f.rest(f.config.Pause)
			return true
		}
		select {
		case <-f.wake:
		case <-f.ctx.Done():
		}
	}
}

// rest waits, unless somebody waits for the store.
func (f *Follower) rest(pause time.Duration) {
	wait := time.NewTimer(pause)
	defer wait.Stop()
	select {
	case <-wait.C:
	case <-f.hurry:
	case <-f.ctx.Done():
	}
}

func (f *Follower) isBehind() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.stored < f.end
}

// step stores the next entries.
func (f *Follower) step() error {
	began := time.Now()
	from, entries, to, err := f.next()
	var unfit []record.Entry
	if err == nil {
		unfit, err = f.take(entries)
		f.config.OnCommit(time.Since(began), err)
	}
	if err == nil && len(unfit) > 0 {
		if f.rewind(unfit[0].Chain) {
			return nil
		}
		err = f.giveUp(unfit)
	}
	if err != nil {
		f.failed(err)
		return err
	}
	if from >= f.high { // else it was told before
		f.high = to
		f.config.OnStored(entries)
	}
	f.succeeded(to, entries)
	if f.config.Keeper != nil {
		return nil
	}
	if err := f.config.Log.Forget(to); err != nil {
		f.report(err)
	}
	return nil
}

// take has entries stored, or noted. unfit are those that do not continue their chain as the store has it.
func (f *Follower) take(entries []record.Entry) (unfit []record.Entry, err error) {
	if f.config.Keeper != nil {
		return nil, f.config.Keeper.Take(f.ctx, entries)
	}
	return f.feeder.feed(f.ctx, entries)
}

// next returns the next entries to be stored, and the position after them. They stay in the tail until they are stored.
func (f *Follower) next() (from recordlog.Position, entries []record.Entry, to recordlog.Position, err error) {
	f.mu.Lock()
	from = f.stored
	end, bytes := f.end, 0
	if from < f.high {
		end = f.high
	}
	n, events := 0, 0
	for n < len(f.pending) && (n == 0 || events+len(f.pending[n].entries) <= maxEvents && bytes < maxBytes) {
		events, bytes = events+len(f.pending[n].entries), bytes+int(f.pending[n].size)
		n++
	}
	if n == 1 {
		entries, to = f.pending[0].entries, f.pending[0].to
	} else if n > 1 {
		entries, to = make([]record.Entry, 0, events), f.pending[n-1].to
		for _, b := range f.pending[:n] {
			entries = append(entries, b.entries...)
		}
	}
	f.mu.Unlock()
	if len(entries) > 0 {
		return from, entries, to, nil
	}
	bytes = 0
	for g, err := range recordlog.Read(f.config.Log.Folder(), from) {
		if err != nil {
			return 0, nil, 0, err
		}
		if g.Kind != recordlog.Event {
			continue
		}
		e, err := g.Entry()
		if err != nil {
			return 0, nil, 0, err
		}
		e.Place.Log = f.config.Log.Name()
		entries, to, bytes = append(entries, e), g.After, bytes+len(e.Text)
		if to == end || len(entries) >= maxEvents || bytes >= maxBytes {
			return from, entries, to, nil
		}
	}
	return 0, nil, 0, fmt.Errorf("the log %s ends before what it took", f.config.Log.Folder())
}

// succeeded moves the position, and tells who waits for it.
func (f *Follower) succeeded(to recordlog.Position, entries []record.Entry) {
	f.mu.Lock()
	f.trouble = nil
	f.kept += int64(len(entries))
	f.since = time.UnixMicro(entries[len(entries)-1].Micros) // about when the next one was logged, if it is not in memory
	f.forgetUpTo(to)
	var reached []waiter
	f.waiters = slices.DeleteFunc(f.waiters, func(w waiter) bool {
		if w.to > to {
			return false
		}
		reached = append(reached, w)
		return true
	})
	hurry := len(f.waiters) > 0
	f.mu.Unlock()
	if hurry {
		signal(f.hurry)
	}
	for _, w := range reached {
		w.done(nil)
	}
}

// forgetUpTo removes what is stored from memory.
func (f *Follower) forgetUpTo(to recordlog.Position) {
	n := 0
	for n < len(f.pending) && f.pending[n].to <= to {
		f.held -= f.pending[n].size
		n++
	}
	f.pending = slices.Delete(f.pending, 0, n)
	if f.stored = to; len(f.pending) > 0 {
		f.since = f.pending[0].at
	}
}

// failed notes an error, and tells who waits for the store: what waits is durable, but others cannot see it.
func (f *Follower) failed(err error) {
	f.mu.Lock()
	f.trouble = err
	f.mu.Unlock()
	if f.ctx.Err() == nil {
		f.report(fmt.Errorf("the store does not take events, which wait in the log: %w", err))
	}
	f.answer(err)
}

// answer tells all who wait.
func (f *Follower) answer(err error) {
	f.mu.Lock()
	all := f.waiters
	f.waiters = nil
	f.mu.Unlock()
	for _, w := range all {
		w.done(err)
	}
}

// report reports an error, unless the same was reported just now.
func (f *Follower) report(err error) {
	if text := err.Error(); text != f.toldText || time.Since(f.told) >= quiet {
		f.told, f.toldText = time.Now(), text
		f.config.OnError(err)
	}
}
