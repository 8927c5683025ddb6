package index

// column returns the numbers of the names of a field, of all facets.
func (r *reading) column(field int) ([]uint32, error) {
	if !r.sealed || r.of == nil {
		all := make([]uint32, len(r.facets))
		for i := range all {
			all[i] = r.facets[i][field]
		}
		return all, nil
	}
	l := &r.of.lazy
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.columns[field] == nil {
		data, err := r.chunk(kindFacets, int64(field))
		if err != nil {
			return nil, err
		}
		if l.columns[field], err = unpackWide(data, r.known, len(r.names)); err != nil {
			return nil, err
		}
	}
	return l.columns[field], nil
}

// uses are those of all facets.
func (r *reading) uses() ([]use, error) {
	var all [fieldCount][]uint32
	for _, field := range useFields {
		var err error
		if all[field], err = r.column(field); err != nil {
			return nil, err
		}
	}
	return usesOf(r.names, r.known, func(i, field int) uint32 { return all[field][i] }), nil
}

// dictionary has the names and facets.
func (r *reading) dictionary() (*dictionary, error) {
	d := &dictionary{names: r.names, facets: make([]facet, r.known)}
	for field := range fields {
		column, err := r.column(field)
		if err != nil {
			return nil, err
		}
		for i, name := range column {
			d.facets[i][field] = name
		}
	}
	return d, nil
}

// blocksOf returns in which blocks facets, or sessions, occur; found is false if that is not known.
func (r *reading) blocksOf(kind column) (b bitmaps, found bool, err error) {
	if !r.sealed || r.of == nil {
		return b, false, nil
	}
	l := &r.of.lazy
	l.mu.Lock()
	defer l.mu.Unlock()
	bits, things := &l.facets, r.known
	if kind == kindSessionBlocks {
		bits, things = &l.sessions, len(r.names)
	}
	b.size = (len(r.headers) + 7) / 8
	if *bits == nil {
		data, err := r.chunk(kind, 0)
		if err != nil {
			return b, false, err
		}
		u := unpack(data)
		if u.err != nil || u.left() != things*b.size {
			return b, false, errGarbled
		}
		*bits = u.bytes(u.left())
	}
	b.bits = *bits
	return b, true, nil
}
