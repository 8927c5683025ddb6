package index

import (
	"math"
	"slices"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/record"
)

// A place is where the text of an event is.
type place struct {
	log uint32 // its name's number
	at  int64
}

// An event is what the index holds of one.
type event struct {
	place
	micros         int64
	facet, session uint32
	request        uint64 // the hash of its request's id, if it is a call or the end of a response; 0: none
	paid           bool   // it is a call that has a share of what its response used
	ended          *ended // nil: it is not the end of a response
	ids, words     []uint64
}

// ended is what the end of a response says.
type ended struct {
	calls, input, cache, output, cost int64
	times                             [timings]int64
	shares                            []share
}

// endedOf is what the end of a response says, by its columns.
func endedOf(c *record.Columns) *ended {
	return &ended{
		calls: c.Calls, input: c.InputTokens, cache: c.CacheTokens, output: c.OutputTokens, cost: c.CostMicros,
		times: [timings]int64{c.TotalMicros, c.UpstreamMicros, c.HeldMicros, c.JudgedMicros, c.RecordedMicros},
	}
}

// isPaid says whether a call has a share of what its response used: a model asked for it there, and not inside another call.
func isPaid(c *record.Columns) bool {
	return c.Type.IsAsked() && c.Within == "" && c.Surface == string(call.Response)
}

// timings are how many times a response has: total, upstream, held, judged and recorded.
const timings = 5

// A share is a call of a response, which was recorded before the response ended.
type share struct {
	place
	micros         int64
	facet, session uint32
	paid           bool // it has a share of the tokens and the cost of the response
}

// A column is a part of a block that is stored, and read, by itself.
type column uint64

// The columns of blocks, and what else a partition has. The numbers are part of the format.
const (
	columnFacets column = iota + 1
	columnSessions
	columnTimes
	columnPlaces
	columnRequests
	columnEnded
	columnCount

	columnHeader
	columnRollup
	kindDictionary
	kindTail
	kindBlockIDs
	kindRunIDs
	kindIDs
	kindSummary
	kindFacets
	kindFacetBlocks
	kindSessionBlocks
	kindRollup
)

// pack packs a column of events, which a header describes.
func pack(c column, h *header, events []event) (p packing) {
	var facts lasts
	previous := 0
	gap := func(i int, flag bool) {
		n := uint64(i-previous) << 1
		if flag {
			n |= 1
		}
		p.number(n)
		previous = i
	}
	for i := range events {
		e := &events[i]
		switch c {
		case columnFacets:
			p.number(uint64(e.facet))
		case columnSessions:
			p.number(uint64(e.session))
		case columnTimes:
			p.signed(facts.time(e.micros))
		case columnPlaces:
			p.number(uint64(e.log))
			p.signed(facts.place(e.place))
		case columnRequests:
			if e.request != 0 {
				gap(i, e.paid)
				p.fixed(e.request)
			}
		case columnEnded:
			if e.ended != nil {
				gap(i, false)
				e.ended.pack(&p, h)
			}
		}
	}
	return p
}

// lasts are the last values of what is packed as differences.
type lasts struct {
	micros int64
	places map[uint32]int64
}

func (l *lasts) time(micros int64) (difference int64) {
	difference = micros - l.micros
	l.micros = micros
	return difference
}

func (l *lasts) place(p place) (difference int64) {
	if l.places == nil {
		l.places = map[uint32]int64{}
	}
	difference = p.at - l.places[p.log]
	l.places[p.log] = p.at
	return difference
}

// at is the inverse of place.
func (l *lasts) at(log uint32, difference int64) place {
	if l.places == nil {
		l.places = map[uint32]int64{}
	}
	l.places[log] += difference
	return place{log, l.places[log]}
}

// pack packs the facets of the calls first, so that the rest need not be read unless one of them is asked for.
func (e *ended) pack(p *packing, h *header) {
	p.number(uint64(len(e.shares)))
	for _, s := range e.shares {
		facet := uint64(s.facet) << 1
		if s.paid {
			facet |= 1
		}
		p.number(facet)
	}
	var rest packing
	for _, n := range e.numbers() {
		rest.signed(*n)
	}
	for _, s := range e.shares {
		rest.number(uint64(s.log))
		rest.signed(s.at - h.begin(s.log))
		rest.signed(s.micros - h.from)
		rest.number(uint64(s.session))
	}
	p.text(string(rest))
}

func (e *ended) numbers() []*int64 {
	t := &e.times
	return []*int64{&e.calls, &e.input, &e.cache, &e.output, &e.cost, &t[0], &t[1], &t[2], &t[3], &t[4]}
}

// unpack reads the facets of the calls, and returns what is left to be read by unpackRest.
func (e *ended) unpack(u *unpacking) (rest []byte) {
	e.shares = e.shares[:0]
	for range u.count() {
		facet := u.number()
		e.shares = append(e.shares, share{facet: uint32(facet >> 1), paid: facet&1 == 1})
	}
	return u.bytes(u.count())
}

func (e *ended) unpackRest(rest []byte, h *header) error {
	u := &unpacking{b: rest}
	for _, n := range e.numbers() {
		*n = u.signed()
	}
	for i := range e.shares {
		s := &e.shares[i]
		s.log = uint32(u.number())
		s.at = u.signed() + h.begin(s.log)
		s.micros = u.signed() + h.from
		s.session = uint32(u.number())
	}
	return u.end()
}

// packTail packs events that are not a block yet.
func packTail(events []event) (p packing) {
	h := headerOf(events)
	h.pack(&p)
	for c := columnFacets; c < columnCount; c++ {
		p.text(string(pack(c, &h, events)))
	}
	for i := range events {
		for _, hashes := range [][]uint64{events[i].ids, events[i].words} {
			p.number(uint64(len(hashes)))
			for _, h := range hashes {
				p.fixed(h)
			}
		}
	}
	return p
}

func unpackTail(sealed []byte) ([]event, error) {
	u := unpack(sealed)
	b := &block{known: math.MaxInt}
	b.header.unpack(u)
	if b.rows > u.left() {
		u.fail()
		return nil, u.err
	}
	for c := columnFacets; c < columnCount; c++ {
		if err := b.unpack(c, &unpacking{b: u.bytes(u.count()), err: u.err}); err != nil {
			return nil, err
		}
	}
	events, room := make([]event, b.rows), make([]uint64, 0, u.left()/8)
	for i := range events {
		events[i] = event{
			place: b.places[i], micros: b.times[i], facet: b.facets[i], session: b.sessions[i],
			request: b.requests[i].hash, paid: b.requests[i].paid,
		}
		for _, hashes := range []*[]uint64{&events[i].ids, &events[i].words} {
			first := len(room)
			for range u.count() {
				room = append(room, u.fixed())
			}
			*hashes = room[first:len(room):len(room)]
		}
	}
	if err := b.eachEnd(nil, func(e *end) {
		copied := e.ended
		copied.shares = slices.Clone(e.shares)
		events[e.offset].ended = &copied
	}); err != nil {
		return nil, err
	}
	return events, u.end()
}
