// Package metrics counts what weir does, for Prometheus.
package metrics

import (
	"cmp"
	"net/http"
	"runtime"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/weir-gate/weir/internal/intake/budget"
)

// Config sets up Metrics.
type Config struct {
	Version    string         // of weir; "": unknown
	Upstreams  []string       // names in the configuration; any other name is counted as "other"
	Budget     *budget.Budget // the memory that weir holds for clients; nil: none. Read whenever metrics are read
	AuditQueue func() int     // events that wait to be recorded now; nil: 0. Likewise
	AuditBytes func() int     // their bytes; nil: 0. Likewise
	Behind     func() Behind  // how far the store is behind the log; nil: it is not. Likewise
}

// Behind is how far the store is behind the log.
type Behind struct {
	Events, Bytes int64
	Seconds       float64 // how long the oldest of the events has waited
}

// Metrics are all metrics of one weir, in a separate registry. Labels have values from closed sets or from the configuration only,
// so that no client or upstream can create series. All methods may be called on nil, and count nothing then.
type Metrics struct {
	registry *prometheus.Registry

	calls     *grid
	refusals  *family
	upstreams map[string]*upstream // "other" is for names that are not configured

	held          prometheus.Histogram
	release       prometheus.Histogram
	response      prometheus.Histogram
	streams       prometheus.Gauge
	commit        prometheus.Histogram
	auditFailures prometheus.Counter
	stored        prometheus.Histogram
	storeFailures prometheus.Counter
	auditLost     prometheus.Counter
	unrecorded    prometheus.Counter
	policy        *prometheus.GaugeVec
	rules         prometheus.Gauge
	servers       *prometheus.CounterVec
	exports       exports
	bodies        bodies
}

// New returns Metrics with every configured upstream at zero.
func New(cfg Config) *Metrics {
	r := prometheus.NewRegistry()
	m := &Metrics{
		registry: r,
		calls: newGrid(counterVec(r, "weir_calls_total", "Calls that were ruled, by surface, verdict, code of refusal and door.",
			"surface", "verdict", "code", "door")),
		refusals: newFamily(counterVec(r, "weir_refusals_total", "Calls, requests and responses that were refused, by code.", "code")),
		held: histogram(r, "weir_call_held_seconds", "Time from the first byte of a call to its release or refusal.",
			longBuckets),
		release: histogram(r, "weir_call_release_seconds", "Time from the last byte of a call to its release or refusal.",
			shortBuckets),
		response: histogram(r, "weir_response_seconds", "Time from a request to the end of its response.", longBuckets),
		streams:  gauge(r, "weir_streams_open", "Responses on their way through the gate."),
		commit:   histogram(r, "weir_audit_commit_seconds", "Time to make a batch of events durable.", shortBuckets),
		auditFailures: counter(r, "weir_audit_failures_total",
			"Batches of events that could not be made durable."),
		stored: histogram(r, "weir_audit_store_seconds", "Time to bring a batch of events from the log into the store.", longBuckets),
		storeFailures: counter(r, "weir_audit_store_failures_total",
			"Attempts to bring events from the log into the store that failed."),
		auditLost:  counter(r, "weir_audit_lost_events_total", "Events that could not be recorded, and were given up."),
		unrecorded: counter(r, "weir_unrecorded_calls_total", "Calls that were refused because they could not be recorded."),
		policy:     gaugeVec(r, "weir_policy_info", "The policy in force: 1, with its version.", "version"),
		rules:      gauge(r, "weir_policy_rules", "Rules of the policy in force."),
		servers: counterVec(r, "weir_mcp_requests_total",
			"Requests to the gateway for MCP servers that were answered, by server and class of the status.",
			"server", "status_class"),
	}
	m.upstreams = newUpstreams(r, cfg.Upstreams)
	m.exports = newExports(r)
	m.bodies = newBodies(r)
	registered(r, newHolding(cfg.Budget))
	gaugeFunc(r, "weir_audit_queue_events", "Events that wait to be recorded.", cfg.AuditQueue)
	gaugeFunc(r, "weir_audit_queue_bytes", "Bytes of the events that wait to be recorded.", cfg.AuditBytes)
	behindGauges(r, cfg.Behind)
	build := gaugeVec(r, "weir_build_info", "The running weir: 1, with its version and that of Go.", "version", "go_version")
	build.WithLabelValues(orUnknown(cfg.Version), runtime.Version()).Set(1)
	r.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

func orUnknown(version string) string {
	if version == "" {
		return "unknown"
	}
	return version
}

// Handler serves the metrics.
func (m *Metrics) Handler() http.Handler {
	if m == nil {
		return http.NotFoundHandler()
	}
	// Reading metrics costs time; many readers must not slow down the streams.
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{MaxRequestsInFlight: 4, EnableOpenMetrics: true})
}

// CallHeld counts how long a call was held, from its first byte to its release or refusal.
func (m *Metrics) CallHeld(d time.Duration) {
	if m != nil {
		m.held.Observe(d.Seconds())
	}
}

// CallReleased counts how long a complete call waited, from its last byte to its release or refusal.
func (m *Metrics) CallReleased(d time.Duration) {
	if m != nil {
		m.release.Observe(d.Seconds())
	}
}

// StreamOpened counts a response that begins to pass the gate. StreamClosed must follow.
func (m *Metrics) StreamOpened() {
	if m != nil {
		m.streams.Inc()
	}
}

// StreamClosed counts the end of a response.
func (m *Metrics) StreamClosed() {
	if m != nil {
		m.streams.Dec()
	}
}

// AuditCommitted counts an attempt to make a batch of events durable, and its result.
func (m *Metrics) AuditCommitted(took time.Duration, err error) {
	if m == nil {
		return
	}
	m.commit.Observe(took.Seconds())
	if err != nil {
		m.auditFailures.Inc()
	}
}

// StoreCommitted counts an attempt to bring a batch of events from the log into the store, and its result.
func (m *Metrics) StoreCommitted(took time.Duration, err error) {
	if m == nil {
		return
	}
	m.stored.Observe(took.Seconds())
	if err != nil {
		m.storeFailures.Inc()
	}
}

// AuditLost counts events that will not be recorded.
func (m *Metrics) AuditLost(events int) {
	if m != nil {
		m.auditLost.Add(float64(events))
	}
}

// Unrecorded counts a call that was refused because it could not be recorded, at the time of the refusal.
func (m *Metrics) Unrecorded() {
	if m != nil {
		m.unrecorded.Inc()
	}
}

// Request counts a request by the status of its response; 0: none was sent. upstream is "" if the request named none.
func (m *Metrics) Request(upstream string, status int) {
	if m != nil {
		m.upstream(upstream).requests[classOf(status)].Inc()
	}
}

// MCPRequest counts a request to the gateway. server is a declared server; "": none.
func (m *Metrics) MCPRequest(server string, status int) {
	if m != nil {
		m.servers.WithLabelValues(cmp.Or(server, other), className(classOf(status))).Inc()
	}
}
