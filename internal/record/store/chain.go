package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/weir-gate/weir/internal/record"
)

// A run is consecutive entries of one chain.
type run struct {
	entries []record.Entry
	from    record.Head // the head of the chain before
	to      record.Head // the head of the chain after
}

// bytes is the length of the run's texts.
func (r run) bytes() int64 {
	n := int64(0)
	for _, e := range r.entries {
		n += int64(len(e.Text))
	}
	return n
}

// runsOf splits entries where the chain changes. It fails if an entry does not directly follow the entry before it: that would
// leave a hole, or use a position twice.
func runsOf(entries []record.Entry) ([]run, error) {
	var runs []run
	for i, e := range entries {
		from, ok := e.Follows()
		if !ok {
			return nil, fmt.Errorf("entry %d of %d is not a link of a chain", i+1, len(entries))
		}
		to := e.Head
		if n := len(runs); n > 0 && runs[n-1].to.Chain == e.Chain {
			last := &runs[n-1]
			if from != last.to {
				return nil, fmt.Errorf("entry %d of %d does not follow the one before it", i+1, len(entries))
			}
			last.entries, last.to = entries[i-len(last.entries):i+1], to
			continue
		}
		runs = append(runs, run{entries: entries[i : i+1], from: from, to: to})
	}
	return runs, nil
}

// Head is for the recorder.
func (s *Store) Head(ctx context.Context, chain string) (record.Head, error) {
	h, err := s.head(ctx, chain)
	if err != nil {
		return record.Head{}, sqlError("read the head of a chain", err)
	}
	return h, nil
}

// StoredHead returns the newest stored event of a chain; if there is none, Seq is 0. Unlike Head it says nothing about what is being
// stored.
func (r *View) StoredHead(ctx context.Context, chain string) (record.Head, error) {
	ctx, cancel := r.db.bounded(ctx)
	defer cancel()
	h := record.Head{Chain: chain, Hash: record.Genesis}
	err := r.db.queryRow(ctx, selectHead, chain).Scan(&h.Seq, &h.Hash)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return record.Head{}, sqlError("read the head of a chain", err)
	}
	return h, nil
}

// errMoved says that a chain cannot be continued.
var errMoved = errors.New("the chain does not stand where this process left it; something else wrote to it, or the database was restored")

const selectHead = "SELECT seq, hash FROM chains WHERE chain = ?"

const selectChains = `SELECT chain, seq, hash, first_seq, bytes,
	(SELECT e.time FROM events e WHERE e.chain = c.chain AND e.seq = c.first_seq ORDER BY e.row_id LIMIT 1) AS since
	FROM chains c ORDER BY chain`

// Chains implements verify.Record.
func (r *View) Chains(ctx context.Context) ([]record.ChainState, error) {
	var all []record.ChainState
	err := r.db.each(ctx, "read chains", func(rows *sql.Rows) (err error) {
		var c record.ChainState
		var since sql.NullInt64
		c.Garbled, err = scanStrict(rows, &c.Chain, &c.Seq, &c.Hash, &c.First, &c.Bytes, &since)
		if since.Valid {
			c.Since = fromMicros(since.Int64)
		}
		all = append(all, c)
		return err
	}, selectChains)
	return all, err
}
