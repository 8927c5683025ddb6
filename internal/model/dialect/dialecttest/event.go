package dialecttest

import (
	"strings"
)

// A LooseEvent is a frame as some client reads it: a server-sent event, an element, a line, a body.
type LooseEvent struct {
	Name string
	Data string
}

// A Framing is one client's way to split a stream into events.
type Framing struct {
	Name   string
	Events func(stream []byte) []LooseEvent
}

// Framings are the ways in which clients read server-sent events. All of them hand over an event that the end of the
// stream cut off: some client does.
func Framings() []Framing {
	return []Framing{
		{"by the standard", func(b []byte) []LooseEvent { return byLines(anyLines(b), keep) }},
		{"stripping marks", func(b []byte) []LooseEvent { return byLines(anyLines(b), stripMark) }},
		{"by line feeds", func(b []byte) []LooseEvent { return byLines(strings.Split(text(b), "\n"), dropCR) }},
		{"by line feeds, trimming", func(b []byte) []LooseEvent {
			return byLines(strings.Split(text(b), "\n"), strings.TrimSpace)
		}},
		{"by unicode line ends", func(b []byte) []LooseEvent { return byLines(unicodeLines(b), keep) }},
		{"by blocks", byBlocks},
	}
}

// anyLines returns the lines of b according to the standard.
func anyLines(b []byte) []string {
	return strings.Split(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text(b)), "\n")
}

// unicodeLines are the lines of b to clients that split text where Unicode ends lines.
func unicodeLines(b []byte) []string {
	return strings.Split(strings.NewReplacer("\r\n", "\n", "\r", "\n", "\v", "\n", "\f", "\n", "\x1c", "\n",
		"\x1d", "\n", "\x1e", "\n", "\u0085", "\n", "\u2028", "\n", "\u2029", "\n").Replace(text(b)), "\n")
}

// text replaces invalid UTF-8, as clients do.
func text(b []byte) string { return strings.ToValidUTF8(string(b), "\uFFFD") }

func keep(line string) string { return line }

func dropCR(line string) string { return strings.TrimSuffix(line, "\r") }

func stripMark(line string) string { return strings.TrimPrefix(line, "\uFEFF") }

// byLines reads events from lines, each of which is first made plain.
func byLines(lines []string, plain func(string) string) []LooseEvent {
	var events []LooseEvent
	var e LooseEvent
	var data []string
	dispatch := func() {
		if len(data) > 0 {
			e.Data = strings.Join(data, "\n")
			events = append(events, e)
		}
		e, data = LooseEvent{}, nil
	}
	for _, line := range lines {
		line = plain(line)
		if line == "" {
			dispatch()
			continue
		}
		field, value, _ := strings.Cut(line, ":")
		value = strings.TrimPrefix(value, " ")
		switch field {
		case "data":
			data = append(data, value)
		case "event":
			e.Name = value
		}
	}
	dispatch()
	return events
}

// byBlocks reads events as clients do that take everything after the first "data:" of a block for its data, line ends
// included.
func byBlocks(stream []byte) []LooseEvent {
	var events []LooseEvent
	blocks := strings.NewReplacer("\n\n", "\x00", "\r\r", "\x00", "\r\n\r\n", "\x00").Replace(text(stream))
	for block := range strings.SplitSeq(blocks, "\x00") {
		head, data, found := strings.Cut(strings.TrimSpace(block), "data:")
		if !found {
			continue
		}
		_, name, _ := strings.Cut(head, "event:")
		events = append(events, LooseEvent{Name: strings.TrimSpace(name), Data: data})
	}
	return events
}
