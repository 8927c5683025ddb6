package store

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"maps"
	"math"
	"slices"
	"time"

	"github.com/weir-gate/weir/internal/record/query"
	"github.com/weir-gate/weir/internal/record/verify"
)

// A boundary separates hours and days without removed events from those with possibly removed events.
type boundary int64

// newBoundary returns the boundary after events up to a time were removed; zero: none were.
func newBoundary(until time.Time) boundary {
	if until.IsZero() {
		return math.MinInt64
	}
	return boundary(until.UnixMicro())
}

// after says whether nothing was removed from an hour or day that began at a time, in microseconds.
func (b boundary) after(begins int64) bool { return begins > int64(b) }

// A comparison compares a recount with the tables at one moment.
type comparison struct {
	*recount
	tx     transaction
	exact  boundary
	oldest int64 // the time of the oldest event
	wrong  func(verify.Problem)
}

// there says whether a slot with counted events must still exist: it is removed when no event is that old any more.
func (k comparison) there(at slot) bool { return at.begins > k.oldest-at.span*microsPerHour }

func (k comparison) found(format string, args ...any) {
	k.wrong(verify.Problem{What: fmt.Sprintf(format, args...)})
}

// each calls take for each row of a table, with some of its columns.
func (k comparison) each(ctx context.Context, columns, table string, take func(scan func(...any) error) error) error {
	ctx, cancel := k.r.db.bounded(ctx)
	defer cancel()
	return eachRow(func(rows *sql.Rows) error {
		return take(func(into ...any) error {
			odd, err := scanStrict(rows, into...)
			if odd != "" {
				k.found("the table %s holds a value of another kind than weir writes, in its column %s: statistics are wrong", table, odd)
			}
			return err
		})
	})(k.tx.QueryContext(ctx, "SELECT "+columns+" FROM "+table))
}

func instant(micros int64) string { return fromMicros(micros).Format(time.RFC3339) }

// hourRows compares the first and last row of each hour.
func (k comparison) hourRows(ctx context.Context) error {
	err := k.each(ctx, "hour, first_row, last_row", "hours", func(scan func(...any) error) error {
		var hour int64
		var got [2]int64
		if err := scan(&hour, &got[0], &got[1]); err != nil {
			return err
		}
		want, seen := k.hours[hour]
		delete(k.hours, hour)
		begins := hour * microsPerHour
		if k.exact.after(begins) && (!seen || got != want) || seen && (got[0] > want[0] || got[1] < want[1]) {
			k.found("the table hours says that the events of the hour from %s are in rows %d to %d, and they are in %d to %d: questions about "+
				"that time miss some", instant(begins), got[0], got[1], want[0], want[1])
		}
		return nil
	})
	for _, hour := range slices.Sorted(maps.Keys(k.hours)) {
		if !k.there(slot{span: 1, begins: hour * microsPerHour}) {
			continue
		}
		k.found("the table hours knows nothing of the hour from %s: questions about that time miss its events", instant(hour*microsPerHour))
	}
	return err
}

// facetRows compares the combinations of names. A key is a digest of the names, so names that match their key are the right ones.
func (k comparison) facetRows(ctx context.Context) error {
	missing := map[string]bool{}
	for at := range k.census.tallies {
		if k.there(at) {
			missing[at.facet] = true
		}
	}
	err := k.each(ctx, "facet, summary, "+facetColumns+", tool_folded, server_folded", "facets", func(scan func(...any) error) error {
		var facet blob
		var row facetRow
		var tool, server string
		n := &row.names
		if err := scan(&facet, &row.summary, &n.Type, &n.Surface, &n.Provider, &n.Model, &n.Server, &n.Tool, &n.Verdict, &n.WouldBe, &n.Blocked,
			&n.Code, &n.Rule, &n.Org, &n.Team, &n.Employee, &n.Key, &tool, &server); err != nil {
			return err
		}
		delete(missing, string(facet))
		if !bytes.Equal(facet, row.key()) || tool != query.Folded(n.Tool) || server != query.Folded(n.Server) {
			k.found("the table facets has other names under the key %x than it stands for: statistics name the wrong things", facet)
		}
		return nil
	})
	for _, facet := range slices.Sorted(maps.Keys(missing)) {
		k.found("the table facets lacks the key %x: statistics leave out %s", facet, k.describe(facet))
	}
	return err
}

// tallyRows compares the counts.
func (k comparison) tallyRows(ctx context.Context) error {
	err := k.each(ctx, tallyColumns, "tallies", func(scan func(...any) error) error {
		var at slot
		var facet blob
		var got counts
		if err := scan(&facet, &at.span, &at.begins, &got.events, &got.input, &got.cache, &got.output, &got.cost); err != nil {
			return err
		}
		at.facet = string(facet)
		want := k.census.tallies[at]
		delete(k.census.tallies, at)
		if k.exact.after(at.begins) && got != want || got.events < want.events {
			k.found("the table tallies counts %s for %s, and there are %s: statistics are wrong", got, k.slotName(at), want)
		}
		return nil
	})
	left := slices.SortedFunc(maps.Keys(k.census.tallies), compareSlots)
	for _, at := range left {
		if !k.there(at) {
			continue
		}
		k.found("the table tallies has no count for %s, and there are %s: statistics are wrong", k.slotName(at), k.census.tallies[at])
	}
	return err
}

func (n counts) String() string {
	return fmt.Sprintf("%d events with %d input, %d cache and %d output tokens and a cost of %d", n.events, n.input, n.cache, n.output, n.cost)
}

// times is the counts multiplied by k.
func (n counts) times(k int64) counts {
	return counts{n.events * k, n.input * k, n.cache * k, n.output * k, n.cost * k}
}

func (n counts) plus(more counts) counts {
	return counts{n.events + more.events, n.input + more.input, n.cache + more.cache, n.output + more.output, n.cost + more.cost}
}

func (k comparison) slotName(at slot) string {
	span := "hour"
	if at.span > 1 {
		span = "day"
	}
	return fmt.Sprintf("%s in the %s from %s", k.describe(at.facet), span, instant(at.begins))
}

// describe names a combination of names for people.
func (k comparison) describe(facet string) string {
	row, ok := k.census.facets[facet]
	switch {
	case !ok:
		return fmt.Sprintf("key %x, which no event has,", facet)
	case row.summary:
		return fmt.Sprintf("all events of type %q", row.names.Type)
	}
	return fmt.Sprintf("events of type %q, tool %q, employee %q", row.names.Type, row.names.Tool, row.names.Employee)
}
