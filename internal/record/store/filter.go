package store

import (
	"context"
	"database/sql"
	"errors"
	"math"
	"strings"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/query"
)

// A where is a filter as SQL.
type where struct {
	after int64 // only later rows
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

// errNoWords says that a database cannot search arguments.
var errNoWords = errors.New("a record in a database cannot be searched for words of arguments; weir calls --json and a filter for JSON can")

// where translates a filter, except for its limit.
func (r *View) where(ctx context.Context, f query.Filter) (where, error) {
	if len(query.Words(f.Text)) > 0 {
		return where{}, errNoWords
	}
	w := where{after: f.AfterRow}
	w.conditions(r.db.flavour, conditionsOf(f))
	w.nots(r.db.flavour, f, r.db.flavour.unindexed)
	if f.NoCanaries {
		w.add("NOT "+isCanary(r.db.flavour.unindexed("")), call.CanaryProvider, call.CanaryRule)
	}
	if f.UpToRow > 0 {
		w.add("row_id <= ?", f.UpToRow)
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

// isCanary is the SQL condition for the test calls of weir verify in a table, by provider and rule.
func isCanary(table string) string { return in(table, "(%provider = ? OR %rule = ?)") }

// A condition is the condition of a filter on one column.
type condition struct {
	column string
	value  string // "": anything
	kind   kindOfColumn
	anyOf  []any // instead of value: one of these
	// unindexed says that no index is to be used. For several words an index returns the rows in no order, so that all of them would
	// be sorted for each page.
	unindexed bool
}

// A kindOfColumn is how a column is compared.
type kindOfColumn int

const (
	word  kindOfColumn = iota // weir's own words
	name                      // see record.Name; the index leaves out empty names
	long                      // texts of strangers, of any length
	begin                     // likewise, by their beginning
	rare                      // likewise, and the index leaves out empty texts
	glob                      // names as policies compare them: see folded. * matches any run of characters
	truth                     // true or false
	words                     // one of several of weir's own words
)

// conditionsOf are the conditions of a filter. The conditions that few events satisfy come first: an index finds events by the
// first condition, and the others are checked afterwards.
func conditionsOf(f query.Filter) []condition {
	blocked := ""
	if f.Blocked != nil && *f.Blocked {
		blocked = "TRUE"
	} else if f.Blocked != nil {
		blocked = "FALSE"
	}
	var types []any
	for _, t := range f.Types {
		types = append(types, string(t))
	}
	return []condition{
		{column: "call_id", value: f.CallID, kind: long},
		{column: "call_id", value: f.IDBegin, kind: begin},
		{column: "wire_id", value: f.WireID, kind: long},
		{column: "request_id", value: f.RequestID, kind: name},
		{column: "response_id", value: f.ResponseID, kind: name},
		{column: "session", value: f.Session, kind: long},
		{column: "key", value: f.Key, kind: name},
		{column: "employee", value: f.Employee, kind: name},
		{column: "code", value: f.Code, kind: rare},
		{column: "rule", value: f.Rule, kind: rare},
		{column: "blocked", value: blocked, kind: truth},
		{column: "tool_folded", value: f.Tool, kind: glob},
		{column: "server_folded", value: f.Server, kind: glob},
		{column: "team", value: f.Team, kind: name},
		{column: "model", value: f.Model, kind: name},
		{column: "provider", value: f.Provider, kind: name},
		{column: "org", value: f.Org, kind: name},
		{column: "verdict", value: f.Verdict, kind: word},
		{column: "type", value: string(f.Type), kind: word},
		{column: "type", kind: words, anyOf: types, unindexed: !f.Newest || f.Limit == 0}, // else few rows are read
		{column: "surface", value: f.Surface, kind: word},
	}
}

// conditions adds the conditions with a value. Only the first of them may use its index.
func (w *where) conditions(f flavour, all []condition) {
	indexed := false
	for _, c := range all {
		if c.value == "" && len(c.anyOf) == 0 {
			continue
		}
		column := c.column
		if indexed || c.unindexed {
			column = f.unindexed(column)
		}
		w.condition(f, c, column)
		// No index serves these.
		if !c.unindexed && c.kind != truth && !(c.kind == glob && strings.Contains(c.value, "*")) || c.value == "TRUE" {
			indexed = true
		}
	}
}

// nots adds what a filter leaves out. No index serves that. column says how a column is written.
func (w *where) nots(f flavour, of query.Filter, column func(string) string) {
	for _, n := range of.Nots() {
		var not where
		for _, c := range conditionsOf(n) {
			if c.value != "" || len(c.anyOf) > 0 {
				not.condition(f, c, column(c.column))
			}
		}
		if len(not.terms) > 0 {
			w.add("NOT ("+strings.Join(not.terms, " AND ")+")", not.args...)
		}
	}
}

// condition adds one condition. column is how the column is written.
func (w *where) condition(f flavour, c condition, column string) {
	value := query.ColumnText(c.value)
	switch c.kind {
	case word:
		w.add(column+" = ?", value)
	case name:
		w.add(column+" = ? AND "+c.notEmpty(column), record.Name(c.value))
	case long, rare:
		term, args := f.equal(column, value)
		if c.kind == rare {
			term += " AND " + c.notEmpty(column)
		}
		w.add(term, args...)
	case begin:
		column = f.indexed(column)
		w.add(column+" >= ? AND "+column+" < ?", value, query.Beyond(c.value))
	case glob:
		w.glob(f, c, column)
	case truth:
		w.add(column + " = " + c.value)
	case words:
		w.add(column+" IN (?"+strings.Repeat(", ?", len(c.anyOf)-1)+")", c.anyOf...)
	}
}

// notEmpty is a term that lets the database use an index that leaves out empty texts.
func (c condition) notEmpty(column string) string { return strings.TrimPrefix(column, "+") + " <> ''" }

// glob adds a pattern.
func (w *where) glob(f flavour, c condition, column string) {
	pieces := query.FoldedPieces(c.value)
	if len(pieces) > 1 {
		// No index helps here, and the database must not stop reading in the order of rows because of its guess how many rows match. So
		// the condition is on an expression, for which the database has no statistics.
		w.add("("+column+` || '') LIKE ? ESCAPE '\'`, like(pieces))
		return
	}
	term, args := f.equal(column, pieces[0])
	if c.column == "server_folded" {
		term += " AND " + c.notEmpty(column)
	}
	w.add(term, args...)
}

// span is the time of a filter, in microseconds.
func span(f query.Filter) (since, until int64) {
	since, until = math.MinInt64, math.MaxInt64
	if !f.Since.IsZero() {
		since = f.Since.UnixMicro()
	}
	if !f.Until.IsZero() {
		until = f.Until.UnixMicro()
	}
	return since, until
}

// selectTimes is selectRows for Filter.Thorough: it uses the events themselves.
const selectTimes = "SELECT min(row_id), max(row_id) FROM events WHERE time >= ? AND time < ?"

const selectRows = "SELECT min(first_row), max(last_row) FROM hours WHERE hour >= ? AND hour <= ?"

// times adds the filter's times. Rows are nearly, but not strictly, in order of time. So the range of rows of those hours is looked
// up; an index on time would be of little use for reading pages in order of rows.
func (r *View) times(ctx context.Context, w *where, f query.Filter) error {
	if f.Since.IsZero() && f.Until.IsZero() {
		return nil
	}
	since, until := span(f)
	column := r.db.flavour.unindexed("time")
	w.add(column+" >= ? AND "+column+" < ?", since, until)
	if f.AfterRow > 0 {
		return nil // the caller follows the record: it is past the first row already, and asks often
	}
	var first, last sql.NullInt64
	ctx, cancel := r.db.bounded(ctx)
	defer cancel()
	query, from, to := selectRows, hourOf(since), hourOf(until)
	if f.Thorough {
		query, from, to = selectTimes, since, until
	}
	if err := r.db.queryRow(ctx, query, from, to).Scan(&first, &last); err != nil {
		return sqlError("read events", err)
	}
	w.after = first.Int64 - 1
	w.add("row_id <= ?", last.Int64)
	return nil
}

// newest moves the beginning forward so that only the last rows of the selection are left.
func (r *View) newest(ctx context.Context, w *where, rows int) error {
	clause, args := w.sql(rows)
	var first sql.NullInt64
	ctx, cancel := r.db.bounded(ctx)
	defer cancel()
	err := r.db.queryRow(ctx, "SELECT min(row_id) FROM (SELECT row_id FROM events"+clause+
		" ORDER BY row_id DESC LIMIT ?) AS newest", args...).Scan(&first)
	if err != nil {
		return sqlError("read events", err)
	}
	if first.Valid {
		w.after = first.Int64 - 1
	}
	return nil
}

// LastRow is the row of the newest entry, 0 if there is none. Later entries have higher rows.
func (r *View) LastRow(ctx context.Context) (int64, error) {
	ctx, cancel := r.db.bounded(ctx)
	defer cancel()
	var last sql.NullInt64
	if err := r.db.queryRow(ctx, "SELECT max(row_id) FROM events").Scan(&last); err != nil {
		return 0, sqlError("read events", err)
	}
	return last.Int64, nil
}
