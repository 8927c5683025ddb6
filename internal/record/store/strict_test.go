package store

import (
	"context"
	"strings"
	"testing"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/checkpoint"
	"github.com/weir-gate/weir/internal/record/custodian"
	"github.com/weir-gate/weir/internal/record/query"
	"github.com/weir-gate/weir/internal/record/verify"
)

// garbledStore has three calls, each with a value in every column, and can be changed.
func garbledStore(t *testing.T) *Store {
	t.Helper()
	s := openURL(t, upgraded(t, "sqlite"))
	call := record.Event{
		Type: record.Types.ToolCall, Server: "github", Tool: "Bash", CallID: "call_1", WireID: "w",
		Ruling: record.Ruling{Verdict: "deny", Blocked: true, Code: "c", Rule: "r", WouldBe: "x", Reason: "no"},
		Within: "call_0", Surface: call.Response, Actor: call.Actor{Org: "o", Team: "t", Employee: "e", Key: "k", Session: "s"},
		Exchange: call.Exchange{RequestID: "req_1", ResponseID: "resp_1", Provider: "p", Model: "m"},
	}
	appendEvents(t, s, call, call, call)
	if err := unlock(s); err != nil {
		t.Fatal(err)
	}
	return s
}

// TestGarbledColumns changes the kind of a value and not what it reads as: questions miss the event, and verifying tells which one.
func TestGarbledColumns(t *testing.T) {
	changes := map[string]string{
		"blocked = 'true'": "blocked", "blocked = 2": "blocked", "blocked = 1.5": "blocked", "time = time + 0.5": "time",
		"facet = hex(facet)": "facet", "text = CAST(text AS BLOB)": "text", "lot = CAST(lot AS BLOB)": "lot",
	}
	for _, column := range strings.Split(storedColumns, ", ") {
		if column != "facet" {
			changes[column+" = CAST("+column+" AS BLOB)"] = column
		}
	}
	for change, column := range changes {
		t.Run(change, func(t *testing.T) {
			s := garbledStore(t)
			mustExec(t, s, "UPDATE events SET "+change+" WHERE row_id = 2")
			report, err := verify.Check{Record: s}.Run(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if report.Events != 3 {
				t.Errorf("%d events were read", report.Events)
			}
			if report.Found == 0 || report.Problems[0].Row != 2 || !strings.Contains(report.Problems[0].What, "the column "+column+" holds") {
				t.Fatalf("problems: %v", report.Problems)
			}
			for _, p := range report.Problems {
				if p.Row != 0 && p.Row != 2 {
					t.Errorf("another event is accused: %v", p)
				}
			}
		})
	}
}

// TestGarbledRowIsNamed: what lists events says which row is not as weir wrote it, and what to do.
func TestGarbledRowIsNamed(t *testing.T) {
	s := garbledStore(t)
	mustExec(t, s, "UPDATE events SET blocked = 2 WHERE row_id = 2")
	wantError(t, "list", listing(t.Context(), s, query.Filter{}), "row 2: the column blocked holds a value of another kind than weir writes: something else changed the store; run weir audit verify")
	mustExec(t, s, "UPDATE events SET blocked = 1, input_tokens = 'x' WHERE row_id = 2")
	wantError(t, "list", listing(t.Context(), s, query.Filter{}), "row 2: the column input_tokens holds")
	if err := listing(t.Context(), s, query.Filter{Garbled: true}); err != nil {
		t.Error(err)
	}
}

func listing(ctx context.Context, s *Store, f query.Filter) error {
	for _, err := range s.Entries(ctx, f) {
		if err != nil {
			return err
		}
	}
	return nil
}

// TestGarbledTables does the same to what is beside the events.
func TestGarbledTables(t *testing.T) {
	for change, want := range map[string]string{
		"UPDATE hours SET first_row = CAST(first_row AS BLOB)":             "the table hours holds a value of another kind",
		"UPDATE tallies SET events = CAST(events AS BLOB)":                 "the table tallies holds a value of another kind",
		"UPDATE tallies SET span = CAST(span AS BLOB)":                     "the table tallies holds a value of another kind",
		"UPDATE facets SET tool = CAST(tool AS BLOB)":                      "the table facets holds a value of another kind",
		"UPDATE facets SET tool_folded = 'x'":                              "the table facets has other names",
		"UPDATE facets SET blocked = 2":                                    "the table facets holds a value of another kind",
		"UPDATE events SET tool_folded = 'x' WHERE row_id = 2":             "tool_folded and server_folded do not follow",
		"UPDATE events SET server_folded = 'x' WHERE row_id = 2":           "tool_folded and server_folded do not follow",
		"UPDATE chains SET seq = CAST(seq AS BLOB)":                        "the column seq holds a value of another kind",
		"UPDATE chains SET chain = CAST(chain AS BLOB)":                    "the column chain holds a value of another kind",
		"UPDATE checkpoints SET key_id = CAST(key_id AS BLOB) WHERE n = 1": "the column key_id holds a value of another kind",
		"UPDATE checkpoints SET cut = 2 WHERE n = 1":                       "the column cut holds a value of another kind",
		"UPDATE checkpoints SET time = CAST(time AS BLOB) WHERE n = 1":     "the column time holds a value of another kind",
	} {
		t.Run(change, func(t *testing.T) {
			s := garbledStore(t)
			vouch(t, s)
			mustExec(t, s, change)
			report, err := verify.Check{Record: s}.Run(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			for _, p := range report.Problems {
				if strings.Contains(p.What, want) {
					return
				}
			}
			t.Errorf("no problem says %q: %v", want, report.Problems)
		})
	}
}

// vouch has a key of its own vouch for what is there.
func vouch(t *testing.T, s *Store) {
	t.Helper()
	key, err := checkpoint.OpenKey(t.TempDir() + "/audit.key")
	if err != nil {
		t.Fatal(err)
	}
	if err := custodian.New(custodian.Config{Store: s, Key: key}).Checkpoint(t.Context()); err != nil {
		t.Fatal(err)
	}
}
