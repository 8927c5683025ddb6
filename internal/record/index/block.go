package index

import "math"

// A block is some thousand events in a row. It is read column by column, each when it is first needed.
type block struct {
	header
	first int64 // its first row
	load  func(column) ([]byte, error)
	known int // how many facets there are

	facets, sessions []uint32
	times            []int64
	places           []place
	requests         []requestOf
	packedEnds       []byte
	ends             []end // if they are not packed
	have             [columnCount]bool
}

// A requestOf is the request of a call or of the end of a response: see event.
type requestOf struct {
	hash uint64
	paid bool
}

// An end is the end of a response in a block.
type end struct {
	offset int
	ended
}

// A header says what a block holds, so that it need not be read.
type header struct {
	rows int
	// The least and the greatest time of its events, and of the calls that its responses have shares for.
	from, to int64
	logs     []extent
}

// An extent is the least and the greatest position that something refers to in a log.
type extent struct {
	log      uint32
	from, to int64
}

// headerOf describes events.
func headerOf(events []event) header {
	h := header{rows: len(events), from: math.MaxInt64, to: math.MinInt64}
	for i := range events {
		e := &events[i]
		h.add(e.place, e.micros)
		if e.ended != nil {
			for _, s := range e.ended.shares {
				h.add(s.place, s.micros)
			}
		}
	}
	return h
}

func (h *header) add(p place, micros int64) {
	h.from, h.to = min(h.from, micros), max(h.to, micros)
	for i := range h.logs {
		if x := &h.logs[i]; x.log == p.log {
			x.from, x.to = min(x.from, p.at), max(x.to, p.at)
			return
		}
	}
	h.logs = append(h.logs, extent{p.log, p.at, p.at})
}

// begin is the least position in a log.
func (h *header) begin(log uint32) int64 {
	for i := range h.logs {
		if h.logs[i].log == log {
			return h.logs[i].from
		}
	}
	return 0
}

// join adds what another header says.
func (h *header) join(more header) {
	for _, x := range more.logs {
		h.add(place{x.log, x.from}, more.from)
		h.add(place{x.log, x.to}, more.to)
	}
	h.rows += more.rows
}

func (h *header) pack(p *packing) {
	p.number(uint64(h.rows))
	p.signed(h.from)
	p.signed(h.to)
	p.number(uint64(len(h.logs)))
	for _, x := range h.logs {
		p.number(uint64(x.log))
		p.signed(x.from)
		p.signed(x.to)
	}
}

func (h *header) unpack(u *unpacking) {
	h.rows, h.from, h.to = int(u.number()), u.signed(), u.signed()
	for range u.count() {
		h.logs = append(h.logs, extent{uint32(u.number()), u.signed(), u.signed()})
	}
}

// need reads columns, unless they were read before.
func (b *block) need(columns ...column) error {
	for _, c := range columns {
		if b.have[c] {
			continue
		}
		data, err := b.load(c)
		if err != nil {
			return err
		}
		if err := b.unpack(c, unpack(data)); err != nil {
			return err
		}
	}
	return nil
}

func (b *block) unpack(c column, u *unpacking) error {
	var facts lasts
	switch c {
	case columnFacets:
		b.facets = unpackNumbers(u, b.rows)
		b.check(u, b.facets)
	case columnSessions:
		b.sessions = unpackNumbers(u, b.rows)
	case columnTimes:
		b.times = make([]int64, b.rows)
		for i := range b.times {
			facts.micros += u.signed()
			b.times[i] = facts.micros
		}
	case columnPlaces:
		b.places = make([]place, b.rows)
		for i := range b.places {
			log := uint32(u.number())
			b.places[i] = facts.at(log, u.signed())
		}
	case columnRequests:
		b.requests = make([]requestOf, b.rows)
		for i := 0; u.left() > 0; {
			gap := u.number()
			if i += int(gap >> 1); uint(i) >= uint(b.rows) {
				u.fail()
				break
			}
			b.requests[i] = requestOf{u.fixed(), gap&1 == 1}
		}
	case columnEnded:
		b.packedEnds = u.bytes(u.left())
	}
	b.have[c] = true
	return u.end()
}

func unpackNumbers(u *unpacking, n int) []uint32 {
	all := make([]uint32, n)
	for i := range all {
		all[i] = uint32(u.number())
	}
	return all
}

// eachEnd calls take with the ends of responses, of which wanted says by its offset and the facets of its calls that they are; nil: all.
// An end is valid until take returns.
func (b *block) eachEnd(wanted func(*end) bool, take func(*end)) error {
	for i := range b.ends {
		if e := &b.ends[i]; wanted == nil || wanted(e) {
			take(e)
		}
	}
	var e end
	for u := (&unpacking{b: b.packedEnds}); u.left() > 0; {
		e.offset += int(u.number() >> 1)
		rest := e.unpack(u)
		for _, s := range e.shares {
			if int(s.facet) >= b.known {
				u.fail()
			}
		}
		if u.err != nil || uint(e.offset) >= uint(b.rows) {
			return errGarbled
		}
		if wanted != nil && !wanted(&e) {
			continue
		}
		if err := e.unpackRest(rest, &b.header); err != nil {
			return err
		}
		take(&e)
	}
	return nil
}

// check fails if there is no such facet.
func (b *block) check(u *unpacking, facets []uint32) {
	for _, f := range facets {
		if int(f) >= b.known {
			u.fail()
		}
	}
}
