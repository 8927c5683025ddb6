package store

import (
	"cmp"
	"flag"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/query"
)

var rows = flag.Int("rows", 0, "how many events to ask questions about (default: a million in benchmarks, fewer in tests)")

// BenchmarkQuestions measures how long answers take on a large record: what the commands ask, and the documentation. It fails
// if a plan reads all events.
func BenchmarkQuestions(b *testing.B) {
	for _, d := range durables(b) {
		b.Run(d.name, func(b *testing.B) {
			s := openURL(b, d.url)
			generate(b, s, cmp.Or(*rows, 1_000_000))
			testPlans(b, s)
			askAll(b, readURL(b, d.url))
		})
	}
}

// askAll asks all questions.
func askAll(b *testing.B, r *View) {
	ask(b, "calls", listings(), func(b *testing.B, f query.Filter) { list(b, r, f) })
	ask(b, "follow", map[string]int64{"no news": 0, "20 rows of news": 20}, func(b *testing.B, news int64) { follow(b, r, news) })
	ask(b, "stats", statistical(), func(b *testing.B, q query.StatsQuery) {
		if _, err := r.Stats(b.Context(), q); err != nil {
			b.Fatal(err)
		}
	})
	ask(b, "sql", documented(b), func(b *testing.B, query string) { answer(b, r.db.DB, query) })
}

// ask asks questions of a kind again and again, and measures the median and the slowest of the answers.
func ask[Q any](b *testing.B, kind string, questions map[string]Q, answer func(*testing.B, Q)) {
	for _, name := range slices.Sorted(maps.Keys(questions)) {
		b.Run(kind+"/"+name, func(b *testing.B) {
			var took []time.Duration
			for b.Loop() {
				began := time.Now()
				answer(b, questions[name])
				took = append(took, time.Since(began))
			}
			b.ReportMetric(0, "ns/op") // the mean; these say more:
			b.ReportMetric(millis(quantile(took, 0.5)), "ms-median")
			b.ReportMetric(millis(quantile(took, 1)), "ms-slowest")
		})
	}
}

// list reads what weir calls shows: calls, each with its result.
func list(b *testing.B, r *View, f query.Filter) {
	b.Helper()
	for e, err := range r.Entries(b.Context(), f) {
		if err != nil {
			b.Fatal(err)
		}
		for _, err := range r.Entries(b.Context(), query.Filter{CallID: e.CallID, Type: record.Types.ToolResult, Limit: 1}) {
			if err != nil {
				b.Fatal(err)
			}
		}
	}
}

// follow takes one look for news, as weir calls --follow does.
func follow(b *testing.B, r *View, news int64) {
	b.Helper()
	last, err := r.LastRow(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	if news > 0 {
		list(b, r, query.Filter{Type: record.Types.ToolCall, AfterRow: last - news, UpToRow: last})
	}
}

// listings are what weir calls asks: for a hundred of the newest.
func listings() map[string]query.Filter {
	blocked := true
	day, week := time.Now().AddDate(0, 0, -1), time.Now().AddDate(0, 0, -7)
	all := map[string]query.Filter{
		"newest":               {},
		"employee":             {Employee: "employee007@acme.com"},
		"employee, one day":    {Employee: "employee007@acme.com", Since: day},
		"employee, one week":   {Employee: "employee007@acme.com", Since: week},
		"refused":              {Blocked: &blocked},
		"refused, one day":     {Blocked: &blocked, Since: day},
		"team and tool":        {Team: "payments", Tool: "Bash"},
		"tool, rare":           {Tool: "brand_new_tool"},
		"tool, with a glob":    {Tool: "mcp__files__*"},
		"tool, there is none":  {Tool: "no_such_tool"},
		"a day two months ago": {Since: day.AddDate(0, -2, 0), Until: day.AddDate(0, -2, 1)},
	}
	for name, f := range all {
		f.Type, f.Limit, f.Newest = record.Types.ToolCall, 100, true
		all[name] = f
	}
	// All of them, to be printed or piped.
	everyone := all["employee, one week"]
	everyone.Limit, everyone.Newest = 0, false
	all["employee, one week, all"] = everyone
	return all
}

// statistical are what weir stats asks. Each answer has counts, tokens, cost and percentiles of times.
func statistical() map[string]query.StatsQuery {
	week, month := query.Filter{Since: time.Now().AddDate(0, 0, -7)}, query.Filter{Since: time.Now().AddDate(0, 0, -30)}
	return map[string]query.StatsQuery{
		"everything":           {},
		"everything by tool":   {By: query.By.Tool},
		"everything by team":   {By: "team"},
		"everything by day":    {By: query.By.Day},
		"a week":               {Filter: week},
		"a week by tool":       {Filter: week, By: query.By.Tool},
		"a week by employee":   {Filter: week, By: "employee"},
		"30 days":              {Filter: month},
		"30 days by tool":      {Filter: month, By: query.By.Tool},
		"one employee by tool": {Filter: query.Filter{Employee: "employee007@acme.com"}, By: query.By.Tool},
		"one employee by day":  {Filter: query.Filter{Employee: "employee007@acme.com"}, By: query.By.Day},
		"one session":          {Filter: query.Filter{Session: "session-7.45"}},
	}
}
