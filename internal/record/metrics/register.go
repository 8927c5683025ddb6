package metrics

import "github.com/prometheus/client_golang/prometheus"

// The buckets of histograms, in seconds. shortBuckets are for weir's own work, and for people who approve; longBuckets are for the
// work of models.
var (
	shortBuckets = []float64{
		.0001, .00025, .0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 60, 300,
	}
	longBuckets = []float64{.005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 20, 40, 60, 120, 300, 600}
)

func counter(r prometheus.Registerer, name, help string) prometheus.Counter {
	return registered(r, prometheus.NewCounter(prometheus.CounterOpts{Name: name, Help: help}))
}

func counterVec(r prometheus.Registerer, name, help string, labels ...string) *prometheus.CounterVec {
	return registered(r, prometheus.NewCounterVec(prometheus.CounterOpts{Name: name, Help: help}, labels))
}

func gauge(r prometheus.Registerer, name, help string) prometheus.Gauge {
	return registered(r, prometheus.NewGauge(prometheus.GaugeOpts{Name: name, Help: help}))
}

func gaugeVec(r prometheus.Registerer, name, help string, labels ...string) *prometheus.GaugeVec {
	return registered(r, prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: name, Help: help}, labels))
}

func histogram(r prometheus.Registerer, name, help string, buckets []float64) prometheus.Histogram {
	return registered(r, prometheus.NewHistogram(prometheus.HistogramOpts{Name: name, Help: help, Buckets: buckets}))
}

// gaugeFunc registers a gauge whose value is computed when metrics are read.
func gaugeFunc[N int | int64 | float64](r prometheus.Registerer, name, help string, ask func() N) {
	registered(r, prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: help}, func() float64 {
		if ask == nil {
			return 0
		}
		return float64(ask())
	}))
}

// registered panics if the name is taken: all names are in this package, and New is tested.
func registered[C prometheus.Collector](r prometheus.Registerer, c C) C {
	r.MustRegister(c)
	return c
}

// behindGauges are how far the store is behind the log.
func behindGauges(r prometheus.Registerer, ask func() Behind) {
	if ask == nil {
		ask = func() Behind { return Behind{} }
	}
	gaugeFunc(r, "weir_audit_behind_events", "Events in the log that the store does not have yet.", func() int64 { return ask().Events })
	gaugeFunc(r, "weir_audit_behind_bytes", "Bytes of the log that the store does not have yet.", func() int64 { return ask().Bytes })
	gaugeFunc(r, "weir_audit_behind_seconds", "How long the oldest event that is only in the log has waited.",
		func() float64 { return ask().Seconds })
}
