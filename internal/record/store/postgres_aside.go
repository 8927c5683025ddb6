package store

import (
	"context"
	"fmt"
)

// transactAside uses a separate connection and does not wait for its turn: the data may be large, and the network slow.
func (b *postgresBackend) transactAside(ctx context.Context, step string, work func(context.Context, transaction) error) error {
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("store: %s: %w", step, err)
	}
	ctx, cancel := b.aside.bounded(context.WithoutCancel(ctx))
	defer cancel()
	if err := b.commitAside(ctx, work); err != nil {
		return sqlError(step, err)
	}
	return nil
}

func (b *postgresBackend) commitAside(ctx context.Context, work func(context.Context, transaction) error) error {
	tx, err := b.aside.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback() // after a commit it does nothing; before, the first error is the one to report
	if err := work(ctx, transaction{tx, b.aside.flavour}); err != nil {
		return err
	}
	return tx.Commit()
}

// freeSpace does nothing: the server frees space itself.
func (b *postgresBackend) freeSpace(context.Context) error { return nil }
