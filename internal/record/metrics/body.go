package metrics

import (
	"github.com/prometheus/client_golang/prometheus"

	"github.com/weir-gate/weir/internal/call"
)

// bodyReasons are the reasons why bodies are not stored.
var bodyReasons = []string{string(call.Overload), string(call.Unreadable), string(call.Unstored), string(call.Shutdown)}

// bodies are the series of bodies, resolved once.
type bodies struct {
	kept    prometheus.Counter
	dropped map[string]prometheus.Counter // by reason
}

func newBodies(r prometheus.Registerer) bodies {
	b := bodies{
		kept:    counter(r, "weir_bodies_kept_total", "Bodies of requests and responses that were stored."),
		dropped: map[string]prometheus.Counter{},
	}
	dropped := counterVec(r, "weir_bodies_dropped_total", "Bodies of requests and responses that were not stored, by reason.", "reason")
	for _, reason := range append([]string{other}, bodyReasons...) {
		b.dropped[reason] = dropped.WithLabelValues(reason)
	}
	return b
}

// BodyKept counts a body that was stored.
func (m *Metrics) BodyKept() {
	if m != nil {
		m.bodies.kept.Inc()
	}
}

// BodyDropped counts a body that was not stored.
func (m *Metrics) BodyDropped(why call.NotStored) {
	if m == nil {
		return
	}
	if c := m.bodies.dropped[string(why)]; c != nil {
		c.Inc()
		return
	}
	m.bodies.dropped[other].Inc()
}
