package store

import (
	"context"
	"database/sql"
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/pressly/goose/v3"
)

// A flavour is how the SQL of a database differs. Everything else is one SQL text for all databases, with parameters written as ?.
type flavour struct {
	migrations string // the folder of its migrations
	dialect    goose.Dialect
	numbered   bool // parameters are numbered: $1 for the first ?
	// together makes one statement from an insert of one row and many rows; nil: they are inserted one by one.
	together func(insert string, rows [][]any) statement
	// takeTurn makes a transaction wait until no other transaction writes events; empty: the database has only one writer at a time.
	takeTurn string
	// ranged says that an index is used best with a range of values of its first column, not with a list of them.
	ranged bool
	// prefix is how much of a long text an index holds, in characters; 0: all of it.
	prefix int
	// snapshot is the isolation level of a transaction that sees the database at one moment.
	snapshot sql.IsolationLevel
	// unindexed writes a column so that its index is not used.
	unindexed func(column string) string
}

// text writes a query as the database needs it.
func (f flavour) text(query string) string {
	if !f.numbered {
		return query
	}
	var b strings.Builder
	for n := 1; ; n++ {
		before, after, found := strings.Cut(query, "?")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		b.WriteString("$" + strconv.Itoa(n))
		query = after
	}
}

// each returns the statements that insert all rows. For a server that is one statement.
func (f flavour) each(insert string, rows [][]any) []statement {
	if len(rows) == 0 {
		return nil
	}
	if f.together != nil {
		return []statement{f.together(insert, rows)}
	}
	all := make([]statement, len(rows))
	for i, row := range rows {
		all[i] = statement{insert, row}
	}
	return all
}

// equal is the condition that a column equals a value, for columns with an index and possibly long texts.
func (f flavour) equal(column, value string) (term string, args []any) {
	if f.prefix == 0 {
		return column + " = ?", []any{value}
	}
	indexed := f.indexed(column) + " = ?"
	beginning := []rune(value)
	if len(beginning) < f.prefix {
		return indexed, []any{value}
	}
	return indexed + " AND " + column + " = ?", []any{string(beginning[:f.prefix]), value}
}

// indexed is what an index holds of a column with possibly long texts.
func (f flavour) indexed(column string) string {
	if f.prefix == 0 {
		return column
	}
	return "left(" + column + ", " + strconv.Itoa(f.prefix) + ")"
}

// A database is a pool of connections to a database of some flavour.
type database struct {
	*sql.DB
	flavour flavour
	// within bounds how long one query may take; 0: the database bounds it itself.
	within time.Duration
}

func (d database) query(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	return d.QueryContext(ctx, d.flavour.text(query), args...)
}

func (d database) queryRow(ctx context.Context, query string, args ...any) *sql.Row {
	return d.QueryRowContext(ctx, d.flavour.text(query), args...)
}

// bounded returns a context that ends when a query takes too long.
func (d database) bounded(ctx context.Context) (context.Context, context.CancelFunc) {
	if d.within == 0 {
		return ctx, func() {}
	}
	return context.WithTimeout(ctx, d.within)
}

// each reads every row of a result, until read returns errEnough.
func (d database) each(ctx context.Context, step string, read func(*sql.Rows) error, query string, args ...any) error {
	ctx, cancel := d.bounded(ctx)
	defer cancel()
	if err := eachRow(read)(d.query(ctx, query, args...)); err != nil {
		return sqlError(step, err)
	}
	return nil
}

// readAll reads every row of a result.
func readAll[T any](ctx context.Context, d database, step string, scan func(*sql.Rows) (T, error), query string, args ...any) ([]T, error) {
	var all []T
	err := d.each(ctx, step, gather(&all, scan), query, args...)
	return all, err
}

// readWithin is readAll in a transaction. The caller adds to errors what failed.
func readWithin[T any](ctx context.Context, t transaction, scan func(*sql.Rows) (T, error), query string, args ...any) ([]T, error) {
	var all []T
	err := eachRow(gather(&all, scan))(t.query(ctx, query, args...))
	return all, err
}

func gather[T any](all *[]T, scan func(*sql.Rows) (T, error)) func(*sql.Rows) error {
	return func(rows *sql.Rows) error {
		one, err := scan(rows)
		*all = append(*all, one)
		return err
	}
}

// errEnough is what read returns when it wants no further rows.
var errEnough = errors.New("enough rows were read")

// eachRow returns a function that reads every row of a result, until read returns errEnough.
func eachRow(read func(*sql.Rows) error) func(*sql.Rows, error) error {
	return func(rows *sql.Rows, err error) error {
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			switch err := read(rows); {
			case errors.Is(err, errEnough):
				return nil
			case err != nil:
				return err
			}
		}
		return rows.Err()
	}
}

// A transaction is a transaction of a database of some flavour.
type transaction struct {
	*sql.Tx
	flavour flavour
}

func (t transaction) exec(ctx context.Context, query string, args ...any) (sql.Result, error) {
	return t.ExecContext(ctx, t.flavour.text(query), args...)
}

func (t transaction) query(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	return t.QueryContext(ctx, t.flavour.text(query), args...)
}

func (t transaction) queryRow(ctx context.Context, query string, args ...any) *sql.Row {
	return t.QueryRowContext(ctx, t.flavour.text(query), args...)
}

// A statement is a query that returns nothing, and its arguments.
type statement struct {
	query string
	args  []any
}
