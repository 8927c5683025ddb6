// Package recordtest has helpers for tests of the record: a store in memory, and an event of every kind.
package recordtest

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/checkpoint"
	"github.com/weir-gate/weir/internal/record/query"
	"github.com/weir-gate/weir/internal/record/verify"
)

// Memory is a store in memory that can be made to fail.
type Memory struct {
	// Before is called by Append. It says whether the entries are stored, and which error Append returns.
	Before func(entries []record.Entry) (stored bool, err error)
	// HeadError is returned by Head.
	HeadError func() error

	mu      sync.Mutex
	Stored  []record.Entry
	Batches []int // the sizes of the stored batches
}

// ErrDisk is an error for a failing store.
var ErrDisk = errors.New("disk full")

func (m *Memory) Append(ctx context.Context, entries []record.Entry) error {
	stored, err := true, error(nil)
	if m.Before != nil {
		stored, err = m.Before(entries)
	}
	if err == nil {
		err = ctx.Err()
		stored = stored && err == nil
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if stored {
		m.Batches = append(m.Batches, len(entries))
		for _, e := range entries {
			e.Row = int64(len(m.Stored) + 1)
			m.Stored = append(m.Stored, e)
		}
	}
	return err
}

func (m *Memory) Head(_ context.Context, chain string) (record.Head, error) {
	if m.HeadError != nil {
		if err := m.HeadError(); err != nil {
			return record.Head{}, err
		}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	h := record.Head{Chain: chain, Hash: record.Genesis}
	for _, e := range m.Stored {
		if e.Chain == chain {
			h = record.Head{Chain: chain, Seq: e.Seq, Hash: e.Hash}
		}
	}
	return h, nil
}

func (m *Memory) Entries(context.Context, query.Filter) iter.Seq2[record.Entry, error] {
	return func(yield func(record.Entry, error) bool) {
		for _, e := range m.Stored {
			if !yield(e, nil) {
				return
			}
		}
	}
}

// Chains computes the notes of a store.
func (m *Memory) Chains(context.Context) ([]record.ChainState, error) {
	chains := map[string]record.ChainState{}
	for _, e := range m.Stored {
		c, known := chains[e.Chain]
		if !known || e.Seq < c.First {
			c.First, c.Since = e.Seq, time.UnixMicro(e.Micros)
		}
		if e.Seq > c.Seq {
			c.Head = e.Head
		}
		c.Bytes += int64(len(e.Text))
		chains[e.Chain] = c
	}
	all := slices.Collect(maps.Values(chains))
	slices.SortFunc(all, func(a, b record.ChainState) int { return cmp.Compare(a.Chain, b.Chain) })
	return all, nil
}

// Checkpoints yields none: only real stores have them.
func (*Memory) Checkpoints(context.Context, int64) iter.Seq2[checkpoint.Signed, error] {
	return func(func(checkpoint.Signed, error) bool) {}
}

// StoredBodies returns none: only real stores have them.
func (*Memory) StoredBodies(context.Context, string) ([]verify.StoredBody, error) { return nil, nil }

// Recount finds nothing: only real stores have statistics.
func (*Memory) Recount() verify.Recount { return noRecount{} }

type noRecount struct{}

func (noRecount) Add(context.Context, record.Entry, func(verify.Problem)) error { return nil }

func (noRecount) Finish(context.Context, func() (time.Time, error), func(verify.Problem)) error {
	return nil
}

// Restore removes all but the first n entries, as if the store were restored from an older copy.
func (m *Memory) Restore(n int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.Stored = m.Stored[:n]
}
