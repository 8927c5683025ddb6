package bundle

import (
	"cmp"
	"slices"

	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/strictjson"
)

// The texts of a bundle are those of the responses in it, with the number of each, counted over all frames. A response that
// an operation tells twice has the same number, and its texts are said again. Around them:
//
//	place                        kind
//	what the client has sent     Prompt
//	error                        Failure
//	any other member             Elsewhere
//
// These have no response, and the number of the frame as item.
var wrapperNames = []string{
	"object", "id", "type", "custom_id", "key", "name", "@type", "request_id", "status_code", "status", "state", "first_id", "last_id",
	"model", "endpoint", "batch_request_id", "pagination_token", "createTime", "startTime", "endTime", "updateTime", "processed_time",
}

// findTexts finds the texts of a frame. It parses the frame again, so that the positions are those in the data without the left-out
// parts.
func (d *editor) findTexts(data []byte) []dialect.Span {
	var (
		doc strictjson.Doc
		l   layout
	)
	d.texts = d.texts[:0]
	if doc.Parse(data) != nil || l.read(doc.Root()) != nil {
		return nil // it was parsed before, so it can be parsed
	}
	if l.shape == noShape {
		l.entries = append(l.entries, entry{value: doc.Root()})
	}
	slices.SortFunc(l.entries, func(a, b entry) int { return cmp.Compare(startOf(a.value), startOf(b.value)) })
	found := map[int]bool{} // positions of responses
	numbers := map[twinKey]int{}
	known := newTwins()
	for _, p := range l.entries {
		key := known.keyOf(p)
		number, again := numbers[key]
		if !again {
			number = d.responses
		}
		if !d.entryTexts(p, number, again) {
			continue
		}
		found[startOf(p.value)] = true
		if !again {
			d.responses++
		}
		if p.run > 0 {
			numbers[key] = number
		}
	}
	w := wrapper{found: found, echoes: map[int]bool{}}
	for _, v := range l.echoes {
		w.echoes[startOf(v)] = true
	}
	w.texts.Begin()
	w.texts.At(dialect.Channel{Response: -1, Choice: -1, Item: d.frames})
	w.find(doc.Root())
	d.frames++
	d.texts = append(d.texts, w.texts.Finish(&dialect.Sieve{})...)
	slices.SortFunc(d.texts, func(a, b dialect.Span) int { return cmp.Compare(a.Start, b.Start) })
	return d.texts
}

func startOf(v strictjson.Value) int {
	start, _ := v.Span()
	return start
}

// entryTexts finds the texts of one response. It returns false if no format recognises it.
func (d *editor) entryTexts(p entry, number int, again bool) bool {
	start := startOf(p.value)
	if p.message {
		start -= len(beforeMessage)
	}
	f := (&part{message: p.message}).frame(p.value.Raw())
	format := d.formatOf(f, p)
	if format == nil {
		return false
	}
	r, err := format.New(dialect.Options{Whole: true, Texts: true, MaxArguments: d.opts.MaxArguments, Path: d.opts.Path}).Scan(f)
	if err != nil {
		return false
	}
	for _, s := range r.Texts {
		s.Response, s.Again = number, s.Again || again
		s.Start, s.End = s.Start+start, s.End+start
		d.texts = append(d.texts, s)
	}
	return true
}

// A wrapper finds the texts around responses.
type wrapper struct {
	texts dialect.Texts
	// found and echoes are the positions of responses, and of what the client has sent.
	found, echoes map[int]bool
}

func (w *wrapper) find(v strictjson.Value) {
	switch start := startOf(v); {
	case w.found[start]:
	case w.echoes[start]:
		w.texts.Add(v, dialect.Prompt, nil)
	case v.Kind() == strictjson.Object:
		for name, m := range v.Members() {
			switch {
			case name.Is("error"):
				w.texts.Add(m, dialect.Failure, dialect.Documented{"type", "code", "status", "param", "@type"})
			case m.Kind() != strictjson.String || !slices.ContainsFunc(wrapperNames, name.Is):
				w.find(m)
			}
		}
	case v.Kind() == strictjson.Array:
		for elem := range v.Elems() {
			w.find(elem)
		}
	default:
		w.texts.Add(v, dialect.Elsewhere, nil)
	}
}
