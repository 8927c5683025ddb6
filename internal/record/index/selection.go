package index

import (
	"math"
	"slices"

	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/query"
)

// A selection is a filter as conditions on the numbers of a partition.
type selection struct {
	facets       []bool // nil: all
	session      int64  // -1: any
	none         bool   // nothing in the partition is selected
	since, until int64
	cuts         map[uint32]int64 // by logs: events before these positions are gone
	needs        []column         // to decide
}

// selectIn translates a filter, except for ids and words, which the text decides.
func selectIn(r *reading, f *query.Filter, cursors map[string]cursor) (s *selection, err error) {
	s = &selection{session: -1, since: math.MinInt64, until: math.MaxInt64}
	if !f.Since.IsZero() {
		s.since = f.Since.UnixMicro()
	}
	if !f.Until.IsZero() {
		s.until = f.Until.UnixMicro()
	}
	s.cuts = cutsIn(r, cursors)
	if s.facets, err = facetsIn(r, f); err != nil {
		return nil, err
	}
	s.none = s.facets != nil && !slices.Contains(s.facets, true) || s.since >= s.until
	if f.Session != "" {
		n := slices.Index(r.names, query.ColumnText(f.Session))
		s.session, s.none = int64(n), s.none || n < 0
		s.needs = append(s.needs, columnSessions)
	}
	if s.facets != nil {
		s.needs = append(s.needs, columnFacets)
	}
	return s, nil
}

// cutsIn are the positions before which events are gone, of the logs of a partition that have one.
func cutsIn(r *reading, cursors map[string]cursor) map[uint32]int64 {
	cuts := map[uint32]int64{}
	for i := range r.blocks() {
		for _, x := range r.header(i).logs {
			if _, seen := cuts[x.log]; !seen {
				c, known := cursors[r.names[x.log]]
				if cuts[x.log] = c.cut; !known {
					cuts[x.log] = math.MaxInt64
				}
			}
		}
	}
	return cuts
}

// facetsIn says which facets a filter selects; nil: all. The filter itself decides, field by field.
func facetsIn(r *reading, f *query.Filter) (selected []bool, err error) {
	for i := range fields {
		part := fields[i].part(*f)
		if isEmpty(part) {
			continue
		}
		if selected == nil {
			selected = make([]bool, r.known)
			for j := range selected {
				selected[j] = true
			}
		}
		column, err := r.column(i)
		if err != nil {
			return nil, err
		}
		matches := part.Matcher()
		decided := make([]int8, len(r.names)) // 0: not yet
		for j, name := range column {
			if !selected[j] {
				continue
			}
			if decided[name] == 0 {
				var e record.Entry
				fields[i].set(&e.Columns, r.names[name])
				decided[name] = -1
				if matches(&e) {
					decided[name] = 1
				}
			}
			selected[j] = decided[name] > 0
		}
	}
	return withoutNots(r, f, selected)
}

// withoutNots leaves out the facets that a filter does not want. Where that depends on more than facets, the text decides.
func withoutNots(r *reading, f *query.Filter, selected []bool) ([]bool, error) {
	for _, not := range f.Nots() {
		if not.Conditions() == 0 || !onlyFacets(not) {
			continue
		}
		out, err := facetsIn(r, &not)
		if err != nil {
			return nil, err
		}
		if selected == nil {
			selected = slices.Repeat([]bool{true}, r.known)
		}
		for j := range selected {
			selected[j] = selected[j] && !out[j]
		}
	}
	return selected, nil
}

// onlyFacets says whether facets decide about all conditions of a filter.
func onlyFacets(f query.Filter) bool {
	n := len(query.Words(f.Text))
	for i := range fields {
		part := fields[i].part(f)
		part.NoCanaries = false
		n -= part.Conditions()
	}
	return n+f.Conditions() == 0
}

// whole says whether all events that a header describes are within the times of the selection and are not gone.
func (s *selection) whole(h *header) bool {
	return h.from >= s.since && h.to < s.until && !slices.ContainsFunc(h.logs, func(x extent) bool { return x.from < s.cuts[x.log] })
}

// outside says whether none of the events that a header describes are.
func (s *selection) outside(h *header) bool {
	return h.to < s.since || h.from >= s.until || !slices.ContainsFunc(h.logs, func(x extent) bool { return x.to >= s.cuts[x.log] })
}

// blocksIn returns which blocks of a partition may have selected events; nil: all.
func (s *selection) blocksIn(r *reading) (blocks []byte, err error) {
	if s.facets != nil {
		all, found, err := r.blocksOf(kindFacetBlocks)
		if err != nil || !found {
			return nil, err
		}
		blocks = make([]byte, all.size)
		for facet, selected := range s.facets {
			if selected {
				for i, b := range all.of(uint32(facet)) {
					blocks[i] |= b
				}
			}
		}
	}
	if s.session >= 0 {
		all, found, err := r.blocksOf(kindSessionBlocks)
		if err != nil || !found {
			return nil, err
		}
		of := all.of(uint32(s.session))
		if blocks == nil {
			return of, nil
		}
		for i := range blocks {
			blocks[i] &= of[i]
		}
	}
	return blocks, nil
}

// prepare reads what is needed to decide about a block.
func (s *selection) prepare(b *block) error {
	if err := b.need(s.needs...); err != nil || s.whole(&b.header) {
		return err
	}
	return b.need(columnTimes, columnPlaces)
}

// takes says whether an event of a block is selected.
func (s *selection) takes(b *block, i int, whole bool) bool {
	if s.facets != nil && !s.facets[b.facets[i]] || s.session >= 0 && int64(b.sessions[i]) != s.session {
		return false
	}
	return whole || s.within(b.places[i], b.times[i])
}

// within says whether an event is within the times of the selection and is not gone.
func (s *selection) within(p place, micros int64) bool {
	return micros >= s.since && micros < s.until && p.at >= s.cuts[p.log]
}
