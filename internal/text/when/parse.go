package when

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/weir-gate/weir/internal/text/truth"
)

// ParseEnd parses a date such as 2026-12-24, whose whole day still counts on the clock of this machine, or a time such as
// 2026-12-24T18:00:00Z.
func ParseEnd(text string) (End, error) {
	if t, err := time.Parse(time.RFC3339, text); err == nil {
		return End{t, text}, nil
	}
	day, err := time.ParseInLocation(time.DateOnly, text, time.Local)
	if err != nil {
		return End{}, fmt.Errorf("%q is neither a date nor a time; write 2026-12-24 or 2026-12-24T18:00:00Z", text)
	}
	return End{day.AddDate(0, 0, 1), text}, nil
}

// ParseMoment parses a time such as 2026-12-24T18:00:00Z.
func ParseMoment(text string) (Moment, error) {
	t, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return Moment{}, fmt.Errorf("%q is no time; write 2026-12-24T18:00:00Z", text)
	}
	return Moment{t}, nil
}

// A Window is hours on days of a week. Hours that pass midnight belong to the day on which they begin.
type Window struct {
	days  [7]bool // from Sunday on
	hours []span
	zone  *time.Location
}

// A span is minutes of a day, from first to before end. If it passes midnight, end is not after first.
type span struct{ first, end int }

// dayWords are the days, as time.Weekday counts them.
var dayWords = []string{"sun", "mon", "tue", "wed", "thu", "fri", "sat"}

// ParseWindow parses days such as mon or sat-sun (none: all), hours such as 09:00-18:00 (none: all) and the name of a zone ("": that of
// this machine).
func ParseWindow(days, hours []string, zone string) (w Window, err error) {
	w.zone = time.Local
	if zone != "" {
		if w.zone, err = time.LoadLocation(zone); err != nil || zone == "Local" {
			return w, fmt.Errorf("%q is no zone; write a name such as Europe/Berlin or UTC", zone)
		}
	}
	for _, day := range days {
		if err := w.addDays(day); err != nil {
			return w, err
		}
	}
	if len(days) == 0 {
		w.days = [7]bool{true, true, true, true, true, true, true}
	}
	for _, text := range hours {
		s, err := parseSpan(text)
		if err != nil {
			return w, err
		}
		w.hours = append(w.hours, s)
	}
	return w, nil
}

// addDays adds a day, or days from one to another.
func (w *Window) addDays(text string) error {
	first, last, several := strings.Cut(strings.ToLower(text), "-")
	if !several {
		last = first
	}
	from, to := slices.Index(dayWords, first), slices.Index(dayWords, last)
	if from < 0 || to < 0 {
		return fmt.Errorf("%q is no day; write %s, or days such as mon-fri", text, strings.Join(dayWords, ", "))
	}
	for day := from; ; day = (day + 1) % len(dayWords) {
		w.days[day] = true
		if day == to {
			return nil
		}
	}
}

const (
	minutesOfHour = 60
	minutesOfDay  = 24 * minutesOfHour
)

func parseSpan(text string) (span, error) {
	wrong := fmt.Errorf("%q are no hours; write them as 09:00-18:00", text)
	from, to, ok := strings.Cut(text, "-")
	first, err := parseMinute(from)
	end, err2 := parseMinute(to)
	if !ok || errors.Join(err, err2) != nil || first == minutesOfDay {
		return span{}, wrong
	}
	if first == end {
		return span{}, fmt.Errorf("%q begin and end at once; leave hours out to mean the whole day", text)
	}
	return span{first, end}, nil
}

// parseMinute parses a time of a day up to 24:00.
func parseMinute(text string) (int, error) {
	if text == "24:00" {
		return minutesOfDay, nil
	}
	t, err := time.Parse("15:04", text)
	if err != nil || len(text) != len("15:04") {
		return 0, errors.New("no time of a day")
	}
	return t.Hour()*minutesOfHour + t.Minute(), nil
}

// Holds says whether a moment is in the window. It may be if the moment is not known.
func (w Window) Holds(m Moment) truth.Value {
	if !m.Known() {
		return truth.Maybe
	}
	t := m.t.In(w.zone)
	day, minute := int(t.Weekday()), t.Hour()*minutesOfHour+t.Minute()
	before := (day + len(dayWords) - 1) % len(dayWords)
	held := len(w.hours) == 0 && w.days[day]
	for _, s := range w.hours {
		switch overnight := s.end <= s.first; {
		case !overnight:
			held = held || w.days[day] && s.first <= minute && minute < s.end
		default:
			held = held || w.days[day] && s.first <= minute || w.days[before] && minute < s.end
		}
	}
	if held {
		return truth.Yes
	}
	return truth.No
}

// Describe is a moment on the clock of the window, for people.
func (w Window) Describe(m Moment) string { return m.in(w.zone) }
