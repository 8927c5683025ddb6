package metrics

import (
	"testing"

	"github.com/prometheus/client_golang/prometheus/testutil"

	"github.com/weir-gate/weir/internal/call"
)

func TestBodies(t *testing.T) {
	m := New(Config{})
	m.BodyKept()
	m.BodyKept()
	m.BodyDropped(call.Overload)
	m.BodyDropped("made up")
	for series, want := range map[string]float64{string(call.Overload): 1, other: 1, string(call.Unreadable): 0, string(call.Unstored): 0, string(call.Shutdown): 0} {
		if got := testutil.ToFloat64(m.bodies.dropped[series]); got != want {
			t.Errorf("%s: %v, want %v", series, got, want)
		}
	}
	if got := testutil.ToFloat64(m.bodies.kept); got != 2 {
		t.Errorf("kept: %v, want 2", got)
	}
	var none *Metrics
	none.BodyKept()
	none.BodyDropped(call.Overload)
}
