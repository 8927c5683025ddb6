package metrics

import (
	"strconv"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/weir-gate/weir/internal/call"
)

// A trouble is how an upstream failed.
type trouble uint8

// The ways in which upstreams fail.
const (
	unreachable trouble = iota
	timedOut
	brokeOff
	serverError
	troubles
)

var troubleNames = [troubles]string{"unreachable", "timeout", "broke_off", "server_error"}

// The kinds of tokens.
var tokenKinds = [...]string{"input", "output", "cache_read", "cache_creation"}

// other replaces every label value that is not in its set.
const other = "other"

// classNone is the class of a request that got no status; the others are 1xx to 5xx.
const (
	classNone = 0
	classes   = 6
)

// classOf is the index of a status's class.
func classOf(status int) int {
	if c := status / 100; c > 0 && c < classes {
		return c
	}
	return classNone
}

func className(class int) string {
	if class == classNone {
		return "none"
	}
	return strconv.Itoa(class) + "xx"
}

// An upstream has the series of one upstream, resolved once.
type upstream struct {
	requests [classes]prometheus.Counter
	errors   [troubles]prometheus.Counter
	cost     prometheus.Counter
	tokens   [len(tokenKinds)]prometheus.Counter
}

func newUpstreams(r prometheus.Registerer, names []string) map[string]*upstream {
	requests := counterVec(r, "weir_requests_total", "Requests that were answered, by upstream and class of the status that was sent.",
		"upstream", "status_class")
	errors := counterVec(r, "weir_upstream_errors_total", "Failures of upstreams, by kind.", "upstream", "kind")
	cost := counterVec(r, "weir_cost_usd_total", "What responses cost by the table of prices, in US dollars.", "upstream")
	tokens := counterVec(r, "weir_tokens_total", "Tokens that responses say they used, by kind.", "upstream", "kind")
	all := map[string]*upstream{}
	for _, name := range append([]string{other}, names...) {
		u := &upstream{cost: cost.WithLabelValues(name)}
		for i := range u.requests {
			u.requests[i] = requests.WithLabelValues(name, className(i))
		}
		for i := range u.errors {
			u.errors[i] = errors.WithLabelValues(name, troubleNames[i])
		}
		for i := range u.tokens {
			u.tokens[i] = tokens.WithLabelValues(name, tokenKinds[i])
		}
		all[name] = u
	}
	return all
}

// upstream returns the series of an upstream, or the series "other" if it is not configured.
func (m *Metrics) upstream(name string) *upstream {
	if u := m.upstreams[name]; u != nil {
		return u
	}
	return m.upstreams[other]
}

// UpstreamUnreachable counts an upstream without a connection, a name or a handshake.
func (m *Metrics) UpstreamUnreachable(upstream string) { m.failed(upstream, unreachable) }

// UpstreamTimedOut counts an upstream that did not respond in time, or stopped sending.
func (m *Metrics) UpstreamTimedOut(upstream string) { m.failed(upstream, timedOut) }

// UpstreamBrokeOff counts a response that ended in the middle.
func (m *Metrics) UpstreamBrokeOff(upstream string) { m.failed(upstream, brokeOff) }

// UpstreamError counts a response with a status of 500 or more.
func (m *Metrics) UpstreamError(upstream string) { m.failed(upstream, serverError) }

func (m *Metrics) failed(upstream string, t trouble) {
	if m != nil {
		m.upstream(upstream).errors[t].Inc()
	}
}

// spent counts the tokens and the cost of a response. Counters must only grow, so negative numbers count as 0: a response may claim
// anything.
func (u *upstream) spent(usage call.Usage, costMicros int64) {
	for i, n := range [len(tokenKinds)]int64{usage.Input, usage.Output, usage.CacheRead, usage.CacheCreation} {
		u.tokens[i].Add(float64(max(0, n)))
	}
	u.cost.Add(float64(max(0, costMicros)) / 1e6)
}
