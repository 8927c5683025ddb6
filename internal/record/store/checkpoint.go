package store

import (
	"context"
	"database/sql"
	"iter"

	"github.com/weir-gate/weir/internal/record/checkpoint"
)

const (
	checkpointColumns = "key_id, n, chain, seq, cut, closed, time, text, signature"
	selectCheckpoints = "SELECT row_id, " + checkpointColumns + " FROM checkpoints"
	insertCheckpoint  = "INSERT INTO checkpoints (" + checkpointColumns + ") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
	newestOf          = selectCheckpoints + " WHERE key_id = ? ORDER BY n DESC LIMIT 1"
	fromOneOn         = selectCheckpoints + " WHERE key_id = ? AND n >= ? ORDER BY n"
	marksOf           = selectCheckpoints + " WHERE chain = ? AND seq >= ? AND seq <= ? ORDER BY seq, row_id"

	selectUnclosed = `SELECT chain FROM checkpoints WHERE key_id = ? AND NOT cut GROUP BY chain
		HAVING sum(CASE WHEN closed THEN 1 ELSE 0 END) = 0 ORDER BY chain`
	selectUnknown = `SELECT chain FROM chains c WHERE seq > 0
		AND NOT EXISTS (SELECT 1 FROM checkpoints p WHERE p.chain = c.chain) ORDER BY chain`
	selectOthers = "SELECT EXISTS (SELECT 1 FROM checkpoints) AND NOT EXISTS (SELECT 1 FROM checkpoints WHERE key_id = ?)"
)

// Vouch implements custodian.Store.
func (s *Store) Vouch(ctx context.Context, by checkpoint.Signer, say ...checkpoint.Statement) (newest checkpoint.Signed, err error) {
	err = s.transact(ctx, "write checkpoints", func(ctx context.Context, tx transaction) error {
		newest, err = addCheckpoints(ctx, tx, by, say...)
		return err
	})
	return newest, err
}

// addCheckpoints signs statements one after the other, and returns the newest checkpoint.
func addCheckpoints(ctx context.Context, tx transaction, by checkpoint.Signer, say ...checkpoint.Statement) (checkpoint.Signed, error) {
	query, args := newestOf, []any{by.ID()}
	if known := by.Last().N; known > 0 {
		query, args = fromOneOn, append(args, known)
	}
	found, err := readWithin(ctx, tx, scanCheckpoint, query, args...)
	if err != nil {
		return checkpoint.Signed{}, err
	}
	prev, err := by.Resume(found)
	if err != nil {
		return checkpoint.Signed{}, err
	}
	for _, statement := range say {
		next, err := by.Sign(prev, statement)
		if err != nil {
			return checkpoint.Signed{}, err
		}
		if _, err := tx.exec(ctx, insertCheckpoint, next.Key, next.N, statement.Chain, next.Seq, next.Cut, next.Closed, next.Micros,
			string(next.Text), next.Signature); err != nil {
			return checkpoint.Signed{}, err
		}
		prev = next
	}
	return prev, nil
}

// Marks implements custodian.Store.
func (s *Store) Marks(ctx context.Context, chain string, from, to int64) ([]checkpoint.Signed, error) {
	return readAll(ctx, s.db, "read the checkpoints of a chain", scanCheckpoint, marksOf, chain, from, to)
}

// Unclosed implements custodian.Store.
func (s *Store) Unclosed(ctx context.Context, key string) ([]string, error) {
	return readAll(ctx, s.db, "find open chains", scanName, selectUnclosed, key)
}

// Unvouched implements custodian.Store.
func (s *Store) Unvouched(ctx context.Context, key string) (chains []string, others bool, err error) {
	const step = "find chains without checkpoints"
	if chains, err = readAll(ctx, s.db, step, scanName, selectUnknown); err != nil {
		return nil, false, err
	}
	ctx, cancel := s.db.bounded(ctx)
	defer cancel()
	if err := s.db.queryRow(ctx, selectOthers, key).Scan(&others); err != nil {
		return nil, false, sqlError(step, err)
	}
	return chains, others, nil
}

func scanName(rows *sql.Rows) (name string, err error) {
	err = rows.Scan(&name)
	return name, err
}

func scanCheckpoint(rows *sql.Rows) (c checkpoint.Signed, err error) {
	c.Garbled, err = scanStrict(rows, &c.Row, &c.Key, &c.N, &c.Chain, &c.Seq, &c.Cut, &c.Closed, &c.Micros, &c.Text, &c.Signature)
	return c, err
}

// Checkpoints implements verify.Record. Like Entries it reads pages, and holds no transaction between them.
func (r *View) Checkpoints(ctx context.Context, afterRow int64) iter.Seq2[checkpoint.Signed, error] {
	return func(yield func(checkpoint.Signed, error) bool) {
		for more := true; more; {
			page, err := readAll(ctx, r.db, "read checkpoints", scanCheckpoint,
				selectCheckpoints+" WHERE row_id > ? ORDER BY row_id LIMIT ?", afterRow, pageRows)
			if err != nil {
				yield(checkpoint.Signed{}, err)
				return
			}
			for _, c := range page {
				if !yield(c, nil) {
					return
				}
				afterRow = c.Row
			}
			more = len(page) == pageRows
		}
	}
}
