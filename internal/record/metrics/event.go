package metrics

import (
	"slices"
	"sync"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/policy"
	"github.com/weir-gate/weir/internal/record"
)

// Stored counts events once they are durable. It makes Metrics a sink of the record.
func (m *Metrics) Stored(events []record.Event) {
	if m == nil {
		return
	}
	for i := range events {
		m.count(&events[i])
	}
}

func (m *Metrics) count(e *record.Event) {
	switch e.Type {
	case record.Types.ResponseDone:
		m.responseDone(e)
	case record.Types.PolicyLoaded:
		m.policyLoaded(e)
	}
	k := e.Type.Kind()
	if e.Type.IsAgain() {
		return // it was counted at its first ruling
	}
	if e.Type.IsRuling() {
		if e.Within != "" {
			return // the call around it is counted
		}
		m.calls.at(e).Inc()
	}
	if e.Blocked && (k.Whole || k.Has.Verdict) {
		m.refusals.at(e.Code).Inc()
	}
}

func (m *Metrics) responseDone(e *record.Event) {
	done, ok := e.Detail.(record.ResponseDone)
	if !ok {
		return
	}
	if micros := done.Timings.TotalMicros; micros > 0 {
		m.response.Observe(float64(micros) / 1e6)
	}
	m.upstream(e.Exchange.Provider).spent(done.Usage, done.CostMicros)
}

func (m *Metrics) policyLoaded(e *record.Event) {
	m.policy.Reset()
	m.policy.WithLabelValues(e.PolicyVersion).Set(1)
	if loaded, ok := e.Detail.(record.PolicyLoaded); ok {
		m.rules.Set(float64(loaded.Rules))
	}
}

// The closed sets of labels. They include the empty value: most calls have no code.
var (
	verdicts = []string{
		"", string(policy.Allow), string(policy.Audit), string(policy.CapCost), string(policy.Sanitize), string(policy.PendingApproval),
		string(policy.Deny),
	}
	codes = append([]string{""}, call.Codes()...)
	// doors is the door of each surface.
	doors = map[call.Surface]string{call.Response: "llm", call.Inbound: "llm", call.MCP: "mcp", call.Egress: "egress"}
)

// oneOf is value if it is in set, else "other".
func oneOf(set []string, value string) string {
	if slices.Contains(set, value) {
		return value
	}
	return other
}

// A family is a vector of counters by one label from a closed set, each resolved once.
type family struct {
	known map[string]prometheus.Counter
	rest  prometheus.Counter
}

func newFamily(vec *prometheus.CounterVec) *family {
	f := &family{known: map[string]prometheus.Counter{}, rest: vec.WithLabelValues(other)}
	for _, code := range codes {
		if code != "" {
			f.known[code] = vec.WithLabelValues(code)
		}
	}
	return f
}

func (f *family) at(value string) prometheus.Counter {
	if c := f.known[value]; c != nil {
		return c
	}
	return f.rest
}

// A grid is a vector of counters by surface, verdict and code. Most combinations never happen, so each is resolved when it first
// happens.
type grid struct {
	vec *prometheus.CounterVec

	mu    sync.RWMutex
	known map[cell]prometheus.Counter
}

type cell struct {
	surface       call.Surface
	verdict, code string
}

func newGrid(vec *prometheus.CounterVec) *grid {
	return &grid{vec: vec, known: map[cell]prometheus.Counter{}}
}

func (g *grid) at(e *record.Event) prometheus.Counter {
	at := cell{e.Surface, e.Verdict, e.Code}
	g.mu.RLock()
	c := g.known[at]
	g.mu.RUnlock()
	if c != nil {
		return c
	}
	surface, door := string(e.Surface), doors[e.Surface]
	if door == "" {
		surface, door = other, other
	}
	verdict, code := oneOf(verdicts, e.Verdict), oneOf(codes, e.Code)
	c = g.vec.WithLabelValues(surface, verdict, code, door)
	if surface != other && verdict != other && code != other {
		// Only values of the closed sets are stored, so the map is bounded, too.
		g.mu.Lock()
		g.known[at] = c
		g.mu.Unlock()
	}
	return c
}
