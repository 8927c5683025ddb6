package outbox

import (
	"testing"
	"time"
)

// Pauses grow to their bound and never pass it, however many attempts there were.
func TestPauses(t *testing.T) {
	o := &Outbox{cfg: Config{First: time.Second, Longest: time.Minute}}
	for attempt := range 100 {
		bound := time.Minute
		if attempt < 6 {
			bound = time.Second << attempt
		}
		for range 20 {
			if d := o.pause(attempt); d < bound/2 || d > bound {
				t.Errorf("after attempt %d: %v, want between half of %v and that", attempt, d, bound)
			}
		}
	}
}
