package store

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"time"

	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/query"
	"github.com/weir-gate/weir/internal/record/verify"
)

// A recount counts events anew, to compare with the tables of statistics.
type recount struct {
	r      *View
	census *census
	hours  extent
	first  int64 // the row before the page
	page   []drawn
}

// drawn are the right values of the derived columns of an event.
type drawn struct {
	row          int64
	facet        blob
	lot          int64
	tool, server string // folded
}

// recountAtOnce is how many events are compared at once.
const recountAtOnce = 2000

// Recount implements verify.Record. It holds a count in memory for each combination of names and hour or day.
func (r *View) Recount() verify.Recount {
	return &recount{r: r, census: newCensus(), hours: extent{}}
}

// Add implements verify.Recount.
func (c *recount) Add(ctx context.Context, e record.Entry, wrong func(verify.Problem)) error {
	c.count(e)
	if len(c.page) < recountAtOnce {
		return nil
	}
	return c.turn(ctx, c.r.db.DB, wrong)
}

func (c *recount) count(e record.Entry) {
	c.census.add(e.Columns)
	c.census.shares = nil // turn adds those up
	c.hours.add(e.Micros, e.Row)
	c.page = append(c.page, drawn{e.Row, facetOf(e.Columns), lotOf(e.Hash), query.Folded(e.Tool), query.Folded(e.Server)})
}

// A querier is a database or a transaction of one.
type querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// turn compares the columns of the events of a page, adds up the shares that its responses give to calls, and begins the next page.
func (c *recount) turn(ctx context.Context, db querier, wrong func(verify.Problem)) error {
	if len(c.page) == 0 {
		return nil
	}
	last := c.page[len(c.page)-1].row
	if err := c.compareColumns(ctx, db, last, wrong); err != nil {
		return sqlError("compare the columns of events", err)
	}
	if err := c.addShares(ctx, db, last); err != nil {
		return sqlError("add up the shares of calls", err)
	}
	c.first, c.page = last, c.page[:0]
	return nil
}

const selectOldestTime = "SELECT coalesce(min(time), 9223372036854775807) FROM events"

const selectDrawn = "SELECT row_id, " + drawnColumns + " FROM events WHERE row_id > ? AND row_id <= ? ORDER BY row_id"

// compareColumns compares the columns for statistics. Events that were removed meanwhile are left out.
func (c *recount) compareColumns(ctx context.Context, db querier, last int64, wrong func(verify.Problem)) error {
	ctx, cancel := c.r.db.bounded(ctx)
	defer cancel()
	next := 0
	return eachRow(func(rows *sql.Rows) error {
		var got drawn
		odd, err := scanStrict(rows, &got.row, &got.facet, &got.lot, &got.tool, &got.server)
		if err != nil {
			return err
		}
		for next < len(c.page) && c.page[next].row < got.row {
			next++
		}
		if next == len(c.page) || c.page[next].row != got.row {
			return nil
		}
		switch want := c.page[next]; {
		case odd != "":
			wrong(verify.Problem{Row: got.row, What: "the column " + odd + " holds a value of another kind than weir writes"})
		case !bytes.Equal(got.facet, want.facet):
			wrong(verify.Problem{Row: got.row, What: "the column facet does not say what the text says"})
		case got.lot != want.lot:
			wrong(verify.Problem{Row: got.row, What: "the column lot does not follow from the hash"})
		case got.tool != want.tool || got.server != want.server:
			wrong(verify.Problem{
				Row:  got.row,
				What: "the columns tool_folded and server_folded do not follow from the names: questions about them miss the event",
			})
		}
		return nil
	})(db.QueryContext(ctx, c.r.db.flavour.text(selectDrawn), c.first, last))
}

// selectShares selects the shares that addShares added for the responses of some rows. The index on types must not be used: it
// would find all earlier calls again for each response.
var selectShares = `SELECT c.facet, c.time / 3600000000,
		CAST(sum(d.input_tokens / d.calls) AS BIGINT), CAST(sum(d.cache_tokens / d.calls) AS BIGINT),
		CAST(sum(d.output_tokens / d.calls) AS BIGINT), CAST(sum(d.cost_micros / d.calls) AS BIGINT)
	FROM events d CROSS JOIN events c
	WHERE d.row_id > ? AND d.row_id <= ? AND %[1]sd.type = 'response_done' AND d.calls > 0 AND d.request_id <> ''
		AND c.request_id = d.request_id AND c.request_id <> '' AND %[1]sc.type IN ` + askedTypes + `
		AND c.within = '' AND c.surface = 'response' AND c.row_id < d.row_id
	GROUP BY 1, 2`

func sharesQuery(f flavour) string { return fmt.Sprintf(selectShares, f.unindexed("")) }

func (c *recount) addShares(ctx context.Context, db querier, last int64) error {
	ctx, cancel := c.r.db.bounded(ctx)
	defer cancel()
	return eachRow(func(rows *sql.Rows) error {
		var facet blob
		var hour int64
		var share counts
		// Columns of another type are reported by compareColumns.
		if _, err := scanStrict(rows, &facet, &hour, &share.input, &share.cache, &share.output, &share.cost); err != nil {
			return err
		}
		for _, at := range slotsOf(facet, false, hour*microsPerHour) {
			c.census.tallies[at] = c.census.tallies[at].plus(share)
		}
		return nil
	})(db.QueryContext(ctx, c.r.db.flavour.text(sharesQuery(c.r.db.flavour)), c.first, last))
}

// Finish implements verify.Recount.
func (c *recount) Finish(ctx context.Context, removed func() (time.Time, error), wrong func(verify.Problem)) error {
	tx, err := c.r.db.BeginTx(ctx, &sql.TxOptions{Isolation: c.r.db.flavour.snapshot, ReadOnly: true})
	if err != nil {
		return sqlError("compare statistics", err)
	}
	defer tx.Rollback() // nothing was written
	// The transaction sees the database as it is at its first query.
	if err := c.rest(ctx, tx); err != nil {
		return sqlError("compare statistics", err)
	}
	until, err := removed()
	if err != nil {
		return err
	}
	if err := c.turn(ctx, tx, wrong); err != nil {
		return err
	}
	k := comparison{recount: c, tx: transaction{tx, c.r.db.flavour}, exact: newBoundary(until), wrong: wrong}
	if err := k.tx.queryRow(ctx, selectOldestTime).Scan(&k.oldest); err != nil {
		return sqlError("compare statistics", err)
	}
	for _, compare := range []func(context.Context) error{k.hourRows, k.facetRows, k.tallyRows} {
		if err := compare(ctx); err != nil {
			return sqlError("compare statistics", err)
		}
	}
	return nil
}

// rest counts the events that were stored since the last Add, up to the moment of the comparison.
func (c *recount) rest(ctx context.Context, tx *sql.Tx) error {
	last := c.first
	if n := len(c.page); n > 0 {
		last = c.page[n-1].row
	}
	return eachRow(func(rows *sql.Rows) error {
		e, err := scanEntry(rows)
		if err == nil {
			c.count(e)
		}
		return err
	})(tx.QueryContext(ctx, c.r.db.flavour.text(selectEvents+" WHERE row_id > ? ORDER BY row_id"), last))
}
