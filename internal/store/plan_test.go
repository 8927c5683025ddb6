package store

import (
	"testing"
	"time"

	"github.com/weir-gate/weir/internal/audit"
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
	for name, f := range map[string]audit.Filter{
		"employee":          {Employee: "employee007@acme.com"},
		"employee's calls":  {Employee: "employee007@acme.com", Type: audit.TypeToolCall, Verdict: "allow"},
		"team":              {Team: "payments", Type: audit.TypeToolCall},
		"org":               {Org: "globex"},
		"key":               {Key: "key7", Type: audit.TypeToolCall},
		"model":             {Model: "gpt-large", Type: audit.TypeToolCall},
		"provider":          {Provider: "gemini", Type: audit.TypeToolCall},
		"request":           {RequestID: "req_1", Type: audit.TypeToolCall},
		"response":          {ResponseID: "msg_1", Type: audit.TypeToolCall},
		"session":           {Session: "session-7.45", Type: audit.TypeToolCall},
		"tool":              {Tool: "brand_new_tool", Type: audit.TypeToolCall},
		"server":            {Server: "files", Type: audit.TypeToolCall},
		"rule":              {Rule: "rule-1", Type: audit.TypeToolCall},
		"code":              {Code: "args_denied", Type: audit.TypeToolCall},
		"blocked":           {Blocked: &blocked, Type: audit.TypeToolCall},
		"verdict":           {Verdict: "deny", Type: audit.TypeToolCall},
		"type":              {Type: audit.TypeStreamRefused},
		"some types":        {Types: []audit.Type{audit.TypeStreamRefused, audit.TypeRecordGap}, Newest: true, Limit: 10},
		"a day":             {Since: now.AddDate(0, 0, -1), Type: audit.TypeToolCall},
		"an employee's day": {Since: now.AddDate(0, 0, -1), Employee: "employee007@acme.com", Type: audit.TypeToolCall},
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
	for name, filter := range questions {
		for _, by := range groupings {
			q := statistics{r: s.Reader, q: audit.StatsQuery{Filter: filter, By: by}}
			var plans []string
			if known(filter) {
				tally, tallyArgs := q.tallyQuery(24, 1, 500_000)
				times, timesArgs := q.timesQuery(5)
				plans = append(plans, explained(t, s, tally, tallyArgs...), explained(t, s, times, timesArgs...))
			}
			if known(filter) { // only what is left of an hour is counted
				filter.Since, filter.Until = now.Add(-90*time.Minute), now.Add(-70*time.Minute)
			}
			w, err := s.where(t.Context(), filter)
			if err != nil {
				t.Fatal(err)
			}
			count, countArgs := q.eventQuery(w)
			plans = append(plans, explained(t, s, count, countArgs...))
			for _, plan := range plans {
				if readsAll(t, s, plan) {
					t.Errorf("%s by %q: the plan reads everything\n%s", name, by, plan)
				}
			}
		}
	}
}
