package index

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/weir-gate/weir/internal/record/query"
)

// Stats computes statistics of calls and responses.
//
// If the question has no conditions but times, the sums of partitions and blocks answer it, and the events themselves where the times
// begin and end within a block. Otherwise the columns of the events are read; for the events of one request or call, their texts.
//
// A call has the times of its response if it was recorded before the response ended. They count at the time of the call.
func (v *View) Stats(ctx context.Context, q query.StatsQuery) (query.Stats, error) {
	q.Filter.Types = nil
	q.Filter.Type, q.Filter.AfterRow, q.Filter.UpToRow, q.Filter.Limit, q.Filter.Newest = "", 0, 0, 0, false
	for again := true; ; again = false {
		s := newStatistics(q)
		err := s.count(ctx, v)
		if err == nil {
			return s.result(), nil
		}
		if !errors.Is(err, errGone) || !again {
			return query.Stats{}, err
		}
	}
}

// statistics are a result in the making.
type statistics struct {
	q       query.StatsQuery
	ofCalls bool
	field   int // whose names the groups have; -1: it is none
	groups  map[statKey]*counts
}

// A statKey identifies a group.
type statKey struct {
	name  string
	timed bool
	begin int64 // in seconds since 1970, if it is timed
}

func newStatistics(q query.StatsQuery) *statistics {
	field := -1
	if q.By != "" {
		field = slices.IndexFunc(fields[:], func(f fieldOf) bool { return f.group == q.By })
	}
	return &statistics{q: q, ofCalls: q.OfCalls(), field: field, groups: map[statKey]*counts{}}
}

func (s *statistics) group(k statKey) *counts {
	g := s.groups[k]
	if g == nil {
		g = &counts{}
		s.groups[k] = g
	}
	return g
}

// timed says whether groups are hours or days.
func (s *statistics) timed() bool { return s.q.By == query.By.Hour || s.q.By == query.By.Day }

// at is the group of the hour, or of the day that the hour begins in.
func (s *statistics) at(hour int64) *counts {
	return s.group(statKey{timed: true, begin: s.begin(hour).Unix()})
}

func (s *statistics) zone() *time.Location {
	if s.q.Zone == nil {
		return time.UTC
	}
	return s.q.Zone
}

func (s *statistics) begin(hour int64) time.Time {
	t := time.Unix(hour*3600, 0).In(s.zone())
	if s.q.By != query.By.Day {
		return t
	}
	year, month, day := t.Date()
	return time.Date(year, month, day, 0, 0, 0, 0, s.zone())
}

// needsTexts says whether only texts decide which events a filter selects.
func needsTexts(f *query.Filter) bool {
	_, byID := idAsked(f)
	beyond := func(not query.Filter) bool { return !onlyFacets(not) }
	return byID || f.IDBegin != "" || len(query.Words(f.Text)) > 0 || slices.ContainsFunc(f.Nots(), beyond)
}

// count fills in the groups.
func (s *statistics) count(ctx context.Context, v *View) error {
	if needsTexts(&s.q.Filter) {
		return s.countEntries(ctx, v)
	}
	at, err := v.snapshot(ctx)
	if err != nil {
		return err
	}
	defer at.close()
	var parts []int
	for i := range at.partitions() {
		if f := &s.q.Filter; at.overlaps(i, f) {
			parts = append(parts, i)
		}
	}
	return s.countAll(ctx, at, parts)
}

// mostAtOnce is how many partitions are counted at once.
const mostAtOnce = 4

// countAll counts the events of partitions, some at once.
func (s *statistics) countAll(ctx context.Context, at *snapshot, parts []int) error {
	workers := min(mostAtOnce, runtime.GOMAXPROCS(0), len(parts))
	counted, errs := make([]*statistics, workers), make([]error, workers)
	var next atomic.Int64
	var all sync.WaitGroup
	for w := range workers {
		counted[w] = newStatistics(s.q)
		all.Go(func() {
			for errs[w] == nil {
				i := int(next.Add(1)) - 1
				if i >= len(parts) {
					return
				}
				errs[w] = counted[w].countPart(ctx, at, parts[i])
			}
		})
	}
	all.Wait()
	for _, one := range counted {
		for k, c := range one.groups {
			if s.groups[k] == nil {
				s.groups[k] = c
			} else {
				s.groups[k].merge(c)
			}
		}
	}
	return errors.Join(errs...)
}

// countPart counts the events of a partition.
func (s *statistics) countPart(ctx context.Context, at *snapshot, i int) error {
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("index: %w", err)
	}
	r, done, err := at.at(ctx, i)
	if err != nil {
		return err
	}
	defer done()
	return trouble(r.path, s.in(r, at.cursors))
}

// summed is the dimension whose sums answer the question, if one does.
func (s *statistics) summed() (int, bool) {
	f := s.q.Filter
	f.NoCanaries = false
	for i := range fields {
		if !isEmpty(fields[i].part(f)) {
			return 0, false
		}
	}
	i, ok := dimensionOf(s.q.By)
	return i, ok && f.Session == "" && dimensions[i].ofCalls() == s.ofCalls
}

// in counts the events of a partition.
func (s *statistics) in(r *reading, cursors map[string]cursor) error {
	d, summed := s.summed()
	f := s.q.Filter
	if summed {
		f.NoCanaries = false // sums have them apart
	}
	sel, err := selectIn(r, &f, cursors)
	if err != nil || sel.none {
		return err
	}
	scan := &scan{statistics: s, r: r, sel: sel, byName: make([]*counts, len(r.names)), byHour: map[int64]*counts{}}
	if summed && r.sealed {
		all := header{from: r.headers[0].from, to: r.headers[0].to}
		for i := range r.headers {
			all.join(r.headers[i])
		}
		if sel.whole(&all) {
			return scan.rollup(kindRollup, int64(d))
		}
	}
	var blocks []byte
	if !summed {
		if blocks, err = sel.blocksIn(r); err != nil {
			return err
		}
	}
	for i := range r.blocks() {
		h := r.header(i)
		if sel.outside(&h) || blocks != nil && blocks[i/8]&(1<<(i%8)) == 0 {
			continue
		}
		if summed && i < len(r.headers) && sel.whole(&h) {
			err = scan.rollup(columnRollup, int64(i*rollups+d))
		} else {
			err = scan.block(r.block(i))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// result puts the groups in order.
func (s *statistics) result() query.Stats {
	result := query.Stats{Every: 1}
	for k, c := range s.groups {
		if c.calls == 0 && c.responses == 0 {
			continue // a group that has only shares of calls that are not counted
		}
		t := &c.times
		g := query.Stat{
			Name: k.name, Calls: c.calls, Refused: c.refused, Flagged: c.flagged, WouldBe: c.wouldBe, Responses: c.responses,
			InputTokens: c.input, CacheTokens: c.cache, OutputTokens: c.output, CostMicros: c.cost,
			Times: query.Times{
				Measured: t[0].n, Total: t[0].percentiles(), Upstream: t[1].percentiles(), Held: t[2].percentiles(),
				Judged: t[3].percentiles(), Recorded: t[4].percentiles(),
			},
		}
		if k.timed {
			g.Begin = time.Unix(k.begin, 0).In(s.zone())
		}
		result.Groups = append(result.Groups, g)
	}
	slices.SortFunc(result.Groups, func(a, b query.Stat) int {
		return cmp.Or(a.Begin.Compare(b.Begin), cmp.Compare(b.Calls, a.Calls), cmp.Compare(b.Responses, a.Responses), cmp.Compare(a.Name, b.Name))
	})
	return result
}
