package weirtest

import (
	"errors"
	"fmt"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// A wire is a format of answers as its clients know it.
type wire struct {
	// asks says whether a request for a path comes from one of its clients.
	asks func(path string) bool
	// agent is what its clients send beside the body.
	agent []header
	// verb stands in targets for the end of a path by which the clients ask for a form, which is one of verbs; "": for nothing.
	verb  string
	verbs map[form]string
	// requests are what is asked unless a scenario says otherwise.
	requests map[form]string
	// speaks says whether a frame of a stream is of this format, as far as its members tell.
	speaks func(frame object) bool
	// fold begins to make one message of a stream.
	fold func() folder
	// framed checks what its clients ask of the framing of events; nil: nothing.
	framed func(sse []byte) error
	// whole is the message in a body, such that a folded one compares with it; nil: it is none.
	whole func(body object) (jsontext.Value, error)
	// acceptable checks what no accumulator does but agents and the API do.
	acceptable func(message jsontext.Value) error
}

// A folder makes one message of a stream, and fails where a client would stumble. name is "" for a frame without one.
type folder interface {
	take(name string, data []byte) error
	result() (jsontext.Value, error)
}

// wires are the formats that are known. What one of them is asked for or speaks, no later one does.
var wires = []*wire{&responses, &messages, &chat, &gemini, &ollama, &bedrock, &invoked}

// wireAskedBy is the format that the clients speak that send a request to target.
func wireAskedBy(target string) *wire {
	path, _, _ := strings.Cut(target, "?")
	for _, w := range wires {
		if w.asks(path) {
			return w
		}
	}
	return &messages
}

// errErrorEvent says that a stream ended with an error of the API, and so is no message.
var errErrorEvent = errors.New("the stream ended with an error")

// lenient reads JSON as clients do.
var lenient = json.JoinOptions(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))

type object = map[string]jsontext.Value

// A message is what a client has when it has read an answer.
type message struct {
	wire *wire
	text jsontext.Value
}

// messageOf is the message in a body, in any form. It is nil if the body is an error, or no message at all.
func messageOf(body []byte, f form) (*message, error) {
	if f.grows() {
		m, err := fold(body, f)
		if errors.Is(err, errErrorEvent) {
			return nil, nil
		}
		return m, err
	}
	var o object
	if json.Unmarshal(body, &o, lenient) != nil {
		return nil, nil
	}
	for _, w := range wires {
		if text, err := w.whole(o); err != nil || text != nil {
			return &message{w, text}, err
		}
	}
	return nil, nil
}

// An event is one of a stream in the canonical framing.
type event struct {
	name string
	data []byte
}

// events reads a stream in the canonical framing: at most a name, then one line of data.
func events(sse []byte) ([]event, error) {
	text := strings.ReplaceAll(string(sse), "\r\n", "\n")
	if !strings.HasSuffix(text, "\n\n") {
		return nil, errors.New("the stream does not end with a blank line")
	}
	var list []event
	for block := range strings.SplitSeq(strings.TrimSuffix(text, "\n\n"), "\n\n") {
		if strings.HasPrefix(block, ":") && !strings.Contains(block, "\n") {
			continue // a comment
		}
		var e event
		rest := block
		if line, more, ok := strings.Cut(block, "\n"); ok && strings.HasPrefix(line, "event: ") {
			e.name, rest = strings.TrimPrefix(line, "event: "), more
		}
		data, ok := strings.CutPrefix(rest, "data: ")
		if !ok || strings.Contains(data, "\n") {
			return nil, fmt.Errorf("%q is not an event in the canonical framing", block)
		}
		e.data = []byte(data)
		list = append(list, e)
	}
	return list, nil
}

// elements reads an array that has grown to its end.
func elements(body []byte) ([]event, error) {
	var values []jsontext.Value
	if err := json.Unmarshal(body, &values, lenient); err != nil {
		return nil, fmt.Errorf("the array: %w", err)
	}
	var list []event
	for _, v := range values {
		list = append(list, event{data: v})
	}
	return list, nil
}

// lines reads JSON line by line, as every client can: each ends in LF, and none is blank.
func lines(body []byte) ([]event, error) {
	if !strings.HasSuffix(string(body), "\n") {
		return nil, errors.New("the last line has no end")
	}
	var list []event
	for line := range strings.SplitSeq(strings.TrimSuffix(string(body), "\n"), "\n") {
		if strings.TrimSpace(line) == "" {
			return nil, errors.New("a line is blank")
		}
		list = append(list, event{data: []byte(line)})
	}
	return list, nil
}

// cut are how answers that grow are cut into frames.
var cut = map[form]func([]byte) ([]event, error){stream: events, array: elements, rows: lines, parcels: unpackAll}

// fold reads an answer that grows, in the canonical framing, and returns its message as one body.
func fold(body []byte, f form) (*message, error) {
	list, err := cut[f](body)
	if err != nil {
		return nil, err
	}
	w := wireOf(list)
	switch {
	case w == nil && f == stream:
		w = &messages // whose streams may begin with what says nothing
	case w == nil:
		return nil, nil
	}
	if f == stream && w.framed != nil {
		if err := w.framed(body); err != nil {
			return nil, err
		}
	}
	folder := w.fold()
	for _, e := range list {
		if err := folder.take(e.name, e.data); err != nil {
			return nil, err
		}
	}
	text, err := folder.result()
	return &message{w, text}, err
}

// wireOf is the format of an answer that grows; nil if none speaks so.
func wireOf(list []event) *wire {
	for _, e := range list {
		var frame object
		if json.Unmarshal(e.data, &frame, lenient) != nil {
			continue
		}
		for _, w := range wires {
			if w.speaks(frame) {
				return w
			}
		}
	}
	return nil
}

// joined appends one JSON string to another as they are written, so that halves of a character join.
func joined(a, b jsontext.Value) jsontext.Value {
	if len(a) < 2 {
		return b
	}
	return append(a[:len(a)-1:len(a)-1], b[1:]...)
}

// text is a JSON string's text; "" for what is none.
func text(v jsontext.Value) string {
	var s string
	if json.Unmarshal(v, &s, lenient) != nil {
		return ""
	}
	return s
}
