package store

import (
	"context"
	"database/sql"
	"math"
)

// About how many responses a sample has at most. If the question is about calls, the calls of each response must be found, too.
const (
	sampled        = 100_000
	sampledOfCalls = 50_000
)

// sample reads the times of responses into the groups.
func (s *statistics) sample(ctx context.Context) error {
	if !known(s.q) {
		w, err := s.r.where(ctx, s.q.Filter)
		if err != nil {
			return err
		}
		query, args := s.eventTimesQuery(w)
		return s.readTimes(ctx, query, args)
	}
	responses, err := s.responses(ctx)
	if err != nil {
		return err
	}
	most, lot := int64(sampled), int64(0)
	if s.q.OfCalls() {
		most = sampledOfCalls
	}
	for responses>>lot > most {
		lot++
	}
	s.every = 1 << lot
	query, args := s.timesQuery(lot)
	return s.readTimes(ctx, query, args)
}

// responses is about how many responses there are: the first and the last hour count as whole.
func (s *statistics) responses(ctx context.Context) (int64, error) {
	since, until := span(s.q.Filter)
	f := responsesOf(s.q.Filter)
	f.NoCanaries = false // a few too many do no harm here, and then summaries can be used
	terms, args := s.names(f, "f.")
	if terms == "" {
		terms = " AND f.summary = TRUE"
	} else {
		terms += " AND f.summary = FALSE"
	}
	var n int64
	ctx, cancel := s.r.db.bounded(ctx)
	defer cancel()
	err := s.r.db.queryRow(ctx, "SELECT coalesce(CAST(sum(t.events) AS BIGINT), 0) FROM facets f CROSS JOIN tallies t "+
		"WHERE t.facet = f.facet AND t.span = 1 AND t.begins > ? AND t.begins < ? AND f.type = 'response_done'"+terms,
		append([]any{max(since, math.MinInt64+microsPerHour) - microsPerHour, until}, args...)...).Scan(&n)
	return n, err
}

func (s *statistics) readTimes(ctx context.Context, query string, args []any) error {
	ctx, cancel := s.r.db.bounded(ctx)
	defer cancel()
	return eachRow(func(rows *sql.Rows) error {
		var k groupKey
		var t [5]int64
		if err := rows.Scan(&k.name, &k.hour, &t[0], &t[1], &t[2], &t[3], &t[4]); err != nil {
			return err
		}
		g := s.group(k)
		for i := range t {
			g.samples[i] = append(g.samples[i], t[i])
		}
		return nil
	})(s.r.db.query(ctx, query, args...))
}
