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

// An editor handles one bundle, in lines or whole. Every response in it is parsed by its own dialect, as a whole body.
//
// If one of them is refused as a whole (because it cannot be parsed, and not because of a call in it), the rest of the bundle is
// refused. So the refusal is recorded, and nobody takes the rest for the complete bundle.
type editor struct {
	inner []dialect.Format
	opts  dialect.Options
	doc   strictjson.Doc
	meta  dialect.Meta
	shape shape // the first shape that was seen
	done  bool  // the agent has got the body, or the end that Stop made

	texts             []dialect.Span // scratch of findTexts
	frames, responses int            // whose texts were found
}

func newEditor(inner []dialect.Format, o dialect.Options) *editor {
	return &editor{inner: inner, opts: o}
}

// Meta implements dialect.Dialect. The usage is the sum of all responses; each call refers to its own response.
func (d *editor) Meta() dialect.Meta { return d.meta }

// A part is one response of a frame, with its dialect.
type part struct {
	start, end int // its position
	message    bool
	dialect    dialect.Dialect
	reading    dialect.Reading
	// twin is an equal part elsewhere in the frame, whose rewriting is used for this part, too; nil: none.
	twin *part

	left      []byte // the rest of it, if its dialect leaves something out; nil: all of it
	rewritten bool   // Rewrite has changed it
	text      []byte // the changed text
}

// Scan implements dialect.Dialect.
func (d *editor) Scan(f frame.Frame) (dialect.Reading, error) {
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
		// Some servers put bare responses into lines.
		l.entries = append(l.entries, entry{value: root})
	} else if err := d.checkRest(f.Data, &l); err != nil {
		return dialect.Reading{}, err
	}
	r, err := d.scanEntries(f.Data, &l)
	d.meta.Ended = d.opts.Whole && err == nil
	if err == nil && d.opts.Texts {
		r.Texts = d.findTexts(r.Frame(f).Data)
	}
	return r, err
}

// scanEntries parses every response.
func (d *editor) scanEntries(data []byte, l *layout) (dialect.Reading, error) {
	var parts []*part
	var r dialect.Reading
	known := newTwins()
	for _, p := range l.entries {
		key := known.keyOf(p)
		if twin := known.parts[key]; twin != nil {
			start, end := p.value.Span()
			parts = append(parts, &part{start: start, end: end, twin: twin, left: twin.left})
			continue
		}
		read, err := d.scanEntry(p)
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

// leaveOut returns a frame's data without what the responses' dialects leave out; nil: nothing is left out. It updates the
// positions of the parts.
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

// flattened writes echoes with calls on one line: a reader of lines would take one of several lines for a response.
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

// scanEntry parses one response; nil: no format recognises it.
func (d *editor) scanEntry(p entry) (*part, error) {
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

// leave notes the rest of a response: its dialect gets only that when it is rewritten.
func (p *part) leave() (err error) {
	if p.left, p.reading.Instead = p.reading.Instead, nil; p.left != nil && p.message {
		p.left, err = messageIn(p.left)
	}
	return err
}

// formatOf returns the format of a response; nil: none recognises it.
func (d *editor) formatOf(f frame.Frame, p entry) *dialect.Format {
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

// learn adds what a response says about itself.
func (d *editor) learn(p *part, format string) {
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

// checkRest checks the part of a frame beside its responses and echoes. It must have no call, and a format that recognises it
// (normally as an error) must find none, either.
func (d *editor) checkRest(data []byte, l *layout) error {
	edits := make([]strictjson.Edit, 0, len(l.entries)+len(l.echoes))
	for _, p := range l.entries {
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
	format := d.formatOf(f, entry{})
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

// End implements dialect.Dialect: every response was complete, so no call is open.
func (d *editor) End(clean bool) []*dialect.Slot {
	d.meta.Ended = d.meta.Ended || clean
	return nil
}
