package store

import (
	"context"
	"database/sql"
	"fmt"
	"iter"
	"math"

	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/query"
)

const selectEvents = "SELECT row_id, " + eventColumns + " FROM events"

// Append is for the recorder: the entries are stored in order, all or none, with their effects, and synced. They must
// continue their chain from its head.
func (s *Store) Append(ctx context.Context, entries []record.Entry) error {
	const step = "write events"
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("store: %s: %w", step, err)
	}
	runs, err := runsOf(entries)
	if err != nil {
		return fmt.Errorf("store: %s: %w", step, err)
	}
	if len(runs) == 0 {
		return nil
	}
	if err := s.store(ctx, runs); err != nil {
		return sqlError(step, err)
	}
	return nil
}

// consequences are the statements that are run with entries: for their effects and statistics.
func consequences(f flavour, runs []run) []statement {
	return append(effects(runs), counted(f, runs)...)
}

// effects are the statements for the rulings and the spent money of entries.
func effects(runs []run) []statement {
	var all []statement
	spent, last := false, int64(math.MinInt64) // and when
	for _, r := range runs {
		for _, e := range r.entries {
			if e.With.Remember != nil {
				all = append(all, storeRuling(e))
			}
			if len(e.With.Spend) > 0 {
				all = append(all, spend(e)...)
				spent, last = true, max(last, e.Micros)
			}
		}
	}
	if spent {
		all = append(all, forget(last))
	}
	return all
}

// A page is read at once and then yielded with no transaction open. Otherwise a slow consumer would prevent the writer's log from
// being merged into the database.
const (
	pageRows  = 500
	pageBytes = 4 << 20
)

// Entries implements query.Source.
func (r *View) Entries(ctx context.Context, f query.Filter) iter.Seq2[record.Entry, error] {
	return func(yield func(record.Entry, error) bool) {
		w, err := r.where(ctx, f)
		if err != nil {
			yield(record.Entry{}, err)
			return
		}
		for left := f.Limit; ; {
			rows := pageRows
			if f.Limit > 0 {
				rows = min(rows, left)
			}
			page, more, err := r.page(ctx, w, rows)
			if err != nil {
				yield(record.Entry{}, err)
				return
			}
			for _, e := range page {
				if e.Garbled != "" && !f.Garbled {
					yield(record.Entry{}, sqlError("read events", garbledRow(e.Row, e.Garbled)))
					return
				}
				if !yield(e, nil) {
					return
				}
				w.after = e.Row
			}
			left -= len(page)
			if !more || f.Limit > 0 && left == 0 {
				return
			}
		}
	}
}

// page reads the next entries, at most rows of them. There may be more if it stopped at a bound.
func (r *View) page(ctx context.Context, w where, rows int) (page []record.Entry, more bool, err error) {
	clause, args := w.sql(rows)
	size := 0
	err = r.db.each(ctx, "read events", func(found *sql.Rows) error {
		e, err := scanEntry(found)
		page = append(page, e)
		if size += len(e.Text); err == nil && size >= pageBytes {
			return errEnough
		}
		return err
	}, selectEvents+clause+" ORDER BY row_id LIMIT ?", args...)
	return page, size >= pageBytes || len(page) == rows, err
}

// scanEntry reads a row of selectEvents.
func scanEntry(rows *sql.Rows) (e record.Entry, err error) {
	e.Garbled, err = scanStrict(rows, append([]any{&e.Row}, cells(&e)...)...)
	return e, err
}
