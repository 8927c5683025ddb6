package store

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/query"
	"github.com/weir-gate/weir/internal/record/store/postgrestest"
)

// planOf is how the server would answer a query.
func planOf(t *testing.T, db database, query string, args ...any) string {
	t.Helper()
	rows, err := db.query(t.Context(), "EXPLAIN (COSTS OFF) "+query, args...)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	var plan []string
	for rows.Next() {
		var line string
		if err := rows.Scan(&line); err != nil {
			t.Fatal(err)
		}
		plan = append(plan, line)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return strings.Join(plan, "\n")
}

// fill stores events of five months, of many sessions and tools.
func fill(t testing.TB, s *Store, n int) {
	t.Helper()
	begin := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	step := 150 * 24 * time.Hour / time.Duration(n)
	events := make([]record.Event, 0, n)
	for i := range n {
		events = append(events, record.Event{
			Type: record.Types.ToolCall, Time: begin.Add(time.Duration(i) * step),
			Actor: call.Actor{Session: fmt.Sprint("session-", i%500)}, Tool: fmt.Sprint("Tool", i%300),
			CallID: call.ID(fmt.Sprint("call_", i)), WireID: fmt.Sprint("toolu_", i), Ruling: record.Ruling{Verdict: "allow"},
		})
		switch {
		case i%1000 == 7:
			events[i].Verdict = "deny"
		case i%1000 == 8:
			events[i].Type = record.Types.StreamRefused
		}
	}
	for entries := sealed(t, events...); len(entries) > 0; {
		batch := min(500, len(entries))
		if err := s.Append(t.Context(), entries[:batch]); err != nil {
			t.Fatal(err)
		}
		entries = entries[batch:]
	}
	if _, err := s.write.Exec("ANALYZE"); err != nil {
		t.Fatal(err)
	}
}

// TestPostgresPlans pins that pages are read in order of rows, selective filters with their index, and times from their
// months alone.
func TestPostgresPlans(t *testing.T) {
	s := openURL(t, postgrestest.Database(t))
	fill(t, s, 20_000)
	march := time.Date(2026, 3, 10, 0, 0, 0, 0, time.UTC)
	for name, test := range map[string]struct {
		filter query.Filter
		want   []string
	}{
		"all":     {query.Filter{}, []string{"events_2026_01_pkey"}},
		"follow":  {query.Filter{AfterRow: 19_900}, []string{"events_2026_05_pkey"}},
		"session": {query.Filter{Session: "session-3"}, []string{`"left"(session, 200) = `}},
		"long":    {query.Filter{Session: strings.Repeat("x", 500)}, []string{`"left"(session, 200) = `}},
		"tool":    {query.Filter{Tool: "tool7"}, []string{`"left"(tool_folded, 200) = `}},
		"call":    {query.Filter{CallID: "call_1"}, []string{`"left"(call_id, 200) = `}},
		"wire id": {query.Filter{WireID: "toolu_1"}, []string{`"left"(wire_id, 200) = `}},
		"verdict": {query.Filter{Verdict: "deny"}, []string{"Index Cond: ((verdict = "}},
		"type":    {query.Filter{Type: record.Types.StreamRefused}, []string{"Index Cond: ((type = "}},
		"times":   {query.Filter{Since: march, Until: march.Add(time.Hour)}, []string{"events_2026_03"}},
	} {
		w, err := s.where(t.Context(), test.filter)
		if err != nil {
			t.Fatal(err)
		}
		clause, args := w.sql(10)
		plan := planOf(t, s.db, selectEvents+clause+" ORDER BY row_id LIMIT ?", args...)
		for _, want := range test.want {
			if !strings.Contains(plan, want) {
				t.Errorf("%s: no %q in the plan\n%s", name, want, plan)
			}
		}
		if strings.Contains(plan, "Seq Scan on events_2026_02") {
			t.Errorf("%s: the plan reads whole months\n%s", name, plan)
		}
		if name == "times" && strings.Contains(plan, "events_2026_02") {
			t.Errorf("%s: the plan reads other months\n%s", name, plan)
		}
	}
	between := planOf(t, s.db, "SELECT min(row_id), max(row_id) FROM events WHERE time >= ? AND time < ?", march.UnixMicro(), march.Add(time.Hour).UnixMicro())
	if !strings.Contains(between, "Index Only Scan using events_2026_03_time") {
		t.Errorf("rows of a time: plan\n%s", between)
	}
}

// TestPostgresMemoryPlans pins that whatever is remembered is found by an index, up to the last column that is asked for.
func TestPostgresMemoryPlans(t *testing.T) {
	url := postgrestest.Database(t)
	s := openURL(t, url)
	const remembered = `INSERT INTO kept_rulings (upstream, response_id, response_key, conversation_id, conversation_key, wire_id, wire_key, unit,
			notice, notice_key, tool, released, code, reason, rule, policy_version, time, answered)
		SELECT 'u', '', md5('r' || n/5), '', md5('c' || n/50), '', md5('w' || n), '', '', md5('n' || n), '', n % 10 <> 0, '', '', '', '', 0, false
		FROM generate_series(1, 20000) AS n`
	const spent = "INSERT INTO budgets (scope_key, scope, minute, spent) SELECT md5(n::text), '', n, 1 FROM generate_series(1, 20000) AS n"
	postgrestest.Exec(t, url, remembered, spent, "ANALYZE")
	ruled := func(response, conversation, id string) string {
		clause, args := ruledClause(call.Exchange{Provider: "u", ResponseID: response, Conversation: conversation}, id)
		return planOf(t, s.write, selectRulings+clause, args...)
	}
	for name, test := range map[string]struct{ plan, index, last string }{
		"ruled by response":         {ruled("r", "", "w"), "kept_rulings_", "wire_key = "},
		"ruled by conversation":     {ruled("", "c", "w"), "kept_rulings_", "wire_key = "},
		"ruled by id":               {ruled("", "", "w"), "kept_rulings_wire", "wire_key = "},
		"refused in a response":     {planOf(t, s.write, selectRulings+refusedClause, "u", "r"), "kept_rulings_", "response_key = "},
		"refused in a conversation": {planOf(t, s.write, selectRulings+refusedInClause, "u", "c"), "kept_rulings_conversation", "conversation_key = "},
		"noticed":                   {planOf(t, s.write, selectRulings+noticedClause, "u", "n"), "kept_rulings_notice", "notice_key = "},
		"answered":                  {planOf(t, s.write, setAnswered, true, "u", "c", "w"), "kept_rulings_conversation", "wire_key = "},
		"spends":                    {planOf(t, s.write, selectSpends, 19_990), "budgets_minute", "minute >= "},
		"forgetting":                {planOf(t, s.write, forgetSpends, 5), "budgets_minute", "minute < "},
	} {
		var condition string
		for line := range strings.Lines(test.plan) {
			if strings.Contains(line, "Index Cond: ") {
				condition = line
			}
		}
		if !strings.Contains(test.plan, test.index) || !strings.Contains(condition, test.last) {
			t.Errorf("%s: want %s by %s, plan\n%s", name, test.index, test.last, test.plan)
		}
	}
	// Thousands of calls may have one id, from a server that numbers them: they must not be sorted.
	if plan := ruled("", "", "w"); strings.Contains(plan, "Sort") {
		t.Errorf("ruled by id: plan\n%s", plan)
	}
}
