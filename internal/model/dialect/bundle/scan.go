package bundle

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/strictjson"
)

// A response is one bundle, in lines or whole. Every response in it is read by a dialect of its own, as a whole body.
//
// What one of them is refused for as a whole (not a call in it, but that it cannot be read) refuses the rest of the bundle:
// only so is it recorded, and nobody takes what is left for all there was.
type response struct {
	inner []dialect.Format
	opts  dialect.Options
	doc   strictjson.Doc
	meta  dialect.Meta
	shape shape // the first that was seen
	done  bool  // the agent has the body, or the end that Stop made

	texts             []dialect.Span // scratch of findTexts
	frames, responses int            // whose texts were found
}

func newResponse(inner []dialect.Format, o dialect.Options) *response {
	return &response{inner: inner, opts: o}
}

// Meta implements dialect.Dialect. The usage is the sum of all responses; calls know of which of them they are.
func (d *response) Meta() dialect.Meta { return d.meta }

// A part is one response of a frame, in the hands of its dialect.
type part struct {
	start, end int // where it stands
	message    bool
	dialect    dialect.Dialect
	reading    dialect.Reading
	// twin is the part that says the same elsewhere in the frame, and whose rewriting this one gets; nil: none.
	twin *part

	left      []byte // what is left of it, if its dialect leaves something out; nil: all of it
	rewritten bool   // Rewrite has made another of it
	text      []byte // that other
}

// Scan implements dialect.Dialect.
func (d *response) Scan(f frame.Frame) (dialect.Reading, error) {
	if len(f.Type) > 0 {
		return dialect.Reading{}, dialect.Malformed("a frame of a bundle is an event with a name")
	}
	if d.doc.Parse(f.Data) != nil {
		return dialect.Reading{}, dialect.Malformed("a frame is not strict JSON")
	}
	root := d.doc.Root()
	var l layout
	err := l.read(root)
	if d.shape == noShape {
		d.shape = l.shape
	}
	if err != nil {
		return dialect.Reading{}, err
	}
	if l.shape == noShape {
		// Some servers put responses into lines as they are.
		l.places = append(l.places, place{value: root})
	} else if err := d.checkRest(f.Data, &l); err != nil {
		return dialect.Reading{}, err
	}
	r, err := d.scanPlaces(f.Data, &l)
	d.meta.Ended = d.opts.Whole && err == nil
	if err == nil && d.opts.Texts {
		r.Texts = d.findTexts(r.Frame(f).Data)
	}
	return r, err
}

// scanPlaces has every response read.
func (d *response) scanPlaces(data []byte, l *layout) (dialect.Reading, error) {
	var parts []*part
	var r dialect.Reading
	known := newTwins()
	for _, p := range l.places {
		key := known.keyOf(p)
		if twin := known.parts[key]; twin != nil {
			start, end := p.value.Span()
			parts = append(parts, &part{start: start, end: end, twin: twin, left: twin.left})
			continue
		}
		read, err := d.scanPlace(p)
		if err != nil {
			return dialect.Reading{}, err
		}
		if read == nil {
			continue
		}
		if p.run > 0 {
			known.parts[key] = read
		}
		parts = append(parts, read)
		r.Opens = append(r.Opens, read.reading.Opens...)
		r.Waits = append(r.Waits, read.reading.Waits...)
	}
	parts = append(parts, flattened(l.echoes)...)
	r.Plan, r.Instead = parts, leaveOut(data, parts)
	return r, nil
}

// leaveOut is a frame's data without what responses in it go out without; nil: nothing is left out. The parts are then where they
// stand in those data.
func leaveOut(data []byte, parts []*part) []byte {
	if !slices.ContainsFunc(parts, func(p *part) bool { return p.left != nil }) {
		return nil
	}
	var edits []strictjson.Edit
	moved := 0
	for _, p := range slices.SortedFunc(slices.Values(parts), func(a, b *part) int { return cmp.Compare(a.start, b.start) }) {
		start, end := p.start, p.end
		p.start += moved
		if p.left != nil {
			edits = append(edits, strictjson.Edit{Start: start, End: end, New: p.left})
			moved += len(p.left) - (end - start)
		}
		p.end = end + moved
	}
	return strictjson.Splice(data, edits...)
}

// flattened writes on one line what repeats calls that the client has sent: a reader of lines would take one of several for a response.
func flattened(echoes []strictjson.Value) (parts []*part) {
	for _, v := range echoes {
		if !bytes.ContainsAny(v.Raw(), "\r\n") || !dialect.CarriesCall(v) {
			continue
		}
		text := jsontext.Value(bytes.Clone(v.Raw()))
		if text.Compact(jsontext.AllowDuplicateNames(true)) == nil {
			start, end := v.Span()
			parts = append(parts, &part{start: start, end: end, rewritten: true, text: text})
		}
	}
	return parts
}

// scanPlace has one response read; nil if it is none that a format knows.
func (d *response) scanPlace(p place) (*part, error) {
	start, end := p.value.Span()
	read := &part{start: start, end: end, message: p.message}
	f := read.frame(p.value.Raw())
	format := d.formatOf(f, p)
	switch {
	case format == nil && p.only:
		return nil, dialect.Malformed("a response of a bundle is not in the format that its wrapper tells of")
	case format == nil && dialect.CarriesCall(p.value):
		return nil, dialect.Malformed("something of an unknown kind in a bundle has the shape of a call")
	case format == nil:
		return nil, nil
	}
	read.dialect = format.New(dialect.Options{
		Whole: true, Drop: d.opts.Drop, MaxArguments: d.opts.MaxArguments, Path: d.opts.Path,
	})
	var err error
	if read.reading, err = read.dialect.Scan(f); err != nil {
		return nil, err
	}
	if len(read.dialect.End(true)) > 0 {
		return nil, dialect.Malformed("a response of a bundle ends inside a call")
	}
	d.learn(read, format.Name)
	return read, read.leave()
}

// leave notes what is left of a response: its dialect gets that, later, as if nothing else had come.
func (p *part) leave() (err error) {
	if p.left, p.reading.Instead = p.reading.Instead, nil; p.left != nil && p.message {
		p.left, err = messageIn(p.left)
	}
	return err
}

// formatOf is the format that a response is in; nil if none recognises it.
func (d *response) formatOf(f frame.Frame, p place) *dialect.Format {
	for i := range d.inner {
		if d.inner[i].Name == p.format && d.inner[i].Recognises(f) {
			return &d.inner[i]
		}
	}
	if p.only && p.format != "" {
		return nil
	}
	for i := range d.inner {
		if d.inner[i].Recognises(f) {
			return &d.inner[i]
		}
	}
	return nil
}

// learn adds what a response says of itself.
func (d *response) learn(p *part, format string) {
	m := p.dialect.Meta()
	m.Dialect = format
	for _, s := range p.reading.Opens {
		s.From = &m
	}
	if d.meta.Model == "" {
		d.meta.Model = m.Model
	}
	u := &d.meta.Usage
	u.Input += m.Usage.Input
	u.Output += m.Usage.Output
	u.CacheRead += m.Usage.CacheRead
	u.CacheCreation += m.Usage.CacheCreation
}

// checkRest looks at what a frame has beside its responses and what the client has sent. No call belongs there, and a format
// that recognises it (as an error, as a rule) must find none either.
func (d *response) checkRest(data []byte, l *layout) error {
	edits := make([]strictjson.Edit, 0, len(l.places)+len(l.echoes))
	for _, p := range l.places {
		edits = append(edits, p.value.Replace([]byte("null")))
	}
	for _, v := range l.echoes {
		edits = append(edits, v.Replace([]byte("null")))
	}
	rest := strictjson.Splice(data, edits...)
	var doc strictjson.Doc
	if doc.Parse(rest) != nil || dialect.CarriesCall(doc.Root()) {
		return dialect.Malformed("a bundle has the shape of a call beside its responses")
	}
	f := frame.Frame{Raw: rest, Data: rest, Plain: true}
	format := d.formatOf(f, place{})
	if format == nil {
		return nil
	}
	r, err := format.New(dialect.Options{Whole: true, MaxArguments: d.opts.MaxArguments}).Scan(f)
	if err != nil {
		return err
	}
	if len(r.Opens) > 0 {
		return dialect.Malformed("a bundle has a call beside its responses")
	}
	return nil
}

// End implements dialect.Dialect: every response was whole where it stood, so no call is open.
func (d *response) End(clean bool) []*dialect.Slot {
	d.meta.Ended = d.meta.Ended || clean
	return nil
}
