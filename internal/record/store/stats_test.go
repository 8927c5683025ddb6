package store

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/query"
	"github.com/weir-gate/weir/internal/weirtest/need"
)

// statsBegin is where the time of the events in these tests begins, and statsSpan how far it goes.
var (
	statsBegin = time.Date(2026, 2, 27, 21, 17, 3, 0, time.UTC)
	statsSpan  = 50 * time.Hour
	statsZone  = time.FixedZone("", 5*3600+1800) // not whole hours from UTC
)

// randomEvents are what n requests leave behind, in order of time.
func randomEvents(rng *rand.Rand, n int) []record.Event {
	pick := func(of ...string) string { return of[rng.IntN(len(of))] }
	var events []record.Event
	for i := range n {
		at := statsBegin.Add(statsSpan * time.Duration(i) / time.Duration(n))
		actor := call.Actor{
			Employee: pick("", "ann", "bob", "cleo"), Team: pick("payments", "core"), Org: "acme", Key: pick("", "ci"), Session: pick("s1", "s2", "s3", "s4"),
		}
		x := call.Exchange{RequestID: fmt.Sprint("req_", i), ResponseID: fmt.Sprint("msg_", i%97), Provider: pick("anthropic", "openai", "anthropic", "openai", call.CanaryProvider), Model: pick("m1", "m2", "m3")}
		if rng.IntN(10) == 0 {
			events = append(events, record.Event{
				Type: record.Types.ToolCall, Time: at, Actor: actor, Exchange: x, Surface: call.Inbound, Tool: "web",
				Ruling: record.Ruling{Verdict: "audit"}, CallID: call.ID(fmt.Sprint("offer_", i)),
			})
		}
		calls := rng.IntN(4)
		var refused int
		for j := range calls {
			e := record.Event{
				Type: record.Types.ToolCall, Time: at.Add(time.Duration(j) * time.Second), Actor: actor, Exchange: x, Surface: call.Response,
				CallID: call.ID(fmt.Sprintf("call_%d_%d", i, j)), WireID: fmt.Sprint("toolu_", j), Tool: pick("Bash", "Read", "bash", "mcp__files__read"), Server: pick("", "", "files"),
				Ruling: record.Ruling{Verdict: "allow"},
			}
			if e.Server != "" && rng.IntN(2) == 0 {
				e.Type = record.Types.MCPIntercepted
			}
			switch rng.IntN(6) {
			case 0:
				e.Verdict, e.Blocked, e.Code, e.Rule, e.Reason = "deny", true, pick("tool_denied", "args_denied"), pick("r1", "r2", "r1", call.CanaryRule), "No."
				refused++
			case 1:
				e.Verdict, e.Rule = "audit", "watch"
			case 2:
				e.Verdict, e.WouldBe, e.Code = "audit", "deny", "tool_denied"
			}
			events = append(events, e)
			if rng.IntN(8) == 0 {
				inner := e
				inner.CallID, inner.Within, inner.Tool = e.CallID+"_in", e.CallID, "inner"
				events = append(events, inner)
			}
		}
		if rng.IntN(5) == 0 {
			events = append(events, record.Event{
				Type: record.Types.MCPCalled, Time: at.Add(4 * time.Second), Actor: actor, Surface: call.MCP, Server: "files", Tool: pick("read", "write"),
				CallID: call.ID(fmt.Sprint("made_", i)), Ruling: record.Ruling{Verdict: pick("allow", "audit")},
			}, record.Event{
				Type: record.Types.MCPRequest, Time: at.Add(4 * time.Second), Actor: actor, Surface: call.MCP, Server: "files",
				Tool: "roots/list", Ruling: record.Ruling{Verdict: "allow"},
			})
		}
		if rng.IntN(12) == 0 {
			continue // killed before the response ended
		}
		events = append(events, record.Event{
			Type: record.Types.ResponseDone, Time: at.Add(5 * time.Second), Actor: actor, Exchange: x,
			Detail: record.ResponseDone{
				Usage:    call.Usage{Input: rng.Int64N(1000), Output: rng.Int64N(100), CacheRead: rng.Int64N(5000), CacheCreation: rng.Int64N(10)},
				Released: calls - refused, Refused: refused, CostMicros: rng.Int64N(20_000),
				Timings: record.Timings{
					Started: at, TotalMicros: 1 + rng.Int64N(9_000_000), UpstreamMicros: rng.Int64N(8_000_000), HeldMicros: rng.Int64N(9000),
					JudgedMicros: rng.Int64N(900), RecordedMicros: rng.Int64N(8000),
				},
			},
		})
	}
	return events
}

// naive answers a question by looking at every event.
func naive(t *testing.T, events []record.Event, q query.StatsQuery) []query.Stat {
	t.Helper()
	done := map[string]record.ResponseDone{}
	for _, e := range events {
		if d, ok := e.Detail.(record.ResponseDone); ok {
			done[e.Exchange.RequestID] = d
		}
	}
	groups := map[string]*query.Stat{}
	samples := map[string]*[5][]int64{}
	for _, e := range events {
		isCall := e.Type.IsCall() && (e.Surface != call.Inbound || q.Filter.Surface != "")
		if !isCall && (e.Type != record.Types.ResponseDone || q.OfCalls()) || !selected(e, q.Filter) {
			continue
		}
		name, begin := groupOf(e, q.By)
		key := fmt.Sprint(begin, name)
		if groups[key] == nil {
			groups[key], samples[key] = &query.Stat{Name: name, Begin: begin}, &[5][]int64{}
		}
		g := groups[key]
		d, ended := done[e.Exchange.RequestID]
		share := int64(1)
		if isCall {
			g.Calls++
			switch {
			case e.Blocked:
				g.Refused++
			case e.WouldBe != "":
				g.WouldBe++
			case e.Verdict == "audit":
				g.Flagged++
			}
			share = int64(d.Released + d.Refused)
		} else {
			g.Responses++
		}
		if isCall != q.OfCalls() || !ended {
			continue
		}
		if !isCall || e.Within == "" && e.Surface == call.Response {
			g.InputTokens += d.Usage.Input / share
			g.CacheTokens += (d.Usage.CacheRead + d.Usage.CacheCreation) / share
			g.OutputTokens += d.Usage.Output / share
			g.CostMicros += d.CostMicros / share
		}
		for i, micros := range []int64{d.Timings.TotalMicros, d.Timings.UpstreamMicros, d.Timings.HeldMicros, d.Timings.JudgedMicros, d.Timings.RecordedMicros} {
			samples[key][i] = append(samples[key][i], micros)
		}
	}
	var all []query.Stat
	for key, g := range groups {
		s := samples[key]
		g.Times = query.Times{
			Measured: int64(len(s[0])), Total: percentilesOf(s[0]), Upstream: percentilesOf(s[1]), Held: percentilesOf(s[2]),
			Judged: percentilesOf(s[3]), Recorded: percentilesOf(s[4]),
		}
		all = append(all, *g)
	}
	return all
}

func groupOf(e record.Event, by query.Group) (name string, begin time.Time) {
	switch by {
	case query.By.Hour:
		return "", e.Time.Truncate(time.Hour)
	case query.By.Day:
		// An hour belongs to the day that it begins in.
		at := e.Time.Truncate(time.Hour).In(statsZone)
		return "", time.Date(at.Year(), at.Month(), at.Day(), 0, 0, 0, 0, statsZone)
	case query.By.Tool:
		return e.Tool, time.Time{}
	case "server":
		return e.Server, time.Time{}
	case query.By.Verdict:
		return e.Verdict, time.Time{}
	case query.By.Rule:
		return e.Rule, time.Time{}
	case query.By.Code:
		return e.Code, time.Time{}
	case "employee":
		return e.Actor.Employee, time.Time{}
	case "team":
		return e.Actor.Team, time.Time{}
	case "org":
		return e.Actor.Org, time.Time{}
	case query.By.Session:
		return e.Actor.Session, time.Time{}
	case "model":
		return e.Exchange.Model, time.Time{}
	case "provider":
		return e.Exchange.Provider, time.Time{}
	}
	return "", time.Time{}
}

func selected(e record.Event, f query.Filter) bool {
	if slices.ContainsFunc(f.Not, func(n query.Filter) bool { return selected(e, n) }) {
		return false
	}
	for _, c := range []struct{ want, got string }{
		{f.Session, e.Actor.Session},
		{f.Employee, e.Actor.Employee},
		{f.Team, e.Actor.Team},
		{f.Org, e.Actor.Org},
		{f.Key, e.Actor.Key},
		{f.Provider, e.Exchange.Provider},
		{f.Model, e.Exchange.Model},
		{f.RequestID, e.Exchange.RequestID},
		{f.ResponseID, e.Exchange.ResponseID},
		{f.Verdict, e.Verdict},
		{f.Rule, e.Rule},
		{f.Code, e.Code},
		{f.Surface, string(e.Surface)},
		{f.CallID, string(e.CallID)},
		{f.Server, e.Server},
	} {
		if c.want != "" && c.want != c.got {
			return false
		}
	}
	if !strings.HasPrefix(string(e.CallID), f.IDBegin) {
		return false
	}
	if f.NoCanaries && (e.Exchange.Provider == call.CanaryProvider || e.Rule == call.CanaryRule) {
		return false
	}
	return (f.Tool == "" || query.Folded(e.Tool) == query.Folded(f.Tool) || f.Tool == "mcp*" && e.Tool == "mcp__files__read") &&
		(f.Blocked == nil || *f.Blocked == e.Blocked) && (f.Since.IsZero() || !e.Time.Before(f.Since)) && (f.Until.IsZero() || e.Time.Before(f.Until))
}

var (
	yes, no   = true, false
	questions = map[string]query.Filter{
		"everything":          {},
		"employee":            {Employee: "ann"},
		"nobody":              {Employee: "dave"},
		"team and model":      {Team: "core", Model: "m2"},
		"org":                 {Org: "acme"},
		"key":                 {Key: "ci"},
		"provider":            {Provider: "openai"},
		"tool":                {Tool: "BASH"},
		"tool glob":           {Tool: "mcp*"},
		"server":              {Server: "files"},
		"verdict":             {Verdict: "deny"},
		"rule":                {Rule: "r2"},
		"code":                {Code: "tool_denied"},
		"blocked":             {Blocked: &yes},
		"not blocked":         {Blocked: &no, Employee: "bob"},
		"offers":              {Surface: "inbound"},
		"session":             {Session: "s2"},
		"session's tool":      {Session: "s3", Tool: "Read"},
		"request":             {RequestID: "req_7"},
		"response":            {ResponseID: "msg_3"},
		"call":                {CallID: "call_9_0"},
		"since":               {Since: statsBegin.Add(3*time.Hour + 17*time.Second)},
		"whole hours":         {Since: statsBegin.Truncate(time.Hour), Until: statsBegin.Truncate(time.Hour).Add(7 * time.Hour)},
		"between":             {Since: statsBegin.Add(time.Hour + time.Microsecond), Until: statsBegin.Add(30*time.Hour + 41*time.Minute), Team: "core"},
		"within an hour":      {Since: statsBegin.Add(70 * time.Minute), Until: statsBegin.Add(80 * time.Minute)},
		"across an hour":      {Since: statsBegin.Add(30 * time.Minute), Until: statsBegin.Add(60 * time.Minute), Tool: "Bash"},
		"until":               {Until: statsBegin.Add(9*time.Hour + time.Minute), Employee: "cleo"},
		"session's hours":     {Since: statsBegin.Add(2*time.Hour + time.Second), Until: statsBegin.Add(20 * time.Hour), Session: "s1"},
		"no canaries":         {NoCanaries: true},
		"no canaries' rule":   {NoCanaries: true, Blocked: &yes, Since: statsBegin.Add(2 * time.Hour)},
		"no canaries of":      {NoCanaries: true, Team: "core"},
		"no canaries between": {NoCanaries: true, Since: statsBegin.Add(time.Hour + time.Microsecond), Until: statsBegin.Add(30*time.Hour + 41*time.Minute)},
		"no canaries here":    {NoCanaries: true, Session: "s2"},
		"beginning of a call": {IDBegin: "call_9_"},
		"not a tool":          {Not: []query.Filter{{Tool: "BASH"}}},
		"not tools":           {Not: []query.Filter{{Tool: "mcp*"}, {Tool: "Read"}}, Team: "core"},
		"not an employee":     {Not: []query.Filter{{Employee: "ann"}}},
		"not a model, since":  {Not: []query.Filter{{Model: "m2"}}, Since: statsBegin.Add(3*time.Hour + 17*time.Second)},
		"not a rule":          {Not: []query.Filter{{Rule: "r1"}}, NoCanaries: true},
		"not a person's tool": {Not: []query.Filter{{Employee: "ann", Tool: "Bash"}}},
		"not a session":       {Not: []query.Filter{{Session: "s2"}}},
		"not a surface":       {Not: []query.Filter{{Surface: "mcp"}}},
		"no such time":        {Since: statsBegin.Add(1000 * time.Hour)},
	}
)

var groupings = []query.Group{
	"", query.By.Tool, "server", query.By.Verdict, query.By.Rule, query.By.Code, "employee", "team", "org", query.By.Session, "model", "provider", query.By.Hour, query.By.Day,
}

// TestStats compares every kind of question with an answer from looking at every event.
func TestStats(t *testing.T) {
	need.Long(t)
	onBackends(t, func(t *testing.T, url string) {
		s := openURL(t, url)
		events := randomEvents(rand.New(rand.NewPCG(1, 2)), 300)
		appendEvents(t, s, events...)
		analyse(t, s)
		compareStats(t, s.View, events, groupings...)
	})
}

func compareStats(t *testing.T, r *View, events []record.Event, groupings ...query.Group) {
	t.Helper()
	for name, filter := range questions {
		for _, by := range groupings {
			q := query.StatsQuery{Filter: filter, By: by, Zone: statsZone}
			got, err := r.Stats(t.Context(), q)
			if err != nil {
				t.Fatalf("%s by %q: %v", name, by, err)
			}
			if got.Every != 1 {
				t.Errorf("%s by %q: one in %d was looked at", name, by, got.Every)
			}
			byName := func(a, b query.Stat) int { return cmp.Or(a.Begin.Compare(b.Begin), cmp.Compare(a.Name, b.Name)) }
			want := naive(t, events, q)
			slices.SortFunc(want, byName)
			slices.SortFunc(got.Groups, byName)
			if diff := gocmp.Diff(want, got.Groups); diff != "" {
				t.Errorf("%s by %q (-want +got):\n%s", name, by, diff)
			}
		}
	}
}

// appendEvents stores events in a chain of their own, in batches.
func appendEvents(t testing.TB, s *Store, events ...record.Event) {
	t.Helper()
	for entries := sealed(t, events...); len(entries) > 0; {
		n := min(37, len(entries))
		if err := s.Append(t.Context(), entries[:n]); err != nil {
			t.Fatal(err)
		}
		entries = entries[n:]
	}
}

// analyse does what a server does by itself from time to time.
func analyse(t testing.TB, s *Store) {
	t.Helper()
	if !isPostgres(s.write.flavour) {
		return
	}
	if _, err := s.write.Exec("ANALYZE"); err != nil {
		t.Fatal(err)
	}
}
