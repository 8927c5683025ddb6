package metrics

import (
	"github.com/prometheus/client_golang/prometheus"

	"github.com/weir-gate/weir/internal/intake/budget"
)

// holding collects, when metrics are read, how much memory clients make weir hold, and how often there was no room.
type holding struct {
	budget        *budget.Budget
	held, refused *prometheus.Desc
}

func newHolding(b *budget.Budget) *holding {
	return &holding{
		budget: b,
		held:   prometheus.NewDesc("weir_held_bytes", "Bytes of memory that clients make weir hold, by what they are.", []string{"kind"}, nil),
		refused: prometheus.NewDesc("weir_over_budget_total", "How often there was no room for something, by whose bound was reached.",
			[]string{"scope"}, nil),
	}
}

// Describe implements prometheus.Collector.
func (h *holding) Describe(to chan<- *prometheus.Desc) { to <- h.held; to <- h.refused }

// Collect implements prometheus.Collector.
func (h *holding) Collect(to chan<- prometheus.Metric) {
	for kind, n := range h.budget.Held() {
		to <- prometheus.MustNewConstMetric(h.held, prometheus.GaugeValue, float64(n), kind.String())
	}
	for scope, n := range h.budget.Refused() {
		to <- prometheus.MustNewConstMetric(h.refused, prometheus.CounterValue, float64(n), scope.String())
	}
}
