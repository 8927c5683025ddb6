package store

import (
	"context"
	"fmt"
)

// What follows moves the events of a file, which earlier versions kept there, out into a log.

const (
	selectHasEvents = "SELECT EXISTS (SELECT 1 FROM events)"
	// An older weir that still runs must not add events that nobody would find.
	refuseEvents = `CREATE TRIGGER events_moved BEFORE INSERT ON events
		BEGIN SELECT RAISE(ABORT, 'a newer weir keeps events in logs; restart this one with the new version'); END`
	selectTriggers = "SELECT name FROM sqlite_schema WHERE type = 'trigger' AND tbl_name IN ('events', 'tallies')"
	noteMoved      = "UPDATE chains SET log = ?, begins = ? WHERE chain = ? AND seq = ? AND hash = ?"
)

// HasEvents says whether the file itself has events: an earlier version wrote them.
func (r *View) HasEvents(ctx context.Context) (has bool, err error) {
	if err := r.db.queryRow(ctx, selectHasEvents).Scan(&has); err != nil {
		return false, sqlError("look for events", err)
	}
	return has, nil
}

// MovedOut removes the events from the file, and notes that a log has them now: moved has the chains with the positions where they
// begin, and upto is where the log ends. Either all is done, or nothing.
func (s *Store) MovedOut(ctx context.Context, log string, moved []KeptChain, upto int64) error {
	return s.transact(ctx, "remove events that are in a log now", func(ctx context.Context, tx transaction) error {
		triggers, err := readWithin(ctx, tx, scanName, selectTriggers)
		if err != nil {
			return err
		}
		for _, name := range triggers {
			if _, err := tx.exec(ctx, `DROP TRIGGER "`+name+`"`); err != nil {
				return err
			}
		}
		for _, query := range []string{
			refuseEvents, "DELETE FROM events", "DELETE FROM tallies", "DELETE FROM facets", "DELETE FROM hours", "DELETE FROM unfilled",
		} {
			if _, err := tx.exec(ctx, query); err != nil {
				return err
			}
		}
		for _, c := range moved {
			done, err := tx.exec(ctx, noteMoved, log, c.Begins, c.Chain, c.Seq, c.Hash)
			if err != nil {
				return err
			}
			if n, err := done.RowsAffected(); err != nil || n != 1 {
				return fmt.Errorf("chain %s does not end with event %d any more: another weir wrote to it; stop it, and start again", c.Chain, c.Seq)
			}
		}
		_, err = tx.exec(ctx, setEffected, log, upto)
		return err
	})
}
