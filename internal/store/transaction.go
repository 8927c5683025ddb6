package store

import (
	"context"
	"database/sql"
	"fmt"
)

// transact does work in one transaction, all or nothing, and syncs.
//
// Once begun it is not cancelled: it takes no longer than the busy timeout and a sync, and a transaction that is left
// in the middle only raises the question whether it happened.
func (s *Store) transact(ctx context.Context, step string, work func(context.Context, *sql.Tx) error) error {
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("store: %s: %w", step, err)
	}
	if err := s.files.check(); err != nil {
		return fmt.Errorf("store: %s: %w", step, err)
	}
	ctx = context.WithoutCancel(ctx)
	tx, err := s.write.BeginTx(ctx, nil)
	if err != nil {
		return sqlError(step, err)
	}
	defer tx.Rollback() //nolint:errcheck // after a commit it does nothing; before, the first error is the one to tell
	if err := work(ctx, tx); err != nil {
		return sqlError(step, err)
	}
	if err := tx.Commit(); err != nil {
		return sqlError(step, err)
	}
	// What was written must be where the next reader looks for it.
	if err := s.files.check(); err != nil {
		return fmt.Errorf("store: %s: %w", step, err)
	}
	return nil
}
