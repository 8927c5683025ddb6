package kept

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"sync"
	"time"

	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/checkpoint"
	"github.com/weir-gate/weir/internal/record/custodian"
	"github.com/weir-gate/weir/internal/record/query"
	"github.com/weir-gate/weir/internal/record/recordlog"
	"github.com/weir-gate/weir/internal/record/store"
)

// Chains implements verify.Record.
func (h *history) Chains(ctx context.Context) ([]record.ChainState, error) {
	noted, err := h.state.KeptChains(ctx)
	if err != nil {
		return nil, err
	}
	all := make([]record.ChainState, len(noted))
	for i, c := range noted {
		all[i] = c.ChainState
		if c.First <= c.Seq {
			if all[i].Since, err = h.since(c); err != nil {
				return nil, err
			}
		}
	}
	return all, nil
}

// since returns the time of the oldest event of a chain that is kept; zero: it is missing.
func (h *history) since(c store.KeptChain) (time.Time, error) {
	if at, known := h.places.since(c.Chain, c.First); known {
		return at, nil
	}
	e, found, err := h.event(c, c.First)
	if err != nil || !found {
		return time.Time{}, err
	}
	at := time.UnixMicro(e.Micros).UTC()
	h.places.setSince(c.Chain, c.First, at)
	return at, nil
}

// event reads one event of a chain.
func (h *history) event(c store.KeptChain, seq int64) (e record.Entry, found bool, err error) {
	err = h.eachOf(c, seq, func(got record.Entry) bool {
		e, found = got, got.Seq == seq
		return false
	})
	return e, found, err
}

// eachOf reads the events of a chain from one on, in order, until read returns false.
func (h *history) eachOf(c store.KeptChain, from int64, read func(record.Entry) bool) error {
	begin := h.places.before(c.Chain, from, c.Begins)
	for g, err := range recordlog.Scan(filepath.Join(h.folder, c.Log), begin) {
		if h.damage.is(err) {
			continue
		}
		if errors.Is(err, fs.ErrNotExist) {
			return nil // the log is missing, and so are its events
		}
		if err != nil {
			return err
		}
		if g.Kind != recordlog.Event {
			continue
		}
		link, err := record.LinkOf(g.Text)
		if err != nil || link.Chain != c.Chain || link.Seq < from {
			continue // what is no event any more is missing
		}
		e, err := g.Entry()
		if err != nil {
			continue
		}
		e.Place.Log = c.Log
		h.places.note(c.Chain, e.Seq, g.After)
		if !read(e) {
			return nil
		}
	}
	return nil
}

// kept returns the note about a chain.
func (h *history) kept(ctx context.Context, chain string) (store.KeptChain, error) {
	noted, err := h.state.KeptChains(ctx)
	if err != nil {
		return store.KeptChain{}, err
	}
	for _, c := range noted {
		if c.Chain == chain {
			return c, nil
		}
	}
	return store.KeptChain{}, fmt.Errorf("the record has no chain %s", chain)
}

// Standing implements custodian.Store.
func (r *Record) Standing(ctx context.Context) (custodian.Standing, error) {
	chains, err := r.Chains(ctx)
	if err != nil {
		return custodian.Standing{}, err
	}
	st := custodian.Standing{Chains: chains}
	if st.LastCut, err = r.Store.LastCut(ctx); err != nil {
		return custodian.Standing{}, err
	}
	last, found, err := query.First(ctx, r, query.Filter{Limit: 1, Newest: true})
	if err != nil {
		return custodian.Standing{}, err
	}
	if found {
		st.Last, st.Newest = last.Head, time.UnixMicro(last.Micros).UTC()
	}
	return st, nil
}

// Measure implements custodian.Store.
func (r *Record) Measure(ctx context.Context, chain string, from, to int64) (events, bytes int64, err error) {
	c, err := r.kept(ctx, chain)
	if err != nil {
		return 0, 0, err
	}
	err = r.eachOf(c, from, func(e record.Entry) bool {
		if e.Seq <= to {
			events, bytes = events+1, bytes+int64(len(e.Text))
		}
		return e.Seq < to && ctx.Err() == nil
	})
	if err == nil {
		err = ctx.Err()
	}
	return events, bytes, err
}

// oldestBytes is how much text Oldest returns at most, if that is more than one event.
const oldestBytes = 4 << 20

// Oldest implements custodian.Store.
func (r *Record) Oldest(ctx context.Context, chain string, from int64, most int) (all []record.Entry, err error) {
	c, err := r.kept(ctx, chain)
	if err != nil {
		return nil, err
	}
	size := 0
	err = r.eachOf(c, from, func(e record.Entry) bool {
		all, size = append(all, e), size+len(e.Text)
		return len(all) < most && size < oldestBytes && e.Seq < c.Seq
	})
	return all, err
}

// Cut implements custodian.Store. The events are hidden at once. A segment goes when all that is in it was cut.
func (r *Record) Cut(ctx context.Context, by checkpoint.Signer, cut checkpoint.Cut) (checkpoint.Signed, error) {
	c, err := r.kept(ctx, cut.Last.Chain)
	if err != nil {
		return checkpoint.Signed{}, err
	}
	if cut.First != c.First {
		return checkpoint.Signed{}, custodian.ErrCutMoved
	}
	if cut.Last.Seq < c.First || cut.Last.Seq > c.Seq {
		return checkpoint.Signed{}, fmt.Errorf("chain %s has events %d to %d, and a cut after %d was asked for", c.Chain, c.First, c.Seq,
			cut.Last.Seq)
	}
	last, err := r.upTo(c, cut.Last.Seq)
	if err != nil {
		return checkpoint.Signed{}, err
	}
	if last.Hash != cut.Last.Hash {
		return checkpoint.Signed{}, fmt.Errorf("chain %s, event %d is another event; run weir audit verify", cut.Last.Chain, cut.Last.Seq)
	}
	return r.CutKept(ctx, by, cut, last.Place.After)
}

// upTo returns an event of a chain, and makes sure that none is missing before it.
func (h *history) upTo(c store.KeptChain, seq int64) (last record.Entry, err error) {
	next := c.First
	err = h.eachOf(c, c.First, func(e record.Entry) bool {
		if e.Seq != next {
			return false
		}
		last, next = e, next+1
		return next <= seq
	})
	if err == nil && last.Seq != seq {
		err = fmt.Errorf("chain %s, event %d is missing; run weir audit verify", c.Chain, next)
	}
	return last, err
}

// Tidy implements custodian.Store. It also removes the segments whose events were cut, which the caller has made signed statements of.
func (r *Record) Tidy(ctx context.Context, before time.Time, oneIn int64) (int64, error) {
	if err := r.trim(ctx); err != nil {
		return 0, err
	}
	return r.Store.Tidy(ctx, before, oneIn)
}

// BodyStanding is for bodies.Retention.
func (r *Record) BodyStanding(ctx context.Context) (count int64, newest time.Time, err error) {
	if count, newest, err = r.Store.BodyStanding(ctx); err != nil {
		return 0, time.Time{}, err
	}
	last, found, err := query.First(ctx, r, query.Filter{Limit: 1, Newest: true})
	if at := time.UnixMicro(last.Micros).UTC(); found && at.After(newest) {
		newest = at
	}
	return count, newest, err
}

// places are positions of events that were read before, so that the next reading need not begin at the beginning of a log.
type places struct {
	mu    sync.Mutex
	known map[string]place
}

// A place is what is known of a chain.
type place struct {
	seq   int64 // an event
	after int64 // the position after it
	first int64 // the event that since is of
	since time.Time
}

// mostPlaces is how many chains are known.
const mostPlaces = 10_000

// before returns a position that is not after an event.
func (p *places) before(chain string, seq, begins int64) int64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	if k, ok := p.known[chain]; ok && k.seq < seq && k.after > begins {
		return k.after
	}
	return begins
}

func (p *places) note(chain string, seq, after int64) {
	p.change(chain, func(k *place) { k.seq, k.after = seq, after })
}

func (p *places) since(chain string, first int64) (time.Time, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	k, ok := p.known[chain]
	return k.since, ok && k.first == first
}

func (p *places) setSince(chain string, first int64, at time.Time) {
	p.change(chain, func(k *place) { k.first, k.since = first, at })
}

func (p *places) change(chain string, change func(*place)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.known == nil || len(p.known) > mostPlaces {
		p.known = map[string]place{}
	}
	k := p.known[chain]
	change(&k)
	p.known[chain] = k
}
