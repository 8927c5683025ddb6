package recorder

import (
	"fmt"
	"slices"
	"time"

	"github.com/weir-gate/weir/internal/record"
)

const (
	// pause is how long the writer waits after a failure before it tries again.
	pause = time.Second
	// lastTries is how long late events are tried again when the recorder is closed.
	lastTries = 3 * time.Second
	// quiet is how long the same error is not reported again.
	quiet = 30 * time.Second
	// manyStrikes is how often the store may fail to store events, though it stores others, before they are given up.
	manyStrikes = 3
)

// write is the writer's goroutine. It ends when the recorder is closed and all waiting events are stored or given up.
func (r *Recorder) write() {
	defer close(r.ended)
	var again <-chan time.Time
	for {
		select {
		case <-r.wake:
		case <-again:
		}
		closed := r.storeFresh()
		for r.storeLate(closed) {
			closed = r.storeFresh()
		}
		if closed {
			r.storeLast()
			r.giveUp()
			return
		}
		r.probe()
		again = nil
		if r.isLate() || r.Trouble() != nil {
			again = time.After(pause)
		}
	}
}

// storeLast stores late events before the recorder ends: a store that is away may be back in a moment.
func (r *Recorder) storeLast() {
	for end := time.Now().Add(lastTries); r.isLate() && r.ctx.Err() == nil && time.Now().Before(end); {
		if r.storeLate(true) {
			r.storeFresh()
			continue
		}
		select {
		case <-r.ctx.Done():
		case <-time.After(pause / 5):
		}
	}
}

// probe checks whether the store works again when there is nothing to store. So Trouble is up to date without a new event.
func (r *Recorder) probe() {
	if r.Trouble() == nil || r.isLate() || time.Now().Before(r.restful) {
		return
	}
	err := r.settle()
	if err == nil {
		_, err = r.config.Store.Head(r.ctx, r.head.Chain)
	}
	if err != nil {
		r.failed(err)
		return
	}
	r.mu.Lock()
	r.trouble = nil
	r.mu.Unlock()
}

// storeFresh stores events that were not tried yet, until none are left, and after each batch some late events. It returns whether
// the recorder is closed.
func (r *Recorder) storeFresh() (closed bool) {
	for {
		r.mu.Lock()
		batch, closed := r.waiting.take(&r.waiting.fresh, portion{r.config.MaxBatch, maxBatchBytes}), r.closed
		r.mu.Unlock()
		if len(batch) == 0 {
			return closed
		}
		if r.store(batch) == nil {
			r.storeLate(false)
		}
	}
}

// storeLate stores some late events and returns whether that succeeded. After a failure it does nothing for a pause, unless hurry
// is set. The store may be unable to store just some events. Others must not wait for those, so batches become smaller after a
// failure.
func (r *Recorder) storeLate(hurry bool) bool {
	if !r.isLate() || !hurry && time.Now().Before(r.restful) {
		return false
	}
	began := time.Now()
	if err := r.settle(); err != nil {
		r.config.OnCommit(time.Since(began), err)
		r.failed(err)
		return false
	}
	r.mu.Lock()
	batch := r.waiting.take(&r.waiting.late, portion{r.lateMost, maxBatchBytes})
	r.mu.Unlock()
	if len(batch) == 0 {
		return false
	}
	err := r.store(batch)
	if err != nil {
		r.lateMost = max(1, r.lateMost/4)
		return false
	}
	r.lateMost = min(r.config.MaxBatch, 2*r.lateMost)
	return true
}

// isLate says whether there are late events.
func (r *Recorder) isLate() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.waiting.late) > 0 || len(r.doubtful) > 0
}

// giveUp drops the events that were not stored, and counts them as lost.
func (r *Recorder) giveUp() {
	r.mu.Lock()
	lost := r.waiting.events + eventsOf(r.doubtful)
	r.waiting = backlog{}
	r.mu.Unlock()
	if lost > 0 {
		r.lose(lost)
	}
}

// An attempt is a batch, linked to the chain.
type attempt struct {
	batch   []queued
	entries []record.Entry
	from    record.Head // the head before it
	to      record.Head // the head after it
}

// store stores a batch, calls its done functions, and then the sinks. If the store fails, events that nobody waits for stay in
// memory.
func (r *Recorder) store(batch []queued) error {
	a, err := r.commit(batch)
	if err != nil {
		err = r.failed(err)
		late := patient(batch)
		if len(batch) == 1 && len(late) == 1 {
			r.strike(&late[0]) // in a larger batch it is not known which event failed
		}
		if len(a.entries) > 0 {
			r.doubtful = late // they may be stored: settle finds out
		} else {
			r.putBack(late)
		}
	}
	for _, q := range batch {
		switch {
		case q.done == nil:
		case err == nil && r.mustShare(q):
			r.share(q)
		default:
			q.done(err)
		}
	}
	if err == nil {
		r.succeeded(a)
	}
	return err
}

// mustShare says whether others must see events before they are called recorded: all events, or those that refuse a call that other
// processes may be asked about.
func (r *Recorder) mustShare(q queued) bool {
	if r.config.Share == nil || r.config.ShareAll {
		return r.config.Share != nil
	}
	return slices.ContainsFunc(q.events, func(w waiting) bool { return w.With.Remember != nil && !w.With.Remember.Ruling.Released })
}

// share calls events recorded when others can see them. They are durable: if they are recorded again, they are not stored twice.
func (r *Recorder) share(q queued) {
	r.config.Share(func(err error) {
		if err != nil {
			err = fmt.Errorf("record events: %w", err)
			r.landed.add([]queued{q})
		}
		q.done(err)
	})
}

func (r *Recorder) succeeded(a attempt) {
	r.mu.Lock()
	r.trouble = nil
	r.mu.Unlock()
	r.stored++
	r.tell(a)
	r.confess()
}

// failed notes an error, and reports it unless the same error was reported just now.
func (r *Recorder) failed(err error) error {
	err = fmt.Errorf("record events: %w", err)
	now := time.Now()
	r.restful = now.Add(pause)
	r.mu.Lock()
	news := r.trouble == nil || r.trouble.Error() != err.Error() || now.Sub(r.told) >= quiet
	r.trouble = err
	r.mu.Unlock()
	if news {
		r.told = now
		r.config.OnError(err)
	}
	return err
}

// strike notes that the store failed to store something that was tried alone.
func (r *Recorder) strike(q *queued) {
	if q.since > 0 && r.stored >= q.since {
		q.strikes++
	}
	q.since = r.stored + 1
}

// putBack queues late events again, except those with too many strikes, which are lost.
func (r *Recorder) putBack(late []queued) {
	lost := 0
	late = slices.DeleteFunc(late, func(q queued) bool {
		if q.strikes < manyStrikes {
			return false
		}
		lost += len(q.events)
		return true
	})
	if lost > 0 {
		r.lose(lost)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.waiting.put(late)
}

// commit links a batch to the chain and stores it. The head moves only when the store has succeeded.
func (r *Recorder) commit(batch []queued) (attempt, error) {
	began := time.Now()
	if err := r.settle(); err != nil {
		r.config.OnCommit(time.Since(began), err)
		return attempt{}, err
	}
	batch = r.landed.without(batch)
	a := attempt{batch: batch, entries: make([]record.Entry, 0, len(batch)), from: r.head, to: r.head}
	for _, q := range batch {
		for _, u := range q.events {
			var e record.Entry
			e, a.to = a.to.Next(u.Unsealed)
			a.entries = append(a.entries, e)
		}
	}
	if len(a.entries) == 0 {
		return a, nil
	}
	began = time.Now()
	err := r.config.Store.Append(r.ctx, a.entries)
	r.config.OnCommit(time.Since(began), err)
	if err != nil {
		r.doubt = a
		return a, err
	}
	r.head = a.to
	return a, nil
}

// settle finds out whether a failed append happened: the chain must continue from the last event in the store. Events of an append
// that did happen stay reported as failed, because done was called already. If they are recorded again, under the same ids, they
// are not stored twice.
func (r *Recorder) settle() error {
	if len(r.doubt.entries) == 0 {
		return nil
	}
	stored, err := r.config.Store.Head(r.ctx, r.head.Chain)
	if err != nil {
		return err
	}
	a, late := r.doubt, r.doubtful
	r.doubt, r.doubtful = attempt{}, nil
	switch stored {
	case a.to:
		r.head = a.to
		r.landed.add(a.batch)
		r.succeeded(a)
		return nil
	case r.head:
	default:
		lost := r.head
		r.head = record.NewChain()
		r.mu.Lock()
		r.chain = r.head.Chain
		r.mu.Unlock()
		r.config.OnError(fmt.Errorf("audit chain %s: the store holds %d events where %d were durable, or others; "+
			"a new chain begins: %s", lost.Chain, stored.Seq, lost.Seq, r.head.Chain))
	}
	r.putBack(late)
	return nil
}

// tell hands durable events to the sinks.
func (r *Recorder) tell(a attempt) {
	if len(r.config.Sinks) == 0 {
		return
	}
	events := make([]record.Event, 0, len(a.entries))
	prev := a.from.Hash
	for _, q := range a.batch {
		for _, u := range q.events {
			e, stored := *u.event, a.entries[len(events)]
			e.Head, e.PrevHash = stored.Head, prev
			events, prev = append(events, e), stored.Hash
		}
	}
	for _, s := range r.config.Sinks {
		s.Stored(events)
	}
}
