package store

import (
	"context"
	"database/sql"
	"errors"
	"iter"

	"github.com/weir-gate/weir/internal/audit"
)

const insertEvent = `INSERT INTO events
	(chain, seq, hash, time, type, session, server, tool, call_id, wire_id, verdict, blocked, code, rule, text)
	VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`

const selectEvents = `SELECT row_id, chain, seq, hash, time, type, session, server, tool, call_id, wire_id, verdict, blocked, code, rule,
	text	FROM events`

// Append implements audit.Appender: the entries are stored in order, all or none, with the rulings that they keep and
// the money that they spend, and synced.
func (s *Store) Append(ctx context.Context, entries []audit.Entry) error {
	return s.transact(ctx, "write events", func(ctx context.Context, tx *sql.Tx) error {
		insertEvent, keepRuling := tx.StmtContext(ctx, s.insertEvent), tx.StmtContext(ctx, s.keepRuling)
		for _, e := range entries {
			done, err := insertEvent.ExecContext(ctx, e.Chain, e.Seq, e.Hash, e.Micros, string(e.Type), e.Session, e.Server,
				e.Tool, e.CallID, e.WireID, e.Verdict, e.Blocked, e.Code, e.Rule, string(e.Text))
			if err != nil {
				return err
			}
			if n, err := done.RowsAffected(); err != nil || n != 1 {
				return errors.New("the database took no row; something else changed its tables")
			}
			if err := keep(ctx, keepRuling, e); err != nil {
				return err
			}
			if err := spend(ctx, tx, e); err != nil {
				return err
			}
		}
		return nil
	})
}

// Head implements audit.Appender.
func (s *Store) Head(ctx context.Context, chain string) (audit.Head, error) {
	h := audit.Head{Chain: chain, Hash: audit.Genesis}
	// Read by the connection that writes: it knows what became of its last transaction.
	err := s.write.QueryRowContext(ctx, "SELECT seq, hash FROM events WHERE chain = ? ORDER BY seq DESC LIMIT 1", chain).
		Scan(&h.Seq, &h.Hash)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return audit.Head{}, sqlError("read the head of a chain", err)
	}
	return h, nil
}

// A page is read at once and then handed out with no transaction open: a consumer that dawdles would otherwise keep
// the writer's log from being merged into the database.
const (
	pageRows  = 500
	pageBytes = 4 << 20
)

// Entries implements audit.Reader.
func (r *Reader) Entries(ctx context.Context, f audit.Filter) iter.Seq2[audit.Entry, error] {
	return func(yield func(audit.Entry, error) bool) {
		w, err := r.where(ctx, f)
		if err != nil {
			yield(audit.Entry{}, err)
			return
		}
		for left := f.Limit; ; {
			rows := pageRows
			if f.Limit > 0 {
				rows = min(rows, left)
			}
			page, more, err := r.page(ctx, w, rows)
			if err != nil {
				yield(audit.Entry{}, err)
				return
			}
			for _, e := range page {
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
func (r *Reader) page(ctx context.Context, w where, rows int) (page []audit.Entry, more bool, err error) {
	const step = "read events"
	clause, args := w.sql(rows)
	found, err := r.db.QueryContext(ctx, selectEvents+clause+" ORDER BY row_id LIMIT ?", args...)
	if err != nil {
		return nil, false, sqlError(step, err)
	}
	defer found.Close()
	for size := 0; found.Next(); {
		var e audit.Entry
		if err := found.Scan(&e.Row, &e.Chain, &e.Seq, &e.Hash, &e.Micros, &e.Type, &e.Session, &e.Server, &e.Tool,
			&e.CallID, &e.WireID, &e.Verdict, &e.Blocked, &e.Code, &e.Rule, &e.Text); err != nil {
			return nil, false, sqlError(step, err)
		}
		page = append(page, e)
		if size += len(e.Text); size >= pageBytes {
			return page, true, nil
		}
	}
	if err := found.Err(); err != nil {
		return nil, false, sqlError(step, err)
	}
	return page, len(page) == rows, nil
}
