package metrics

import (
	"github.com/prometheus/client_golang/prometheus"

	"github.com/weir-gate/weir/internal/record/ship/outbox"
)

// exports are the series of deliveries of events to other systems.
type exports struct {
	queued                *prometheus.GaugeVec
	sent, dropped, failed *prometheus.CounterVec
}

func newExports(r prometheus.Registerer) exports {
	return exports{
		queued:  gaugeVec(r, "weir_export_queue_events", "Events that wait to be delivered, by destination.", "sink"),
		sent:    counterVec(r, "weir_export_sent_events_total", "Events that were delivered, by destination.", "sink"),
		dropped: counterVec(r, "weir_export_dropped_events_total", "Events that were given up, by destination.", "sink"),
		failed:  counterVec(r, "weir_export_failures_total", "Attempts at a delivery that failed, by destination.", "sink"),
	}
}

// An export counts the events for one destination. All methods may be called on nil.
type export struct {
	queued                prometheus.Gauge
	sent, dropped, failed prometheus.Counter
}

// Export returns the counters of a destination. Its name must come from the configuration.
func (m *Metrics) Export(sink string) outbox.Meter {
	if m == nil {
		return (*export)(nil)
	}
	return &export{
		queued: m.exports.queued.WithLabelValues(sink), sent: m.exports.sent.WithLabelValues(sink),
		dropped: m.exports.dropped.WithLabelValues(sink), failed: m.exports.failed.WithLabelValues(sink),
	}
}

// Queued sets how many events wait now.
func (e *export) Queued(n int) {
	if e != nil {
		e.queued.Set(float64(n))
	}
}

// Sent counts events that were delivered.
func (e *export) Sent(n int) {
	if e != nil {
		e.sent.Add(float64(n))
	}
}

// Dropped counts events that were given up.
func (e *export) Dropped(n int) {
	if e != nil {
		e.dropped.Add(float64(n))
	}
}

// Failed counts a failed attempt at a delivery.
func (e *export) Failed() {
	if e != nil {
		e.failed.Inc()
	}
}
