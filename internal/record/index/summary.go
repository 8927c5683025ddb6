package index

import (
	"encoding/binary"
)

// A summary is what a sealed partition has instead of a growing dictionary. Only the first part of it is always read: the names, and
// the headers of blocks. The others are read when a question needs them: the numbers of the names of facets, field by field, and in
// which blocks facets and sessions occur.
type summary struct {
	names   []string
	headers []header
	facets  int // how many there are
}

func (s *summary) pack() (p packing) {
	p.number(uint64(len(s.names)))
	for _, name := range s.names {
		p.text(name)
	}
	p.number(uint64(len(s.headers)))
	for i := range s.headers {
		s.headers[i].pack(&p)
	}
	p.number(uint64(s.facets))
	return p
}

func unpackSummary(sealed []byte) (s summary, err error) {
	u := unpack(sealed)
	s.names = make([]string, u.count())
	for i := range s.names {
		s.names[i] = u.text()
	}
	s.headers = make([]header, u.count())
	for i := range s.headers {
		s.headers[i].unpack(u)
	}
	s.facets = int(u.number())
	return s, u.end()
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

// putSummary stores the summary of a partition. A facet or a session occurs in the blocks of its events, and in those where responses
// of its calls ended.
func (w *writing) putSummary(c *changing, r *reading) error {
	n := len(r.headers)
	facets, sessions := newBitmaps(len(r.facets), n), newBitmaps(len(r.names), n)
	for i := range n {
		b := r.block(i)
		if err := b.need(columnFacets, columnSessions, columnEnded); err != nil {
			return err
		}
		for j := range b.facets {
			facets.set(b.facets[j], i)
			sessions.set(b.sessions[j], i)
		}
		if err := b.eachEnd(nil, func(e *end) {
			for _, call := range e.shares {
				facets.set(call.facet, i)
				sessions.set(call.session, i)
			}
		}); err != nil {
			return err
		}
	}
	s := summary{r.names, r.headers, len(r.facets)}
	if err := c.put(kindSummary, 0, s.pack()); err != nil {
		return err
	}
	for i := range fields {
		if err := c.put(kindFacets, int64(i), packWide(r.facets, i)); err != nil {
			return err
		}
	}
	if err := c.put(kindFacetBlocks, 0, facets.bits); err != nil {
		return err
	}
	return c.put(kindSessionBlocks, 0, sessions.bits)
}

// packWide packs the numbers of a field of facets with as many bytes each as the highest needs: that is read fastest.
func packWide(facets []facet, field int) packing {
	highest := uint32(0)
	for i := range facets {
		highest = max(highest, facets[i][field])
	}
	width := 1
	for highest >= 1<<(8*width) && width < 4 {
		width++
	}
	p := packing{byte(width)}
	for i := range facets {
		var b [4]byte
		binary.LittleEndian.PutUint32(b[:], facets[i][field])
		p = append(p, b[:width]...)
	}
	return p
}

func unpackWide(sealed []byte, n, names int) ([]uint32, error) {
	u := unpack(sealed)
	width := int(u.number())
	if u.err != nil || width < 1 || width > 4 || u.left() != n*width {
		return nil, errGarbled
	}
	all, packed := make([]uint32, n), u.bytes(n*width)
	for i := range all {
		v := uint32(0)
		for k, b := range packed[i*width : (i+1)*width] {
			v |= uint32(b) << (8 * k)
		}
		if int(v) >= names {
			return nil, errGarbled
		}
		all[i] = v
	}
	return all, nil
}
