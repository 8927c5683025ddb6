package outbox

import (
	"net/http"
	"testing"
	"time"
)

func TestRetryAfterHeader(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	for text, want := range map[string]time.Duration{
		"":                              0,
		"0":                             0,
		" 7 ":                           7 * time.Second,
		"-7":                            0,
		"1.5":                           0,
		"99999999999999999999":          0,
		"Sun, 01 Mar 2026 12:01:00 GMT": time.Minute,
		"Sun, 01 Mar 2026 11:00:00 GMT": 0,
		"soon":                          0,
	} {
		if got := retryAfter(text, now); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

// No header makes a pause negative, and no number of seconds overflows.
func FuzzRetryAfter(f *testing.F) {
	for _, seed := range []string{"120", "2147483647", "Sun, 01 Mar 2026 12:01:00 GMT", "Mon, 01 Jan 9999 00:00:00 GMT", "-1", "1e9"} {
		f.Add(seed)
	}
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	f.Fuzz(func(t *testing.T, text string) {
		got := retryAfter(text, now)
		if got < 0 {
			t.Fatalf("%q: %v", text, got)
		}
		if at, err := http.ParseTime(text); err == nil && at.After(now) && got == 0 {
			t.Fatalf("%q names a time and is not heeded", text)
		}
	})
}
