// Package show writes events for people: one on a line, all of one, the story of a call. It knows no terminal; a style says how.
package show

import (
	"time"

	"github.com/weir-gate/weir/internal/record"
)

// A Style says how events are written for people. Whoever has them written knows the reader: the time zone, and whether it is a terminal.
type Style struct {
	Zone    *time.Location
	Colours bool
}

// A Colour of a word, as terminals know it.
type Colour string

// The colours.
const (
	Plain  Colour = ""
	Faint  Colour = "2"
	Red    Colour = "31"
	Green  Colour = "32"
	Yellow Colour = "33"
)

// Paint colours text, if the style has colours.
func (s Style) Paint(text string, c Colour) string {
	if !s.Colours || c == Plain || text == "" {
		return text
	}
	return "\x1b[" + string(c) + "m" + text + "\x1b[0m"
}

// ColourOf is the colour of the word for what became of an event.
func ColourOf(e record.Event) Colour {
	switch {
	case e.Blocked:
		return Red
	case e.WouldBe != "" || e.Verdict == "audit" || e.Verdict == "sanitize":
		return Yellow
	case e.Verdict == "allow":
		return Green
	}
	return Plain
}

// when is the time of an event.
func (s Style) when(t time.Time) string { return t.In(s.Zone).Format("2006-01-02 15:04:05.000") }
