package query

import (
	"slices"
	"time"
)

// A Group is what statistics are split by.
type Group string

// The groups.
const (
	ByTool     Group = "tool"
	byServer   Group = "server"
	ByVerdict  Group = "verdict"
	ByRule     Group = "rule"
	ByCode     Group = "code"
	byEmployee Group = "employee"
	byTeam     Group = "team"
	byOrg      Group = "org"
	BySession  Group = "session"
	byModel    Group = "model"
	byProvider Group = "provider"
	ByHour     Group = "hour"
	ByDay      Group = "day"
)

// GroupNames are the groups, in the order in which people think of them.
func GroupNames() []string {
	var names []string
	for _, g := range []Group{
		ByTool, byServer, byEmployee, byTeam, byOrg, BySession, ByVerdict, ByRule, ByCode, byModel, byProvider, ByHour,
		ByDay,
	} {
		names = append(names, string(g))
	}
	return names
}

// ofCalls are the groups that distinguish calls, not responses.
var ofCalls = []Group{ByTool, byServer, ByVerdict, ByRule, ByCode}

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
	return slices.Contains(ofCalls, q.By) || f.Tool != "" || f.Server != "" || f.Verdict != "" || f.Rule != "" || f.Code != "" ||
		f.Surface != "" || f.Blocked != nil || f.CallID != "" || f.WireID != ""
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

// PercentilesOf computes percentiles of samples, which it sorts: each is the least sample that so many hundredths of them do not
// exceed. Without samples they are zero.
func PercentilesOf(samples []int64) Percentiles {
	if len(samples) == 0 {
		return Percentiles{}
	}
	slices.Sort(samples)
	at := func(hundredths int) int64 { return samples[(len(samples)*hundredths+99)/100-1] }
	return Percentiles{P50: at(50), P95: at(95), P99: at(99)}
}
