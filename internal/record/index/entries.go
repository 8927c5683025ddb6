package index

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"

	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/query"
)

const (
	// pageRows is how many candidates are looked up at once. Then nothing of the index is held while they are read and consumed.
	pageRows = 500
	// heldBytes bounds the texts that are in memory at once.
	heldBytes = 4 << 20
)

// Entries implements query.Source.
func (v *View) Entries(ctx context.Context, f query.Filter) iter.Seq2[record.Entry, error] {
	return func(yield func(record.Entry, error) bool) {
		a := answer{view: v, search: newSearch(&f), matches: f.Matcher()}
		var err error
		if f.Newest && f.Limit > 0 {
			err = a.newest(ctx, f.Limit, yield)
		} else {
			err = a.oldest(ctx, f.Limit, yield)
		}
		if err != nil {
			yield(record.Entry{}, err)
		}
	}
}

// An answer is the answer to a filter in the making.
type answer struct {
	view    *View
	search  *search
	matches func(*record.Entry) bool
}

// next finds the next candidates. A partition that is gone was dropped just now, unless it is gone the next time, too.
func (a *answer) next(ctx context.Context, most int) ([]candidate, error) {
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("index: %w", err)
	}
	for again := true; ; again = false {
		found, err := a.look(ctx, most)
		if err == nil || !errors.Is(err, errGone) || !again {
			return found, err
		}
	}
}

func (a *answer) look(ctx context.Context, most int) ([]candidate, error) {
	at, err := a.view.snapshot(ctx)
	if err != nil {
		return nil, err
	}
	defer at.close()
	s := *a.search
	s.most, s.found = most, nil
	if err := s.run(ctx, at); err != nil {
		return nil, err
	}
	return s.found, nil
}

// read reads the entry of a candidate; found is false if the filter does not select it, or if it is gone by now.
func (a *answer) read(ctx context.Context, c candidate) (e record.Entry, found bool, err error) {
	text, err := a.view.config.Texts.Text(c.log, c.at)
	if err != nil {
		return e, false, a.view.unlessGone(ctx, c, err)
	}
	if len(a.search.words) > 0 && !query.HasWords(text, a.search.words) {
		return e, false, nil
	}
	if e, err = record.Sealed(text); err != nil {
		return e, false, fmt.Errorf("index: log %s, position %d: %w", c.log, c.at, err)
	}
	e.Row = c.row
	return e, a.matches(&e), nil
}

// unlessGone is the error, unless the event was dropped meanwhile.
func (v *View) unlessGone(ctx context.Context, c candidate, err error) error {
	s, failed := v.snapshot(ctx)
	if failed != nil {
		return failed
	}
	defer s.close()
	if now, known := s.cursors[c.log]; !known || c.at < now.cut {
		return nil
	}
	return fmt.Errorf("index: read the event at position %d of the log %s: %w", c.at, c.log, err)
}

// oldest yields entries as they are found.
func (a *answer) oldest(ctx context.Context, limit int, yield func(record.Entry, error) bool) error {
	for given := 0; ; {
		most := pageRows
		if limit > 0 && len(a.search.words) == 0 {
			most = min(most, limit-given)
		}
		page, err := a.next(ctx, most)
		if err != nil {
			return err
		}
		for _, c := range page {
			a.search.after = c.row
			e, found, err := a.read(ctx, c)
			if err != nil {
				return err
			}
			if !found {
				continue
			}
			if !yield(e, nil) {
				return nil
			}
			if given++; given == limit {
				return nil
			}
		}
		if len(page) < most {
			return nil
		}
	}
}

// newest finds the newest entries and yields them, oldest first.
func (a *answer) newest(ctx context.Context, limit int, yield func(record.Entry, error) bool) error {
	a.search.newest = true
	type found struct {
		candidate
		entry *record.Entry // nil: it is read again
	}
	var all []found
	for held := 0; len(all) < limit; {
		most := pageRows
		if len(a.search.words) == 0 {
			most = min(most, limit-len(all))
		}
		page, err := a.next(ctx, most)
		if err != nil {
			return err
		}
		for _, c := range page {
			a.search.upTo = c.row - 1
			e, selected, err := a.read(ctx, c)
			if err != nil {
				return err
			}
			if !selected || len(all) == limit {
				continue
			}
			if held += len(e.Text); held <= heldBytes {
				all = append(all, found{c, &e})
			} else {
				all = append(all, found{c, nil})
			}
		}
		if len(page) < most || a.search.upTo <= 0 {
			break
		}
	}
	for _, f := range slices.Backward(all) {
		if f.entry == nil {
			e, selected, err := a.read(ctx, f.candidate)
			if err != nil {
				return err
			}
			if !selected {
				continue
			}
			f.entry = &e
		}
		if !yield(*f.entry, nil) {
			return nil
		}
	}
	return nil
}
