package index

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/query"
)

// rowsAsked is how many events benchmarks have: WEIR_INDEX_ROWS, or few.
func rowsAsked(tb testing.TB) int {
	tb.Helper()
	n, err := strconv.Atoi(cmp.Or(os.Getenv("WEIR_INDEX_ROWS"), "200000"))
	if err != nil {
		tb.Fatal(err)
	}
	return n
}

// A company is a log that is made up: 200 employees have agents at work. Everything about a request follows from its number, so that
// texts need not be stored.
type company struct {
	begin time.Time
	step  time.Duration // between requests
}

// eventsPerRequest is how many events a request leaves behind, on average.
const eventsPerRequest = 4.3

// newCompany makes up 90 days with so many events.
func newCompany(events int) *company {
	const span = 90 * 24 * time.Hour
	return &company{time.Now().Add(-span), time.Duration(float64(span) / float64(events) * eventsPerRequest)}
}

var (
	madeTools  = []string{"Bash", "Read", "Edit", "Grep", "Glob", "Write", "WebFetch", "Task", "TodoWrite", "exec_command"}
	madeTeams  = []string{"payments", "core", "web", "mobile", "data", "infra", "security", "search", "growth", "billing", "support", "research"}
	madeModels = []struct{ provider, model string }{
		{"anthropic", "claude-large"}, {"anthropic", "claude-small"}, {"openai", "gpt-large"}, {"gemini", "gemini-fast"},
	}
)

// mostPerRequest is how many events a request can leave behind; at is made of the request's number and the event's.
const mostPerRequest = 16

// request makes up the events of a request.
func (c *company) request(n int64) []record.Event {
	rng := rand.New(rand.NewPCG(7, uint64(n)))
	now := c.begin.Add(time.Duration(n) * c.step)
	person := (now.Hour()/8*66 + rng.IntN(67)) % 200
	m := madeModels[person%len(madeModels)]
	base := record.Event{
		Time:  now,
		Actor: call.Actor{Employee: fmt.Sprintf("employee%03d@acme.com", person), Team: madeTeams[person%len(madeTeams)], Org: "acme", Key: fmt.Sprint("key", person), Session: fmt.Sprintf("session-%d.%d", person, now.YearDay())},
		Exchange: call.Exchange{
			RequestID: fmt.Sprintf("req_%016x", rng.Uint64()), ResponseID: fmt.Sprintf("msg_%016x", rng.Uint64()), Provider: m.provider, Model: m.model,
		},
	}
	var all []record.Event
	calls := rng.IntN(5)
	for range calls {
		e := base
		e.Type, e.Surface, e.Verdict, e.Tool = record.Types.ToolCall, call.Response, "allow", madeTools[min(rng.IntN(10), rng.IntN(10))]
		if rng.IntN(100) >= 85 {
			e.Server, e.Tool = "files", fmt.Sprint("mcp__files__op", rng.IntN(30))
		}
		e.CallID, e.WireID = call.ID(fmt.Sprintf("call_%016x", rng.Uint64())), fmt.Sprintf("toolu_%016x", rng.Uint64())
		switch k := rng.IntN(100); {
		case k < 4:
			e.Verdict, e.Blocked, e.Code, e.Rule, e.Reason = "deny", true, call.CodeArgsDenied, fmt.Sprint("rule-", k), "Not allowed here."
		case k < 8:
			e.Verdict, e.Rule = "audit", "watch"
		}
		var text strings.Builder
		for range 12 { // words, some of them frequent
			fmt.Fprintf(&text, "w%d ", min(rng.IntN(5000), rng.IntN(5000), rng.IntN(5000)))
		}
		e.Args = jsontext.Value(fmt.Sprintf(`{"command":"go test ./%x","description":"%s"}`, rng.Uint32(), text.String()))
		all = append(all, e)
		if !e.Blocked && rng.IntN(10) < 7 {
			r := base
			r.Type, r.Surface, r.Tool, r.CallID, r.WireID = record.Types.ToolResult, call.Inbound, e.Tool, e.CallID, e.WireID
			r.Detail = record.ToolResult{SizeBytes: rng.Int64N(10_000), Failed: rng.IntN(2) == 0}
			all = append(all, r)
		}
	}
	base.Type = record.Types.ResponseDone
	upstream := 300_000 + rng.Int64N(20_000_000)
	base.Detail = record.ResponseDone{
		Usage: call.Usage{Input: rng.Int64N(4000), CacheRead: rng.Int64N(90_000), Output: rng.Int64N(2000)}, Released: calls, CostMicros: rng.Int64N(60_000),
		Timings: record.Timings{
			Started: now, UpstreamMicros: upstream, HeldMicros: rng.Int64N(12_000), JudgedMicros: rng.Int64N(900), RecordedMicros: rng.Int64N(8_000),
			TotalMicros: upstream + rng.Int64N(12_000),
		},
	}
	return append(all, base)
}

// entry makes an entry. All have the same place in a chain.
func entry(e record.Event, at int64) (record.Entry, error) {
	e.ID = fmt.Sprint("evt_", at)
	u, err := e.Encode()
	if err != nil {
		return record.Entry{}, err
	}
	sealed, _ := record.Head{Chain: "chain_made", Seq: at, Hash: record.Genesis}.Next(u)
	return sealed, nil
}

// Text implements Texts.
func (c *company) Text(_ string, at int64) ([]byte, error) {
	all := c.request(at / mostPerRequest)
	if int(at%mostPerRequest) >= len(all) {
		return nil, fs.ErrNotExist
	}
	e, err := entry(all[at%mostPerRequest], at)
	return e.Text, err
}

// batch makes the events of requests from a number on, at least so many events, and returns the number of the next request.
func (c *company) batch(tb testing.TB, from int64, least int) (all []Placed, next int64) {
	tb.Helper()
	for ; len(all) < least; from++ {
		for i, e := range c.request(from) {
			at := from*mostPerRequest + int64(i)
			sealed, err := entry(e, at)
			if err != nil {
				tb.Fatal(err)
			}
			all = append(all, Placed{At: at, After: at + 1, Entry: sealed})
		}
	}
	return all, from
}

// fill applies so many events, and returns how long that took, and how much CPU time.
func (c *company) fill(tb testing.TB, x *Index, events, batch int) (took time.Duration, used int64, n int) {
	tb.Helper()
	for from := int64(0); n < events; {
		all, next := c.batch(tb, from, batch)
		began, before := time.Now(), cpu()
		if err := x.Apply(tb.Context(), "made", from*mostPerRequest, next*mostPerRequest, all); err != nil {
			tb.Fatal(err)
		}
		took, used = took+time.Since(began), used+cpu()-before
		from, n = next, n+len(all)
	}
	return took, used, n
}

func sizeOf(tb testing.TB, folder string) (size int64) {
	tb.Helper()
	err := filepath.WalkDir(folder, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		size += info.Size()
		return err
	})
	if err != nil {
		tb.Fatal(err)
	}
	return size
}

// BenchmarkApply measures how fast events are indexed, in batches of different sizes, and how large the index becomes.
func BenchmarkApply(b *testing.B) {
	for _, batch := range []int{100, 2000, 10_000} {
		b.Run(fmt.Sprint("batch=", batch), func(b *testing.B) {
			for b.Loop() {
				c := newCompany(rowsAsked(b))
				folder := b.TempDir()
				x, err := Open(b.Context(), Config{Folder: folder, Texts: c})
				if err != nil {
					b.Fatal(err)
				}
				took, used, n := c.fill(b, x, rowsAsked(b), batch)
				if err := x.Close(); err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(float64(n)/took.Seconds(), "events/s")
				b.ReportMetric(float64(used)/1e3/float64(n), "cpu-us/event")
				b.ReportMetric(float64(sizeOf(b, folder))/float64(n), "B/event")
			}
			b.ReportMetric(0, "ns/op")
		})
	}
}

// BenchmarkQuestions measures how long answers take.
func BenchmarkQuestions(b *testing.B) {
	n := rowsAsked(b)
	c := newCompany(n)
	folder := filepath.Join(b.TempDir(), "index")
	x, err := Open(b.Context(), Config{Folder: folder, Texts: c})
	if err != nil {
		b.Fatal(err)
	}
	took, used, n := c.fill(b, x, n, 5000)
	b.Logf("%d events, %.0f events/s, %.1f µs CPU and %.1f bytes an event", n, float64(n)/took.Seconds(), float64(used)/1e3/float64(n), float64(sizeOf(b, folder))/float64(n))
	if err := x.Close(); err != nil {
		b.Fatal(err)
	}
	v, err := openReadOnly(b.Context(), Config{Folder: folder, Texts: c})
	if err != nil {
		b.Fatal(err)
	}
	defer v.Close()
	ask(b, "calls", listings(c), func(ctx context.Context, v *View, f query.Filter) error {
		_, err := collect(ctx, v, f)
		return err
	}, folder, c)
	ask(b, "stats", statistical(), func(ctx context.Context, v *View, q query.StatsQuery) error {
		_, err := v.Stats(ctx, q)
		return err
	}, folder, c)
	last, err := v.LastRow(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	ask(b, "follow", map[string]int64{"no news": 0, "20 rows of news": 20}, func(ctx context.Context, v *View, news int64) error {
		if _, err := v.LastRow(ctx); err != nil || news == 0 {
			return err
		}
		_, err := collect(ctx, v, query.Filter{Type: record.Types.ToolCall, AfterRow: last - news, UpToRow: last})
		return err
	}, folder, c)
}

// ask asks questions of a kind again and again, and measures the median and the slowest of the answers, and the first one of a process
// that has just opened the index.
func ask[Q any](b *testing.B, kind string, questions map[string]Q, answer func(context.Context, *View, Q) error, folder string, c *company) {
	for _, name := range slices.Sorted(maps.Keys(questions)) {
		b.Run(kind+"/"+name, func(b *testing.B) {
			began, used := time.Now(), cpu()
			v, err := openReadOnly(b.Context(), Config{Folder: folder, Texts: c})
			if err != nil {
				b.Fatal(err)
			}
			defer v.Close()
			if err := answer(b.Context(), v, questions[name]); err != nil {
				b.Fatal(err)
			}
			first, firstUsed := time.Since(began), cpu()-used
			used = cpu()
			var took []time.Duration
			for b.Loop() {
				began := time.Now()
				if err := answer(b.Context(), v, questions[name]); err != nil {
					b.Fatal(err)
				}
				took = append(took, time.Since(began))
			}
			used = cpu() - used
			slices.Sort(took)
			b.ReportMetric(0, "ns/op") // the mean; these say more:
			b.ReportMetric(first.Seconds()*1000, "ms-first")
			b.ReportMetric(float64(firstUsed)/1e6, "cpu-ms-first") // says more on a machine that others use, too
			b.ReportMetric(float64(used)/1e6/float64(len(took)), "cpu-ms")
			b.ReportMetric(took[len(took)/2].Seconds()*1000, "ms-median")
			b.ReportMetric(took[len(took)-1].Seconds()*1000, "ms-slowest")
		})
	}
}

// listings are what weir calls asks.
func listings(c *company) map[string]query.Filter {
	blocked := true
	day, week := time.Now().AddDate(0, 0, -1), time.Now().AddDate(0, 0, -7)
	all := map[string]query.Filter{
		"newest":               {},
		"employee":             {Employee: "employee007@acme.com"},
		"employee, one day":    {Employee: "employee007@acme.com", Since: day},
		"employee, one week":   {Employee: "employee007@acme.com", Since: week},
		"refused":              {Blocked: &blocked},
		"rule":                 {Rule: "rule-1"},
		"team and tool":        {Team: "payments", Tool: "Bash"},
		"model":                {Model: "gemini-fast"},
		"server":               {Server: "files"},
		"session":              {Session: "session-7.300"},
		"tool, rare":           {Tool: "mcp__files__op7", Employee: "employee007@acme.com", Blocked: &blocked},
		"tool, with a glob":    {Tool: "mcp__files__*"},
		"tool, there is none":  {Tool: "no_such_tool"},
		"a day two months ago": {Since: day.AddDate(0, -2, 0), Until: day.AddDate(0, -2, 1)},
		"words, frequent":      {Text: "w17 test"},
		"words, rare":          {Text: "w4100 w3900"},
		"words, none":          {Text: "nothing of it"},
	}
	for name, f := range all {
		f.Type, f.Limit, f.Newest = record.Types.ToolCall, 50, true
		all[name] = f
	}
	old := c.request(1000)
	for i := int64(1000); len(old) < 3; i++ {
		old = c.request(i)
	}
	all["one call, by its id"] = query.Filter{CallID: string(old[0].CallID)}
	all["one call, by its wire id"] = query.Filter{WireID: old[0].WireID}
	all["one request"] = query.Filter{RequestID: old[0].Exchange.RequestID}
	all["one response"] = query.Filter{ResponseID: old[0].Exchange.ResponseID}
	all["no such call"] = query.Filter{CallID: "call_none"}
	return all
}

// statistical are what weir stats asks.
func statistical() map[string]query.StatsQuery {
	all := map[string]query.StatsQuery{}
	for _, by := range groupings {
		all["by "+cmp.Or(string(by), "nothing")] = query.StatsQuery{By: by, Filter: query.Filter{NoCanaries: true}}
	}
	month := query.Filter{Since: time.Now().AddDate(0, 0, -30)}
	all["30 days by tool"] = query.StatsQuery{Filter: month, By: query.By.Tool}
	all["30 days by employee"] = query.StatsQuery{Filter: month, By: query.By.Employee}
	all["one employee by tool"] = query.StatsQuery{Filter: query.Filter{Employee: "employee007@acme.com"}, By: query.By.Tool}
	all["one employee by day"] = query.StatsQuery{Filter: query.Filter{Employee: "employee007@acme.com"}, By: query.By.Day}
	all["one team by tool"] = query.StatsQuery{Filter: query.Filter{Team: "core"}, By: query.By.Tool}
	all["one tool by employee"] = query.StatsQuery{Filter: query.Filter{Tool: "Bash"}, By: query.By.Employee}
	all["one session"] = query.StatsQuery{Filter: query.Filter{Session: "session-7.300"}}
	return all
}
