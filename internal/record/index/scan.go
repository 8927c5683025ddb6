package index

import (
	"context"
	"slices"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/query"
)

// A scan counts the events of a partition.
type scan struct {
	*statistics
	r       *reading
	sel     *selection
	counted []bool // whether events with a facet count; nil: not decided yet
	uses    []use
	names   []uint32  // the numbers of the names of groups, by facets
	byName  []*counts // groups by the numbers of names; nil: not needed yet
	byHour  map[int64]*counts
}

// prepare decides which facets count.
func (c *scan) prepare() (err error) {
	if c.counted != nil {
		return nil
	}
	if c.uses, err = c.r.uses(); err != nil {
		return err
	}
	selected, err := facetsIn(c.r, &c.q.Filter)
	if err != nil {
		return err
	}
	c.counted = make([]bool, c.r.known)
	for i, u := range c.uses {
		c.counted[i] = c.counts(u) && (selected == nil || selected[i])
	}
	if c.field >= 0 {
		c.names, err = c.r.column(c.field)
	}
	return err
}

// counts says whether events of a use count: calls, and responses unless the question is about calls alone. Offers of a request do not
// count, unless the filter has a surface.
func (s *statistics) counts(u use) bool {
	return u.isCall && (!u.isOffer || s.q.Filter.Surface != "") || u.isResponse && !s.ofCalls
}

// rollup adds sums.
func (c *scan) rollup(kind column, n int64) error {
	data, err := c.r.chunk(kind, n)
	if err != nil {
		return err
	}
	return addRollup(data, func(k groupKey) *counts {
		switch {
		case k.canary && c.q.Filter.NoCanaries:
			return nil
		case c.timed():
			return c.hour(k.value)
		case c.field < 0:
			return c.named(0)
		case k.value < 0 || int(k.value) >= len(c.byName):
			return nil
		}
		return c.named(uint32(k.value))
	})
}

// named is the group of a name.
func (c *scan) named(n uint32) *counts {
	g := c.byName[n]
	if g == nil {
		g = c.group(statKey{name: c.r.names[n]})
		c.byName[n] = g
	}
	return g
}

func (c *scan) hour(hour int64) *counts {
	g := c.byHour[hour]
	if g == nil {
		g = c.at(hour)
		c.byHour[hour] = g
	}
	return g
}

// of is the group of an event or a share.
func (c *scan) of(facet, session uint32, micros int64) *counts {
	switch {
	case c.timed():
		return c.hour(hourOf(micros))
	case c.field >= 0:
		return c.named(c.names[facet])
	case c.q.By == query.By.Session:
		return c.named(session)
	}
	return c.named(0)
}

// block counts the events of a block.
func (c *scan) block(b *block) error {
	if err := c.prepare(); err != nil {
		return err
	}
	whole := c.sel.whole(&b.header)
	needs := []column{columnFacets, columnEnded}
	if c.timed() || !whole {
		needs = append(needs, columnTimes)
	}
	if !whole {
		needs = append(needs, columnPlaces)
	}
	if c.sel.session >= 0 || c.q.By == query.By.Session {
		needs = append(needs, columnSessions)
	}
	if err := b.need(needs...); err != nil {
		return err
	}
	group := func(i int) *counts {
		var session uint32
		var micros int64
		if b.sessions != nil {
			session = b.sessions[i]
		}
		if b.times != nil {
			micros = b.times[i]
		}
		return c.of(b.facets[i], session, micros)
	}
	for i, facet := range b.facets {
		if c.counted[facet] && c.sel.takes(b, i, whole) {
			group(i).event(c.uses[facet])
		}
	}
	if c.ofCalls {
		return b.eachEnd(func(e *end) bool {
			return slices.ContainsFunc(e.shares, func(s share) bool { return c.counted[s.facet] })
		}, func(e *end) { c.shares(&e.ended, whole) })
	}
	return b.eachEnd(func(e *end) bool {
		return c.counted[b.facets[e.offset]] && c.sel.takes(b, e.offset, whole)
	}, func(e *end) {
		g := group(e.offset)
		g.used(&e.ended, 1)
		g.took(&e.ended)
	})
}

// shares counts what a response is for its calls.
func (c *scan) shares(e *ended, whole bool) {
	for _, s := range e.shares {
		if c.counted[s.facet] && (c.sel.session < 0 || int64(s.session) == c.sel.session) && (whole || c.sel.within(s.place, s.micros)) {
			c.of(s.facet, s.session, s.micros).share(e, s.paid)
		}
	}
}

// countEntries counts the entries that the filter selects.
func (s *statistics) countEntries(ctx context.Context, v *View) error {
	for e, err := range v.Entries(ctx, s.q.Filter) {
		if err != nil {
			return err
		}
		c := &e.Columns
		u := use{
			isCall: c.Type.IsCall(), isResponse: c.Type == record.Types.ResponseDone, isOffer: c.Surface == string(call.Inbound),
			blocked: c.Blocked, wouldBe: c.WouldBe != "", flagged: c.Verdict == "audit",
		}
		if !s.counts(u) {
			continue
		}
		g := s.groupOf(c)
		g.event(u)
		switch {
		case !s.ofCalls && u.isResponse:
			g.used(endedOf(c), 1)
			g.took(endedOf(c))
		case s.ofCalls && c.RequestID != "":
			done, found, err := query.First(ctx, v, query.Filter{RequestID: c.RequestID, Type: record.Types.ResponseDone, AfterRow: e.Row})
			if err != nil {
				return err
			}
			if found {
				g.share(endedOf(&done.Columns), isPaid(c))
			}
		}
	}
	return nil
}

// groupOf is the group of an entry.
func (s *statistics) groupOf(c *record.Columns) *counts {
	switch {
	case s.timed():
		return s.at(hourOf(c.Micros))
	case s.field >= 0:
		return s.group(statKey{name: fields[s.field].get(c)})
	case s.q.By == query.By.Session:
		return s.group(statKey{name: c.Session})
	}
	return s.group(statKey{})
}
