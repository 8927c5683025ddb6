package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/checkpoint"
	"github.com/weir-gate/weir/internal/record/custodian"
)

// What follows is about events that are kept in logs beside a file. The file has no copy of them. It has their effects, and notes about
// their chains.

const (
	selectEffected = "SELECT upto FROM kept_logs WHERE log = ?"
	setEffected    = "INSERT INTO kept_logs (log, upto) VALUES (?, ?) ON CONFLICT (log) DO UPDATE SET upto = excluded.upto"
	beginKept      = `INSERT INTO chains (chain, seq, hash, first_seq, bytes, log, begins) VALUES (?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT DO NOTHING`
	jumpChain    = "UPDATE chains SET seq = ?, hash = ?, bytes = bytes + ? WHERE chain = ? AND seq < ?"
	selectKept   = "SELECT chain, seq, hash, first_seq, bytes, log, begins FROM chains ORDER BY chain"
	keepKeptFrom = "UPDATE chains SET first_seq = ?, bytes = bytes - ?, begins = ? WHERE chain = ?"
)

// ErrNotNext says that entries do not continue what a store has the effects of: it was restored from an older copy, or replaced.
var ErrNotNext = errMoved

// Effected returns up to which position of a log the store has the effects of events.
func (r *View) Effected(ctx context.Context, log string) (upto int64, err error) {
	err = r.db.queryRow(ctx, selectEffected, log).Scan(&upto)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return 0, sqlError("read the notes about a log", err)
	}
	return upto, nil
}

// AllEffected is Effected for all logs, by name.
func (r *View) AllEffected(ctx context.Context) (map[string]int64, error) {
	all := map[string]int64{}
	err := r.db.each(ctx, "read the notes about logs", func(rows *sql.Rows) error {
		var log string
		var upto int64
		err := rows.Scan(&log, &upto)
		all[log] = upto
		return err
	}, "SELECT log, upto FROM kept_logs")
	return all, err
}

// Effect stores the effects of entries that a log keeps, each once: rulings, spent money, and the notes about their chains. The entries
// are of one log, in order; those whose effects are stored already are skipped. The error is ErrNotNext if entries are missing between.
func (s *Store) Effect(ctx context.Context, entries []record.Entry) error {
	if len(entries) == 0 {
		return nil
	}
	log, upto := entries[0].Place.Log, entries[len(entries)-1].Place.After
	return s.transact(ctx, "store the effects of events", func(ctx context.Context, tx transaction) error {
		fresh, err := notEffected(ctx, tx, log, entries)
		if err != nil {
			return err
		}
		runs, err := runsOf(fresh)
		if err != nil || len(runs) == 0 {
			return err
		}
		for _, r := range runs {
			if err := noteRun(ctx, tx, r); err != nil {
				return err
			}
		}
		return effectRuns(ctx, tx, runs, log, upto)
	})
}

// EffectLeft is Effect for what a process that has ended left in its log, up to a position. Nobody can write it again, so nothing is
// refused: the effects of every event are stored once, whether it follows the one before it or not. loose are the events that do not.
func (s *Store) EffectLeft(ctx context.Context, log string, entries []record.Entry, upto int64) (loose []record.Head, err error) {
	err = s.transact(ctx, "store the effects of events", func(ctx context.Context, tx transaction) error {
		loose = nil
		fresh, err := notEffected(ctx, tx, log, entries)
		if err != nil {
			return err
		}
		var runs []run
		for _, r := range looseRuns(fresh) {
			follows, known, err := noteLooseRun(ctx, tx, r)
			if err != nil {
				return err
			}
			if !follows {
				loose = append(loose, r.entries[0].Head)
			}
			if !known {
				runs = append(runs, r)
			}
		}
		return effectRuns(ctx, tx, runs, log, upto)
	})
	return loose, err
}

// notEffected are the entries of a log whose effects are not stored.
func notEffected(ctx context.Context, tx transaction, log string, entries []record.Entry) ([]record.Entry, error) {
	var had int64
	if err := tx.queryRow(ctx, selectEffected, log).Scan(&had); err != nil && !errors.Is(err, sql.ErrNoRows) {
		return nil, err
	}
	for len(entries) > 0 && entries[0].Place.At < had {
		entries = entries[1:]
	}
	return entries, nil
}

// effectRuns stores the effects of runs of a log, and that they are stored up to a position.
func effectRuns(ctx context.Context, tx transaction, runs []run, log string, upto int64) error {
	for _, c := range append(effects(runs), statement{setEffected, []any{log, upto}}) {
		if _, err := tx.exec(ctx, c.query, c.args...); err != nil {
			return err
		}
	}
	return nil
}

// looseRuns splits entries where one does not follow the one before it.
func looseRuns(entries []record.Entry) (all []run) {
	for _, e := range entries {
		from, sealed := e.Follows()
		if n := len(all); sealed && n > 0 && all[n-1].to == from {
			last := &all[n-1]
			last.entries, last.to = append(last.entries, e), e.Head
			continue
		}
		all = append(all, run{entries: []record.Entry{e}, from: from, to: e.Head})
	}
	return all
}

// noteLooseRun moves the note about a chain, even over a gap. It never moves it back: what the note has passed is known.
func noteLooseRun(ctx context.Context, tx transaction, r run) (follows, known bool, err error) {
	if err := noteRun(ctx, tx, r); !errors.Is(err, ErrNotNext) {
		return true, false, err
	}
	done, err := tx.exec(ctx, jumpChain, r.to.Seq, r.to.Hash, r.bytes(), r.to.Chain, r.to.Seq)
	if err != nil {
		return false, false, err
	}
	if n, err := done.RowsAffected(); err != nil || n == 1 {
		return false, false, err
	}
	done, err = tx.exec(ctx, beginKept, r.to.Chain, r.to.Seq, r.to.Hash, 1, r.bytes(), r.entries[0].Place.Log, r.entries[0].Place.At)
	if err != nil {
		return false, false, err
	}
	begun, err := done.RowsAffected()
	return false, begun == 0, err
}

// noteRun moves the note about a chain.
func noteRun(ctx context.Context, tx transaction, r run) error {
	for _, s := range []statement{
		{moveChain, []any{r.to.Seq, r.to.Hash, r.bytes(), r.to.Chain, r.from.Seq, r.from.Hash}},
		{beginKept, []any{r.to.Chain, r.to.Seq, r.to.Hash, r.from.Seq + 1, r.bytes(), r.entries[0].Place.Log, r.entries[0].Place.At}},
	} {
		if s.query == beginKept && r.from != (record.Head{Chain: r.to.Chain, Hash: record.Genesis}) {
			break
		}
		done, err := tx.exec(ctx, s.query, s.args...)
		if err != nil {
			return err
		}
		if n, err := done.RowsAffected(); err != nil || n == 1 {
			return err
		}
	}
	return ErrNotNext
}

// A KeptChain is what a store notes about a chain.
type KeptChain struct {
	record.ChainState // the time of its oldest event is in the log
	Log               string
	Begins            int64 // no event of the chain that is kept comes before this position
}

// KeptChains returns the notes about all chains, by chain id.
func (r *View) KeptChains(ctx context.Context) ([]KeptChain, error) {
	return readAll(ctx, r.db, "read the notes about chains", func(rows *sql.Rows) (c KeptChain, err error) {
		c.Garbled, err = scanStrict(rows, &c.Chain, &c.Seq, &c.Hash, &c.First, &c.Bytes, &c.Log, &c.Begins)
		return c, err
	}, selectKept)
}

// CutKept notes that the oldest events of a chain are gone, and adds the checkpoint of the removal, which it returns: both, or neither.
// begins is the position after the last of them. The caller has compared that event with the log. If the chain does not begin where the
// cut does, the error is custodian.ErrCutMoved.
func (s *Store) CutKept(ctx context.Context, by checkpoint.Signer, cut checkpoint.Cut, begins int64) (signed checkpoint.Signed, err error) {
	err = s.transact(ctx, "remove old events", func(ctx context.Context, tx transaction) error {
		var first, newest int64
		if err := tx.queryRow(ctx, selectExtent, cut.Last.Chain).Scan(&first, &newest); err != nil {
			return fmt.Errorf("chain %s: %w", cut.Last.Chain, err)
		}
		if first != cut.First {
			return custodian.ErrCutMoved
		}
		if cut.Last.Seq < first || cut.Last.Seq > newest {
			return cutOutside(cut, first, newest)
		}
		if signed, err = addCheckpoints(ctx, tx, by, checkpoint.Statement{Head: cut.Last, Cut: cut}); err != nil {
			return err
		}
		_, err := tx.exec(ctx, keepKeptFrom, cut.Last.Seq+1, cut.Bytes, begins, cut.Last.Chain)
		return err
	})
	return signed, err
}

// ForgetLog forgets a log that has no events any more.
func (s *Store) ForgetLog(ctx context.Context, log string) error {
	return s.transact(ctx, "forget a log", func(ctx context.Context, tx transaction) error {
		_, err := tx.exec(ctx, "DELETE FROM kept_logs WHERE log = ?", log)
		return err
	})
}
