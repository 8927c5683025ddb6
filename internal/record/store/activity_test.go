package store

import (
	"database/sql"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/query"
	"github.com/weir-gate/weir/internal/record/store/storetest"
)

// TestActivity reads every column of the view of a call that has it all.
func TestActivity(t *testing.T) {
	onBackends(t, func(t *testing.T, url string) {
		s := openURL(t, url)
		when := time.Date(2026, 3, 4, 5, 6, 7, 89_000_000, time.UTC)
		actor := call.Actor{Org: "acme", Team: "core", Employee: "ann", Key: "ci", Session: "s1"}
		x := call.Exchange{RequestID: "req_1", ResponseID: "msg_1", Provider: "anthropic", Model: "m1"}
		asked := record.Event{
			Type: record.Types.ToolCall, Time: when, Actor: actor, Exchange: x, CallID: "call_1", WireID: "toolu_1", Surface: call.Response, Server: "files",
			Tool: "read", Args: jsontext.Value(`{"path":"a.txt"}`), Ruling: record.Ruling{
				Verdict: "audit", WouldBe: "deny", Code: "tool_denied",
				Rule: "r1", Reason: "No.",
			},
		}
		inner := asked
		inner.CallID, inner.Within = "call_2", "call_1"
		appendEvents(t, s, asked, inner,
			record.Event{Type: record.Types.ToolResult, Time: when, CallID: "call_1", Detail: record.ToolResult{SizeBytes: 7, Failed: true}},
			record.Event{Type: record.Types.ToolResult, Time: when, CallID: "call_1", Detail: record.ToolResult{SizeBytes: 8}},
			record.Event{Type: record.Types.ResponseDone, Time: when, Actor: actor, Exchange: x, Detail: record.ResponseDone{Released: 2, CostMicros: 5_000_000}},
			record.Event{
				Type: record.Types.ToolCall, Time: when.Add(time.Hour), CallID: "call_3", Surface: call.Response,
				Ruling: record.Ruling{Verdict: "deny", Blocked: true},
			},
		)
		type row struct {
			Micros                                                      int64
			Employee, Team, Org, Key, Session, Provider, Model          string
			Server, Tool, Surface, Verdict, WouldBe, Code, Rule, Reason string
			Blocked                                                     bool
			Args                                                        sql.NullString
			Request, Response, Call, Wire, Within                       string
			ResultBytes                                                 sql.NullInt64
			ResultFailed                                                sql.NullBool
			Cost                                                        sql.NullFloat64
		}
		found, err := s.db.query(t.Context(), `SELECT micros, employee, team, org, key, session, provider, model, server, tool, surface, verdict, would_be, code, rule, reason,
			blocked, args, request_id, response_id, call_id, wire_id, within, result_bytes, result_failed, cost_usd FROM activity ORDER BY row_id`)
		if err != nil {
			t.Fatal(err)
		}
		defer found.Close()
		var got []row
		for found.Next() {
			var r row
			if err := found.Scan(&r.Micros, &r.Employee, &r.Team, &r.Org, &r.Key, &r.Session, &r.Provider, &r.Model, &r.Server, &r.Tool, &r.Surface, &r.Verdict,
				&r.WouldBe, &r.Code, &r.Rule, &r.Reason, &r.Blocked, &r.Args, &r.Request, &r.Response, &r.Call, &r.Wire, &r.Within,
				&r.ResultBytes, &r.ResultFailed, &r.Cost); err != nil {
				t.Fatal(err)
			}
			got = append(got, r)
		}
		if err := found.Err(); err != nil {
			t.Fatal(err)
		}
		first := row{
			when.UnixMicro(), "ann", "core", "acme", "ci", "s1", "anthropic", "m1", "files", "read", "response", "audit", "deny", "tool_denied", "r1", "No.",
			false,
			sql.NullString{String: `{"path":"a.txt"}`, Valid: true},
			"req_1", "msg_1", "call_1", "toolu_1", "",
			sql.NullInt64{Int64: 7, Valid: true},
			sql.NullBool{Bool: true, Valid: true},
			sql.NullFloat64{Float64: 2.5, Valid: true},
		}
		second := first
		second.Call, second.Within, second.ResultBytes, second.ResultFailed, second.Cost = "call_2", "call_1", sql.NullInt64{}, sql.NullBool{}, sql.NullFloat64{}
		third := row{Micros: when.Add(time.Hour).UnixMicro(), Surface: "response", Verdict: "deny", Blocked: true, Call: "call_3"}
		if diff := cmp.Diff([]row{first, second, third}, got); diff != "" {
			t.Errorf("activity (-want +got):\n%s", diff)
		}
		var text string
		if err := s.db.QueryRow("SELECT CAST(time AS TEXT) FROM activity ORDER BY row_id LIMIT 1").Scan(&text); err != nil || !strings.HasPrefix(text, "2026-03-04") {
			t.Errorf("time %q, %v", text, err)
		}
	})
}

// TestActivityOfMCP: a call of an MCP server's tool is shown once, whether a model asked for it, a client made it, or both.
func TestActivityOfMCP(t *testing.T) {
	onBackends(t, func(t *testing.T, url string) {
		s := openURL(t, url)
		appendEvents(t, s,
			record.Event{Type: record.Types.MCPToolSeen, Server: "files", Tool: "seen"},
			record.Event{Type: record.Types.MCPIntercepted, Surface: call.Response, Server: "files", Tool: "both", CallID: "call_1"},
			record.Event{Type: record.Types.MCPCalled, Surface: call.MCP, Server: "files", Tool: "both", CallID: "call_1"},
			record.Event{
				Type: record.Types.MCPIntercepted, Surface: call.Response, Server: "files", Tool: "asked", CallID: "call_2",
				Ruling: record.Ruling{Blocked: true},
			},
			record.Event{Type: record.Types.MCPCalled, Surface: call.MCP, Server: "files", Tool: "made", CallID: "call_3"},
			record.Event{Type: record.Types.MCPRequest, Surface: call.MCP, Server: "files", Tool: "roots/list", CallID: "call_4"},
			record.Event{Type: record.Types.ToolCall, Surface: call.Response, Tool: "own", CallID: "call_5"},
		)
		rows, err := s.db.query(t.Context(), "SELECT tool, surface FROM activity ORDER BY row_id")
		if err != nil {
			t.Fatal(err)
		}
		defer rows.Close()
		var got []string
		for rows.Next() {
			var tool, surface string
			if err := rows.Scan(&tool, &surface); err != nil {
				t.Fatal(err)
			}
			got = append(got, tool+" "+surface)
		}
		if diff := cmp.Diff([]string{"both response", "asked response", "made mcp", "own response"}, got); diff != "" || rows.Err() != nil {
			t.Errorf("%v (-want +got):\n%s", rows.Err(), diff)
		}
	})
}

// TestActivityOfOddCalls: whatever the arguments of one call are, all calls are shown.
func TestActivityOfOddCalls(t *testing.T) {
	onBackends(t, func(t *testing.T, url string) {
		s := openURL(t, url)
		var events []record.Event
		odd := []string{
			`{"nul":"\u0000","half":"\ud83d"}`, `{"a":1,"a":2}`, `{"n":1e400,"chain":"x","seq":1,"prev_hash":"y"}`, `"text"`, `{"deep":` + strings.Repeat("[", 9000) + strings.Repeat("]", 9000) + `}`,
			"{ \"white\" :\t1 }",
		}
		for _, args := range odd {
			events = append(events, record.Event{Type: record.Types.ToolCall, Args: jsontext.Value(args)})
		}
		appendEvents(t, s, append(events, record.Event{Type: record.Types.ToolCall})...)
		if err := unlock(s); err != nil {
			t.Fatal(err)
		}
		mustExec(t, s, "UPDATE events SET text = 'garbled' WHERE row_id = 4")
		if n := answer(t, s.db.DB, "SELECT * FROM activity"); n != len(odd)+1 {
			t.Errorf("%d calls are shown, want %d", n, len(odd)+1)
		}
		for i, want := range odd[:3] {
			var got string
			if err := s.db.queryRow(t.Context(), "SELECT args FROM activity WHERE row_id = ?", i+1).Scan(&got); err != nil || got != want {
				t.Errorf("arguments %s, %v; want %s", got, err, want)
			}
		}
	})
}

// TestStatisticsGo: when events go, the statistics of their hours go too, and what is left is as if it had been alone.
func TestStatisticsGo(t *testing.T) {
	onBackends(t, func(t *testing.T, url string) {
		s := openURL(t, url)
		old := record.Event{
			Type: record.Types.ToolCall, Time: statsBegin, Surface: call.Response, Tool: "gone",
			Ruling: record.Ruling{Verdict: "allow"},
		}
		kept := old
		kept.Time, kept.Tool = statsBegin.Add(48*time.Hour), "kept"
		entries := sealed(t, old, old, kept)
		if err := s.Append(t.Context(), entries); err != nil {
			t.Fatal(err)
		}
		if _, err := storetest.CutBefore(t, s, entries[0].Chain, 3); err != nil {
			t.Fatal(err)
		}
		for table, want := range map[string]int{"facets": 2, "tallies": 3, "hours": 1} {
			if n := answer(t, s.db.DB, "SELECT * FROM "+table); n != want {
				t.Errorf("%d rows are left in %s, want %d", n, table, want)
			}
		}
		got, err := s.Stats(t.Context(), query.StatsQuery{By: query.By.Tool})
		if err != nil || len(got.Groups) != 1 || got.Groups[0].Name != "kept" || got.Groups[0].Calls != 1 {
			t.Errorf("statistics %+v, %v", got, err)
		}
		if _, err := storetest.CutBefore(t, s, entries[0].Chain, 4); err != nil {
			t.Fatal(err)
		}
		for _, table := range []string{"facets", "tallies", "hours"} {
			if n := answer(t, s.db.DB, "SELECT * FROM "+table); n != 0 {
				t.Errorf("%d rows are left in %s", n, table)
			}
		}
	})
}

// TestActivityOfEarlyRefusals: a call that was refused before its arguments were there is one call, with the arguments that followed.
func TestActivityOfEarlyRefusals(t *testing.T) {
	onBackends(t, func(t *testing.T, url string) {
		s := openURL(t, url)
		appendEvents(t, s,
			record.Event{
				Type: record.Types.ToolCall, Surface: call.Response, Tool: "rm", CallID: "call_1",
				Ruling: record.Ruling{Verdict: "deny", Blocked: true}, Detail: record.ToolCall{ArgsFollow: true},
			},
			record.Event{
				Type: record.Types.ToolCall, Surface: call.Response, Tool: "ls", CallID: "call_2", Ruling: record.Ruling{Verdict: "allow"},
				Args: []byte(`{"a":1}`),
			},
			record.Event{
				Type: record.Types.ToolCall, Surface: call.Response, Tool: "rm", CallID: "call_3",
				Ruling: record.Ruling{Verdict: "deny", Blocked: true}, Detail: record.ToolCall{ArgsFollow: true},
			},
			record.Event{Type: record.Types.CallArguments, Surface: call.Response, Tool: "rm", CallID: "call_1", Args: []byte(`{"path":"/"}`)},
		)
		rows, err := s.db.query(t.Context(), "SELECT tool, coalesce(args, 'none') FROM activity ORDER BY row_id")
		if err != nil {
			t.Fatal(err)
		}
		defer rows.Close()
		var got []string
		for rows.Next() {
			var tool, args string
			if err := rows.Scan(&tool, &args); err != nil {
				t.Fatal(err)
			}
			got = append(got, tool+" "+args)
		}
		if diff := cmp.Diff([]string{`rm {"path":"/"}`, `ls {"a":1}`, "rm none"}, got); diff != "" || rows.Err() != nil {
			t.Errorf("%v (-want +got):\n%s", rows.Err(), diff)
		}
		stats, err := s.Stats(t.Context(), query.StatsQuery{})
		if err != nil {
			t.Fatal(err)
		}
		if g := stats.Groups; len(g) != 1 || g[0].Calls != 3 || g[0].Refused != 2 {
			t.Errorf("statistics: %+v, want 3 calls, 2 of them refused", g)
		}
	})
}
