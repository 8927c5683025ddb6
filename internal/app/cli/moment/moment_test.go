package moment

import (
	"strings"
	"testing"
	"time"
)

func zone(t testing.TB, name string) *time.Location {
	t.Helper()
	z, err := time.LoadLocation(name)
	if err != nil {
		t.Fatal(err)
	}
	return z
}

// TestMoment reads times as people write them, on a Tuesday, in a zone that changed its clock two days before.
func TestMoment(t *testing.T) {
	here := zone(t, "America/New_York")
	now := time.Date(2026, 3, 10, 12, 0, 0, 0, here)
	at := func(month time.Month, day, hour, minute int) time.Time {
		return time.Date(2026, month, day, hour, minute, 0, 0, here)
	}
	tests := map[string]time.Time{
		"now":                         now,
		"90m":                         now.Add(-90 * time.Minute),
		"0s":                          now,
		"1h30m":                       now.Add(-90 * time.Minute),
		"1.5h":                        now.Add(-90 * time.Minute),
		"250ms":                       now.Add(-250 * time.Millisecond),
		"7d":                          at(3, 3, 12, 0),
		"2w":                          at(2, 24, 12, 0),
		"1w1d":                        at(3, 2, 12, 0),
		"1d12h":                       at(3, 9, 0, 0),
		"48h":                         at(3, 8, 12, 0),
		"3d":                          at(3, 7, 12, 0), // 71 hours
		"72h":                         at(3, 7, 11, 0),
		"1mo":                         at(2, 10, 12, 0),
		"1y":                          time.Date(2025, 3, 10, 12, 0, 0, 0, here),
		"1y2mo":                       time.Date(2025, 1, 10, 12, 0, 0, 0, here),
		"3 days ago":                  at(3, 7, 12, 0),
		"3 Days Ago":                  at(3, 7, 12, 0),
		"2h ago":                      at(3, 10, 10, 0),
		"2 hours":                     at(3, 10, 10, 0),
		"1 hour ago":                  at(3, 10, 11, 0),
		"1 day 12 hours ago":          at(3, 9, 0, 0),
		"90 min ago":                  at(3, 10, 10, 30),
		"2 weeks  ago":                at(2, 24, 12, 0),
		"1 month ago":                 at(2, 10, 12, 0),
		"today":                       at(3, 10, 0, 0),
		"Yesterday":                   at(3, 9, 0, 0),
		"today 08:00":                 at(3, 10, 8, 0),
		"yesterday 17:30":             at(3, 9, 17, 30),
		"yesterday at 17:30":          at(3, 9, 17, 30),
		"tuesday":                     at(3, 10, 0, 0),
		"last tuesday":                at(3, 3, 0, 0),
		"Tue":                         at(3, 10, 0, 0),
		"monday":                      at(3, 9, 0, 0),
		"last monday":                 at(3, 9, 0, 0),
		"monday 9:15":                 at(3, 9, 9, 15),
		"last Mon 09:15":              at(3, 9, 9, 15),
		"Wed":                         at(3, 4, 0, 0),
		"sunday":                      at(3, 8, 0, 0),
		"this week":                   at(3, 9, 0, 0),
		"last week":                   at(3, 2, 0, 0),
		"This Month":                  at(3, 1, 0, 0),
		"last month":                  at(2, 1, 0, 0),
		"this year":                   at(1, 1, 0, 0),
		"last year":                   time.Date(2025, 1, 1, 0, 0, 0, 0, here),
		"08:30":                       at(3, 10, 8, 30),
		" 2026-01-31 ":                at(1, 31, 0, 0),
		"2026-01-31 08:30":            at(1, 31, 8, 30),
		"2026-01-31 at 08:30":         at(1, 31, 8, 30),
		"2026-01-31 08:30:15":         time.Date(2026, 1, 31, 8, 30, 15, 0, here),
		"2026-01-31T08:30":            at(1, 31, 8, 30),
		"2026-01-31T08:30:15":         time.Date(2026, 1, 31, 8, 30, 15, 0, here),
		"2026-01-31T08:30:00Z":        time.Date(2026, 1, 31, 8, 30, 0, 0, time.UTC),
		"2026-01-31T08:30:00.5+01:00": time.Date(2026, 1, 31, 7, 30, 0, 500_000_000, time.UTC),
	}
	for text, want := range tests {
		got, err := Parse(text, now)
		if err != nil || !got.Equal(want) {
			t.Errorf("%q: got %v, %v, want %v", text, got, err, want)
		}
	}
}

func TestNoMoment(t *testing.T) {
	now := time.Date(2026, 3, 10, 12, 0, 0, 0, time.UTC)
	for _, text := range []string{
		"", " ", "tomorrow", "next week", "-1h", "-7d", "d", "w", "ago", "days ago", "7", "7 ago", "1.5d", "1.5mo", "2026-13-01", "2026-02-30", "1M",
		"99999999999999999999d", "4000000000d", "9999999y", "200000w", "1d-1h", "1d+1h", "1h1d", "1h1h", "3 days hence", "3 days ago ago", "mon day", "25:00",
		"24:00", "today today", "today 25:00", "this week 08:00", "last", "this", "last today", "this monday", "yesterday at", "at 08:00", "2026-01-31T",
		"2026-01-31 08:30 UTC", "now 08:00", "１d",
	} {
		got, err := Parse(text, now)
		if err == nil {
			t.Errorf("%q is taken for %v", text, got)
		} else if !strings.Contains(err.Error(), "is not a time; write how long ago (90m") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// TestMomentAtEdges: ends of years and months, and days on which clocks change.
func TestMomentAtEdges(t *testing.T) {
	newYork, saoPaulo, berlin := zone(t, "America/New_York"), zone(t, "America/Sao_Paulo"), zone(t, "Europe/Berlin")
	for _, test := range []struct {
		now        time.Time
		text, want string
	}{
		{time.Date(2026, 1, 1, 0, 30, 0, 0, time.UTC), "yesterday 17:30", "2025-12-31T17:30:00Z"},
		{time.Date(2026, 1, 1, 0, 30, 0, 0, time.UTC), "this week", "2025-12-29T00:00:00Z"},
		{time.Date(2026, 1, 1, 0, 30, 0, 0, time.UTC), "last week", "2025-12-22T00:00:00Z"},
		{time.Date(2026, 1, 1, 0, 30, 0, 0, time.UTC), "last month", "2025-12-01T00:00:00Z"},
		{time.Date(2026, 1, 1, 0, 30, 0, 0, time.UTC), "1mo", "2025-12-01T00:30:00Z"},
		{time.Date(2026, 1, 1, 0, 30, 0, 0, time.UTC), "last year", "2025-01-01T00:00:00Z"},
		{time.Date(2026, 1, 1, 0, 30, 0, 0, time.UTC), "1h", "2025-12-31T23:30:00Z"},
		{time.Date(2026, 1, 4, 9, 0, 0, 0, time.UTC), "this week", "2025-12-29T00:00:00Z"}, // a Sunday ends its week
		{time.Date(2026, 1, 5, 9, 0, 0, 0, time.UTC), "this week", "2026-01-05T00:00:00Z"},
		// a month has as many days as it has
		{time.Date(2026, 3, 31, 9, 0, 0, 0, time.UTC), "1mo", "2026-02-28T09:00:00Z"},
		{time.Date(2026, 5, 31, 9, 0, 0, 0, time.UTC), "1mo", "2026-04-30T09:00:00Z"},
		{time.Date(2026, 3, 31, 9, 0, 0, 0, time.UTC), "last month", "2026-02-01T00:00:00Z"},
		{time.Date(2024, 2, 29, 9, 0, 0, 0, time.UTC), "1 year ago", "2023-02-28T09:00:00Z"},
		{time.Date(2024, 3, 31, 9, 0, 0, 0, time.UTC), "1mo", "2024-02-29T09:00:00Z"},
		// the day after the clock went forward, and the day after it went back
		{time.Date(2026, 3, 9, 9, 0, 0, 0, newYork), "yesterday", "2026-03-08T00:00:00-05:00"},
		{time.Date(2026, 3, 9, 9, 0, 0, 0, newYork), "1d", "2026-03-08T09:00:00-04:00"},
		{time.Date(2026, 3, 9, 9, 0, 0, 0, newYork), "yesterday 17:30", "2026-03-08T17:30:00-04:00"},
		{time.Date(2026, 11, 2, 9, 0, 0, 0, newYork), "yesterday", "2026-11-01T00:00:00-04:00"},
		{time.Date(2026, 11, 2, 9, 0, 0, 0, newYork), "2 days ago", "2026-10-31T09:00:00-04:00"},
		{time.Date(2026, 11, 2, 9, 0, 0, 0, newYork), "48h", "2026-10-31T10:00:00-04:00"},
		{time.Date(2026, 3, 30, 9, 0, 0, 0, berlin), "last week", "2026-03-23T00:00:00+01:00"},
		{time.Date(2026, 3, 30, 9, 0, 0, 0, berlin), "this week", "2026-03-30T00:00:00+02:00"},
		// a day that begins at one, because the clock went forward at midnight
		{time.Date(2018, 11, 4, 9, 0, 0, 0, saoPaulo), "today", "2018-11-04T01:00:00-02:00"},
		{time.Date(2018, 11, 5, 9, 0, 0, 0, saoPaulo), "yesterday", "2018-11-04T01:00:00-02:00"},
		{time.Date(2018, 11, 5, 9, 0, 0, 0, saoPaulo), "yesterday 08:00", "2018-11-04T08:00:00-02:00"},
		{time.Date(2018, 11, 5, 9, 0, 0, 0, saoPaulo), "2018-11-04", "2018-11-04T01:00:00-02:00"},
	} {
		got, err := Parse(test.text, test.now)
		if err != nil || got.Format(time.RFC3339) != test.want {
			t.Errorf("%q on %v: got %v, %v, want %s", test.text, test.now, got, err, test.want)
		}
	}
}

func FuzzMoment(f *testing.F) {
	for _, s := range []string{
		"90m", "7d", "2w3d", "1y2mo", "3 days ago", "yesterday", "yesterday 17:30", "mon", "last week", "2026-01-31", "2026-01-31 08:30",
		"2026-01-31T08:30:00Z", "-1h", "1d+1h", "9999999w", "\xe9\xa3J\xbf ago", "3 DAYS AGO",
	} {
		f.Add(s)
	}
	now := time.Date(2026, 3, 31, 12, 0, 0, 0, zone(f, "America/New_York"))
	f.Fuzz(func(t *testing.T, s string) {
		got, err := Parse(s, now)
		if again, err2 := Parse(s, now); (err == nil) != (err2 == nil) || !again.Equal(got) {
			t.Fatalf("%q is %v, and then %v", s, got, again)
		}
		if past, is := ago(s, now); is && past.After(now) {
			t.Errorf("%q ago is %v, in the future", s, past)
		}
		if err == nil && got.IsZero() && !strings.Contains(s, "0001-01-01") {
			t.Errorf("%q is no moment, and no error", s)
		}
	})
}
