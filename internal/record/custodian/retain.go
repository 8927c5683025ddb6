package custodian

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/checkpoint"
)

// removeAtOnce is how many events are removed in one transaction: so few that writers wait only for a moment.
const removeAtOnce = 250

// removeOld removes events that are older than the retention.
func (k *Custodian) removeOld(ctx context.Context) error {
	c := k.config
	if c.Retention == 0 || !k.ready() {
		return nil
	}
	standing, err := c.Store.Standing(ctx)
	if err != nil {
		return err
	}
	now := c.Now()
	if since := now.Sub(standing.LastCut); since >= 0 && since < c.Every/2 {
		return nil
	}
	if standing.Newest.Before(now) {
		now = standing.Newest // also when there are no events: then it is long ago
	}
	before := now.Add(-c.Retention)
	r := removal{
		custodian: k, chains: standing.Chains, last: standing.Last.Chain, before: before,
		events: share(eventsIn(standing.Chains)), bytes: math.MaxInt64,
	}
	err = r.run(ctx)
	if r.removed > 0 {
		c.OnRemoved(r.removed, "older than audit.retention")
	}
	if err != nil {
		return err
	}
	_, err = c.Store.Tidy(ctx, before, oneInTen)
	return err
}

// removeExcess removes the oldest events of a record that is larger than MaxBytes.
func (k *Custodian) removeExcess(ctx context.Context) error {
	c := k.config
	if c.MaxBytes == 0 || !k.ready() {
		return nil
	}
	standing, err := c.Store.Standing(ctx)
	if err != nil {
		return err
	}
	if sizeOf(standing.Chains) <= c.MaxBytes {
		return nil
	}
	if err := k.measure(ctx, standing); errors.Is(err, ErrCutMoved) {
		return nil // another process is removing events
	} else if err != nil {
		return err
	}
	r := removal{
		custodian: k, chains: standing.Chains, last: standing.Last.Chain, before: endOfTime,
		events: share(eventsIn(standing.Chains)), bytes: sizeOf(standing.Chains) - c.MaxBytes,
	}
	err = r.run(ctx)
	if r.removed > 0 {
		c.OnRemoved(r.removed, "more than audit.max_size")
	}
	if err != nil {
		return err
	}
	_, err = c.Store.Tidy(ctx, time.Time{}, 0)
	return err
}

// endOfTime is later than any event.
var endOfTime = time.UnixMicro(math.MaxInt64)

// oneInTen is the part of all events that may be removed at once: one in so many.
const oneInTen = 10

// share is a tenth of n, rounded up.
func share(n int64) int64 { return (n + oneInTen - 1) / oneInTen }

func eventsIn(chains []record.ChainState) (n int64) {
	for _, c := range chains {
		n += eventsOf(c)
	}
	return n
}

// eventsOf is how many events of a chain are stored.
func eventsOf(c record.ChainState) int64 { return max(0, c.Seq-c.First+1) }

// sizeOf is how large a record of these chains is.
func sizeOf(chains []record.ChainState) (n int64) {
	for _, c := range chains {
		n += c.Bytes + eventsOf(c)*besideText
	}
	return n
}

// A removal removes events from the beginnings of chains.
type removal struct {
	custodian *Custodian
	chains    []record.ChainState
	last      string    // the chain with the event that was stored last
	before    time.Time // only earlier events are removed
	events    int64     // at most so many are removed
	bytes     int64     // removal ends when the record is smaller by so much
	removed   int64
}

// most is how many events of a chain may be removed. The event that was stored last stays, and so does the newest event of the
// chain that this process writes: rows are counted from there.
func (r *removal) most(c record.ChainState) int64 {
	if c.Chain == r.last || c.Chain == r.custodian.config.Chain() {
		return max(0, eventsOf(c)-1)
	}
	return eventsOf(c)
}

// run removes portion after portion, each from the chain with the oldest event.
func (r *removal) run(ctx context.Context) error {
	defer r.custodian.remember()
	done := func(c record.ChainState) bool { return r.most(c) == 0 }
	r.chains = slices.DeleteFunc(slices.Clone(r.chains), done)
	for r.events > 0 && r.bytes > 0 && len(r.chains) > 0 {
		if err := ctx.Err(); err != nil {
			return err
		}
		oldest := slices.MinFunc(r.chains, func(a, b record.ChainState) int {
			return cmp.Or(a.Since.Compare(b.Since), cmp.Compare(a.Chain, b.Chain))
		})
		if !oldest.Since.Before(r.before) {
			return nil
		}
		rest, err := r.portion(ctx, oldest)
		if errors.Is(err, ErrCutMoved) {
			return nil // another process is removing events
		}
		if err != nil {
			return err
		}
		at := slices.IndexFunc(r.chains, func(c record.ChainState) bool { return c.Chain == rest.Chain })
		r.chains[at] = rest
		r.chains = slices.DeleteFunc(r.chains, done)
	}
	return nil
}

// errNotReady says that a custodian does not know yet what its key signed.
var errNotReady = errors.New("audit record: nothing is removed before it is known what this key signed")

// portion removes some events of a chain and returns the state of the chain after that.
func (r *removal) portion(ctx context.Context, c record.ChainState) (record.ChainState, error) {
	if !r.custodian.ready() {
		return record.ChainState{}, errNotReady
	}
	store, most := r.custodian.config.Store, min(removeAtOnce, r.events, r.most(c))
	// One more than can be removed: the chain begins with that event afterwards.
	entries, err := store.Oldest(ctx, c.Chain, c.First, int(most)+1)
	if err != nil {
		return record.ChainState{}, err
	}
	from, known, err := r.custodian.asWritten(ctx, c, entries)
	if err != nil {
		return record.ChainState{}, err
	}
	n := upToMark(entries[:r.fitting(entries[:min(len(entries), int(most))])], known)
	if n == 0 { // the columns contradict the state of the chain
		return record.ChainState{}, broken(c.Chain, c.First)
	}
	cut := checkpoint.Cut{First: c.First, Prev: from.Hash}
	for _, e := range entries[:n] {
		cut.Bytes += int64(len(e.Text))
		if at := time.UnixMicro(e.Micros).UTC(); at.After(cut.Until) {
			cut.Until = at
		}
	}
	last := entries[n-1]
	cut.Last = record.Head{Chain: c.Chain, Seq: last.Seq, Hash: last.Hash}
	signed, err := store.Cut(ctx, r.custodian.signer, cut)
	if err != nil {
		return record.ChainState{}, r.custodian.unsigned(err)
	}
	r.custodian.signer = r.custodian.signer.After(signed)
	r.custodian.shrunk(cut)
	r.removed += int64(n)
	r.events -= int64(n)
	r.bytes -= cut.Bytes + int64(n)*besideText
	c.First, c.Bytes = last.Seq+1, c.Bytes-cut.Bytes
	if eventsOf(c) == 0 {
		return c, nil
	}
	next := entries[n:]
	if len(next) == 0 { // Oldest returned fewer events because of the size of their texts
		if next, err = store.Oldest(ctx, c.Chain, c.First, 1); err != nil {
			return record.ChainState{}, err
		}
		if len(next) == 0 {
			return record.ChainState{}, broken(c.Chain, c.First)
		}
	}
	c.Since = time.UnixMicro(next[0].Micros)
	return c, nil
}

// fitting is how many of the entries may be removed: only those that are old enough, and no more than necessary.
func (r *removal) fitting(entries []record.Entry) (n int) {
	for size := int64(0); n < len(entries) && time.UnixMicro(entries[n].Micros).Before(r.before) && size < r.bytes; n++ {
		size += int64(len(entries[n].Text)) + besideText
	}
	return n
}

// upToMark is how many of the entries are removed at once: up to the last entry with a checkpoint, or all if there is none. So a
// removal ends where its key last vouched for the chain, and the next removal visibly continues from there.
func upToMark(entries []record.Entry, known map[int64]string) int {
	for i, e := range slices.Backward(entries) {
		if _, ok := known[e.Seq]; ok {
			return i + 1
		}
	}
	return len(entries)
}

// asWritten checks that the beginning of a chain is as it was written: it is the start of the chain, or follows the events that a
// checkpoint names as removed, and no checkpoint has other hashes. It returns the event that the first entry follows, and the
// hashes in checkpoints, by event.
func (k *Custodian) asWritten(ctx context.Context, c record.ChainState, entries []record.Entry) (from record.Head, known map[int64]string,
	err error,
) {
	from = record.Head{Chain: c.Chain, Seq: c.First - 1, Hash: record.Genesis}
	marks, err := k.config.Store.Marks(ctx, c.Chain, c.First-1, c.First+int64(len(entries))-1)
	if err != nil {
		return record.Head{}, nil, err
	}
	known = map[int64]string{}
	for _, s := range marks {
		said, ok := s.Said()
		if !ok || said.Chain != c.Chain {
			continue
		}
		if said.Seq == from.Seq && said.Cut {
			from.Hash = said.Hash
		} else if said.Seq >= c.First {
			known[said.Seq] = said.Hash
		}
	}
	if _, err := whole(from, entries); err != nil {
		return record.Head{}, nil, err
	}
	for _, e := range entries {
		if hash, ok := known[e.Seq]; ok && hash != e.Hash {
			return record.Head{}, nil, broken(c.Chain, e.Seq)
		}
	}
	if len(entries) == 0 {
		return record.Head{}, nil, broken(c.Chain, c.First)
	}
	return from, known, nil
}

// whole fails with errBroken if entries are not as they were written, or do not follow from. It returns the last of them.
func whole(from record.Head, entries []record.Entry) (record.Head, error) {
	for _, e := range entries {
		t, err := e.Parse()
		switch {
		case err != nil, e.Garbled != "", !e.Intact(), t.Chain != from.Chain, t.Seq != from.Seq+1, e.Seq != t.Seq, t.Time.UnixMicro() != e.Micros,
			t.PrevHash != from.Hash:
			return record.Head{}, broken(from.Chain, from.Seq+1)
		}
		from = record.Head{Chain: from.Chain, Seq: e.Seq, Hash: e.Hash}
	}
	return from, nil
}

// errBroken says that a chain is not as it was written.
var errBroken = errors.New("is not as it was written, so nobody vouches for it and no old events are removed any more; " +
	"run weir audit verify, and keep a copy of the store before you begin a new one")

func broken(chain string, seq int64) error {
	return fmt.Errorf("audit chain %s: event %d %w", chain, seq, errBroken)
}
