// Package when understands the times that policies name. It never looks at a clock: who asks brings the moment.
package when

import (
	"time"
	_ "time/tzdata" // zones are known on machines without a database of zones, as in containers

	"github.com/weir-gate/weir/internal/text/truth"
)

// A Moment is a point in time. The zero Moment is not known.
type Moment struct{ t time.Time }

// At is the moment of a time; the zero time is not known.
func At(t time.Time) Moment { return Moment{t} }

// Time is the time of the moment; zero: it is not known.
func (m Moment) Time() time.Time { return m.t }

// Known says whether the moment is known.
func (m Moment) Known() bool { return !m.t.IsZero() }

// in describes the moment in a zone, for people.
func (m Moment) in(zone *time.Location) string {
	if !m.Known() {
		return "a time that is not known"
	}
	return m.t.In(zone).Format("Mon 2006-01-02 15:04 MST")
}

// An End is a point in time after which something no longer holds.
type End struct {
	at   time.Time
	text string
}

// Passed says whether the end is over. It may be if the moment is not known.
func (e End) Passed(m Moment) truth.Value {
	switch {
	case !m.Known():
		return truth.Maybe
	case m.t.Before(e.at):
		return truth.No
	default:
		return truth.Yes
	}
}

// String is the end as it was written.
func (e End) String() string { return e.text }
