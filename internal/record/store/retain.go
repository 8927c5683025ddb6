package store

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/custodian"
)

func fromMicros(micros int64) time.Time { return time.UnixMicro(micros).UTC() }

const (
	selectNewest  = "SELECT max(time) FROM events"
	selectLast    = "SELECT chain, seq, hash FROM events ORDER BY row_id DESC LIMIT 1"
	selectMeasure = "SELECT count(*), coalesce(CAST(sum(octet_length(text)) AS BIGINT), 0) FROM events WHERE chain = ? AND seq >= ? AND seq " +
		"<= ?"
	selectLastCut = "SELECT max(time) FROM checkpoints WHERE cut"
	countKept     = "SELECT count(*) FROM kept_rulings"
	selectOldest  = "SELECT row_id, chain, seq, hash, time, text FROM events WHERE chain = ? AND seq >= ? ORDER BY seq LIMIT ?"
	forgetKept    = "DELETE FROM kept_rulings WHERE row_id IN (SELECT row_id FROM kept_rulings WHERE time < ? ORDER BY time LIMIT ?)"
)

// Standing implements custodian.Store.
func (s *Store) Standing(ctx context.Context) (custodian.Standing, error) {
	chains, err := s.Chains(ctx)
	if err != nil {
		return custodian.Standing{}, err
	}
	const step = "read the extent of the record"
	ctx, cancel := s.db.bounded(ctx)
	defer cancel()
	st := custodian.Standing{Chains: chains}
	var newest, last sql.NullInt64
	for query, into := range map[string]any{selectNewest: &newest, selectLastCut: &last} {
		if err := s.db.queryRow(ctx, query).Scan(into); err != nil {
			return custodian.Standing{}, sqlError(step, err)
		}
	}
	err = s.db.queryRow(ctx, selectLast).Scan(&st.Last.Chain, &st.Last.Seq, &st.Last.Hash)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return custodian.Standing{}, sqlError(step, err)
	}
	if newest.Valid {
		st.Newest = fromMicros(newest.Int64)
	}
	if last.Valid {
		st.LastCut = fromMicros(last.Int64)
	}
	return st, nil
}

// LastCut returns the latest time of a checkpoint for removed events; zero: there is none.
func (r *View) LastCut(ctx context.Context) (time.Time, error) {
	var last sql.NullInt64
	if err := r.db.queryRow(ctx, selectLastCut).Scan(&last); err != nil || !last.Valid {
		return time.Time{}, sqlErrorIf("read the time of the last removal", err)
	}
	return fromMicros(last.Int64), nil
}

// Measure implements custodian.Store.
func (s *Store) Measure(ctx context.Context, chain string, from, to int64) (events, bytes int64, err error) {
	ctx, cancel := s.db.bounded(ctx)
	defer cancel()
	if err := s.db.queryRow(ctx, selectMeasure, chain, from, to).Scan(&events, &bytes); err != nil {
		return 0, 0, sqlError("measure events", err)
	}
	return events, bytes, nil
}

// Oldest implements custodian.Store.
func (s *Store) Oldest(ctx context.Context, chain string, from int64, most int) ([]record.Entry, error) {
	var all []record.Entry
	size := 0
	err := s.db.each(ctx, "read old events", func(rows *sql.Rows) (err error) {
		if size >= pageBytes {
			return errEnough
		}
		var e record.Entry
		e.Garbled, err = scanStrict(rows, &e.Row, &e.Chain, &e.Seq, &e.Hash, &e.Micros, &e.Text)
		all = append(all, e)
		size += len(e.Text)
		return err
	}, selectOldest, chain, from, most)
	return all, err
}

// forgetAtOnce is how many rulings are removed in one transaction: so few that writers wait only for a moment.
const forgetAtOnce = 1000

// Tidy implements custodian.Store.
func (s *Store) Tidy(ctx context.Context, before time.Time, oneIn int64) (int64, error) {
	var total, most int64
	if oneIn > 0 {
		ctx, cancel := s.db.bounded(ctx)
		defer cancel()
		if err := s.db.queryRow(ctx, countKept).Scan(&most); err != nil {
			return 0, sqlError("count kept rulings", err)
		}
		most = (most + oneIn - 1) / oneIn
	}
	for total < most {
		portion := min(forgetAtOnce, most-total)
		var n int64
		err := s.transact(ctx, "forget old rulings", func(ctx context.Context, tx transaction) error {
			done, err := tx.exec(ctx, forgetKept, before.UnixMicro(), portion)
			if err != nil {
				return err
			}
			n, err = done.RowsAffected()
			return err
		})
		if err != nil {
			return total, err
		}
		if total += n; n < portion {
			break
		}
	}
	if err := s.dropped(ctx); err != nil {
		return total, sqlError("free the space of removed events", err)
	}
	return total, nil
}
