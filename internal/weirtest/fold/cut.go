package fold

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/internal/weirtest/notation"
)

// An event is one of a stream in the canonical framing.
type event struct {
	name string
	data []byte
}

// says tells whether an event is more than a sign of life or the mark of an end.
func (e event) says() bool {
	return string(e.data) != "[DONE]" && e.name != "ping" && e.name != "keepalive"
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

// elements reads an array. It returns what there is of one that is not closed.
func elements(body []byte) ([]event, error) {
	d := jsontext.NewDecoder(bytes.NewReader(body), lenient)
	if first, err := d.ReadToken(); err != nil || first.Kind() != '[' {
		return nil, errors.New("the response is no array")
	}
	var list []event
	for d.PeekKind() != ']' {
		v, err := d.ReadValue()
		switch {
		case errors.Is(err, io.ErrUnexpectedEOF):
			return list, fmt.Errorf("the array is not closed: %w", ErrUnfinished)
		case err != nil:
			return nil, fmt.Errorf("the array: %w", err)
		}
		list = append(list, event{data: v.Clone()})
	}
	if rest := bytes.TrimSpace(body[d.InputOffset():]); string(rest) != "]" {
		return nil, fmt.Errorf("the array is followed by %q", rest)
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

// cut are how responses that grow are cut into frames.
var cut = map[Kind]func([]byte) ([]event, error){Events: events, Array: elements, Lines: lines, Packets: unpackAll}

// unpackAll reads a binary event stream. A chunk is named by the type of what is in it, since its framing has no names. An
// exception or error ends the stream.
func unpackAll(body []byte) ([]event, error) {
	var list []event
	for len(body) > 0 {
		p, size, err := notation.Unpack(body)
		if err != nil {
			return nil, err
		}
		body = body[size:]
		switch {
		case p.Kind == notation.Exception || p.Kind == notation.Error:
			if len(body) > 0 {
				return nil, errors.New("the stream goes on after its failure")
			}
			return list, ErrFailed
		case p.Kind == notation.Chunk:
			var frame struct {
				Type string `json:"type"`
			}
			if err := json.Unmarshal(p.Payload, &frame, lenient); err != nil {
				return nil, fmt.Errorf("a chunk: %w", err)
			}
			p.Name = frame.Type
		case p.Name == "":
			return nil, errors.New("a message does not say what it is")
		}
		list = append(list, event{p.Name, p.Payload})
	}
	return list, nil
}
