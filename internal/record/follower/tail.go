package follower

import (
	"bytes"
	"context"
	"iter"
	"slices"
	"strings"

	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/query"
	"github.com/weir-gate/weir/internal/record/recordlog"
)

// Entries implements query.Source: what is stored, and then what is only in the log. Entries that are not stored yet have no row.
func (f *Follower) Entries(ctx context.Context, q query.Filter) iter.Seq2[record.Entry, error] {
	return func(yield func(record.Entry, error) bool) {
		// The tail is read first: what leaves it meanwhile is in the store by then.
		tail, err := f.tail(q)
		if err != nil {
			yield(record.Entry{}, err)
			return
		}
		if len(tail) == 0 {
			f.config.Source.Entries(ctx, q)(yield)
			return
		}
		m := merge{tail: tail, limit: q.Limit, newest: q.Newest && q.Limit > 0}
		m.run(f.config.Source.Entries(ctx, q), yield)
	}
}

// tail returns the entries that a filter selects among those that the store may not have.
func (f *Follower) tail(q query.Filter) ([]record.Entry, error) {
	if q.UpToRow > 0 {
		return nil, nil // what is not stored has no row
	}
	f.mu.Lock()
	if f.stored == f.end {
		f.mu.Unlock()
		return nil, nil
	}
	pending := slices.Clone(f.pending)
	from, end := f.heldTo(), f.end
	f.mu.Unlock()
	matches := q.Matcher()
	var found []record.Entry
	for _, b := range pending {
		for i := range b.entries {
			if matches(&b.entries[i]) {
				found = append(found, b.entries[i])
			}
		}
	}
	if from == end {
		return found, nil
	}
	for g, err := range recordlog.Read(f.config.Log.Folder(), from) {
		if err != nil {
			return nil, err
		}
		if g.Kind == recordlog.Event && mayMatch(q, g.Text) {
			e, err := g.Entry()
			if err != nil {
				return nil, err
			}
			if matches(&e) {
				found = append(found, e)
			}
		}
		if g.After >= end {
			break
		}
	}
	return found, nil
}

// mayMatch says whether an event with this text can be one that a filter selects by an id. Parsing a text takes far longer.
func mayMatch(q query.Filter, text []byte) bool {
	for _, id := range []string{q.CallID, q.WireID} {
		if id != "" && strings.Trim(id, plainCharacters) == "" && !bytes.Contains(text, []byte(id)) {
			return false
		}
	}
	return true
}

// plainCharacters are written as they are, in every text.
const plainCharacters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-"

// A merge yields stored entries and then those of the tail that are not stored.
type merge struct {
	tail   []record.Entry
	limit  int  // 0: none
	newest bool // of all entries, the last so many; else the first
}

func (m *merge) run(stored iter.Seq2[record.Entry, error], yield func(record.Entry, error) bool) {
	rest := map[record.Head]bool{}
	for _, e := range m.tail {
		rest[e.Head] = true
	}
	var held []record.Entry // the newest of which are yielded
	n := 0
	for e, err := range stored {
		if err != nil {
			yield(record.Entry{}, err)
			return
		}
		delete(rest, e.Head)
		n++
		if m.newest {
			held = append(held, e)
		} else if !yield(e, nil) {
			return
		}
	}
	for _, e := range m.tail {
		switch {
		case !rest[e.Head]:
		case m.newest:
			held = append(held, e)
		case m.limit > 0 && n >= m.limit:
			return
		default:
			n++
			if !yield(e, nil) {
				return
			}
		}
	}
	if m.newest {
		for _, e := range held[max(0, len(held)-m.limit):] {
			if !yield(e, nil) {
				return
			}
		}
	}
}
