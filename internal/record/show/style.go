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

// The colours, as terminals know them.
const (
	red    = "31"
	green  = "32"
	yellow = "33"
)

func (s Style) colour(code, text string) string {
	if !s.Colours {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}

// paint colours the word for what became of an event.
func (s Style) paint(word string, e record.Event) string {
	switch {
	case e.Blocked:
		return s.colour(red, word)
	case e.WouldBe != "" || e.Verdict == "audit" || e.Verdict == "sanitize":
		return s.colour(yellow, word)
	case e.Verdict == "allow":
		return s.colour(green, word)
	}
	return word
}

// when is the time of an event.
func (s Style) when(t time.Time) string { return t.In(s.Zone).Format("2006-01-02 15:04:05.000") }
