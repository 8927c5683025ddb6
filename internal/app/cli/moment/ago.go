package moment

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A unit measures how long ago something was. One field besides its names is set.
type unit struct {
	names  []string
	months int
	days   int
	clock  time.Duration
}

// units are the units of ago, the longest first. Single letters must be lower case: M could mean months or minutes.
var units = []unit{
	{names: []string{"y", "yr", "yrs", "year", "years"}, months: 12},
	{names: []string{"mo", "mos", "month", "months"}, months: 1},
	{names: []string{"w", "wk", "wks", "week", "weeks"}, days: 7},
	{names: []string{"d", "day", "days"}, days: 1},
	{names: []string{"h", "hr", "hrs", "hour", "hours"}, clock: time.Hour},
	{names: []string{"m", "min", "mins", "minute", "minutes"}, clock: time.Minute},
	{names: []string{"s", "sec", "secs", "second", "seconds"}, clock: time.Second},
	{names: []string{"ms"}, clock: time.Millisecond},
}

// measure matches a number and a unit.
var measure = regexp.MustCompile(`^(\d+)(\.\d+)?\s*([A-Za-z]+)\s*`)

// mostMonths and mostDays are the longest times; more is a mistake.
const (
	mostMonths = 1200
	mostDays   = 100_000
)

// ago parses how long ago something was: 90m, 1d12h, 2 weeks, "3 days ago". Each unit occurs once, longer ones first. A day ago is
// the same time of day. A month ago is the same day of the month, or the last day of that month.
func ago(s string, now time.Time) (time.Time, bool) {
	rest := s
	const word = " ago"
	if at := len(s) - len(word); at >= 0 && strings.EqualFold(s[at:], word) {
		rest = strings.TrimSpace(s[:at])
	}
	months, days, clock := 0, 0, time.Duration(0)
	for left := units; rest != ""; {
		m := measure.FindStringSubmatch(rest)
		if m == nil {
			return time.Time{}, false
		}
		at := slices.IndexFunc(left, func(u unit) bool { return u.is(m[3]) })
		n, err := strconv.Atoi(m[1])
		if at < 0 || err != nil || n > mostDays {
			return time.Time{}, false
		}
		u := left[at]
		if u.clock == 0 && m[2] != "" {
			return time.Time{}, false // days and months differ in length
		}
		months, days = months+n*u.months, days+n*u.days
		if u.clock != 0 {
			d, err := time.ParseDuration(m[1] + m[2] + u.names[0])
			if err != nil {
				return time.Time{}, false
			}
			clock += d
		}
		left, rest = left[at+1:], rest[len(m[0]):]
	}
	if s == "" || months > mostMonths || days > mostDays {
		return time.Time{}, false
	}
	return monthsBefore(now, months).AddDate(0, 0, -days).Add(-clock), true
}

// is says that a word names the unit. Words may be in any case.
func (u unit) is(word string) bool {
	if len(word) > 1 {
		word = strings.ToLower(word)
	}
	return slices.Contains(u.names, word)
}

// monthsBefore returns the same day of an earlier month, or the last day of that month if it is shorter.
func monthsBefore(t time.Time, months int) time.Time {
	if months == 0 {
		return t
	}
	year, month, day := t.Date()
	last := time.Date(year, month-time.Month(months)+1, 0, 0, 0, 0, 0, time.UTC).Day()
	hour, minute, second := t.Clock()
	return time.Date(year, month-time.Month(months), min(day, last), hour, minute, second, t.Nanosecond(), t.Location())
}
