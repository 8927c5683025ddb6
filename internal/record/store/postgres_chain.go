package store

import (
	"context"
	"fmt"

	"github.com/weir-gate/weir/internal/record"
)

// raiseFence waits for a transaction that is changing the chain. A transaction that was sent before it and arrives later fails.
const raiseFence = `INSERT INTO chains (chain, seq, hash, fence) VALUES ($1, 0, $2, 1)
	ON CONFLICT (chain) DO UPDATE SET fence = chains.fence + 1 RETURNING seq, hash, fence`

func (b *postgresBackend) head(ctx context.Context, chain string) (record.Head, error) {
	ctx, cancel := b.write.bounded(ctx)
	defer cancel()
	h := record.Head{Chain: chain}
	var fence int64
	if err := b.write.QueryRowContext(ctx, raiseFence, chain, record.Genesis).Scan(&h.Seq, &h.Hash, &fence); err != nil {
		return record.Head{}, err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.fences == nil {
		b.fences = map[string]int64{}
	}
	b.fences[chain] = fence
	return h, nil
}

func (b *postgresBackend) fence(chain string) int64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.fences[chain]
}

// takeTurn waits until no other transaction writes events, as their trigger does. Two transactions that change the same rows in
// different order would wait for each other.
const takeTurn = "SELECT pg_advisory_xact_lock(2003134834, 'events'::regclass::integer)"

func (b *postgresBackend) transact(ctx context.Context, step string, work func(context.Context, transaction) error) error {
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("store: %s: %w", step, err)
	}
	ctx, cancel := b.write.bounded(context.WithoutCancel(ctx))
	defer cancel()
	if err := b.commit(ctx, work); err != nil {
		return sqlError(step, err)
	}
	return nil
}

func (b *postgresBackend) commit(ctx context.Context, work func(context.Context, transaction) error) error {
	tx, err := b.write.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback() // after a commit it does nothing; before, the first error is the one to report
	if _, err := tx.ExecContext(ctx, takeTurn); err != nil {
		return err
	}
	if err := work(ctx, transaction{tx, b.write.flavour}); err != nil {
		return err
	}
	return tx.Commit()
}

func (b *postgresBackend) check(ctx context.Context) error {
	ctx, cancel := b.write.bounded(ctx)
	defer cancel()
	_, err := b.write.ExecContext(ctx, touch)
	return err
}
