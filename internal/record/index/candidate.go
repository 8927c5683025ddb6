package index

import (
	"context"
	"slices"

	"github.com/weir-gate/weir/internal/record/query"
)

// A candidate is an event that a filter may select.
type candidate struct {
	row int64
	log string
	at  int64
}

// A search finds candidates: those between two rows, in ascending or descending order, until there are enough.
type search struct {
	filter      *query.Filter
	id          uint64
	byID        bool
	words       []string
	after, upTo int64 // rows
	newest      bool  // descending
	most        int
	found       []candidate
}

func newSearch(f *query.Filter) *search {
	s := &search{filter: f, after: f.AfterRow, upTo: f.UpToRow, words: query.Words(f.Text)}
	s.id, s.byID = idAsked(f)
	return s
}

func (s *search) enough() bool { return len(s.found) >= s.most }

// run looks at the partitions of a snapshot.
func (s *search) run(ctx context.Context, at *snapshot) error {
	last := at.lastRow()
	if s.upTo <= 0 || s.upTo > last {
		s.upTo = last
	}
	n := at.partitions()
	for k := range n {
		i := k
		if s.newest {
			i = n - 1 - k
		}
		if first, after, _, _ := at.bounds(i); after <= s.after+1 || first > s.upTo || !at.overlaps(i, s.filter) {
			continue
		}
		r, done, err := at.at(ctx, i)
		if err != nil {
			return err
		}
		err = s.in(r, at.cursors)
		done()
		if err != nil {
			return trouble(r.path, err)
		}
		if s.enough() {
			return nil
		}
	}
	return nil
}

// in looks at a partition.
func (s *search) in(r *reading, cursors map[string]cursor) error {
	sel, err := selectIn(r, s.filter, cursors)
	if err != nil {
		return err
	}
	from, to := int(max(0, s.after+1-r.first)), int(min(int64(r.rows), s.upTo+1-r.first)) // of offsets; to is not included
	if sel.none || from >= to {
		return nil
	}
	if s.byID {
		offsets, err := r.offsets(s.id, from, to-1)
		if err != nil {
			return err
		}
		return s.each(r, sel, offsets)
	}
	var near []bool
	if len(s.words) > 0 {
		if near, err = s.near(r, from, to); err != nil {
			return err
		}
	}
	return s.scan(r, sel, from, to, near)
}

// near says in which groups of so many events all words may occur.
func (s *search) near(r *reading, from, to int) (near []bool, err error) {
	from = max(0, from-wordRows+1)
	groups := make([]int, r.rows/wordRows+2)
	mark := func(hash uint64, once int) error {
		offsets, err := r.offsets(hash, from, to-1)
		for _, o := range offsets {
			// The group may begin within one of these and end within the next.
			for _, g := range []int{o / wordRows, (o + wordRows - 1) / wordRows} {
				if groups[g] == once {
					groups[g] = once + 1
				}
			}
		}
		return err
	}
	for i, word := range s.words {
		if err := mark(hashOf(kindWord, word), i); err != nil {
			return nil, err
		}
	}
	near = make([]bool, len(groups))
	for g, n := range groups {
		near[g] = n == len(s.words)
	}
	many, err := r.offsets(hashOf(kindManyWords, ""), from, to-1)
	for _, o := range many {
		near[o/wordRows], near[(o+wordRows-1)/wordRows] = true, true
	}
	return near, err
}

// scan looks at the events between two offsets, block by block.
func (s *search) scan(r *reading, sel *selection, from, to int, near []bool) error {
	blocks, err := sel.blocksIn(r)
	if err != nil {
		return err
	}
	size := r.standing.block
	first, last := from/size, min((to-1)/size, r.blocks()-1)
	for k := range last - first + 1 {
		i := first + k
		if s.newest {
			i = last - k
		}
		h := r.header(i)
		begin, end := max(from, i*size), min(to, i*size+h.rows)
		if blocks != nil && blocks[i/8]&(1<<(i%8)) == 0 || sel.outside(&h) || near != nil && !anyNear(near, begin, end) {
			continue
		}
		b := r.block(i)
		if err := sel.prepare(b); err != nil {
			return err
		}
		whole := sel.whole(&h)
		for k := range end - begin {
			o := begin + k
			if s.newest {
				o = end - 1 - k
			}
			if near != nil && !near[o/wordRows] || !sel.takes(b, o-i*size, whole) {
				continue
			}
			if err := s.take(r, b, o-i*size); err != nil {
				return err
			}
			if s.enough() {
				return nil
			}
		}
	}
	return nil
}

func anyNear(near []bool, from, to int) bool {
	return slices.Contains(near[from/wordRows:(to-1)/wordRows+1], true)
}

// take adds an event of a block.
func (s *search) take(r *reading, b *block, i int) error {
	if err := b.need(columnPlaces); err != nil {
		return err
	}
	p := b.places[i]
	if int(p.log) >= len(r.names) {
		return errGarbled
	}
	s.found = append(s.found, candidate{b.first + int64(i), r.names[p.log], p.at})
	return nil
}

// each looks at the events at some offsets.
func (s *search) each(r *reading, sel *selection, offsets []int) error {
	if s.newest {
		slices.Reverse(offsets)
	}
	var b *block
	size := r.standing.block
	for _, o := range offsets {
		if i := o / size; b == nil || b.first != r.first+int64(i*size) {
			if i >= r.blocks() {
				return errGarbled
			}
			b = r.block(i)
			if err := b.need(sel.needs...); err != nil {
				return err
			}
			if err := b.need(columnTimes, columnPlaces); err != nil {
				return err
			}
		}
		i := o - int(b.first-r.first)
		if i >= b.rows {
			return errGarbled
		}
		if !sel.takes(b, i, false) {
			continue
		}
		if err := s.take(r, b, i); err != nil {
			return err
		}
		if s.enough() {
			return nil
		}
	}
	return nil
}
