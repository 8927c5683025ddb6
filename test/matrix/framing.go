package main

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/internal/weirtest/notation"
)

// byteOrderMark is U+FEFF, with which some servers begin.
const byteOrderMark = "\uFEFF"

// A framing is a way to write the pieces of an answer as bytes.
type framing struct {
	name string
	mode mode
	// plain says that every client reads it alike, so that an answer that is let through must keep its very bytes.
	plain bool
	// named says that it differs from others only if events have names.
	named bool
	// frames are the bytes of each piece. Their sum is the body.
	frames func([]piece) []string
}

// framings are all of them. The first of each mode is the ordinary one.
var framings = []framing{
	{name: "LF", mode: events, plain: true, frames: each(eventLines("\n"))},
	{name: "CRLF", mode: events, plain: true, frames: each(eventLines("\r\n"))},
	{name: "lone CR", mode: events, frames: each(eventLines("\r"))},
	{name: "LF and CRLF", mode: events, frames: alternating(eventLines("\n"), eventLines("\r\n"))},
	{name: "byte order mark", mode: events, frames: after(byteOrderMark, each(eventLines("\n")))},
	{name: "comments between", mode: events, frames: each(func(p piece) string { return ": still here\n\n" + event(p, "\n") })},
	{name: "comments inside", mode: events, frames: each(func(p piece) string { return ": still here\n" + event(p, "\n") })},
	{name: "data over two lines", mode: events, frames: each(twoDataLines)},
	{name: "no space after colon", mode: events, frames: each(spaceless)},
	{name: "id and retry", mode: events, frames: each(func(p piece) string { return "id: 7\nretry: 3000\n" + event(p, "\n") })},
	{name: "event after data", mode: events, named: true, frames: each(func(p piece) string {
		return "data: " + p.data + "\nevent: " + p.name + "\n\n"
	})},
	{name: "escaped letters", mode: events, plain: true, frames: each(func(p piece) string { return event(escapedPiece(p), "\n") })},

	{name: "LF", mode: lines, plain: true, frames: each(func(p piece) string { return p.data + "\n" })},
	{name: "CRLF", mode: lines, plain: true, frames: each(func(p piece) string { return p.data + "\r\n" })},
	{name: "blank lines between", mode: lines, frames: each(func(p piece) string { return p.data + "\n\n \n" })},
	{name: "byte order mark", mode: lines, frames: after(byteOrderMark, each(func(p piece) string { return p.data + "\n" }))},
	{name: "no end of the last", mode: lines, frames: unended},
	{name: "escaped letters", mode: lines, plain: true, frames: each(func(p piece) string { return escaped(p.data) + "\n" })},

	{name: "compact", mode: array, plain: true, frames: elements(",", "", compact)},
	{name: "CRLF between", mode: array, plain: true, frames: elements("\r\n,\r\n", "\r\n", compact)},
	{name: "indented", mode: array, plain: true, frames: elements(",\r\n", "\n", indented)},
	{name: "white space first", mode: array, plain: true, frames: after(" \r\n\t", elements(",", "", compact))},
	{name: "escaped letters", mode: array, plain: true, frames: elements(",", "", escaped)},

	{name: "usual headers", mode: packets, plain: true, frames: each(usualPacket)},
	{name: "headers turned around", mode: packets, plain: true, frames: each(func(p piece) string {
		headers := notation.EventHeaders(p.name)
		slices.Reverse(headers)
		return packet(headers, p.data)
	})},
	{name: "more headers", mode: packets, frames: each(func(p piece) string {
		return packet(append([]notation.Header{{Name: "x-trace", Value: "t-1"}}, notation.EventHeaders(p.name)...), p.data)
	})},
	{name: "escaped letters", mode: packets, frames: each(func(p piece) string { return usualPacket(escapedPiece(p)) })},

	{name: "compact", mode: whole, plain: true, frames: each(func(p piece) string { return p.data })},
	{name: "indented", mode: whole, plain: true, frames: each(func(p piece) string {
		return strings.ReplaceAll(indented(p.data), "\n", "\r\n") + "\n"
	})},
	{name: "byte order mark", mode: whole, frames: each(func(p piece) string { return byteOrderMark + p.data })},
	{name: "white space first", mode: whole, plain: true, frames: each(func(p piece) string { return "\n \r\n\t" + p.data })},
	{name: "escaped letters", mode: whole, plain: true, frames: each(func(p piece) string { return escaped(p.data) })},
}

// framingsOf are those in which an answer of a format may be written.
func framingsOf(f *format, m mode) []*framing {
	var list []*framing
	for i := range framings {
		if fr := &framings[i]; fr.mode == m && (f.named || !fr.named) {
			list = append(list, fr)
		}
	}
	return list
}

func each(write func(piece) string) func([]piece) []string { return alternating(write) }

// alternating writes the pieces by turns.
func alternating(writes ...func(piece) string) func([]piece) []string {
	return func(pieces []piece) []string {
		var list []string
		for i, p := range pieces {
			list = append(list, writes[i%len(writes)](p))
		}
		return list
	}
}

// after puts something ahead of the first frame.
func after(prefix string, frames func([]piece) []string) func([]piece) []string {
	return func(pieces []piece) []string {
		list := frames(pieces)
		list[0] = prefix + list[0]
		return list
	}
}

func eventLines(end string) func(piece) string {
	return func(p piece) string { return event(p, end) }
}

// event writes a piece as a server-sent event, its lines ended by end.
func event(p piece, end string) string {
	text := "data: " + p.data + end + end
	if p.name != "" {
		text = "event: " + p.name + end + text
	}
	return text
}

// packet writes a message of Amazon's event streams.
func packet(headers []notation.Header, data string) string {
	return string(notation.Message(headers, []byte(data)))
}

// usualPacket has the headers that the service sends.
func usualPacket(p piece) string { return packet(notation.EventHeaders(p.name), p.data) }

// spaceless writes a piece as an event without the spaces that most servers put after colons.
func spaceless(p piece) string {
	text := "data:" + p.data + "\n\n"
	if p.name != "" {
		text = "event:" + p.name + "\n" + text
	}
	return text
}

// twoDataLines divides the data of an event at a comma of its JSON. What is no object stays in one line.
func twoDataLines(p piece) string {
	at := -1
	quoted, escaped := false, false
	for i, c := range []byte(p.data) {
		switch {
		case escaped:
			escaped = false
		case c == '\\':
			escaped = true
		case c == '"':
			quoted = !quoted
		case c == ',' && !quoted && (at < 0 || i <= len(p.data)/2):
			at = i
		}
	}
	text := event(p, "\n")
	if at < 0 {
		return text
	}
	return strings.Replace(text, p.data, p.data[:at+1]+"\ndata: "+p.data[at+1:], 1)
}

// unended are lines the last of which has no end.
func unended(pieces []piece) []string {
	var list []string
	for i, p := range pieces {
		if i < len(pieces)-1 {
			p.data += "\n"
		}
		list = append(list, p.data)
	}
	return list
}

// elements writes pieces as the elements of an array.
func elements(between, end string, write func(string) string) func([]piece) []string {
	return func(pieces []piece) []string {
		var list []string
		for i, p := range pieces {
			text := write(p.data)
			if i == 0 {
				text = "[" + text
			} else {
				text = between + text
			}
			if i == len(pieces)-1 {
				text += end + "]"
			}
			list = append(list, text)
		}
		return list
	}
}

func compact(data string) string { return data }

// indented writes JSON so that people can read it.
func indented(data string) string {
	v := jsontext.Value(data)
	if err := v.Indent(jsontext.WithIndent("  ")); err != nil {
		panic(err) // all data here is JSON
	}
	return string(v)
}

// jsonString is a string of JSON.
var jsonString = regexp.MustCompile(`"(?:[^"\\]|\\.)*"`)

// escaped writes every third letter in the strings of JSON, names included, as an escape. It means the same.
func escaped(data string) string {
	return jsonString.ReplaceAllStringFunc(data, func(s string) string {
		var b strings.Builder
		for i := 0; i < len(s); i++ {
			switch c := s[i]; {
			case c == '\\':
				b.WriteString(s[i : i+2])
				i++
			case i%3 == 1 && (c|0x20) >= 'a' && (c|0x20) <= 'z':
				fmt.Fprintf(&b, `\u%04x`, c)
			default:
				b.WriteByte(c)
			}
		}
		return b.String()
	})
}

func escapedPiece(p piece) piece { return piece{p.name, escaped(p.data)} }

// withoutComments is a stream without the blocks that are only comments.
func withoutComments(stream []byte) []byte {
	return bytes.ReplaceAll(stream, []byte(": still here\n\n"), nil)
}
