package store

import (
	"strings"
	"testing"
	"time"

	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/query"
)

// testPlans makes sure that what the commands and the documentation ask is answered by an index, on a store with many events.
func testPlans(t testing.TB, s *Store) {
	t.Helper()
	for name, query := range documented(t) {
		if plan := explained(t, s, query); readsAll(t, s, plan) {
			t.Errorf("%s: the plan reads everything\n%s", name, plan)
		}
	}
	last, err := s.LastRow(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	now := time.Now()
	blocked := true
	for name, f := range map[string]query.Filter{
		"employee":          {Employee: "employee007@acme.com"},
		"employee's calls":  {Employee: "employee007@acme.com", Type: record.Types.ToolCall, Verdict: "allow"},
		"team":              {Team: "payments", Type: record.Types.ToolCall},
		"org":               {Org: "globex"},
		"key":               {Key: "key7", Type: record.Types.ToolCall},
		"model":             {Model: "gpt-large", Type: record.Types.ToolCall},
		"provider":          {Provider: "gemini", Type: record.Types.ToolCall},
		"request":           {RequestID: "req_1", Type: record.Types.ToolCall},
		"response":          {ResponseID: "msg_1", Type: record.Types.ToolCall},
		"session":           {Session: "session-7.45", Type: record.Types.ToolCall},
		"beginning of call": {IDBegin: "call_1q3n8k"},
		"tool":              {Tool: "brand_new_tool", Type: record.Types.ToolCall},
		"server":            {Server: "files", Type: record.Types.ToolCall},
		"rule":              {Rule: "rule-1", Type: record.Types.ToolCall},
		"code":              {Code: "args_denied", Type: record.Types.ToolCall},
		"blocked":           {Blocked: &blocked, Type: record.Types.ToolCall},
		"verdict":           {Verdict: "deny", Type: record.Types.ToolCall},
		"type":              {Type: record.Types.StreamRefused},
		"some types":        {Types: []record.Type{record.Types.StreamRefused, record.Types.RecordGap}, Newest: true, Limit: 10},
		"a day":             {Since: now.AddDate(0, 0, -1), Type: record.Types.ToolCall},
		"an employee's day": {Since: now.AddDate(0, 0, -1), Employee: "employee007@acme.com", Type: record.Types.ToolCall},
		"follow":            {AfterRow: last - 100, Tool: "*x*"},
	} {
		w, err := s.where(t.Context(), f)
		if err != nil {
			t.Fatal(err)
		}
		clause, args := w.sql(10)
		for _, order := range []string{" ORDER BY row_id LIMIT ?", " ORDER BY row_id DESC LIMIT ?"} {
			plan := explained(t, s, "SELECT row_id, text FROM events"+clause+order, args...)
			if readsAll(t, s, plan) {
				t.Errorf("%s: the plan reads everything\n%s", name, plan)
			}
		}
	}
	testPages(t, s)
	for name, filter := range questions {
		for _, by := range groupings {
			q := statistics{r: s.View, q: query.StatsQuery{Filter: filter, By: by}}
			var plans []string
			if known(q.q) {
				for _, tally := range q.tallyQueries(period{24, 1, 500_000}) {
					plans = append(plans, explained(t, s, tally.sql, tally.args...))
				}
				times, timesArgs := q.timesQuery(5)
				plans = append(plans, explained(t, s, times, timesArgs...))
			}
			if known(query.StatsQuery{Filter: filter}) { // only what is left of an hour is counted
				filter.Since, filter.Until = now.Add(-90*time.Minute), now.Add(-70*time.Minute)
			}
			w, err := s.where(t.Context(), filter)
			if err != nil {
				t.Fatal(err)
			}
			count, countArgs := q.eventQuery(w)
			timed, timedArgs := q.eventTimesQuery(w)
			plans = append(plans, explained(t, s, count, countArgs...), explained(t, s, timed, timedArgs...))
			for _, plan := range plans {
				if readsAll(t, s, plan) || !isPostgres(s.write.flavour) && strings.Contains(plan, "events_type") {
					t.Errorf("%s by %q: the plan reads everything\n%s", name, by, plan)
				}
			}
		}
	}
}

// testPages makes sure that what is read page by page reads each row once: a page is found by its rows, and what belongs to a row of it by
// an index that finds little else. The index of types is none: it finds a large part of the record, for each page or row anew.
func testPages(t testing.TB, s *Store) {
	t.Helper()
	_, share, _ := strings.Cut(strings.TrimSuffix(addShares, orAdd), "\n")
	for name, test := range map[string]struct {
		query string
		args  []any
		want  []string // of SQLite's plan
	}{
		"columns of a page":     {selectDrawn, []any{100, 140}, []string{"events USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)"}},
		"shares of a page":      {sharesQuery(s.db.flavour), []any{100, 140}, []string{"d USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)", "c USING INDEX events_request (request_id=?"}},
		"shares of a response":  {share, []any{1, 1, 1, 1, "req_1", "chain", 1}, []string{"events USING INDEX events_request (request_id=?"}},
		"what came meanwhile":   {selectEvents + " WHERE row_id > ? ORDER BY row_id", []any{100}, []string{"events USING INTEGER PRIMARY KEY (rowid>?)"}},
		"what is not filled in": {selectUnfilled, []any{100, 140, 500}, []string{"events USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)"}},
		"what is removed":       {selectOldest, []any{"chain", 100, 500}, []string{"(chain=? AND seq>?)"}},
		"how much is removed":   {selectMeasure, []any{"chain", 100, 600}, []string{"(chain=? AND seq>? AND seq<?)"}},
		"chains":                {selectChains, nil, []string{"e USING INDEX sqlite_autoindex_events_1 (chain=? AND seq=?)"}},
	} {
		plan := explained(t, s, test.query, test.args...)
		if isPostgres(s.write.flavour) {
			if name != "what came meanwhile" && readsAll(t, s, plan) {
				t.Errorf("%s: the plan reads everything\n%s", name, plan)
			}
			continue
		}
		for _, want := range test.want {
			if !strings.Contains(plan, want) {
				t.Errorf("%s: no %q in the plan\n%s", name, want, plan)
			}
		}
		if strings.Contains(plan, "events_type") {
			t.Errorf("%s: the plan takes the index of types\n%s", name, plan)
		}
	}
	for name, f := range map[string]query.Filter{
		"verify": {Garbled: true}, "export": {UpToRow: 5000}, "replay": {Types: record.Types.Where(record.Type.IsCall), UpToRow: 5000}, "follow": {Types: record.Types.Where(record.Type.IsCall), AfterRow: 100, Limit: 20},
	} {
		w, err := s.where(t.Context(), f)
		if err != nil {
			t.Fatal(err)
		}
		clause, args := w.sql(500)
		plan := explained(t, s, selectEvents+clause+" ORDER BY row_id LIMIT ?", args...)
		if !isPostgres(s.write.flavour) && (strings.Contains(plan, "TEMP B-TREE") || strings.Contains(plan, "events_type")) || readsAll(t, s, plan) {
			t.Errorf("a page of %s: the plan reads or sorts more than the page\n%s", name, plan)
		}
	}
}
