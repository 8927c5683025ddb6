package dialecttest

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/model/dialect"
)

// Heard is a frame that a dialect has parsed, and the positions of text that it returned.
type Heard struct {
	Data  []byte // as Rewrite gets them
	Spans []dialect.Span
}

// A listener is a dialect that stores the frames that it gets.
type listener struct {
	dialect.Dialect
	asked     bool
	heard     []Heard
	rewritten int // of heard
	err       error
}

// Scan implements dialect.Dialect.
func (l *listener) Scan(f frame.Frame) (dialect.Reading, error) {
	r, err := l.Dialect.Scan(f)
	if err == nil && (l.asked || r.Texts != nil) {
		l.heard = append(l.heard, Heard{bytes.Clone(r.Frame(f).Data), slices.Clone(r.Texts)})
	}
	return r, err
}

// Rewrite implements dialect.Dialect. A frame comes with the texts that were read in it, however long it was held.
func (l *listener) Rewrite(f frame.Frame, r dialect.Reading) ([]frame.Frame, error) {
	data := r.Frame(f).Data
	for l.asked && l.err == nil {
		if l.rewritten == len(l.heard) {
			l.err = fmt.Errorf("%q is rewritten with the texts of another frame: %v", data, r.Texts)
			break
		}
		h := l.heard[l.rewritten]
		l.rewritten++
		if bytes.Equal(h.Data, data) && slices.Equal(h.Spans, r.Texts) {
			break
		}
	}
	return l.Dialect.Rewrite(f, r)
}

// CheckTexts returns the errors in the form of the spans of a response.
func (r Result) CheckTexts() error {
	if r.stale != nil {
		return r.stale
	}
	for _, h := range r.Heard {
		if err := h.check(); err != nil {
			return err
		}
	}
	return nil
}

// check returns what is wrong with the form of the spans of a frame, whatever is in them: each is one JSON value, a string unless
// it is an echo, and they are in order.
func (h Heard) check() error {
	before := 0
	for _, s := range h.Spans {
		if s.Start < before || s.End <= s.Start || s.End > len(h.Data) {
			return fmt.Errorf("%v overlaps another one or lies outside of %q", s, h.Data)
		}
		before = s.End
		value := jsontext.Value(h.Data[s.Start:s.End])
		if !value.IsValid(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)) || len(bytes.TrimSpace(value)) != len(value) {
			return fmt.Errorf("%v is not one value but %q", s, value)
		}
		if s.Kind == dialect.NotText || s.Kind != dialect.Echo && value.Kind() != '"' {
			return fmt.Errorf("%v is no text: %q", s, value)
		}
	}
	return nil
}

// A said is what came on a channel, still escaped.
type said struct {
	literal string
	spans   int
}

// channels puts the pieces together. mustAgree says that what is said again must be what the pieces said.
func channels(heard []Heard, mustAgree bool) (map[dialect.Channel]said, error) {
	all := map[dialect.Channel]said{}
	for _, h := range heard {
		for _, s := range h.Spans {
			if s.Kind == dialect.Echo {
				continue
			}
			literal := string(h.Data[s.Start+1 : s.End-1])
			before, known := all[s.Channel]
			if !s.Again {
				literal = before.literal + literal
			} else if known && mustAgree && Unquote(before.literal) != Unquote(literal) {
				return nil, fmt.Errorf("%+v says %q again as %q", s, Unquote(before.literal), Unquote(literal))
			}
			all[s.Channel] = said{literal, before.spans + 1}
		}
	}
	return all, nil
}
