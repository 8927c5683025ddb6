package recorder

import (
	"fmt"
	"slices"
	"time"

	"github.com/weir-gate/weir/internal/record"
)

const (
	// pause is how long the store is left alone before what it did not take is tried again.
	pause = time.Second
	// lastTries is how long events that are late when the recorder is closed are tried again.
	lastTries = 3 * time.Second
	// quiet is how long the same error is not told of again.
	quiet = 30 * time.Second
	// manyStrikes is how often the store may refuse events, though it takes others, before they are given up: it will never
	// take them.
	manyStrikes = 3
)

// write is the writer's goroutine. It ends when the recorder is closed and nothing waits that the store would take.
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

// storeLast stores what is late before the recorder ends: a store that is away may be back in a moment.
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

// probe asks the store whether it works again when there is nothing to store, so that nobody waits for the next event to know.
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

// storeFresh stores what was not tried yet, until nothing is left, and now and then some of what is late. It says whether
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

// storeLate stores a part of what is late and says whether that went well. After a failure there is a pause; hurry does
// without it. If it is the events that the store does not take, others shall not wait for them, so that parts grow smaller.
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

// isLate says whether there is something to be stored late.
func (r *Recorder) isLate() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.waiting.late) > 0 || len(r.doubtful) > 0
}

// giveUp ends the wait of what the store did not take.
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
	from    record.Head // where the chain stood
	to      record.Head // where it stands with these
}

// store stores a batch and tells those who wait for it, and then the sinks. What nobody waits for is kept if the store fails.
func (r *Recorder) store(batch []queued) error {
	a, err := r.commit(batch)
	if err != nil {
		err = r.failed(err)
		late := patient(batch)
		if len(batch) == 1 && len(late) == 1 {
			r.strike(&late[0]) // of more, nobody knows which it is
		}
		if len(a.entries) > 0 {
			r.doubtful = late // it may be stored: settle will know
		} else {
			r.putBack(late)
		}
	}
	for _, q := range batch {
		if q.done != nil {
			q.done(err)
		}
	}
	if err == nil {
		r.succeeded(a)
	}
	return err
}

func (r *Recorder) succeeded(a attempt) {
	r.mu.Lock()
	r.trouble = nil
	r.mu.Unlock()
	r.stored++
	r.tell(a)
	r.confess()
}

// failed notes an error, and tells of it unless it was told of just now.
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

// strike notes that the store did not take something that was tried alone.
func (r *Recorder) strike(q *queued) {
	if q.since > 0 && r.stored >= q.since {
		q.strikes++
	}
	q.since = r.stored + 1
}

// putBack has something stored later, unless the store will never take it.
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

// commit links a batch to the chain and stores it. The head moves only when the store has said yes.
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

// settle ends the doubt that a failed append leaves: whether it happened or not, the chain must go on from the event
// that the store holds last. Events of an append that did happen stay reported as failed: whoever waited for them has
// been told. If they are recorded again, under the same ids, they are not stored twice.
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

// tell hands what is durable now to the sinks.
func (r *Recorder) tell(a attempt) {
	if len(r.config.Sinks) == 0 {
		return
	}
	events := make([]record.Event, 0, len(a.entries))
	prev := a.from.Hash
	for _, q := range a.batch {
		for _, u := range q.events {
			e, stored := *u.event, a.entries[len(events)]
			e.Link = record.Link{Chain: stored.Chain, Seq: stored.Seq, PrevHash: prev, Hash: stored.Hash}
			events, prev = append(events, e), stored.Hash
		}
	}
	for _, s := range r.config.Sinks {
		s.Stored(events)
	}
}
