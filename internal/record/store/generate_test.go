package store

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/query"
)

// A generator makes up a day of the record of a company: up to 200 employees who have agents at work.
type generator struct {
	rng    *rand.Rand
	people int
	step   time.Duration // between requests
	now    time.Time
	seq    int64
	queue  []record.Entry
	census *census
	hours  extent
}

// eventsPerRequest is how many events a request leaves behind, on average, or a little less: a million is to be no less than that.
const eventsPerRequest = 4.3

func newGenerator(begin time.Time, events int) *generator {
	return &generator{
		rng: rand.New(rand.NewPCG(7, uint64(events))), people: min(200, max(12, events/25)), now: begin, step: time.Duration(24 * float64(time.Hour) / float64(events) * eventsPerRequest),
		census: newCensus(), hours: extent{},
	}
}

var (
	madeTools = []string{"Bash", "Read", "Edit", "Grep", "Glob", "Write", "WebFetch", "Task", "TodoWrite", "exec_command"}
	madeTeams = []string{"payments", "core", "web", "mobile", "data", "infra", "security", "search", "growth", "billing", "support", "research"}
	made      = []struct{ provider, model string }{
		{"anthropic", "claude-large"}, {"anthropic", "claude-small"}, {"openai", "gpt-large"}, {"gemini", "gemini-fast"},
	}
)

// tool is one of a few most of the time.
func (g *generator) tool() (server, tool string) {
	if n := g.rng.IntN(100); n < 85 {
		return "", madeTools[min(g.rng.IntN(10), g.rng.IntN(10))]
	}
	return "files", fmt.Sprint("mcp__files__op", g.rng.IntN(30))
}

// request queues what one request leaves behind.
func (g *generator) request() {
	g.now = g.now.Add(g.step)
	// A third of the people is at work at any time.
	person := (g.now.Hour()/8*(g.people/3) + g.rng.IntN(g.people/3+1)) % g.people
	m := made[person%len(made)]
	base := record.Columns{
		Employee: fmt.Sprintf("employee%03d@acme.com", person), Team: madeTeams[person%len(madeTeams)], Org: "acme", Key: fmt.Sprint("key", person),
		Session: fmt.Sprint("session-", person), Provider: m.provider, Model: m.model,
		RequestID: fmt.Sprintf("req_%016x", g.rng.Uint64()), ResponseID: fmt.Sprintf("msg_%016x", g.rng.Uint64()), Micros: g.now.UnixMicro(),
	}
	calls := g.rng.IntN(5)
	var slots []slot
	for range calls {
		c := base
		c.Type, c.Surface, c.Verdict = record.Types.ToolCall, string(call.Response), "allow"
		c.Server, c.Tool = g.tool()
		c.CallID, c.WireID = fmt.Sprintf("call_%016x", g.rng.Uint64()), fmt.Sprintf("toolu_%016x", g.rng.Uint64())
		switch n := g.rng.IntN(100); {
		case n < 4:
			c.Verdict, c.Blocked, c.Code, c.Rule, c.Reason = "deny", true, call.CodeArgsDenied, fmt.Sprint("rule-", n), "Not allowed here."
		case n < 8:
			c.Verdict, c.Rule = "audit", "watch"
		}
		g.add(c, fmt.Sprintf(`"args":{"command":"go test ./%s","description":"%s"}`, c.WireID, strings.Repeat("x", 80)))
		slots = append(slots, slotsOf(facetOf(c), false, c.Micros)...)
		if !c.Blocked && g.rng.IntN(10) < 7 {
			r := base
			r.Type, r.Surface, r.Tool, r.CallID, r.WireID = record.Types.ToolResult, string(call.Inbound), c.Tool, c.CallID, c.WireID
			r.ResultBytes, r.ResultFailed = g.rng.Int64N(10_000), g.rng.IntN(2) == 0
			g.add(r, fmt.Sprintf(`"detail":{"size_bytes":%d,"is_error":%t}`, r.ResultBytes, r.ResultFailed))
		}
	}
	d := base
	d.Type = record.Types.ResponseDone
	d.Numbers = record.Numbers{
		Calls: int64(calls), InputTokens: g.rng.Int64N(4000), CacheTokens: g.rng.Int64N(90_000), OutputTokens: g.rng.Int64N(2000), CostMicros: g.rng.Int64N(60_000),
		UpstreamMicros: 300_000 + g.rng.Int64N(20_000_000), HeldMicros: g.rng.Int64N(12_000), JudgedMicros: g.rng.Int64N(900), RecordedMicros: g.rng.Int64N(8_000),
	}
	d.TotalMicros = d.UpstreamMicros + d.HeldMicros
	g.add(d, `"detail":{}`)
	g.share(d, slots)
}

// share gives calls their share, as addShares does.
func (g *generator) share(d record.Columns, slots []slot) {
	g.census.shares = nil
	for _, s := range slots {
		n := g.census.tallies[s]
		n.input, n.cache, n.output, n.cost = n.input+d.InputTokens/d.Calls, n.cache+d.CacheTokens/d.Calls, n.output+d.OutputTokens/d.Calls, n.cost+d.CostMicros/d.Calls
		g.census.tallies[s] = n
	}
}

func (g *generator) add(c record.Columns, more string) {
	g.seq++
	c.Chain, c.Seq = "chain_generated", g.seq
	c.Hash = fmt.Sprintf("%016x%016x%016x%016x", g.rng.Uint64(), g.rng.Uint64(), g.rng.Uint64(), g.rng.Uint64())
	text := fmt.Sprintf(`{"v":1,"id":"evt_%d","time":"%s","type":"%s","session":"%s","actor":{"org":"acme","team":"%s","employee":"%s","key":"%s"},`+
		`"request_id":"%s","response_id":"%s","provider":"%s","model":"%s","surface":"%s","tool":"%s","verdict":"%s","blocked":%t,"code":"%s","reason":"%s","rule":"%s",%s,"chain":"chain_generated","seq":%d,"prev_hash":"%064d"}`,
		g.seq, g.now.Format(time.RFC3339), c.Type, c.Session, c.Team, c.Employee, c.Key, c.RequestID, c.ResponseID, c.Provider, c.Model, c.Surface,
		c.Tool, c.Verdict, c.Blocked, c.Code, c.Reason, c.Rule, more, g.seq, g.seq)
	g.queue = append(g.queue, record.Entry{Columns: c, Text: []byte(text)})
	g.census.add(c)
	g.hours.add(c.Micros, g.seq)
}

// next is one event more, or none when the day is over.
func (g *generator) next(until time.Time) (record.Entry, bool) {
	for len(g.queue) == 0 {
		if !g.now.Add(g.step).Before(until) {
			return record.Entry{}, false
		}
		g.request()
	}
	e := g.queue[0]
	g.queue = g.queue[1:]
	return e, true
}

// generatedDays is how many days a generated record goes back.
const generatedDays = 90

// generate fills an empty store with about so many events of the last 90 days, past everything that would make it slow. One
// day is made up; the others are like it. Then a tool appears that nobody has used before.
func generate(tb testing.TB, s *Store, events int) {
	tb.Helper()
	indexes := dropIndexes(tb, s)
	const day = 24 * time.Hour
	end := time.Now().Add(30 * time.Minute).Truncate(time.Hour) // so that the last hour always has events
	begin := end.Add(-generatedDays * day)
	g := newGenerator(begin, events/generatedDays)
	if isPostgres(s.write.flavour) {
		copyEvents(tb, s, g, begin.Add(day), end)
	} else {
		insertEvents(tb, s, g, begin.Add(day))
	}
	err := atLeisure(tb.Context(), s, func(ctx context.Context, tx transaction) error {
		all := append(g.census.statements(tx.flavour), g.hours.statements()...)
		for k := range generatedDays - 1 {
			all = append(all, repeatDay(k+1, g.seq))
		}
		all = append(all, repeatTallies(tx.flavour, g.seq)...)
		for _, c := range all {
			if _, err := tx.exec(ctx, c.query, c.args...); err != nil {
				return fmt.Errorf("%s: %w", c.query, err)
			}
		}
		_, err := tx.exec(ctx, "INSERT INTO chains (chain, seq, hash) VALUES ('chain_generated', ?, '')", g.seq*generatedDays)
		return err
	})
	if err != nil {
		tb.Fatal(err)
	}
	if !isPostgres(s.write.flavour) {
		mustExec(tb, s, "PRAGMA cache_size = -500000")
	}
	for _, index := range indexes {
		mustExec(tb, s, index)
	}
	appendEvents(tb, s, record.Event{
		Type: record.Types.ToolCall, Surface: call.Response, Tool: "brand_new_tool",
		Ruling: record.Ruling{Verdict: "allow"},
	})
	if isPostgres(s.write.flavour) {
		mustExec(tb, s, "VACUUM ANALYZE")
	}
}

// repeatDay repeats the first day, which has so many events, k days later.
func repeatDay(k int, events int64) statement {
	later := func(id string) string {
		return fmt.Sprintf("CASE WHEN %s = '' THEN '' ELSE %s || '.%d' END", id, id, k)
	}
	moved := map[string]string{
		"seq": fmt.Sprintf("seq + %d", int64(k)*events), "time": fmt.Sprintf("time + %d", int64(k)*24*microsPerHour),
		"session": later("session"), "request_id": later("request_id"), "response_id": later("response_id"), "call_id": later("call_id"), "wire_id": later("wire_id"),
	}
	columns := strings.Split(storedColumns, ", ")
	for i, c := range columns {
		if m, ok := moved[c]; ok {
			columns[i] = m
		}
	}
	return statement{
		"INSERT INTO events (" + storedColumns + ") SELECT " + strings.Join(columns, ", ") + " FROM events WHERE row_id <= ? ORDER BY row_id", []any{events},
	}
}

// repeatTallies does the same with statistics. They too come in the order of time, which is how a server keeps them.
func repeatTallies(f flavour, events int64) []statement {
	order := ""
	if isPostgres(f) {
		order = " ORDER BY 3"
	}
	days := fmt.Sprintf("WITH RECURSIVE days (k) AS (SELECT 1 UNION ALL SELECT k + 1 FROM days WHERE k < %d) ", generatedDays-1)
	return []statement{
		{"CREATE TEMPORARY TABLE first_day AS SELECT * FROM tallies", nil},
		{days + "INSERT INTO tallies (" + tallyColumns + `) SELECT facet, span, begins + 86400000000 * k, sum(events), sum(input_tokens), sum(cache_tokens), sum(output_tokens), sum(cost_micros)
			FROM first_day CROSS JOIN days GROUP BY facet, span, begins + 86400000000 * k` + order + orAdd, nil},
		{"DROP TABLE first_day", nil},
		{days + fmt.Sprintf("INSERT INTO hours (hour, first_row, last_row) SELECT hour + 24 * k, first_row + k * %d, last_row + k * %d FROM hours CROSS JOIN days WHERE TRUE", events, events), nil},
	}
}

// atLeisure does work in one transaction that may take as long as it does.
func atLeisure(ctx context.Context, s *Store, work func(context.Context, transaction) error) error {
	tx, err := s.write.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback() // after a commit it does nothing; before, the first error is the one to tell
	if isPostgres(s.write.flavour) {
		if _, err := tx.ExecContext(ctx, "SET LOCAL statement_timeout = 0"); err != nil {
			return err
		}
	}
	if err := work(ctx, transaction{tx, s.write.flavour}); err != nil {
		return err
	}
	return tx.Commit()
}

func mustExec(tb testing.TB, s *Store, query string, args ...any) {
	tb.Helper()
	conn, err := s.write.Conn(tb.Context())
	if err != nil {
		tb.Fatal(err)
	}
	defer conn.Close() // it goes back to the pool
	if isPostgres(s.write.flavour) {
		if _, err := conn.ExecContext(tb.Context(), "SET statement_timeout = 0; SET maintenance_work_mem = '500MB'"); err != nil {
			tb.Fatal(err)
		}
	}
	if _, err := conn.ExecContext(tb.Context(), s.write.flavour.text(query), args...); err != nil {
		tb.Fatal(query, err)
	}
}

// dropIndexes drops the indexes of events and returns what makes them again.
func dropIndexes(tb testing.TB, s *Store) (create []string) {
	tb.Helper()
	query := "SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND tbl_name = 'events' AND sql IS NOT NULL"
	if isPostgres(s.write.flavour) {
		query = `SELECT indexname, replace(indexdef, ' ON ONLY ', ' ON ') FROM pg_indexes WHERE tablename = 'events' AND schemaname = current_schema()
			AND indexname NOT IN (SELECT conname FROM pg_constraint)`
	}
	rows, err := s.write.Query(query)
	if err != nil {
		tb.Fatal(err)
	}
	var names []string
	for rows.Next() {
		var name, text string
		if err := rows.Scan(&name, &text); err != nil {
			tb.Fatal(err)
		}
		names, create = append(names, name), append(create, text)
	}
	if err := rows.Close(); err != nil {
		tb.Fatal(err)
	}
	for _, name := range names {
		mustExec(tb, s, "DROP INDEX "+name)
	}
	return create
}

func insertEvents(tb testing.TB, s *Store, g *generator, until time.Time) {
	tb.Helper()
	mustExec(tb, s, "PRAGMA synchronous = off")
	for more := true; more; {
		err := atLeisure(tb.Context(), s, func(ctx context.Context, tx transaction) error {
			insert, err := tx.PrepareContext(ctx, insertEvent)
			if err != nil {
				return err
			}
			defer insert.Close() // the transaction ends
			for range 100_000 {
				var e record.Entry
				if e, more = g.next(until); !more {
					return nil
				}
				if _, err := insert.ExecContext(ctx, stored(e)...); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			tb.Fatal(err)
		}
	}
}

func copyEvents(tb testing.TB, s *Store, g *generator, until, end time.Time) {
	tb.Helper()
	b := s.backend.(*postgresBackend)
	var times []int64
	for at := g.now; at.Before(end.AddDate(0, 0, 7)); at = at.AddDate(0, 0, 7) {
		times = append(times, at.UnixMicro())
	}
	if err := b.makeRoom(tb.Context(), times); err != nil {
		tb.Fatal(err)
	}
	err := b.raw(tb.Context(), func(c *pgx.Conn) error {
		if _, err := c.Exec(tb.Context(), "SET statement_timeout = 0"); err != nil {
			return err
		}
		_, err := c.CopyFrom(tb.Context(), pgx.Identifier{"events"}, strings.Split(storedColumns, ", "), pgx.CopyFromFunc(func() ([]any, error) {
			e, more := g.next(until)
			if !more {
				return nil, nil
			}
			return stored(e), nil
		}))
		return err
	})
	if err != nil {
		tb.Fatal(err)
	}
}

// TestGenerate makes sure that what is generated is as if it was recorded: counted by looking at the events it is the same.
func TestGenerate(t *testing.T) {
	onGenerated(t, func(t *testing.T, url string) {
		s := openURL(t, url)
		generate(t, s, 5_000)
		for _, q := range []query.StatsQuery{{}, {By: query.By.Tool}, {By: "employee"}} {
			tallied, err := s.Stats(t.Context(), q)
			if err != nil {
				t.Fatal(err)
			}
			counted := statistics{r: s.View, q: q, groups: map[statKey]*group{}}
			if err := counted.countEvents(t.Context(), q.Filter); err != nil {
				t.Fatal(err)
			}
			for i, g := range counted.result().Groups {
				got := tallied.Groups[i]
				got.Times = query.Times{}
				if got != g {
					t.Errorf("by %q: tallied %+v, counted %+v", q.By, got, g)
				}
			}
		}
	})
}
