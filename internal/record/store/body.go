package store

import (
	"context"
	"database/sql"
	"strings"
	"time"

	"github.com/weir-gate/weir/internal/record/bodies"
	"github.com/weir-gate/weir/internal/record/verify"
)

const (
	insertBody = `INSERT INTO bodies (request_id, side, time, digest, size, full_size, stored, content) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
	ON CONFLICT (request_id, side) DO NOTHING`
	selectBodies = "SELECT side, time, digest, size, full_size, content FROM bodies WHERE request_id = ? ORDER BY side"
	measureAll   = "SELECT coalesce(sum(stored), 0) FROM bodies"
	oldestBodies = "SELECT row_id, time, stored FROM bodies ORDER BY time, row_id LIMIT ?"
	deleteBodies = "DELETE FROM bodies WHERE row_id IN "
	countBodies  = "SELECT count(*), max(time) FROM bodies"
)

// rowOverhead is about how many bytes a row and its index entries take beside the content.
const rowOverhead = 300

// PutBodies is for bodies.Archive. A body that exists already stays as it is.
func (s *Store) PutBodies(ctx context.Context, all []bodies.Body) error {
	return s.transactAside(ctx, "write bodies", func(ctx context.Context, tx transaction) error {
		for _, b := range all {
			if _, err := tx.exec(ctx, insertBody, quote(b.RequestID), b.Side, b.Time.UnixMicro(), b.Digest, b.Size, b.FullSize,
				len(b.Content)+rowOverhead, b.Content); err != nil {
				return err
			}
		}
		return nil
	})
}

// Bodies returns the stored bodies of a request: its own first, then that of the response.
func (r *View) Bodies(ctx context.Context, requestID string) (all []bodies.Body, err error) {
	err = r.db.each(ctx, readBodies, func(rows *sql.Rows) error {
		b := bodies.Body{RequestID: requestID}
		var micros int64
		err := rows.Scan(&b.Side, &micros, &b.Digest, &b.Size, &b.FullSize, &b.Content)
		b.Time = time.UnixMicro(micros).UTC()
		all = append(all, b)
		return err
	}, selectBodies, quote(requestID))
	return all, err
}

// StoredBodies implements verify.Record. It holds the bodies of one request in memory.
func (r *View) StoredBodies(ctx context.Context, requestID string) (all []verify.StoredBody, err error) {
	err = r.db.each(ctx, readBodies, func(rows *sql.Rows) (err error) {
		var kept verify.StoredBody
		var micros int64
		var content blob
		if kept.Garbled, err = scanStrict(rows, &kept.Side, &micros, &kept.Digest, &kept.Size, &kept.FullSize, &content); err != nil {
			return err
		}
		text, unreadable := bodies.Body{RequestID: requestID, Body: kept.Body, Content: content}.Text()
		kept.Whole = unreadable == nil && int64(len(text)) == kept.Size
		all = append(all, kept)
		return nil
	}, selectBodies, quote(requestID))
	return all, err
}

const readBodies = "read bodies"

// BodyStanding is for bodies.Retention.
func (s *Store) BodyStanding(ctx context.Context) (count int64, newest time.Time, err error) {
	const step = "count bodies"
	ctx, cancel := s.db.bounded(ctx)
	defer cancel()
	var body, event sql.NullInt64
	if err := s.db.queryRow(ctx, countBodies).Scan(&count, &body); err != nil {
		return 0, time.Time{}, sqlError(step, err)
	}
	if err := s.db.queryRow(ctx, selectNewest).Scan(&event); err != nil {
		return 0, time.Time{}, sqlError(step, err)
	}
	for _, micros := range []sql.NullInt64{body, event} {
		if at := fromMicros(micros.Int64); micros.Valid && at.After(newest) {
			newest = at
		}
	}
	return count, newest, nil
}

// The bounds of one deleting transaction: so small that writers wait only for a moment.
const (
	dropBodies = 200
	dropBytes  = 8 << 20
)

// DropBodies is for bodies.Retention.
func (s *Store) DropBodies(ctx context.Context, beyond bodies.Limit) (n int64, more bool, err error) {
	err = s.transactAside(ctx, "drop bodies", func(ctx context.Context, tx transaction) error {
		var total int64
		if err := tx.queryRow(ctx, measureAll).Scan(&total); err != nil {
			return err
		}
		gone, err := tx.oldestBeyond(ctx, beyond, total)
		if err != nil || len(gone.rows) == 0 {
			return err
		}
		more = gone.more
		done, err := tx.exec(ctx, deleteBodies+"(?"+strings.Repeat(", ?", len(gone.rows)-1)+")", gone.rows...)
		if err != nil {
			return err
		}
		n, err = done.RowsAffected()
		return err
	})
	return n, more, err
}

// A portion is rows to be deleted.
type portion struct {
	rows []any
	more bool // there may be more
}

// oldestBeyond finds the oldest bodies that are beyond a limit. total is the size of all bodies.
func (t transaction) oldestBeyond(ctx context.Context, limit bodies.Limit, total int64) (portion, error) {
	var p portion
	var size int64
	err := eachRow(func(rows *sql.Rows) error {
		var row, micros, stored int64
		if err := rows.Scan(&row, &micros, &stored); err != nil {
			return err
		}
		old := micros < limit.Since.UnixMicro() && (limit.Old == 0 || int64(len(p.rows)) < limit.Old)
		if !old && total <= limit.Size {
			return errEnough
		}
		if len(p.rows) > 0 && size+stored > dropBytes {
			p.more = true
			return errEnough
		}
		p.rows = append(p.rows, row)
		total, size = total-stored, size+stored
		return nil
	})(t.query(ctx, oldestBodies, dropBodies))
	p.more = p.more || len(p.rows) == dropBodies
	return p, err
}

// FreeSpace is for bodies.Retention. PostgreSQL does that itself.
func (s *Store) FreeSpace(ctx context.Context) error {
	if err := s.freeSpace(ctx); err != nil {
		return sqlError("free space", err)
	}
	return nil
}
