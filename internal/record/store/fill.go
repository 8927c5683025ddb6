package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	"github.com/weir-gate/weir/internal/record"
)

// Events that an older weir recorded lack the later columns and are not counted yet. They are filled in after the tables were
// upgraded, in portions, each in its own transaction. The database counts as one of an older version until all are done, so that an
// interrupted upgrade continues the next time.

// filledVersion is the first version of the schema with the later columns.
const filledVersion = 6

// fillAtOnce is how many events are filled in in one transaction.
const fillAtOnce = 500

const (
	selectUnfilledUpTo = "SELECT upto FROM unfilled"
	selectUnfilled     = "SELECT row_id, hash, time, text FROM events WHERE row_id > ? AND row_id <= ? AND facet IS NULL ORDER BY row_id " +
		"LIMIT ?"
	deleteUnfilled = "DELETE FROM unfilled"
)

var fillEvent = "UPDATE events SET " + strings.ReplaceAll(laterColumns+", "+drawnColumns, ",",
	" = ?,") + " = ? WHERE row_id = ? AND time = ?"

// demandFilled lowers the version of a schema while events are not filled in.
func (s *schema) demandFilled(ctx context.Context, db database) error {
	if s.version < filledVersion {
		return nil
	}
	var upTo int64
	err := db.QueryRowContext(ctx, selectUnfilledUpTo).Scan(&upTo)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	s.version = filledVersion - 1
	return err
}

// fillEvents fills in all events that are not filled in yet.
func fillEvents(ctx context.Context, db database) error {
	for after := int64(0); ; {
		last, err := fillSome(ctx, db, after)
		if err != nil {
			return fmt.Errorf("fill in older events: %w", err)
		}
		if last == after {
			return nil
		}
		after = last
	}
}

// fillSome fills in the next events after a row and returns the last row that it saw; if it saw none, it returns after.
func fillSome(ctx context.Context, db database, after int64) (last int64, err error) {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return after, err
	}
	defer tx.Rollback() // after a commit it does nothing; before, the first error is the one to report
	t := transaction{tx, db.flavour}
	if turn := db.flavour.takeTurn; turn != "" {
		if _, err := t.exec(ctx, turn); err != nil {
			return after, err
		}
	}
	var upTo int64
	err = t.queryRow(ctx, selectUnfilledUpTo).Scan(&upTo)
	if errors.Is(err, sql.ErrNoRows) {
		return after, nil
	}
	if err != nil {
		return after, err
	}
	entries, err := unfilled(ctx, t, after, upTo)
	if err != nil {
		return after, err
	}
	if len(entries) == 0 {
		if _, err := t.exec(ctx, deleteUnfilled); err != nil {
			return after, err
		}
		return after, tx.Commit()
	}
	if err := fillIn(ctx, t, entries); err != nil {
		return after, err
	}
	return entries[len(entries)-1].Row, tx.Commit()
}

func unfilled(ctx context.Context, t transaction, after, upTo int64) ([]record.Entry, error) {
	var all []record.Entry
	size := 0
	err := eachRow(func(rows *sql.Rows) error {
		if size >= pageBytes {
			return errEnough
		}
		var e record.Entry
		err := rows.Scan(&e.Row, &e.Hash, &e.Micros, &e.Text)
		size += len(e.Text)
		all = append(all, e)
		return err
	})(t.query(ctx, selectUnfilled, after, upTo, fillAtOnce))
	return all, err
}

// fillIn gives events their columns, and counts them.
func fillIn(ctx context.Context, t transaction, entries []record.Entry) error {
	c := newCensus()
	hours := extent{}
	for _, e := range entries {
		columns := record.Columns{} // empty if the text is not an event any more, which verify reports
		if said, err := e.Parse(); err == nil {
			columns = said.Columns()
		}
		columns.Micros = e.Micros // the row is found by it
		row := laterCells(&columns)
		for i, cell := range row {
			row[i] = valueOf(cell)
		}
		row = append(append(row, drawnValues(columns, e.Hash)...), e.Row, e.Micros)
		if _, err := t.exec(ctx, fillEvent, row...); err != nil {
			return err
		}
		c.add(columns)
		hours.add(e.Micros, e.Row)
	}
	for _, s := range append(c.statements(t.flavour), hours.statements()...) {
		if _, err := t.exec(ctx, s.query, s.args...); err != nil {
			return err
		}
	}
	return nil
}
