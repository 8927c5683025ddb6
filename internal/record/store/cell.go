package store

import (
	"crypto/sha256"
	"encoding/binary"
	"math/bits"
	"strconv"

	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/query"
)

// The columns of an event that are read back, and columns derived from them: for statistics, and to find names.
const (
	eventColumns = "chain, seq, hash, time, type, session, server, tool, call_id, wire_id, verdict, blocked, code, rule, text, " + laterColumns
	laterColumns = "within, surface, would_be, reason, org, team, employee, key, provider, model, request_id, response_id, " +
		"result_bytes, result_failed, calls, input_tokens, cache_tokens, output_tokens, cost_micros, " +
		"upstream_us, held_us, judged_us, recorded_us, total_us"
	storedColumns = eventColumns + ", " + drawnColumns
	drawnColumns  = "facet, lot, tool_folded, server_folded"
)

// cells are pointers to the fields of an entry in the order of eventColumns.
func cells(e *record.Entry) []any {
	return append([]any{
		&e.Chain, &e.Seq, &e.Hash, &e.Micros, &e.Type, &e.Session, &e.Server, &e.Tool, &e.CallID, &e.WireID,
		&e.Verdict, &e.Blocked, &e.Code, &e.Rule, &e.Text,
	}, laterCells(&e.Columns)...)
}

// laterCells are pointers to fields in the order of laterColumns.
func laterCells(c *record.Columns) []any {
	return []any{
		&c.Within, &c.Surface, &c.WouldBe, &c.Reason, &c.Org, &c.Team, &c.Employee, &c.Key, &c.Provider, &c.Model,
		&c.RequestID, &c.ResponseID, &c.ResultBytes, &c.ResultFailed,
		&c.Calls, &c.InputTokens, &c.CacheTokens, &c.OutputTokens, &c.CostMicros,
		&c.UpstreamMicros, &c.HeldMicros, &c.JudgedMicros, &c.RecordedMicros, &c.TotalMicros,
	}
}

// stored is an entry as values for the database, in the order of storedColumns.
func stored(e record.Entry) []any {
	row := cells(&e)
	for i, cell := range row {
		row[i] = valueOf(cell)
	}
	return append(row, drawnValues(e.Columns, e.Hash)...)
}

// drawnValues are the derived values in the order of drawnColumns.
func drawnValues(c record.Columns, hash string) []any {
	return []any{facetOf(c), lotOf(hash), query.Folded(c.Tool), query.Folded(c.Server)}
}

func valueOf(cell any) any {
	switch c := cell.(type) {
	case *string:
		return *c
	case *int64:
		return *c
	case *bool:
		return *c
	case *record.Type:
		return string(*c)
	case *[]byte:
		return string(*c) // an event is text
	}
	panic("store: a cell of another type") // they are all listed above
}

// facetColumns are the names under which events are counted.
const facetColumns = "type, surface, provider, model, server, tool, verdict, would_be, blocked, code, rule, org, team, employee, key"

// facetNames are the names of an event in the order of facetColumns.
func facetNames(c record.Columns) []any {
	return []any{
		string(c.Type), c.Surface, c.Provider, c.Model, c.Server, c.Tool, c.Verdict, c.WouldBe, c.Blocked, c.Code, c.Rule,
		c.Org, c.Team, c.Employee, c.Key,
	}
}

// facetOf is the key of the combination of names that an event has. It is a digest, because names may have any length.
func facetOf(c record.Columns) []byte {
	var b []byte
	for _, name := range facetNames(c) {
		switch n := name.(type) {
		case string:
			b = append(binary.AppendUvarint(b, uint64(len(n))), n...)
		case bool:
			b = strconv.AppendBool(b, n)
		}
	}
	sum := sha256.Sum256(b)
	return sum[:16]
}

// mostLots is the highest lot.
const mostLots = 30

// lotOf draws a lot for an event: half of all events have lot 0, a quarter lot 1, and so on. Nobody can choose or predict an
// event's hash.
func lotOf(hash string) int64 {
	n, err := strconv.ParseUint(hash[:min(8, len(hash))], 16, 32)
	if err != nil {
		return 0
	}
	return int64(min(mostLots, bits.TrailingZeros32(uint32(n))))
}
