package export

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/recordtest"
	"github.com/weir-gate/weir/internal/text/inert"
)

func export(t testing.TB, f string, entries ...record.Entry) string {
	t.Helper()
	var out bytes.Buffer
	x, err := New(&out, f, "v1.2.3")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if err := x.Write(e); err != nil {
			t.Fatal(err)
		}
	}
	if err := x.Close(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// sealOne makes an event an entry.
func sealOne(t testing.TB, e record.Event) record.Entry {
	t.Helper()
	if e.Time.IsZero() {
		e.Time = recordtest.When
	}
	if e.ID == "" {
		e.ID = "evt_1"
	}
	u, err := e.Encode()
	if err != nil {
		t.Fatal(err)
	}
	entry, _ := record.Head{Chain: "chain_1", Hash: record.Genesis}.Next(u)
	return entry
}

// evil are texts that would do something where they are shown.
var evil = []string{
	"=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", " =1", "＝1", "\u00a0=1", `=HYPERLINK("http://x")`, "\x1b[2J", "a\u009bb", "\u202eabc", "\x00",
	"<script>alert(1)</script>", "a,b;=c", `say "hi"`, "line\nbreak", "\ufeff=1", "",
	"a\u3164\u115f\uffa0\u2800\u034f\ufe0f\U000e0041b",
}

func evilEvents(t testing.TB) []record.Entry {
	t.Helper()
	var all []record.Entry
	for _, s := range evil {
		args, err := json.Marshal(map[string]string{"a": s})
		if err != nil {
			t.Fatal(err)
		}
		for _, blocked := range []bool{false, true} {
			e := record.Event{
				Type: record.Types.ToolCall, Tool: s, Server: s, Ruling: record.Ruling{Reason: s, Rule: s, Code: s, Verdict: "deny", Blocked: blocked},
				WireID: s,
				Args:   jsontext.Value(args),
			}
			e.Actor.Employee, e.Actor.Session, e.Exchange.Model = s, s, s
			all = append(all, sealOne(t, e))
		}
	}
	return all
}

// wantInert demands that a text does nothing to a terminal and is no markup.
func wantInert(t testing.TB, what, text string) {
	t.Helper()
	for _, r := range strings.ReplaceAll(text, "\r\n", "") {
		if !inert.Visible(r) && r != '\n' || strings.ContainsRune("<>", r) {
			t.Fatalf("%s: %q is in the output", what, r)
		}
	}
}

func TestExportJSONL(t *testing.T) {
	for _, e := range append(evilEvents(t), recordtest.EveryEvent(t)...) {
		line := export(t, formatJSONL, e)
		wantInert(t, "jsonl", line)
		want, err := e.JSON()
		if err != nil {
			t.Fatal(err)
		}
		var got, wanted any
		if err := errors.Join(json.Unmarshal([]byte(line), &got), json.Unmarshal(want, &wanted)); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(wanted, got); diff != "" {
			t.Errorf("it says something else (-want +got):\n%s", diff)
		}
	}
}

func TestExportCSV(t *testing.T) {
	entries := append(evilEvents(t), recordtest.EveryEvent(t)...)
	out := export(t, formatCSV, entries...)
	wantInert(t, "csv", out)
	rows, err := csv.NewReader(strings.NewReader(out)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if len(rows) != len(entries)+1 || strings.Count(out, "\n") != len(rows) {
		t.Fatalf("%d rows on %d lines, want %d", len(rows), strings.Count(out, "\n"), len(entries)+1)
	}
	formula := regexp.MustCompile(`^[\s\x{00a0}]*[=+\-@＝＋－＠]`)
	for i, row := range rows {
		for j, cell := range row {
			if formula.MatchString(cell) {
				t.Errorf("row %d, %s: %q is a formula", i, rows[0][j], cell)
			}
		}
	}
	e := sealOne(t, record.Event{
		Type: record.Types.ToolCall, Tool: "Bash", Args: jsontext.Value(`{"command":"ls \"-la\""}`),
		Ruling: record.Ruling{Verdict: "allow", Reason: "-x"},
	})
	rows, err = csv.NewReader(strings.NewReader(export(t, formatCSV, e))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for i, name := range rows[0] {
		if rows[1][i] != "" {
			got[name] = rows[1][i]
		}
	}
	want := map[string]string{
		"time": "2026-01-02T03:04:05.678901Z", "type": "tool_call", "verdict": "allow", "blocked": "false", "reason": "'-x", "tool": "Bash",
		"args": `{"command":"ls \"-la\""}`, "id": "evt_1", "chain": "chain_1", "seq": "1", "prev_hash": record.Genesis, "hash": e.Hash,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("cells (-want +got):\n%s", diff)
	}
	if empty := export(t, formatCSV); strings.Count(empty, "\n") != 1 || !strings.HasPrefix(empty, `"time","type",`) {
		t.Errorf("of no events: %q", empty)
	}
}

// TestExportFails: what cannot be read or written is an error, and nothing is left out in silence.
func TestExportFails(t *testing.T) {
	if _, err := New(nil, "xml", ""); err == nil || !strings.Contains(err.Error(), "use jsonl, csv or ocsf") {
		t.Errorf("another format: %v", err)
	}
	for _, f := range []string{formatJSONL, formatCSV, formatOCSF} {
		x, err := New(&bytes.Buffer{}, f, "")
		if err != nil {
			t.Fatal(err)
		}
		if err := x.Write(record.Entry{Row: 7, Text: []byte("x")}); err == nil || !strings.Contains(err.Error(), "export row 7: ") {
			t.Errorf("%s: a row that is no event: %v", f, err)
		}
		x, err = New(noWriter{}, f, "")
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(x.Write(sealOne(t, record.Event{Type: record.Types.ToolCall})), x.Close()); err == nil {
			t.Errorf("%s: nothing could be written, and nobody says so", f)
		}
	}
}

// noWriter takes nothing.
type noWriter struct{}

func (noWriter) Write([]byte) (int, error) { return 0, recordtest.ErrDisk }

// FuzzExport exports what an agent may write.
func FuzzExport(f *testing.F) {
	for _, s := range evil {
		f.Add(s, `{"a":1}`)
	}
	f.Fuzz(func(t *testing.T, name, args string) {
		e := record.Event{Type: record.Types.ToolCall, Tool: name, Ruling: record.Ruling{
			Rule: name, Reason: name, Blocked: len(args)%2 == 0,
			Verdict: "deny",
		}}
		if jsontext.Value(args).IsValid() {
			e.Args = jsontext.Value(args)
		}
		entry := sealOne(t, e)
		for _, format := range []string{formatJSONL, formatCSV, formatOCSF} {
			wantInert(t, string(format), export(t, format, entry))
		}
		for _, format := range []string{formatJSONL, formatOCSF} {
			if line := export(t, format, entry); !jsontext.Value(strings.TrimSuffix(line, "\n")).IsValid(lenient) || strings.Count(line, "\n") != 1 {
				t.Errorf("%s: not one line of JSON: %q", format, line)
			}
		}
		rows, err := csv.NewReader(strings.NewReader(export(t, formatCSV, entry))).ReadAll()
		if err != nil || len(rows) != 2 || len(rows[1]) != len(csvColumns) {
			t.Errorf("csv: %d rows, %v", len(rows), err)
		}
		for _, cell := range rows[1] {
			if cell != "" && strings.ContainsAny(fmt.Sprintf("%c", []rune(cell)[0]), "=+-@＝＋－＠") {
				t.Errorf("csv: %q is a formula", cell)
			}
		}
	})
}
