package kept

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/index"
	"github.com/weir-gate/weir/internal/record/query"
	"github.com/weir-gate/weir/internal/record/recordlog"
)

// Entries implements query.Source: what is indexed, and then what is only in the logs. Entries that are not indexed yet have no row.
func (h *history) Entries(ctx context.Context, f query.Filter) iter.Seq2[record.Entry, error] {
	if f.Garbled {
		return h.whole(ctx)
	}
	if f.Thorough {
		return h.thorough(ctx, f)
	}
	return func(yield func(record.Entry, error) bool) {
		if err := h.entries(ctx, f, yield); err != nil {
			yield(record.Entry{}, err)
		}
	}
}

// entries yields the entries that f selects. Without an index, the logs are searched.
func (h *history) entries(ctx context.Context, f query.Filter, yield func(record.Entry, error) bool) error {
	n := 0
	err := h.lookUp(ctx, f, func(e record.Entry, err error) bool {
		n++
		return yield(e, err)
	})
	if errors.Is(err, index.ErrDamaged) {
		_ = os.WriteFile(h.damagedMark(), nil, 0o600) // whoever writes the index makes it anew
	}
	if err == nil || ctx.Err() != nil || n > 0 || f.AfterRow > 0 || f.UpToRow > 0 {
		return err
	}
	return h.search(ctx, f, yield)
}

// damagedMark is the file that a reader leaves for whoever writes the index.
func (h *history) damagedMark() string { return filepath.Join(h.indexFolder, "DAMAGED") }

// search yields the entries that f selects from the logs alone.
func (h *history) search(ctx context.Context, f query.Filter, yield func(record.Entry, error) bool) error {
	cut, err := h.cuts(ctx)
	if err != nil {
		return err
	}
	return h.tail(f, nil, cut).yield(ctx, yield)
}

func (h *history) tail(f query.Filter, cursors map[string]int64, cut cuts) *tail {
	return &tail{history: h, cursors: cursors, filter: f, matches: f.Matcher(), hidden: cut.hides}
}

// lookUp yields the entries that f selects, as the index proposes them, and those that it does not have.
func (h *history) lookUp(ctx context.Context, f query.Filter, yield func(record.Entry, error) bool) error {
	cut, err := h.cuts(ctx)
	if err != nil {
		return err
	}
	// Rows and cursors are of one moment: what is after a cursor has no row up to the last one.
	at, err := h.index.Standing(ctx)
	if err != nil {
		return err
	}
	s := selection{filter: f, hidden: cut.hides, index: h.index, ctx: ctx, yield: yield}
	if f.UpToRow > 0 { // what is not indexed has no row
		_, err := s.indexed(f.Limit)
		return err
	}
	s.filter.UpToRow = at.LastRow
	t := h.tail(f, at.Cursors, cut)
	if f.Newest && f.Limit > 0 {
		last, err := t.newest(ctx, f.Limit)
		if err != nil {
			return err
		}
		if more, err := s.indexed(f.Limit - len(last)); err != nil || !more {
			return err
		}
		for _, e := range last {
			if !yield(e, nil) {
				return nil
			}
		}
		return nil
	}
	if more, err := s.indexed(f.Limit); err != nil || !more {
		return err
	}
	return t.each(ctx, func(e record.Entry) bool {
		s.n++
		return yield(e, nil) && (f.Limit == 0 || s.n < f.Limit)
	})
}

// A selection is what is indexed of the entries that a filter selects.
type selection struct {
	filter query.Filter
	hidden func(*record.Entry) bool
	index  query.Source
	ctx    context.Context
	yield  func(record.Entry, error) bool
	n      int // entries that were yielded
}

// indexed yields what is indexed, at most so many, and returns whether more is wanted. With a limit, 0 is none.
func (s *selection) indexed(limit int) (more bool, err error) {
	if s.filter.Limit > 0 && limit <= 0 || s.filter.UpToRow == 0 {
		return true, nil // there is nothing to yield, or no row yet
	}
	if s.filter.Newest && limit > 0 {
		last, err := s.newest(limit)
		for _, e := range last {
			if s.n++; !s.yield(e, nil) {
				return false, err
			}
		}
		return true, err
	}
	f := s.filter
	f.Limit = 0 // what is hidden does not count
	for e, err := range s.index.Entries(s.ctx, f) {
		if err != nil {
			return false, err
		}
		if s.hidden(&e) {
			continue
		}
		if s.n++; !s.yield(e, nil) || s.n == limit {
			return false, nil
		}
	}
	return true, nil
}

// newest returns the newest entries that are not hidden, oldest first.
func (s *selection) newest(limit int) (all []record.Entry, err error) {
	f := s.filter
	for f.Limit = limit; ; f.Limit *= 2 {
		all = nil
		seen := 0
		for e, err := range s.index.Entries(s.ctx, f) {
			if err != nil {
				return nil, err
			}
			if seen++; !s.hidden(&e) {
				all = append(all, e)
			}
		}
		if len(all) >= limit || seen < f.Limit {
			return all[max(0, len(all)-limit):], nil
		}
	}
}

// cuts are the first events of chains that are kept, by chain.
type cuts map[string]int64

func (c cuts) hides(e *record.Entry) bool { return e.Seq < c[e.Chain] }

// cuts returns the chains whose oldest events were removed.
func (h *history) cuts(ctx context.Context) (cuts, error) {
	noted, err := h.state.KeptChains(ctx)
	if err != nil {
		return nil, err
	}
	c := cuts{}
	for _, n := range noted {
		if n.First > 1 {
			c[n.Chain] = n.First
		}
	}
	return c, nil
}

// A tail is what is in the logs and not in the index.
type tail struct {
	*history
	cursors map[string]int64 // up to where each log is indexed
	filter  query.Filter
	matches func(*record.Entry) bool
	hidden  func(*record.Entry) bool
}

// yield yields the entries of the tail that the filter selects.
func (t *tail) yield(ctx context.Context, yield func(record.Entry, error) bool) error {
	if t.filter.Newest && t.filter.Limit > 0 {
		last, err := t.newest(ctx, t.filter.Limit)
		for _, e := range last {
			if err != nil || !yield(e, nil) {
				break
			}
		}
		return err
	}
	n := 0
	return t.each(ctx, func(e record.Entry) bool {
		n++
		return yield(e, nil) && (t.filter.Limit == 0 || n < t.filter.Limit)
	})
}

// each reads the entries of the tail that the filter selects, until read returns false.
func (t *tail) each(ctx context.Context, read func(record.Entry) bool) error {
	logs, err := recordlog.Names(t.folder)
	if err != nil {
		return err
	}
	for _, log := range logs {
		more, err := t.of(ctx, log, read)
		if err != nil || !more {
			return err
		}
	}
	return nil
}

// of reads the tail of one log.
func (t *tail) of(ctx context.Context, log string, read func(record.Entry) bool) (more bool, err error) {
	n := 0
	for g, err := range recordlog.Scan(filepath.Join(t.folder, log), t.cursors[log]) {
		if t.damage.is(err) {
			continue
		}
		if n++; err == nil && n%1000 == 0 {
			err = ctx.Err()
		}
		if err != nil {
			return false, err
		}
		if g.Kind != recordlog.Event || !mayMatch(t.filter, g.Text) {
			continue
		}
		e, err := g.Entry()
		if err != nil {
			continue // somebody changed it: weir audit verify shows it
		}
		if t.matches(&e) && !t.hidden(&e) && !read(e) {
			return false, nil
		}
	}
	return true, nil
}

// newest returns the newest entries of the tail that the filter selects, oldest first.
func (t *tail) newest(ctx context.Context, most int) (last []record.Entry, err error) {
	err = t.each(ctx, func(e record.Entry) bool {
		if last = append(last, e); len(last) >= 2*most+1000 {
			last = newestOf(last, most)
		}
		return true
	})
	return newestOf(last, most), err
}

// newestOf returns the newest of entries, oldest first. Entries of one log are in its order already.
func newestOf(all []record.Entry, most int) []record.Entry {
	slices.SortStableFunc(all, func(a, b record.Entry) int { return cmp.Compare(a.Micros, b.Micros) })
	return slices.Clone(all[max(0, len(all)-most):])
}

// mayMatch says whether an event with this text can be one that a filter selects by an id. Parsing a text takes far longer.
func mayMatch(f query.Filter, text []byte) bool {
	for _, id := range []string{f.CallID, f.WireID, f.RequestID} {
		if id != "" && strings.Trim(id, plainCharacters) == "" && !bytes.Contains(text, []byte(id)) {
			return false
		}
	}
	return true
}

// plainCharacters are written as they are, in every text.
const plainCharacters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-"

// LastRow returns the last row of the index.
func (h *history) LastRow(ctx context.Context) (int64, error) {
	return h.index.LastRow(ctx)
}

// Stats returns statistics of what is indexed.
func (h *history) Stats(ctx context.Context, q query.StatsQuery) (query.Stats, error) {
	return h.index.Stats(ctx, q)
}
