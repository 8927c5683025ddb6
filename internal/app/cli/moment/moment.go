// Package moment parses times the way people write them: 90m, yesterday 14:00, last monday, 2026-09-01.
package moment

import (
	"fmt"
	"strings"
	"time"
)

// Forms are examples of how to write a time, for the help of flags.
const Forms = "2h, 7d, 1mo, '3 days ago', today, 'yesterday 17:30', monday, 'last week', 'this month', 2026-01-31, '2026-01-31 08:00', " +
	"RFC 3339"

// Parse parses a time the way people write it: how long ago (see ago), a day, a day and a time, a time of today, a week, month or
// year, now, or RFC 3339. A day, a week, a month and a year mean their beginning. Times without a zone are in the zone of now.
func Parse(s string, now time.Time) (time.Time, error) {
	s = strings.TrimSpace(s)
	if t, err := time.Parse(time.RFC3339, s); err == nil {
		return t, nil
	}
	if t, ok := ago(s, now); ok {
		return t, nil
	}
	words := strings.Fields(strings.ToLower(s))
	if day, clock, found := strings.Cut(s, "T"); found && isDate(day) {
		words = []string{day, clock}
	}
	if t, ok := span(words, now); ok {
		return t, nil
	}
	if t, ok := dayAndClock(words, now); ok {
		return t, nil
	}
	return time.Time{}, fmt.Errorf("%q is not a time; write how long ago (90m, 2h, 7d, 1mo, '3 days ago'), a day (today, yesterday, monday, "+
		"2026-01-31), one with a time ('yesterday 17:30', '2026-01-31 08:00'), 'this week', 'last month', or RFC 3339 (2026-01-31T08:00:00Z)", s)
}

// span parses now, or the beginning of a week, month or year. Weeks begin on Monday.
func span(words []string, now time.Time) (time.Time, bool) {
	back := 0
	switch {
	case len(words) == 1 && words[0] == "now":
		return now, true
	case len(words) != 2:
		return time.Time{}, false
	case words[0] == "last":
		back = 1
	case words[0] != "this":
		return time.Time{}, false
	}
	year, month, day := now.Date()
	switch words[1] {
	case "week":
		sinceMonday := (int(now.Weekday()) + 6) % 7
		return beginning(year, month, day-sinceMonday-7*back, now.Location()), true
	case "month":
		return beginning(year, month-time.Month(back), 1, now.Location()), true
	case "year":
		return beginning(year-back, time.January, 1, now.Location()), true
	}
	return time.Time{}, false
}

// dayAndClock parses the beginning of a day, or a time of a day or of today.
func dayAndClock(words []string, now time.Time) (time.Time, bool) {
	day, words, named := takeDay(words, now)
	if !named {
		day = beginning(now.Year(), now.Month(), now.Day(), now.Location())
	} else if len(words) > 1 && words[0] == "at" {
		words = words[1:]
	}
	if len(words) == 0 {
		return day, named
	}
	for _, layout := range []string{"15:04:05", "15:04"} {
		if t, err := time.Parse(layout, words[0]); err == nil && len(words) == 1 {
			year, month, date := day.Date()
			return time.Date(year, month, date, t.Hour(), t.Minute(), t.Second(), t.Nanosecond(), now.Location()), true
		}
	}
	return time.Time{}, false
}

func isDate(word string) bool {
	_, err := time.Parse(time.DateOnly, word)
	return err == nil
}

// takeDay parses the first words if they name a day: a date, today, yesterday, or a weekday. A weekday is the latest one, which may
// be today; with "last" it is not today. Words that name no day are returned unchanged.
func takeDay(words []string, now time.Time) (day time.Time, rest []string, ok bool) {
	if len(words) == 0 {
		return time.Time{}, nil, false
	}
	all := words
	if t, err := time.Parse(time.DateOnly, words[0]); err == nil {
		return beginning(t.Year(), t.Month(), t.Day(), now.Location()), words[1:], true
	}
	back := func(days int) time.Time {
		return beginning(now.Year(), now.Month(), now.Day()-days, now.Location())
	}
	switch words[0] {
	case "today":
		return back(0), words[1:], true
	case "yesterday":
		return back(1), words[1:], true
	}
	before := words[0] == "last" && len(words) > 1
	if before {
		words = words[1:]
	}
	for weekday := time.Sunday; weekday <= time.Saturday; weekday++ {
		if name := strings.ToLower(weekday.String()); words[0] == name || words[0] == name[:3] {
			days := (int(now.Weekday()) - int(weekday) + 7) % 7
			if before && days == 0 {
				days = 7
			}
			return back(days), words[1:], true
		}
	}
	return time.Time{}, all, false
}

// beginning returns the first moment of a day. In some zones the clock is sometimes put forward at midnight, and then the day
// begins at one.
func beginning(year int, month time.Month, day int, zone *time.Location) time.Time {
	t := time.Date(year, month, day, 0, 0, 0, 0, zone)
	noon := time.Date(year, month, day, 12, 0, 0, 0, zone)
	if t.Day() != noon.Day() {
		_, t = t.ZoneBounds()
	}
	return t
}
