package proxy

import (
	"fmt"
	"log/slog"
	"net/http"
	"runtime"
	"runtime/debug"
	"strings"
	"sync/atomic"
	"time"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/intake/admission"
	"github.com/weir-gate/weir/internal/intake/budget"
	"github.com/weir-gate/weir/internal/intake/reqbody"
	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/model/endpoint"
	"github.com/weir-gate/weir/internal/record/metrics"
	"github.com/weir-gate/weir/internal/text/echo"
)

// requestIDHeader is on every response.
const requestIDHeader = "X-Weir-Request-Id"

// An exchange is one request and its response.
type exchange struct {
	door  *Door
	w     http.ResponseWriter
	r     *http.Request
	ctl   *http.ResponseController
	body  *reqbody.Body
	id    string
	start time.Time

	// Known once the request is admitted.
	actor    call.Actor
	admitted bool            // the client may send requests to upstreams
	account  *budget.Account // of what the exchange makes weir hold
	own      *Page           // weir's own that the request is for; nil: none
	upstream *upstream       // nil: no known one
	path     string          // clean, without the upstream's base: what is sent and what is classified
	hidden   bool            // the address has a key in it where none belongs: it is told to nobody
	endpoint endpoint.Row    // how requests for the path are treated
	known    bool            // whether that is known
	asked    *dialect.Format // the format that the request asks for; nil if unknown
	ask      dialect.Ask     // what it asks of that format
	wants    frame.Framing   // how the request wants to be answered
	failed   bool            // the upstream answers with an error
	sent     []byte          // the body, where weir only observes and has read it whole
	size     int64           // of the body that is sent
	trace    call.Trace      // in which it stands
	links    dialect.Links   // what it goes on from
	menu     call.Menu       // what the names of its tools mean; nil: it is not known
	answered []string        // calls of the conversation that it goes on from whose outputs weir has added
	kept     *kept           // what is kept of the bodies; nil: nothing is

	waited       time.Duration // until the upstream began to answer
	answeredWith int           // the status of the upstream's answer; 0: there was none
	forwarded    bool          // the upstream was asked
	masked       *atomic.Bool  // the answer repeated the upstream's key
	recorded     bool          // how the response ended is on record, or will be

	status  int    // sent; 0: nothing was sent
	trouble string // for the log; "" if there was none
}

func newExchange(d *Door, w http.ResponseWriter, r *http.Request) *exchange {
	now := d.cfg.Now()
	x := &exchange{
		door: d, w: w, r: r, masked: &atomic.Bool{}, ctl: http.NewResponseController(w), start: now,
		id: "req_" + strings.TrimPrefix(string(call.NewID(now)), "call_"),
	}
	if d.cfg.Trace != nil {
		x.trace = d.cfg.Trace(r.Header)
	}
	w.Header().Set(requestIDHeader, x.id)
	x.body = reqbody.New(r, x.ctl, d.cfg.ClientTimeout)
	x.body.Expect()
	return x
}

// finish ends the exchange: it logs it and turns a panic into a broken connection, so that one request's trouble stays
// its own and its client cannot take what it has for a whole response.
func (x *exchange) finish() {
	defer x.account.Close()
	p := recover()
	if p != nil && p != http.ErrAbortHandler {
		x.trouble = panicText(p)
		x.door.cfg.Log.Error("panic while serving a request", "request", x.id, "panic", x.trouble, "stack", string(debug.Stack()))
	}
	x.log()
	x.count()
	x.recordFailure()
	x.handOver()
	if p != nil {
		panic(http.ErrAbortHandler)
	}
	// After this net/http writes the end of the response, and before that may wait for the rest of the request.
	_ = x.ctl.SetWriteDeadline(time.Now().Add(2 * x.door.cfg.ClientTimeout))
}

// recordFailure has a model's failure to answer recorded: of what the gate did not see, nobody else does it.
func (x *exchange) recordFailure() {
	if x.forwarded && !x.recorded && x.asked != nil && x.ask == dialect.Turn {
		x.door.cfg.Gate.Missed(x.passage(x.asked, x.wants), x.answeredWith != 0 && x.trouble == "")
	}
}

// panicText keeps what others wrote out of the log: only the runtime's own words are printed.
func panicText(p any) string {
	if err, ok := p.(runtime.Error); ok {
		return err.Error()
	}
	return fmt.Sprintf("%T", p)
}

// count has the metrics know of the exchange.
func (x *exchange) count() {
	if x.own != nil {
		return
	}
	name := ""
	if x.upstream != nil {
		name = x.upstream.name
	}
	x.door.cfg.Metrics.Request(name, x.status)
	if x.answeredWith >= http.StatusInternalServerError {
		x.door.cfg.Metrics.UpstreamFailed(name, metrics.ServerError)
	}
}

func (x *exchange) log() {
	attrs := []slog.Attr{
		slog.String("request", x.id), slog.String("method", x.method()), slog.Int("status", x.status),
		slog.Duration("took", x.door.cfg.Now().Sub(x.start)),
	}
	if x.upstream != nil {
		path := x.path
		if x.hidden {
			path = echo.Redacted
		}
		attrs = append(attrs, slog.String("upstream", x.upstream.name), slog.String("path", path))
	}
	if x.known {
		attrs = append(attrs, slog.String("endpoint", x.endpoint.Treatment.String()))
	}
	if x.actor.Key != "" {
		attrs = append(attrs, slog.String("key", x.actor.Key))
	}
	if x.masked.Load() {
		attrs = append(attrs, slog.Bool("key_masked", true))
	}
	if x.trouble != "" {
		attrs = append(attrs, slog.String("trouble", x.trouble))
	}
	x.door.cfg.Log.LogAttrs(x.r.Context(), slog.LevelInfo, "request", attrs...)
}

// method is the request's, unless the client made one up.
func (x *exchange) method() string {
	if !admission.KnownMethod(x.r.Method) {
		return "other"
	}
	return x.r.Method
}

// giveTime lets the client have another ClientTimeout to take the next piece. Where a deadline cannot be set there is
// no connection that could be pinned.
func (x *exchange) giveTime() {
	_ = x.ctl.SetWriteDeadline(time.Now().Add(x.door.cfg.ClientTimeout))
}

// begin sends the status. Headers set later are not sent.
func (x *exchange) begin(status int) {
	x.status = status
	x.giveTime()
	x.w.WriteHeader(status)
}

// send answers with a body that is at hand.
func (x *exchange) send(status int, body []byte) {
	x.begin(status)
	if _, err := x.w.Write(body); err != nil && x.r.Method != http.MethodHead {
		x.trouble = "the client is gone"
	}
}
