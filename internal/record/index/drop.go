package index

import (
	"context"
	"fmt"
	"math"
	"path/filepath"
)

// Drop says that the events of a log before a position are gone. Nothing is answered about them any more, and partitions that have
// only such events are removed. If the index has not come so far yet, it goes on from there.
func (x *Index) Drop(ctx context.Context, log string, before int64) error {
	return x.change(ctx, func(w *writing) error {
		c := w.cursors[log]
		if before <= c.cut {
			return nil
		}
		c.cut, c.at = before, max(c.at, before)
		return x.keep(ctx, w, log, &c)
	})
}

// Forget says that a log is gone with all its events.
func (x *Index) Forget(ctx context.Context, log string) error {
	return x.change(ctx, func(w *writing) error {
		if _, known := w.cursors[log]; !known {
			return nil
		}
		return x.keep(ctx, w, log, nil)
	})
}

// keep stores the cursor of a log; nil: there is none any more. Then it removes partitions that have nothing left: first the newest
// partition does not know them any more, then they are removed.
func (x *Index) keep(ctx context.Context, w *writing, log string, c *cursor) error {
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("index: %w", err)
	}
	var gone []int64
	err := w.transact(context.WithoutCancel(ctx), func(t *changing) (err error) {
		if c == nil {
			delete(w.cursors, log)
		} else {
			w.cursors[log] = *c
		}
		if err := w.putCursor(t, log); err != nil {
			return err
		}
		all, err := readEarlier(t.ctx, t.tx)
		if err != nil {
			return err
		}
		for _, e := range all {
			left, err := w.isLeft(e)
			if err != nil {
				return err
			}
			if left {
				continue
			}
			gone = append(gone, e.first)
			if err := t.exec("DELETE FROM earlier WHERE first = ?", e.first); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	for _, first := range gone {
		if err := removePartition(filepath.Join(x.config.Folder, partitionName(first))); err != nil {
			return fmt.Errorf("index: %w", err)
		}
	}
	return nil
}

// isLeft says whether some of the events of a partition are left.
func (w *writing) isLeft(e earlier) (bool, error) {
	extents, err := e.extents()
	for _, x := range extents {
		cut := int64(math.MaxInt64)
		if c, known := w.cursors[x.log]; known {
			cut = c.cut
		}
		if x.to >= cut {
			return true, nil
		}
	}
	return false, err
}
