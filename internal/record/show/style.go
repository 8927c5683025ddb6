// Package show writes events for people: as one line, with all members, or as the history of a call. It knows no terminal; a style
// says how to write.
package show

import (
	"cmp"
	"math"
	"time"

	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/text/inert"
)

// A Style says how events are written for people. The caller knows the time zone, and whether the output is a terminal.
type Style struct {
	Zone    *time.Location
	Colours bool
	Longest int // how many characters of arguments and reasons a line shows; 0: all
}

// clip is a stranger's text on a line.
func (s Style) clip(text string) string { return inert.Text(text, cmp.Or(s.Longest, math.MaxInt)) }

// A colour is a terminal's code for the colour of a word.
type colour string

// The colours.
const (
	plain  colour = ""
	faint  colour = "2"
	red    colour = "31"
	green  colour = "32"
	yellow colour = "33"
)

// paint colours text, if the style has colours.
func (s Style) paint(text string, c colour) string {
	if !s.Colours || c == plain || text == "" {
		return text
	}
	return "\x1b[" + string(c) + "m" + text + "\x1b[0m"
}

// Faint is a text that is less important.
func (s Style) Faint(text string) string { return s.paint(text, faint) }

// Red is a text about a refusal or a failure.
func (s Style) Red(text string) string { return s.paint(text, red) }

// Green is a text about something that was released.
func (s Style) Green(text string) string { return s.paint(text, green) }

// As is a text in the colour of the outcome of an event.
func (s Style) As(e record.Event, text string) string {
	c := plain
	switch {
	case e.Blocked:
		c = red
	case e.WouldBe != "" || e.Verdict == "audit" || e.Verdict == "sanitize":
		c = yellow
	case e.Verdict == "allow":
		c = green
	}
	return s.paint(text, c)
}

// when is the time of an event, with its zone.
func (s Style) when(t time.Time) string { return t.In(s.Zone).Format("2006-01-02 15:04:05.000Z07:00") }
