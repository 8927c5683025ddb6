package query

import (
	"slices"
	"time"
)

// A Group is what statistics are split by.
type Group string

// By has the groups.
var By = groups{
	Tool: "tool", Server: "server", Verdict: "verdict", Rule: "rule", Code: "code", Employee: "employee", Team: "team", Org: "org",
	Session: "session", Model: "model", Provider: "provider", Hour: "hour", Day: "day",
}

type groups struct{ Tool, Server, Verdict, Rule, Code, Employee, Team, Org, Session, Model, Provider, Hour, Day Group }

// Names returns the groups, in the order in which people think of them.
func (g groups) Names() (names []string) {
	for _, g := range []Group{
		g.Tool, g.Server, g.Employee, g.Team, g.Org, g.Session, g.Verdict, g.Rule, g.Code, g.Model, g.Provider, g.Hour, g.Day,
	} {
		names = append(names, string(g))
	}
	return names
}

// ofCalls are the groups that distinguish calls, not responses.
var ofCalls = []Group{By.Tool, By.Server, By.Verdict, By.Rule, By.Code}

// A StatsQuery asks for statistics of the calls and responses that a filter selects. The filter's type, rows and limit do
// not count.
type StatsQuery struct {
	Filter Filter
	By     Group          // "": all together
	Zone   *time.Location // in which days begin; nil: UTC. An hour belongs to the day that it begins in
}

// OfCalls says whether tokens, cost and times are those of calls: each call has a share of its response's cost, and its response's
// times. That is so when the question distinguishes calls of one response. Otherwise tokens, cost and times are those of responses.
func (q StatsQuery) OfCalls() bool {
	f := q.Filter
	if slices.ContainsFunc(f.Nots(), func(n Filter) bool { return StatsQuery{Filter: n}.OfCalls() }) {
		return true
	}
	return slices.Contains(ofCalls, q.By) || f.Tool != "" || f.Server != "" || f.Verdict != "" || f.Rule != "" || f.Code != "" ||
		f.Surface != "" || f.Blocked != nil || f.CallID != "" || f.IDBegin != "" || f.WireID != "" || len(Words(f.Text)) > 0
}

// Stats are the result of a StatsQuery.
type Stats struct {
	Groups []Stat // by ascending time, or else by descending number of calls
	// Every is how many responses there are for each response in the sample for times; 1: the sample has all.
	Every int64
}

// A Stat is what happened in a group.
type Stat struct {
	Name  string    // of the group
	Begin time.Time // when the hour or the day begins, if the group is one

	Calls     int64 // asked for
	Refused   int64 // of them
	Flagged   int64 // likewise: the verdict is audit
	WouldBe   int64 // likewise: the calls have a verdict that was not enforced
	Responses int64 // 0 if the question is about calls

	InputTokens, CacheTokens, OutputTokens int64
	CostMicros                             int64 // in millionths of a US dollar

	Times Times
}

// Times are how time was spent: percentiles of responses, or of the responses of calls.
type Times struct {
	Measured                                int64 // the size of the sample
	Total, Upstream, Held, Judged, Recorded Percentiles
}

// Percentiles are times in microseconds: so many hundredths of the samples do not exceed them.
type Percentiles struct {
	P50 int64 `json:"p50_us"`
	P95 int64 `json:"p95_us"`
	P99 int64 `json:"p99_us"`
}
