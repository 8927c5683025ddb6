package daemon

import (
	"testing"
	"testing/synctest"
	"time"
)

func TestSeldom(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var s seldom
		want := func(what string, got, want int) {
			t.Helper()
			if got != want {
				t.Errorf("%s: %d, want %d", what, got, want)
			}
		}
		want("the first", s.add(2), 2)
		want("just after", s.add(3), 0)
		want("still", s.add(4), 0)
		time.Sleep(seldomAfter)
		want("later", s.add(1), 8)
		want("after that", s.add(5), 0)
		want("the rest", s.rest(), 5)
		want("no rest", s.rest(), 0)
	})
}
