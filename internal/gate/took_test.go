package gate

import (
	"testing"
	"time"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/weirtest/expect"
)

// Calls that wait together wait once, so that the parts are never more than the whole.
func TestTimeIsCountedOnce(t *testing.T) {
	at := func(ms int) time.Time { return time.UnixMilli(int64(1000 + ms)) }
	ruling := func(judged, recorded int) call.Ruling {
		return call.Ruling{Judged: time.Duration(judged) * time.Millisecond, Recorded: time.Duration(recorded) * time.Millisecond}
	}
	var r transit
	r.count(at(0), at(10), ruling(2, 7))   // alone
	r.count(at(0), at(10), ruling(3, 7))   // with the first
	r.count(at(5), at(14), ruling(1, 8))   // goes on for longer
	r.count(at(20), at(30), ruling(4, 50)) // says more than there was
	want := call.Took{Held: 24 * time.Millisecond, Judged: 2 * time.Millisecond, Recorded: 21 * time.Millisecond}
	expect.Equal(t, r.took, want, "took")
}
