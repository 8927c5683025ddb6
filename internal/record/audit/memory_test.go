package audit

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"maps"
	"slices"
	"sync"
	"time"
)

// A memory is a store that can be told to misbehave.
type memory struct {
	// before is called by Append; an error is returned after the entries were stored or not, as stored says.
	before func(entries []Entry) (stored bool, err error)
	// headError is returned by Head.
	headError func() error

	mu      sync.Mutex
	entries []Entry
	batches []int // the sizes of what was stored at once
}

var errDisk = errors.New("disk full")

func (m *memory) Append(ctx context.Context, entries []Entry) error {
	stored, err := true, error(nil)
	if m.before != nil {
		stored, err = m.before(entries)
	}
	if err == nil {
		err = ctx.Err()
		stored = stored && err == nil
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if stored {
		m.batches = append(m.batches, len(entries))
		for _, e := range entries {
			e.Row = int64(len(m.entries) + 1)
			m.entries = append(m.entries, e)
		}
	}
	return err
}

func (m *memory) Head(_ context.Context, chain string) (Head, error) {
	if m.headError != nil {
		if err := m.headError(); err != nil {
			return Head{}, err
		}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	h := Head{Chain: chain, Hash: Genesis}
	for _, e := range m.entries {
		if e.Chain == chain {
			h = Head{chain, e.Seq, e.Hash}
		}
	}
	return h, nil
}

func (m *memory) Entries(context.Context, Filter) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		for _, e := range m.entries {
			if !yield(e, nil) {
				return
			}
		}
	}
}

// Chains computes what a store notes.
func (m *memory) Chains(context.Context) ([]ChainState, error) {
	chains := map[string]ChainState{}
	for _, e := range m.entries {
		c, known := chains[e.Chain]
		if !known || e.Seq < c.First {
			c.First, c.Since = e.Seq, time.UnixMicro(e.Micros)
		}
		if e.Seq > c.Seq {
			c.Head = Head{e.Chain, e.Seq, e.Hash}
		}
		c.Bytes += int64(len(e.Text))
		chains[e.Chain] = c
	}
	all := slices.Collect(maps.Values(chains))
	slices.SortFunc(all, func(a, b ChainState) int { return cmp.Compare(a.Chain, b.Chain) })
	return all, nil
}

// Checkpoints yields none: those are a matter for real stores.
func (*memory) Checkpoints(context.Context, int64) iter.Seq2[Signed, error] {
	return func(func(Signed, error) bool) {}
}

// KeptBodies returns none: likewise.
func (*memory) KeptBodies(context.Context, string) ([]KeptBody, error) { return nil, nil }

// Recount finds nothing: what is derived is a matter for real stores.
func (*memory) Recount() Recount { return noRecount{} }

type noRecount struct{}

func (noRecount) Add(context.Context, Entry, func(Derived)) error { return nil }

func (noRecount) Finish(context.Context, func() (time.Time, error), func(Derived)) error { return nil }
