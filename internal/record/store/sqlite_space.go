package store

import (
	"context"
	"database/sql"
	"math"
	"strconv"
)

// A file is made smaller in steps: pages at its end move into free pages, and the file becomes shorter once SQLite merges its log
// into it. Any weir that uses the file may do that. The smallest number of pages so far is noted in the file itself, as
// user_version, so that every weir can distinguish this from a file that somebody truncated.

const (
	// freePages is how many pages are given back in one transaction: 2 MiB, so that writers wait only for a moment.
	freePages = 512
	// sparePages is the least number of free pages that stay. A tenth of the file stays free for new data.
	sparePages = 64
)

func (b *sqliteBackend) dropped(ctx context.Context) error { return b.freeSpace(ctx) }

// freeSpace gives back the free pages that will not be needed soon. A file that an older weir made stays as large as it is, and its
// free pages are reused.
func (b *sqliteBackend) freeSpace(ctx context.Context) error {
	for more := true; more; {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := b.commit(ctx, func(ctx context.Context, tx transaction) (err error) {
			more, err = freeSome(ctx, tx)
			return err
		}); err != nil {
			return err
		}
	}
	return nil
}

// freeSome takes one step and says whether there may be another.
func freeSome(ctx context.Context, tx transaction) (more bool, err error) {
	var mode, pages, free, fewest int64
	for pragma, value := range map[string]*int64{
		"auto_vacuum": &mode, "page_count": &pages, "freelist_count": &free, "user_version": &fewest,
	} {
		if err := tx.QueryRowContext(ctx, "PRAGMA "+pragma).Scan(value); err != nil {
			return false, err
		}
	}
	const incremental = 2
	excess := free - max(sparePages, pages/10)
	if mode != incremental || excess <= 0 {
		return false, nil
	}
	if err := vacuum(ctx, tx, min(excess, freePages)); err != nil {
		return false, err
	}
	if err := tx.QueryRowContext(ctx, "PRAGMA page_count").Scan(&pages); err != nil {
		return false, err
	}
	if fewest == 0 || pages < fewest {
		_, err = tx.exec(ctx, "PRAGMA user_version = "+strconv.FormatInt(min(pages, math.MaxInt32), 10))
	}
	return excess > freePages, err
}

// vacuum gives back pages. SQLite gives back one for each row that is read.
func vacuum(ctx context.Context, tx transaction, pages int64) error {
	return eachRow(func(*sql.Rows) error { return nil })(tx.QueryContext(ctx, "PRAGMA incremental_vacuum("+strconv.FormatInt(pages, 10)+")"))
}

// leastSize is the size in bytes to which the file may have been made smaller.
func (b *sqliteBackend) leastSize() (int64, error) {
	var fewest, size int64
	for pragma, value := range map[string]*int64{"user_version": &fewest, "page_size": &size} {
		if err := b.write.QueryRow("PRAGMA " + pragma).Scan(value); err != nil {
			return 0, err
		}
	}
	if fewest == 0 {
		return math.MaxInt64, nil // it was never made smaller
	}
	return fewest * size, nil
}

// transactAside is transact: a file has one writer at a time.
func (b *sqliteBackend) transactAside(ctx context.Context, step string, work func(context.Context, transaction) error) error {
	return b.transact(ctx, step, work)
}
