package store

import (
	"cmp"
	"context"
	"database/sql"
	"slices"
	"time"

	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/query"
)

// Stats computes statistics of calls and responses.
//
// Whole hours come from the tallies. The rest of the first and the last hour is counted from events. Everything is counted from
// events if the question is about a session, a request, a response or a call, or is split by sessions: tallies do not have these.
// Times come from a sample of responses if there are very many.
func (r *View) Stats(ctx context.Context, q query.StatsQuery) (query.Stats, error) {
	q.Filter.Types = nil
	q.Filter.Type, q.Filter.AfterRow, q.Filter.UpToRow, q.Filter.Limit = "", 0, 0, 0
	s := statistics{r: r, q: q, groups: map[statKey]*group{}, every: 1}
	if err := s.count(ctx); err != nil {
		return query.Stats{}, sqlError("read statistics", err)
	}
	if err := s.sample(ctx); err != nil {
		return query.Stats{}, sqlError("read times", err)
	}
	return s.result(), nil
}

// statistics are a result in the making.
type statistics struct {
	r      *View
	q      query.StatsQuery
	groups map[statKey]*group
	every  int64
}

// A group is a Stat in the making.
type group struct {
	query.Stat
	samples [5][]int64 // total, upstream, held, judged, recorded
}

// A groupKey is a group as a query returns it: a name or an hour.
type groupKey struct {
	name sql.NullString
	hour sql.NullInt64
}

// A statKey identifies a group.
type statKey struct {
	name  string
	begin int64 // in seconds since 1970
}

func (s *statistics) group(k groupKey) *group {
	stat := query.Stat{Name: k.name.String}
	if k.hour.Valid {
		stat.Begin = s.begin(k.hour.Int64)
	}
	key := statKey{stat.Name, stat.Begin.Unix()}
	g := s.groups[key]
	if g == nil {
		g = &group{Stat: stat}
		s.groups[key] = g
	}
	return g
}

// begin is the beginning of the hour, or of the day that the hour begins in.
func (s *statistics) begin(hour int64) time.Time {
	zone := s.q.Zone
	if zone == nil {
		zone = time.UTC
	}
	t := time.Unix(hour*3600, 0).In(zone)
	if s.q.By != query.By.Day {
		return t
	}
	year, month, day := t.Date()
	return time.Date(year, month, day, 0, 0, 0, 0, zone)
}

// known says whether tallies have what the question needs.
func known(q query.StatsQuery) bool {
	f := q.Filter
	if slices.ContainsFunc(f.Nots(), func(n query.Filter) bool { return !known(query.StatsQuery{Filter: n}) }) {
		return false
	}
	return q.By != query.By.Session && f.Session == "" &&
		f.RequestID == "" && f.ResponseID == "" && f.CallID == "" && f.IDBegin == "" && f.WireID == ""
}

// count fills in the groups, except for their times.
func (s *statistics) count(ctx context.Context) error {
	f := s.q.Filter
	if !known(s.q) {
		return s.countEvents(ctx, f)
	}
	since, until := span(f)
	oldest, newest, err := s.extent(ctx)
	if err != nil {
		return err
	}
	// The hours that are wholly within.
	first, end := max(hourOf(since), oldest), min(hourOf(until), newest)
	if first == hourOf(since) && since%microsPerHour != 0 {
		first++
	}
	if first >= end {
		return s.countEvents(ctx, f)
	}
	if err := s.countTallies(ctx, first, end); err != nil {
		return err
	}
	if since > oldest*microsPerHour && since < first*microsPerHour {
		edge := f
		edge.Until = fromMicros(first * microsPerHour)
		if err := s.countEvents(ctx, edge); err != nil {
			return err
		}
	}
	if end < newest && end*microsPerHour < until {
		edge := f
		edge.Since = fromMicros(end * microsPerHour)
		return s.countEvents(ctx, edge)
	}
	return nil
}

// extent returns the first hour of the record, and the first hour of the day after its last hour.
func (s *statistics) extent(ctx context.Context) (oldest, newest int64, err error) {
	ctx, cancel := s.r.db.bounded(ctx)
	defer cancel()
	err = s.r.db.queryRow(ctx, "SELECT coalesce(min(hour), 0), coalesce(max(hour), 0) / 24 * 24 + 24 FROM hours").Scan(&oldest, &newest)
	return oldest, newest, err
}

// countTallies adds the hours from first until before end. It uses tallies of days for whole days, unless the question needs hours
// or is answered by summaries, which have no days.
func (s *statistics) countTallies(ctx context.Context, first, end int64) error {
	const day = 24
	begin, rest := (first+day-1)/day*day, end/day*day
	if begin >= rest || s.q.By == query.By.Hour || s.q.By == query.By.Day || s.summarised() {
		begin, rest = end, end
	}
	for _, p := range []period{{1, first, begin}, {day, begin, rest}, {1, rest, end}} {
		if p.first >= p.end {
			continue
		}
		for _, q := range s.tallyQueries(p) {
			if err := s.collect(ctx, q.sql, q.args, q.times); err != nil {
				return err
			}
		}
	}
	return nil
}

// A period is the hours from first until before end, in tallies that span so many hours each.
type period struct{ span, first, end int64 }

// countEvents adds the events that a filter selects.
func (s *statistics) countEvents(ctx context.Context, f query.Filter) error {
	w, err := s.r.where(ctx, f)
	if err != nil {
		return err
	}
	query, args := s.eventQuery(w)
	return s.collect(ctx, query, args, 1)
}

// collect adds up rows of: group, hour, type, surface, blocked, verdict not enforced, flagged, and counts, each so many times.
func (s *statistics) collect(ctx context.Context, query string, args []any, times int64) error {
	ctx, cancel := s.r.db.bounded(ctx)
	defer cancel()
	return eachRow(func(rows *sql.Rows) error {
		var k groupKey
		var typ record.Type
		var blocked, wouldBe, flagged bool
		var n counts
		if err := rows.Scan(&k.name, &k.hour, &typ, &blocked, &wouldBe, &flagged, &n.events, &n.input, &n.cache, &n.output, &n.cost); err != nil {
			return err
		}
		s.group(k).add(typ, n.times(times), blocked, wouldBe, flagged, s.q.OfCalls())
		return nil
	})(s.r.db.query(ctx, query, args...))
}

// add counts events of a type. Either calls or responses have the tokens and the money.
func (g *group) add(typ record.Type, n counts, blocked, wouldBe, flagged, ofCalls bool) {
	if typ.IsCall() {
		g.Calls += n.events
		if blocked {
			g.Refused += n.events
		}
		if wouldBe {
			g.WouldBe += n.events
		} else if flagged {
			g.Flagged += n.events
		}
	} else {
		g.Responses += n.events
	}
	if typ.IsCall() == ofCalls {
		g.InputTokens += n.input
		g.CacheTokens += n.cache
		g.OutputTokens += n.output
		g.CostMicros += n.cost
	}
}

// result puts the groups in order.
func (s *statistics) result() query.Stats {
	result := query.Stats{Every: s.every}
	for _, g := range s.groups {
		if g.Calls == 0 && g.Responses == 0 {
			continue // an hour that had only canaries
		}
		g.Times = query.Times{
			Measured: int64(len(g.samples[0])),
			Total:    percentilesOf(g.samples[0]), Upstream: percentilesOf(g.samples[1]), Held: percentilesOf(g.samples[2]),
			Judged: percentilesOf(g.samples[3]), Recorded: percentilesOf(g.samples[4]),
		}
		result.Groups = append(result.Groups, g.Stat)
	}
	slices.SortFunc(result.Groups, func(a, b query.Stat) int {
		return cmp.Or(a.Begin.Compare(b.Begin), cmp.Compare(b.Calls, a.Calls), cmp.Compare(b.Responses, a.Responses), cmp.Compare(a.Name, b.Name))
	})
	return result
}

// percentilesOf computes percentiles of samples, which it sorts: each is the least sample that so many hundredths of them do not
// exceed. Without samples they are zero.
func percentilesOf(samples []int64) query.Percentiles {
	if len(samples) == 0 {
		return query.Percentiles{}
	}
	slices.Sort(samples)
	at := func(hundredths int) int64 { return samples[(len(samples)*hundredths+99)/100-1] }
	return query.Percentiles{P50: at(50), P95: at(95), P99: at(99)}
}
