package index

import (
	"maps"
	"slices"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/query"
)

// A dimension is something that statistics are split by. Blocks and partitions have the sums of each, so that questions without other
// conditions need not look at events.
type dimension struct {
	by    query.Group
	field int // that has the names; -1: none
}

// dimensions are those that are summed up. Their order is part of the format.
var dimensions = func() []dimension {
	all := []dimension{{"", -1}, {query.By.Hour, -1}}
	for i, f := range fields {
		if f.group != "" {
			all = append(all, dimension{f.group, i})
		}
	}
	return all
}()

// ofCalls says whether tokens, cost and times are those of calls.
func (d dimension) ofCalls() bool { return query.StatsQuery{By: d.by}.OfCalls() }

// dimensionOf is the dimension that answers a question that is split so.
func dimensionOf(by query.Group) (int, bool) {
	if by == query.By.Day {
		by = query.By.Hour
	}
	i := slices.IndexFunc(dimensions, func(d dimension) bool { return d.by == by })
	return i, i >= 0
}

// A use is what an event with a facet counts as.
type use struct{ isCall, isOffer, isResponse, blocked, wouldBe, flagged, canary bool }

// useFields are the fields that a use follows from.
var useFields = []int{fieldType, fieldSurface, fieldVerdict, fieldWouldBe, fieldBlocked, fieldProvider, fieldRule}

// usesOf are the uses of n facets, of which name returns the numbers of names.
func usesOf(names []string, n int, name func(facet, field int) uint32) []use {
	types := map[uint32]use{}
	text := func(i, field int) string { return names[name(i, field)] }
	all := make([]use, n)
	for i := range all {
		number := name(i, fieldType)
		u, seen := types[number]
		if !seen {
			typ := record.Type(names[number])
			u = use{isCall: typ.IsCall(), isResponse: typ == record.Types.ResponseDone}
			types[number] = u
		}
		u.isOffer, u.blocked = text(i, fieldSurface) == string(call.Inbound), text(i, fieldBlocked) == "true"
		u.wouldBe, u.flagged = name(i, fieldWouldBe) != 0, text(i, fieldVerdict) == "audit"
		u.canary = text(i, fieldProvider) == call.CanaryProvider || text(i, fieldRule) == call.CanaryRule
		all[i] = u
	}
	return all
}

// moreUses adds the uses of facets that are new.
func (d *dictionary) moreUses(all []use) []use {
	first := len(all)
	return append(all, usesOf(d.names, len(d.facets)-first, func(i, field int) uint32 { return d.facets[first+i][field] })...)
}

// counts are the sums of a group.
type counts struct {
	calls, refused, flagged, wouldBe, responses, input, cache, output, cost int64

	times [timings]tally
}

func (c *counts) sums() []*int64 {
	return []*int64{&c.calls, &c.refused, &c.flagged, &c.wouldBe, &c.responses, &c.input, &c.cache, &c.output, &c.cost}
}

// merge adds other counts.
func (c *counts) merge(more *counts) {
	others := more.sums()
	for i, n := range c.sums() {
		*n += *others[i]
	}
	for i := range c.times {
		c.times[i].merge(&more.times[i])
	}
}

// event counts a call or a response.
func (c *counts) event(u use) {
	if !u.isCall {
		c.responses++
		return
	}
	c.calls++
	if u.blocked {
		c.refused++
	}
	if u.wouldBe {
		c.wouldBe++
	} else if u.flagged {
		c.flagged++
	}
}

// response adds what a response used, shared by so many calls.
func (c *counts) used(e *ended, calls int64) {
	c.input += e.input / calls
	c.cache += e.cache / calls
	c.output += e.output / calls
	c.cost += e.cost / calls
}

// took adds the times of a response, if they were measured.
func (c *counts) took(e *ended) {
	if e.times[0] > 0 {
		for i, t := range e.times {
			c.times[i].add(t)
		}
	}
}

// share adds a call's share of its response.
func (c *counts) share(e *ended, paid bool) {
	if paid && e.calls > 0 {
		c.used(e, e.calls)
	}
	c.took(e)
}

func (c *counts) pack(p *packing) {
	for _, n := range c.sums() {
		p.signed(*n)
	}
	for i := range c.times {
		c.times[i].pack(p)
	}
}

// unpack adds packed counts.
func (c *counts) unpack(u *unpacking) {
	for _, n := range c.sums() {
		*n += u.signed()
	}
	for i := range c.times {
		c.times[i].unpack(u)
	}
}

// A groupKey is a group of a dimension: the number of a name, or an hour. Canaries are counted apart, so that they can be left out.
type groupKey struct {
	value  int64
	canary bool
}

// A rollup has the groups of a dimension.
type rollup map[groupKey]*counts

func (r rollup) group(k groupKey) *counts {
	c := r[k]
	if c == nil {
		c = &counts{}
		r[k] = c
	}
	return c
}

// rollupOf sums up events by a dimension.
func rollupOf(d dimension, dict *dictionary, uses []use, events []event) rollup {
	r := rollup{}
	ofCalls := d.ofCalls()
	key := func(facet uint32, micros int64) groupKey {
		k := groupKey{canary: uses[facet].canary}
		if d.field >= 0 {
			k.value = int64(dict.facets[facet][d.field])
		} else if d.by == query.By.Hour {
			k.value = hourOf(micros)
		}
		return k
	}
	for i := range events {
		e := &events[i]
		u := uses[e.facet]
		if u.isCall && !u.isOffer || u.isResponse && !ofCalls {
			r.group(key(e.facet, e.micros)).event(u)
		}
		switch {
		case e.ended == nil:
		case !ofCalls:
			g := r.group(key(e.facet, e.micros))
			g.used(e.ended, 1)
			g.took(e.ended)
		default:
			for _, s := range e.ended.shares {
				if !uses[s.facet].isOffer {
					r.group(key(s.facet, s.micros)).share(e.ended, s.paid)
				}
			}
		}
	}
	return r
}

func (r rollup) pack() (p packing) {
	p.number(uint64(len(r)))
	keys := slices.SortedFunc(maps.Keys(r), func(a, b groupKey) int {
		if a.value != b.value {
			return int(min(1, max(-1, a.value-b.value)))
		}
		if a.canary == b.canary {
			return 0
		}
		if b.canary {
			return -1
		}
		return 1
	})
	for _, k := range keys {
		p.signed(k.value)
		canary := uint64(0)
		if k.canary {
			canary = 1
		}
		p.number(canary)
		r[k].pack(&p)
	}
	return p
}

// add adds a packed rollup: each group to the counts that into returns; nil: to none.
func addRollup(sealed []byte, into func(groupKey) *counts) error {
	u := unpack(sealed)
	for range u.count() {
		k := groupKey{value: u.signed(), canary: u.number() == 1}
		c := into(k)
		if c == nil {
			c = &counts{}
		}
		c.unpack(u)
	}
	return u.end()
}

// microsPerHour divides times into hours.
const microsPerHour = 3_600_000_000

func hourOf(micros int64) int64 { return micros / microsPerHour }
