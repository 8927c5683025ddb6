package dialect

import "github.com/weir-gate/weir/internal/strictjson"

// A RequestTable says where the requests of a format have tools and results. Reading and stripping them is the same for all formats.
type RequestTable struct {
	// Units are the requests in a body that may hold several; nil: the body is the only one.
	Units func(l *Lookup, root strictjson.Value) []strictjson.Value
	// Offers are the tools that a request offers.
	Offers func(l *Lookup, unit strictjson.Value) []Offer
	// Results are what calls gave. What cannot be read is left out.
	Results func(unit strictjson.Value) []Result
	// Orphans are what makes no sense in a request without the offers that are gone; nil: nothing. It fails if the request cannot do
	// without them.
	Orphans func(l *Lookup, unit strictjson.Value, gone Gone) []Cut
}

// Requests reads and strips requests by the table.
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

// each has every request of a body read.
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

// strip takes offers out of a body, and what they leave orphaned. A body that cannot be read comes back as it is.
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

// Gone are offers that are taken out of a body.
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

// Left are the offers that are not among them.
func (g Gone) Left(offers []Offer) (left []Offer) {
	for _, o := range offers {
		if !g.Has(o) {
			left = append(left, o)
		}
	}
	return left
}
