// Package show writes events for people: as one line, with all members, or as the history of a call. It knows no terminal; a style
// says how to write.
package show

import (
	"time"

	"github.com/weir-gate/weir/internal/record"
)

// A Style says how events are written for people. The caller knows the time zone, and whether the output is a terminal.
type Style struct {
	Zone    *time.Location
	Colours bool
}

// A Colour is a terminal's code for the colour of a word.
type Colour string

// Palette has the colours. The zero Colour is none.
var Palette = struct{ Faint, Red, Green, Yellow Colour }{Faint: "2", Red: "31", Green: "32", Yellow: "33"}

// Paint colours text, if the style has colours.
func (s Style) Paint(text string, c Colour) string {
	if !s.Colours || c == "" || text == "" {
		return text
	}
	return "\x1b[" + string(c) + "m" + text + "\x1b[0m"
}

// colourOf is the colour of an event's outcome.
func colourOf(e record.Event) Colour {
	switch {
	case e.Blocked:
		return Palette.Red
	case e.WouldBe != "" || e.Verdict == "audit" || e.Verdict == "sanitize":
		return Palette.Yellow
	case e.Verdict == "allow":
		return Palette.Green
	}
	return ""
}

// when is the time of an event.
func (s Style) when(t time.Time) string { return t.In(s.Zone).Format("2006-01-02 15:04:05.000") }
