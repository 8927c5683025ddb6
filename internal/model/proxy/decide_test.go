package proxy

import (
	"errors"
	"io"
	"testing"

	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/model/dialect"
)

// TestDecide has a row for each outcome, and for each edge between two of them.
func TestDecide(t *testing.T) {
	format, other := &dialect.Format{Name: "asked"}, &dialect.Format{Name: "other"}
	broken, oversize := errors.New("reset"), &dialect.Refused{Reason: "too large"}
	asks := func(wants frame.Framing) expectation { return expectation{asked: format, wants: wants} }
	stream, whole := asks(frame.Events), asks(frame.Whole)
	files := expectation{file: true, otherwise: true}
	list := expectation{otherwise: true}
	lenient := expectation{asked: format, otherwise: true}
	var unknown expectation
	live := beginning{peeked: true, framing: frame.Events, shape: frame.EventStream, empty: true}
	begins := func(framing frame.Framing, shape frame.Shape) beginning {
		return beginning{framing: framing, shape: shape}
	}
	shows := func(framing frame.Framing, format *dialect.Format, first string) beginning {
		return beginning{peeked: true, framing: framing, format: format, first: frame.Frame{Data: []byte(first)}}
	}
	const plain, called = `{"data":[]}`, `{"tool_calls":[{"function":{"name":"a","arguments":"{}"}}]}`
	for name, c := range map[string]struct {
		expectation
		beginning
		want outcome
		why  *dialect.Refused
	}{
		"cannot be read":                   {stream, beginning{err: oversize}, refuseIt, oversize},
		"cannot be read, wrapped":          {stream, beginning{err: errors.Join(oversize, io.EOF)}, refuseIt, oversize},
		"broke off":                        {stream, beginning{err: broken}, breakOff, nil},
		"broke off at the first frame":     {stream, beginning{err: broken, peeked: true, format: format}, breakOff, nil},
		"cannot be read at the first":      {list, beginning{err: oversize, peeked: true}, refuseIt, oversize},
		"the stream that was asked for":    {stream, begins(frame.Events, frame.EventStream), gateAsAsked, nil},
		"lines that were asked for":        {asks(frame.Rows), begins(frame.Rows, frame.JSON), gateAsAsked, nil},
		"an array that was asked for":      {asks(frame.Elements), begins(frame.Elements, frame.JSON), gateAsAsked, nil},
		"messages that were asked for":     {asks(frame.Binary), begins(frame.Binary, frame.MessageStream), gateAsAsked, nil},
		"chunks that were asked for":       {asks(frame.Chunks), begins(frame.Chunks, frame.MessageStream), gateAsAsked, nil},
		"called a stream, begins else":     {stream, begins(frame.Events, frame.Unknown), peekFirst, nil},
		"another stream than asked for":    {stream, begins(frame.Rows, frame.EventStream), peekFirst, nil},
		"whole in place of a stream":       {stream, begins(frame.Whole, frame.JSON), peekFirst, nil},
		"whole, as asked for":              {whole, begins(frame.Whole, frame.Undecided), peekFirst, nil},
		"a stream that nobody asked for":   {unknown, begins(frame.Events, frame.EventStream), peekFirst, nil},
		"no format, but its framing":       {expectation{wants: frame.Events}, begins(frame.Events, frame.EventStream), peekFirst, nil},
		"a file":                           {files, begins(frame.Whole, frame.Unknown), relayAsFile, nil},
		"a file called a stream":           {files, beginning{shape: frame.Unknown, contentType: "text/event-stream"}, peekFirst, nil},
		"a file that is JSON":              {files, begins(frame.Whole, frame.JSON), peekFirst, nil},
		"a file of lines":                  {files, begins(frame.Rows, frame.Unknown), peekFirst, nil},
		"no file is expected":              {list, begins(frame.Whole, frame.Unknown), peekFirst, nil},
		"a file looked at":                 {files, beginning{peeked: true, shape: frame.Unknown, empty: true, strange: true}, refuseIt, &notJSON},
		"a stream is looked at once":       {stream, live, sendNothing, nil},
		"empty":                            {stream, beginning{peeked: true, empty: true}, sendNothing, nil},
		"bytes, but no frame":              {list, beginning{peeked: true, empty: true, strange: true}, refuseIt, &notJSON},
		"recognised, as asked for":         {whole, shows(frame.Whole, format, called), gateRecognised, nil},
		"recognised, another copy of it":   {whole, beginning{peeked: true, format: &dialect.Format{Name: "asked"}}, gateRecognised, nil},
		"recognised, nothing is asked for": {list, shows(frame.Whole, other, called), gateRecognised, nil},
		"recognised, another format":       {whole, shows(frame.Whole, other, plain), refuseIt, &otherFormat},
		"another format, may be otherwise": {lenient, shows(frame.Whole, other, plain), refuseIt, &otherFormat},
		"another format, no JSON":          {whole, shows(frame.Whole, other, "x"), refuseIt, &otherFormat},
		"another format, strange":          {whole, beginning{peeked: true, format: other, strange: true}, refuseIt, &notJSON},
		"a document":                       {list, shows(frame.Whole, nil, plain), sendDocument, nil},
		"a document with a call":           {list, shows(frame.Whole, nil, called), refuseIt, &unrecognised},
		"a document that is no JSON":       {list, shows(frame.Whole, nil, "<html>"), refuseIt, &notJSON},
		"a document of a model":            {unknown, shows(frame.Whole, nil, plain), refuseIt, &unrecognised},
		"no JSON of a model":               {unknown, shows(frame.Whole, nil, "x"), refuseIt, &notJSON},
		"frames":                           {list, shows(frame.Events, nil, plain), relayFrames, nil},
		"frames with a call":               {list, shows(frame.Rows, nil, called), refuseIt, &unrecognised},
		"frames that are no JSON":          {list, shows(frame.Events, nil, "[DONE]x"), refuseIt, &notJSON},
		"frames of a model":                {unknown, shows(frame.Events, nil, plain), refuseIt, &unrecognised},
		"chunks":                           {list, shows(frame.Chunks, nil, plain), relayFrames, nil},
		"messages":                         {list, shows(frame.Binary, nil, plain), refuseIt, &unrecognised},
	} {
		if got, why := c.decide(c.beginning); got != c.want || why != c.why {
			t.Errorf("%s: %q because %v, want %q because %v", name, got, why, c.want, c.why)
		}
	}
}
