package export

import (
	"strconv"
	"strings"
	"time"

	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/text/inert"
)

// csvColumns are the columns of a CSV file. Columns may be added at the end; none moves.
var csvColumns = []struct {
	name string
	of   func(record.Text, record.Entry) string
}{
	{"time", func(t record.Text, _ record.Entry) string { return t.Time.UTC().Format(time.RFC3339Nano) }},
	{"type", func(t record.Text, _ record.Entry) string { return string(t.Type) }},
	{"verdict", func(t record.Text, _ record.Entry) string { return t.Verdict }},
	{"blocked", func(t record.Text, _ record.Entry) string { return strconv.FormatBool(t.Blocked) }},
	{"would_be", func(t record.Text, _ record.Entry) string { return t.WouldBe }},
	{"code", func(t record.Text, _ record.Entry) string { return t.Code }},
	{"reason", func(t record.Text, _ record.Entry) string { return t.Reason }},
	{"rule", func(t record.Text, _ record.Entry) string { return t.Rule }},
	{"server", func(t record.Text, _ record.Entry) string { return t.Server }},
	{"tool", func(t record.Text, _ record.Entry) string { return t.Tool }},
	{"args", func(t record.Text, _ record.Entry) string { return string(t.Args) }},
	{"employee", func(t record.Text, _ record.Entry) string { return t.Actor.Employee }},
	{"team", func(t record.Text, _ record.Entry) string { return t.Actor.Team }},
	{"org", func(t record.Text, _ record.Entry) string { return t.Actor.Org }},
	{"key", func(t record.Text, _ record.Entry) string { return t.Actor.Key }},
	{"session", func(t record.Text, _ record.Entry) string { return t.Session }},
	{"provider", func(t record.Text, _ record.Entry) string { return t.Provider }},
	{"model", func(t record.Text, _ record.Entry) string { return t.Model }},
	{"dialect", func(t record.Text, _ record.Entry) string { return t.Dialect }},
	{"surface", func(t record.Text, _ record.Entry) string { return string(t.Surface) }},
	{"request_id", func(t record.Text, _ record.Entry) string { return t.RequestID }},
	{"response_id", func(t record.Text, _ record.Entry) string { return t.ResponseID }},
	{"conversation_id", func(t record.Text, _ record.Entry) string { return t.Conversation }},
	{"call_id", func(t record.Text, _ record.Entry) string { return string(t.CallID) }},
	{"within", func(t record.Text, _ record.Entry) string { return string(t.Within) }},
	{"wire_id", func(t record.Text, _ record.Entry) string { return t.WireID }},
	{"server_type", func(t record.Text, _ record.Entry) string { return t.ServerType }},
	{"server_addr", func(t record.Text, _ record.Entry) string { return t.ServerAddr }},
	{"tool_hash", func(t record.Text, _ record.Entry) string { return t.ToolHash }},
	{"jsonrpc_id", func(t record.Text, _ record.Entry) string { return t.RPCID }},
	{"trace_id", func(t record.Text, _ record.Entry) string { return t.Trace }},
	{"span_id", func(t record.Text, _ record.Entry) string { return t.Span }},
	{"policy_version", func(t record.Text, _ record.Entry) string { return t.PolicyVersion }},
	{"detail", func(t record.Text, _ record.Entry) string { return string(t.Detail) }},
	{"id", func(t record.Text, _ record.Entry) string { return t.ID }},
	{"chain", func(t record.Text, _ record.Entry) string { return t.Chain }},
	{"seq", func(t record.Text, _ record.Entry) string { return strconv.FormatInt(t.Seq, 10) }},
	{"prev_hash", func(t record.Text, _ record.Entry) string { return t.PrevHash }},
	{"hash", func(_ record.Text, e record.Entry) string { return e.Hash }},
}

func csvHeader() []byte {
	var b []byte
	for i, c := range csvColumns {
		b = appendCell(b, i, c.name)
	}
	return append(b, "\r\n"...)
}

func csvLine(e record.Entry) ([]byte, error) {
	t, err := e.Parse()
	if err != nil {
		return nil, err
	}
	b := make([]byte, 0, 2*len(e.Text))
	for i, c := range csvColumns {
		b = appendCell(b, i, c.of(t, e))
	}
	return append(b, '\r'), nil
}

// appendCell appends a cell. Every cell is quoted, because programs differ in where they end a cell without quotes. A cell that a
// spreadsheet could take for a formula begins with an apostrophe, which makes it a text.
func appendCell(b []byte, i int, s string) []byte {
	if i > 0 {
		b = append(b, ',')
	}
	b = append(b, '"')
	if begun := strings.TrimLeft(s, " \t\r\n\u00a0"); strings.ContainsRune(formulaSigns, firstRune(begun)) {
		b = append(b, '\'')
	}
	at := len(b)
	b = inert.AppendJSON(b, s, "<>")
	if cell := string(b[at:]); strings.Contains(cell, `"`) {
		b = append(b[:at], strings.ReplaceAll(cell, `"`, `""`)...)
	}
	return append(b, '"')
}

// formulaSigns begin formulas, also in the wide forms that some spreadsheets accept.
const formulaSigns = "=+-@＝＋－＠"

// firstRune is the first character of s; a blank if s is empty.
func firstRune(s string) rune {
	for _, r := range s {
		return r
	}
	return ' '
}
