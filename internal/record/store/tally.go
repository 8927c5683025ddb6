package store

import (
	"cmp"
	"maps"
	"slices"

	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/query"
)

// microsPerHour divides times into the hours of tallies.
const microsPerHour = 3_600_000_000

// hourOf is the hour of a time in microseconds, since 1970, as SQL computes it.
func hourOf(micros int64) int64 { return micros / microsPerHour }

// spans are the lengths of tallies, in hours.
var spans = []int64{1, 24}

// A slot is a combination of names in an hour or a day.
type slot struct {
	facet  string
	span   int64
	begins int64 // in microseconds
}

func compareSlots(a, b slot) int {
	return cmp.Or(cmp.Compare(a.facet, b.facet), cmp.Compare(a.span, b.span), cmp.Compare(a.begins, b.begins))
}

// slotsOf are the slots in which an event with this facet is counted. There are few summaries, so hours are enough for them.
func slotsOf(facet []byte, summary bool, micros int64) []slot {
	var all []slot
	for _, span := range spans {
		all = append(all, slot{string(facet), span, micros / (span * microsPerHour) * (span * microsPerHour)})
		if summary {
			break
		}
	}
	return all
}

// An extent has the first and the last row of the events of each hour.
type extent map[int64][2]int64

// add notes an event. Rows ascend.
func (x extent) add(micros, row int64) {
	hour := hourOf(micros)
	rows, seen := x[hour]
	if !seen {
		rows[0] = row
	}
	x[hour] = [2]int64{rows[0], row}
}

// statements store the extent.
func (x extent) statements() []statement {
	var all []statement
	for hour, rows := range x {
		all = append(all, statement{addHour, []any{hour, rows[0], rows[1]}})
	}
	return all
}

// counts are the sums of a slot.
type counts struct{ events, input, cache, output, cost int64 }

// The tables of statistics. They are computed from the events, and change in the same transaction.
const (
	addFacet = "INSERT INTO facets (facet, summary, " + facetColumns + ", tool_folded, server_folded) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, " +
		"?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (facet) DO NOTHING"
	addTally = "INSERT INTO tallies (" + tallyColumns + ") VALUES (?, ?, ?, ?, ?, ?, ?, ?)" + orAdd

	tallyColumns = "facet, span, begins, events, input_tokens, cache_tokens, output_tokens, cost_micros"

	orAdd = ` ON CONFLICT (facet, span, begins) DO UPDATE SET events = tallies.events + excluded.events,
		input_tokens = tallies.input_tokens + excluded.input_tokens, cache_tokens = tallies.cache_tokens + excluded.cache_tokens,
		output_tokens = tallies.output_tokens + excluded.output_tokens, cost_micros = tallies.cost_micros + excluded.cost_micros`

	// addHour notes the first and the last row of the events of an hour.
	addHour = "INSERT INTO hours (hour, first_row, last_row) VALUES (?, ?, ?)" + orWiden

	orWiden = ` ON CONFLICT (hour) DO UPDATE SET
			first_row = CASE WHEN excluded.first_row < hours.first_row THEN excluded.first_row ELSE hours.first_row END,
			last_row = CASE WHEN excluded.last_row > hours.last_row THEN excluded.last_row ELSE hours.last_row END`
)

// addShares gives the calls of a request their share of what its response used. The calls were recorded before the response ended:
// calls that are stored with its end, but after it, have no share.
var addShares = `INSERT INTO tallies (` + tallyColumns + `)
	SELECT facet, span, time / (span * 3600000000) * (span * 3600000000), 0,
		count(*) * CAST(? AS BIGINT), count(*) * CAST(? AS BIGINT), count(*) * CAST(? AS BIGINT),
		count(*) * CAST(? AS BIGINT)
	FROM events CROSS JOIN (SELECT 1 AS span UNION ALL SELECT 24) AS spans
	WHERE request_id = ? AND request_id <> '' AND type IN ` + askedTypes + ` AND within = '' AND surface = 'response' AND facet IS NOT NULL
		AND NOT (chain = ? AND seq > ?)
	GROUP BY facet, span, time / (span * 3600000000) * (span * 3600000000)` + orAdd

// A census has what entries add to the statistics.
type census struct {
	facets  map[string]facetRow
	tallies map[slot]counts
	shares  []statement
}

func newCensus() *census {
	return &census{facets: map[string]facetRow{}, tallies: map[slot]counts{}}
}

// A facetRow is a combination of names.
type facetRow struct {
	summary bool
	names   record.Columns
}

// add counts an event.
func (c *census) add(e record.Columns) {
	c.count(facetRow{false, e}, e)
	c.count(facetRow{true, summaryOf(e)}, e)
	if e.Type == record.Types.ResponseDone && e.Calls > 0 && e.RequestID != "" {
		c.shares = append(c.shares, statement{addShares, []any{
			e.InputTokens / e.Calls, e.CacheTokens / e.Calls, e.OutputTokens / e.Calls, e.CostMicros / e.Calls, e.RequestID, e.Chain, e.Seq,
		}})
	}
}

// count counts an event under a combination of names.
func (c *census) count(row facetRow, e record.Columns) {
	facet := row.key()
	c.facets[string(facet)] = row
	for _, at := range slotsOf(facet, row.summary, e.Micros) {
		c.tallies[at] = c.tallies[at].plus(counts{1, e.InputTokens, e.CacheTokens, e.OutputTokens, e.CostMicros})
	}
}

// key is the digest by which the combination is found.
func (r facetRow) key() []byte {
	key := facetOf(r.names)
	if r.summary {
		key[0] ^= 0xff // else an event without names would have the same key
	}
	return key
}

// summaryOf are the columns by which summaries distinguish events.
func summaryOf(e record.Columns) record.Columns {
	return record.Columns{Type: e.Type, Surface: e.Surface, Verdict: e.Verdict, WouldBe: e.WouldBe, Blocked: e.Blocked}
}

// statements store the counts.
func (c *census) statements(f flavour) []statement {
	var facets, tallies [][]any
	for _, facet := range slices.Sorted(maps.Keys(c.facets)) {
		names := c.facets[facet].names
		row := append([]any{[]byte(facet), c.facets[facet].summary}, facetNames(names)...)
		facets = append(facets, append(row, query.Folded(names.Tool), query.Folded(names.Server)))
	}
	for _, at := range slices.SortedFunc(maps.Keys(c.tallies), compareSlots) {
		n := c.tallies[at]
		tallies = append(tallies, []any{[]byte(at.facet), at.span, at.begins, n.events, n.input, n.cache, n.output, n.cost})
	}
	return slices.Concat(f.each(addFacet, facets), f.each(addTally, tallies), c.shares)
}

// counted are the statements that count runs of entries that were just stored.
func counted(f flavour, runs []run) []statement {
	c := newCensus()
	for _, r := range runs {
		for _, e := range r.entries {
			c.add(e.Columns)
		}
	}
	return c.statements(f)
}
