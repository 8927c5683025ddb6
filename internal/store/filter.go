package store

import (
	"context"
	"database/sql"
	"math"
	"strings"

	"github.com/weir-gate/weir/internal/audit"
)

// A where is a filter as SQL.
type where struct {
	after int64 // only rows past this one
	terms []string
	args  []any
}

func (w *where) add(term string, args ...any) {
	w.terms = append(w.terms, term)
	w.args = append(w.args, args...)
}

// sql returns the clause, and its arguments with more after them.
func (w where) sql(more ...any) (clause string, args []any) {
	clause = " WHERE row_id > ?"
	for _, t := range w.terms {
		clause += " AND " + t
	}
	args = append([]any{w.after}, w.args...)
	return clause, append(args, more...)
}

// where translates a filter, but for its limit.
func (r *Reader) where(ctx context.Context, f audit.Filter) (where, error) {
	w := where{after: f.AfterRow}
	for _, c := range []struct{ column, value string }{
		{"session", f.Session},
		{"call_id", f.CallID},
		{"wire_id", f.WireID},
		{"verdict", f.Verdict},
		{"type", string(f.Type)},
		{"rule", f.Rule},
		{"code", f.Code},
	} {
		if c.value != "" {
			w.add(c.column+" = ?", c.value)
		}
	}
	w.glob("server", f.Server)
	w.glob("tool", f.Tool)
	if f.Blocked != nil {
		w.add("blocked = ?", *f.Blocked)
	}
	if err := r.times(ctx, &w, f); err != nil {
		return where{}, err
	}
	if f.Newest && f.Limit > 0 {
		if err := r.newest(ctx, &w, f.Limit); err != nil {
			return where{}, err
		}
	}
	return w, nil
}

// glob adds a pattern in which * stands for any run of characters.
func (w *where) glob(column, pattern string) {
	switch {
	case pattern == "":
	case strings.Contains(pattern, "*"):
		like := strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`, `*`, `%`).Replace(pattern)
		w.add("lower("+column+`) LIKE lower(?) ESCAPE '\'`, like)
	default:
		w.add("lower("+column+") = lower(?)", pattern)
	}
}

// times adds the filter's times. Rows are nearly, but not strictly, in order of time. So the index on time serves once,
// to find the first and the last row that can match; it would be of no use for reading pages in order of rows, and the
// unary plus keeps SQLite from trying.
func (r *Reader) times(ctx context.Context, w *where, f audit.Filter) error {
	if f.Since.IsZero() && f.Until.IsZero() {
		return nil
	}
	since, until := int64(math.MinInt64), int64(math.MaxInt64)
	if !f.Since.IsZero() {
		since = f.Since.UnixMicro()
	}
	if !f.Until.IsZero() {
		until = f.Until.UnixMicro()
	}
	w.add("+time >= ? AND +time < ?", since, until)
	if f.AfterRow > 0 {
		return nil // the caller follows: it is past the first row already, and asks often
	}
	var first, last sql.NullInt64
	const rows = "SELECT min(row_id), max(row_id) FROM events WHERE time >= ? AND time < ?"
	if err := r.db.QueryRowContext(ctx, rows, since, until).Scan(&first, &last); err != nil {
		return sqlError("read events", err)
	}
	w.after = first.Int64 - 1
	w.add("row_id <= ?", last.Int64)
	return nil
}

// newest moves the beginning forward so that only the last rows of the selection are left.
func (r *Reader) newest(ctx context.Context, w *where, rows int) error {
	clause, args := w.sql(rows)
	var first sql.NullInt64
	err := r.db.QueryRowContext(ctx, "SELECT min(row_id) FROM (SELECT row_id FROM events"+clause+
		" ORDER BY row_id DESC LIMIT ?) AS newest", args...).Scan(&first)
	if err != nil {
		return sqlError("read events", err)
	}
	if first.Valid {
		w.after = first.Int64 - 1
	}
	return nil
}
