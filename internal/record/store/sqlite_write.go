package store

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"time"

	"github.com/weir-gate/weir/internal/record"
)

// A sqliteBackend writes to a file.
type sqliteBackend struct {
	write    database
	prepared map[string]*sql.Stmt // the frequent statements
	path     string
	files    *files
	last     atomic.Pointer[outcome] // nil: nothing was written yet
}

// An outcome is the result of a transaction.
type outcome struct {
	at  time.Time
	err error // SQLite's; nil: it is durable
}

var insertEvent = "INSERT INTO events (" + storedColumns + ") VALUES (?" + strings.Repeat(", ?", strings.Count(storedColumns, ",")) + ")"

const (
	moveChain  = "UPDATE chains SET seq = ?, hash = ?, bytes = bytes + ? WHERE chain = ? AND seq = ? AND hash = ?"
	beginChain = "INSERT INTO chains (chain, seq, hash, bytes) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING"
)

func (b *sqliteBackend) String() string { return b.path }

func (b *sqliteBackend) close() error {
	var errs []error
	for _, s := range b.prepared {
		errs = append(errs, s.Close())
	}
	return errors.Join(errs...)
}

// exec runs a statement, by its prepared form if it has one.
func (b *sqliteBackend) exec(ctx context.Context, tx transaction, query string, args ...any) (sql.Result, error) {
	if s, ok := b.prepared[query]; ok {
		return tx.StmtContext(ctx, s).ExecContext(ctx, args...)
	}
	return tx.exec(ctx, query, args...)
}

func (b *sqliteBackend) store(ctx context.Context, runs []run) error {
	return b.commit(ctx, func(ctx context.Context, tx transaction) error {
		for _, r := range runs {
			if err := b.insert(ctx, tx, r); err != nil {
				return err
			}
		}
		for _, c := range consequences(b.write.flavour, runs) {
			if _, err := b.exec(ctx, tx, c.query, c.args...); err != nil {
				return err
			}
		}
		return nil
	})
}

// insert stores a run and moves its chain.
func (b *sqliteBackend) insert(ctx context.Context, tx transaction, r run) error {
	if err := b.insertEntries(ctx, tx, r.entries); err != nil {
		return err
	}
	done, err := b.exec(ctx, tx, moveChain, r.to.Seq, r.to.Hash, r.bytes(), r.to.Chain, r.from.Seq, r.from.Hash)
	if err != nil {
		return err
	}
	if n, err := done.RowsAffected(); err != nil || n == 1 {
		return err
	}
	if r.from != (record.Head{Chain: r.to.Chain, Hash: record.Genesis}) {
		return errMoved
	}
	if done, err = b.exec(ctx, tx, beginChain, r.to.Chain, r.to.Seq, r.to.Hash, r.bytes()); err != nil {
		return err
	}
	if n, err := done.RowsAffected(); err != nil || n == 1 {
		return err
	}
	return errMoved
}

// insertEntries stores entries and notes their rows.
func (b *sqliteBackend) insertEntries(ctx context.Context, tx transaction, entries []record.Entry) error {
	insert := tx.StmtContext(ctx, b.prepared[insertEvent])
	hours := extent{}
	for _, e := range entries {
		done, err := insert.ExecContext(ctx, stored(e)...)
		if err != nil {
			return err
		}
		if n, err := done.RowsAffected(); err != nil || n != 1 {
			return errors.New("the database took no row; something else changed its tables")
		}
		row, err := done.LastInsertId()
		if err != nil {
			return err
		}
		hours.add(e.Micros, row)
	}
	for _, note := range hours.statements() {
		if _, err := b.exec(ctx, tx, note.query, note.args...); err != nil {
			return err
		}
	}
	return nil
}

// head uses the writing connection: it knows the result of its last transaction.
func (b *sqliteBackend) head(ctx context.Context, chain string) (record.Head, error) {
	h := record.Head{Chain: chain, Hash: record.Genesis}
	err := b.write.queryRow(ctx, selectHead, chain).Scan(&h.Seq, &h.Hash)
	if errors.Is(err, sql.ErrNoRows) {
		err = nil
	}
	return h, err
}

func (b *sqliteBackend) transact(ctx context.Context, step string, work func(context.Context, transaction) error) error {
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("store: %s: %w", step, err)
	}
	if err := b.commit(ctx, work); err != nil {
		return sqlError(step, err)
	}
	return nil
}

// commit does work in one transaction.
//
// Once begun it is not cancelled: it takes no longer than the busy timeout and a sync, and of a cancelled transaction it would be
// unknown whether it happened.
func (b *sqliteBackend) commit(ctx context.Context, work func(context.Context, transaction) error) error {
	return b.do(context.WithoutCancel(ctx), work)
}

// do does work in one transaction, and remembers its outcome.
func (b *sqliteBackend) do(ctx context.Context, work func(context.Context, transaction) error) (err error) {
	defer func() {
		if err == nil || resultCode(err) != 0 && ctx.Err() == nil {
			b.last.Store(&outcome{time.Now(), err})
		}
	}()
	if err := b.files.check(); err != nil {
		return err
	}
	tx, err := b.write.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback() // after a commit it does nothing; before, the first error is the one to report
	if err := work(ctx, transaction{tx, b.write.flavour}); err != nil {
		return err
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	// The data must be in the files that the next reader opens.
	return b.files.check()
}

// outcomeLasts is how long check uses the outcome of the last transaction instead of writing. So frequent checks, which anybody can
// cause, do not wear out the disk. And a disk without room for calls is not reported as healthy because it has room for the check.
const outcomeLasts = time.Second

// check writes a row and deletes it: only a write shows that a disk is full or fails.
func (b *sqliteBackend) check(ctx context.Context) error {
	if last := b.last.Load(); last != nil && time.Since(last.at) < outcomeLasts {
		return cmp.Or(last.err, ctx.Err(), b.files.check())
	}
	return b.do(ctx, func(ctx context.Context, tx transaction) error {
		for _, query := range []string{
			"INSERT INTO budgets (scope_key, scope, minute, spent) VALUES ('check', '', 0, 0)",
			"DELETE FROM budgets WHERE scope_key = 'check'", // the keys of real scopes are digests
		} {
			if _, err := tx.exec(ctx, query); err != nil {
				return err
			}
		}
		return nil
	})
}
