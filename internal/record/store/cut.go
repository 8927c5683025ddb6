package store

import (
	"context"
	"errors"
	"fmt"

	"github.com/weir-gate/weir/internal/record/checkpoint"
	"github.com/weir-gate/weir/internal/record/custodian"
)

const (
	selectExtent = "SELECT first_seq, seq FROM chains WHERE chain = ?"
	selectHash   = "SELECT hash FROM events WHERE chain = ? AND seq = ?"
	keepFrom     = "UPDATE chains SET first_seq = ?, bytes = bytes - ? WHERE chain = ?"
	deleteOld    = "DELETE FROM events WHERE chain = ? AND seq < ?"
)

// Cut implements custodian.Store. It is the only way past the triggers that protect events: the chain has its first stored event,
// and the triggers allow the deletion of older events. The head of a chain stays known when none of its events is left.
func (s *Store) Cut(ctx context.Context, by checkpoint.Signer, cut checkpoint.Cut) (signed checkpoint.Signed, err error) {
	err = s.transact(ctx, "remove old events", func(ctx context.Context, tx transaction) error {
		var first, newest int64
		var hash string
		if err := tx.queryRow(ctx, selectExtent, cut.Last.Chain).Scan(&first, &newest); err != nil {
			return fmt.Errorf("chain %s: %w", cut.Last.Chain, err)
		}
		if first != cut.First {
			return custodian.ErrCutMoved
		}
		if cut.Last.Seq < first || cut.Last.Seq > newest {
			return cutOutside(cut, first, newest)
		}
		if err := tx.queryRow(ctx, selectHash, cut.Last.Chain, cut.Last.Seq).Scan(&hash); err != nil {
			return fmt.Errorf("chain %s, event %d: %w", cut.Last.Chain, cut.Last.Seq, err)
		}
		if hash != cut.Last.Hash {
			return fmt.Errorf("chain %s, event %d is another event; run weir audit verify", cut.Last.Chain, cut.Last.Seq)
		}
		if signed, err = addCheckpoints(ctx, tx, by, checkpoint.Statement{Head: cut.Last, Cut: cut}); err != nil {
			return err
		}
		if _, err := tx.exec(ctx, keepFrom, cut.Last.Seq+1, cut.Bytes, cut.Last.Chain); err != nil {
			return err
		}
		done, err := tx.exec(ctx, deleteOld, cut.Last.Chain, cut.Last.Seq+1)
		if err != nil {
			return err
		}
		if n, err := done.RowsAffected(); err != nil || n != cut.Last.Seq-first+1 {
			return errors.Join(err, fmt.Errorf("chain %s has %d events up to %d, and not %d", cut.Last.Chain, n, cut.Last.Seq, cut.Last.Seq-first+1))
		}
		return nil
	})
	return signed, err
}

func cutOutside(cut checkpoint.Cut, first, newest int64) error {
	return fmt.Errorf("chain %s has events %d to %d, and a cut after %d was asked for", cut.Last.Chain, first, newest, cut.Last.Seq)
}
