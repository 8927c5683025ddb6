package dialect

import "github.com/weir-gate/weir/internal/strictjson"

// A RequestTable says where the requests of a format have tools and results. Parsing and stripping then work the same for all
// formats.
type RequestTable struct {
	// Units returns the requests in a body that may hold several; nil: the body is one request.
	Units func(l *Lookup, root strictjson.Value) []strictjson.Value
	// Offers returns the tools that a request offers.
	Offers func(l *Lookup, unit strictjson.Value) []Offer
	// Results returns the results of calls. Results that cannot be read are left out.
	Results func(unit strictjson.Value) []Result
	// Orphans returns the parts of a request that make no sense without the offers that are gone; nil: there are none. It fails if the
	// request needs those offers.
	Orphans func(l *Lookup, unit strictjson.Value, gone Gone) []Cut
}

// Requests returns functions that parse and strip requests by the table.
func (t *RequestTable) Requests() *Requests { return &Requests{Read: t.read, Strip: t.strip} }

func (t *RequestTable) read(body []byte) (r Request, err error) {
	err = t.each(body, func(l *Lookup, unit strictjson.Value) {
		r.Offers = append(r.Offers, t.Offers(l, unit)...)
		r.Results = append(r.Results, t.Results(unit)...)
	})
	if err != nil {
		return Request{}, err
	}
	return r, nil
}

// each calls read for every request in a body.
func (t *RequestTable) each(body []byte, read func(*Lookup, strictjson.Value)) error {
	root, err := ParseRequest(new(strictjson.Doc), body)
	if err != nil {
		return err
	}
	var l Lookup
	units := []strictjson.Value{root}
	if t.Units != nil {
		units = t.Units(&l, root)
	}
	for _, unit := range units {
		if l.Err == nil {
			read(&l, unit)
		}
	}
	return l.Err
}

// strip removes offers and their orphans from a body. A body that cannot be parsed is returned unchanged.
func (t *RequestTable) strip(body []byte, offers []Offer) []byte {
	gone := Gone{Offers: offers, starts: map[int]bool{}}
	var cuts []Cut
	for _, o := range offers {
		for _, c := range o.Cuts {
			cuts = append(cuts, c)
			gone.starts[c.Start] = true
		}
	}
	if len(cuts) > 0 && t.Orphans != nil {
		err := t.each(body, func(l *Lookup, unit strictjson.Value) { cuts = append(cuts, t.Orphans(l, unit, gone)...) })
		if err != nil {
			return body
		}
	}
	return Without(body, cuts)
}

// Gone are offers that are removed from a body.
type Gone struct {
	Offers []Offer
	starts map[int]bool
}

// Has says whether an offer of the body is among them.
func (g Gone) Has(o Offer) bool { return len(o.Cuts) > 0 && g.starts[o.Cuts[0].Start] }

// HasValue says whether a value is an offer among them.
func (g Gone) HasValue(v strictjson.Value) bool {
	start, _ := v.Span()
	return g.starts[start]
}

// Left returns the offers that are not among them.
func (g Gone) Left(offers []Offer) (left []Offer) {
	for _, o := range offers {
		if !g.Has(o) {
			left = append(left, o)
		}
	}
	return left
}
