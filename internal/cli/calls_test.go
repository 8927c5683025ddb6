package cli

import (
	"testing"
	"time"
)

func TestMoment(t *testing.T) {
	now := time.Date(2026, 3, 10, 12, 0, 0, 0, time.Local)
	tests := map[string]time.Time{
		"":                     {},
		"90m":                  now.Add(-90 * time.Minute),
		"0s":                   now,
		"7d":                   now.AddDate(0, 0, -7),
		"2026-01-31":           time.Date(2026, 1, 31, 0, 0, 0, 0, time.Local),
		"2026-01-31 08:30":     time.Date(2026, 1, 31, 8, 30, 0, 0, time.Local),
		"2026-01-31T08:30:00Z": time.Date(2026, 1, 31, 8, 30, 0, 0, time.UTC),
	}
	for text, want := range tests {
		got, err := moment(text, now)
		if err != nil || !got.Equal(want) {
			t.Errorf("%q: got %v, %v, want %v", text, got, err, want)
		}
	}
	for _, text := range []string{"yesterday", "-1h", "-7d", "d", "7", "1.5d", "2026-13-01", "99999999999999999999d"} {
		if got, err := moment(text, now); err == nil {
			t.Errorf("%q is taken for %v", text, got)
		}
	}
}
