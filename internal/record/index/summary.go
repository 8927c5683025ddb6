package index

// A summary says of a sealed partition in which blocks its sessions and facets occur: those of events, and those of calls whose
// responses ended there.
type summary struct {
	blocks           int
	facets, sessions bitmaps
}

// bitmaps has a bit for each block, for each of a number of things.
type bitmaps struct {
	size int // of each, in bytes
	bits []byte
}

func newBitmaps(things, blocks int) bitmaps {
	size := (blocks + 7) / 8
	return bitmaps{size, make([]byte, things*size)}
}

func (b bitmaps) set(thing uint32, block int) {
	b.bits[int(thing)*b.size+block/8] |= 1 << (block % 8)
}

func (b bitmaps) of(thing uint32) []byte { return b.bits[int(thing)*b.size : (int(thing)+1)*b.size] }

// summarize makes the summary of a partition.
func summarize(r *reading) (*summary, error) {
	n := len(r.headers)
	s := &summary{n, newBitmaps(len(r.facets), n), newBitmaps(len(r.names), n)}
	for i := range n {
		b := r.block(i)
		if err := b.need(columnFacets, columnSessions, columnEnded); err != nil {
			return nil, err
		}
		for j := range b.facets {
			s.facets.set(b.facets[j], i)
			s.sessions.set(b.sessions[j], i)
		}
		if err := b.eachEnd(nil, func(e *end) {
			for _, call := range e.shares {
				s.facets.set(call.facet, i)
				s.sessions.set(call.session, i)
			}
		}); err != nil {
			return nil, err
		}
	}
	return s, nil
}

func (s *summary) pack(headers []header) (p packing) {
	p.number(uint64(len(headers)))
	for i := range headers {
		headers[i].pack(&p)
	}
	p.text(string(s.facets.bits))
	p.text(string(s.sessions.bits))
	return p
}

func unpackSummary(sealed []byte, names, facets int) (*summary, []header, error) {
	u := unpack(sealed)
	headers := make([]header, u.count())
	for i := range headers {
		headers[i].unpack(u)
	}
	s := &summary{len(headers), newBitmaps(0, len(headers)), newBitmaps(0, len(headers))}
	s.facets.bits, s.sessions.bits = []byte(u.text()), []byte(u.text())
	if len(s.facets.bits) != facets*s.facets.size || len(s.sessions.bits) != names*s.sessions.size {
		u.fail()
	}
	return s, headers, u.end()
}
