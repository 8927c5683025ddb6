package dialecttest

import (
	"bytes"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/internal/frame"
)

// Readers are the ways in which clients read responses of a framing. The last of them is the most lenient.
func Readers(in frame.Framing) []Framing {
	switch in {
	case frame.Whole:
		return []Framing{{"whole", wholeBody}}
	case frame.Elements:
		return []Framing{
			{"as elements that come", arrayElements},
			{"by braces", byBraces},
		}
	case frame.Rows:
		return []Framing{
			{"by line feeds", func(b []byte) []LooseEvent { return textLines(strings.Split(text(b), "\n")) }},
			{"by unicode line ends", func(b []byte) []LooseEvent { return textLines(unicodeLines(b)) }},
			{"as values that come", values},
			{"by braces", byBraces},
		}
	case frame.Binary:
		return []Framing{{"as messages", messages}}
	case frame.Chunks:
		return []Framing{{"as chunks", chunksOf}}
	}
	return Framings()
}

// wholeBody reads a body as one event.
func wholeBody(b []byte) []LooseEvent {
	if len(bytes.TrimSpace(b)) == 0 {
		return nil
	}
	return []LooseEvent{{Data: text(bytes.TrimPrefix(b, []byte("\uFEFF")))}}
}

// lenient returns a decoder that accepts duplicate names and broken characters.
func lenient(b []byte) *jsontext.Decoder {
	return jsontext.NewDecoder(bytes.NewReader(b), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
}

// arrayElements reads the elements of an array up to where it ends or breaks off.
func arrayElements(b []byte) []LooseEvent {
	d := lenient(b)
	if t, err := d.ReadToken(); err != nil || t.Kind() != '[' {
		return nil
	}
	return valuesOf(d)
}

// values reads JSON values that follow each other.
func values(b []byte) []LooseEvent { return valuesOf(lenient(b)) }

func valuesOf(d *jsontext.Decoder) []LooseEvent {
	var events []LooseEvent
	for {
		v, err := d.ReadValue()
		if err != nil {
			return events
		}
		events = append(events, LooseEvent{Data: text(v)})
	}
}

// textLines are the lines that are not empty.
func textLines(lines []string) []LooseEvent {
	var events []LooseEvent
	for _, line := range lines {
		if line = strings.TrimSpace(stripMark(line)); line != "" {
			events = append(events, LooseEvent{Data: line})
		}
	}
	return events
}

// byBraces reads every object that is not inside of another, whatever is between them.
func byBraces(b []byte) []LooseEvent {
	var events []LooseEvent
	depth, from, quoted := 0, 0, false
	for i := 0; i < len(b); i++ {
		switch c := b[i]; {
		case quoted && c == '\\':
			i++
		case c == '"' && depth > 0:
			quoted = !quoted
		case quoted:
		case c == '{':
			if depth == 0 {
				from = i
			}
			depth++
		case c == '}' && depth > 0:
			if depth--; depth == 0 {
				events = append(events, LooseEvent{Data: text(b[from : i+1])})
			}
		}
	}
	return events
}
