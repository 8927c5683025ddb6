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
	"github.com/weir-gate/weir/internal/intake/httpdoor"
	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/model/endpoint"
	"github.com/weir-gate/weir/internal/record/metrics"
	"github.com/weir-gate/weir/internal/text/echo"
)

// requestIDHeader is on every response.
const requestIDHeader = "X-Weir-Request-Id"

// An exchange is one request and its response.
type exchange struct {
	*httpdoor.Exchange
	door *Door
	id   string

	// Known once the request is admitted.
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

	trouble string // for the log; "" if there was none
}

func newExchange(d *Door, w http.ResponseWriter, r *http.Request) *exchange {
	x := &exchange{Exchange: d.http.Begin(w, r), door: d, masked: &atomic.Bool{}}
	x.id = "req_" + strings.TrimPrefix(string(call.NewID(x.Start)), "call_")
	if d.cfg.Trace != nil {
		x.trace = d.cfg.Trace(r.Header)
	}
	w.Header().Set(requestIDHeader, x.id)
	x.Body.Expect()
	return x
}

// finish ends the exchange: it logs it and turns a panic into a broken connection, so that one request's trouble stays
// its own and its client cannot take what it has for a whole response.
func (x *exchange) finish() {
	defer x.Close()
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
	x.GiveTimeToEnd()
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
	x.door.cfg.Metrics.Request(name, x.Status)
	if x.answeredWith >= http.StatusInternalServerError {
		x.door.cfg.Metrics.UpstreamFailed(name, metrics.ServerError)
	}
}

func (x *exchange) log() {
	attrs := []slog.Attr{
		slog.String("request", x.id), slog.String("method", x.Method()), slog.Int("status", x.Status),
		slog.Duration("took", x.Took()),
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
	if x.Actor.Key != "" {
		attrs = append(attrs, slog.String("key", x.Actor.Key))
	}
	if x.masked.Load() {
		attrs = append(attrs, slog.Bool("key_masked", true))
	}
	if x.trouble != "" {
		attrs = append(attrs, slog.String("trouble", x.trouble))
	}
	x.door.cfg.Log.LogAttrs(x.R.Context(), slog.LevelInfo, "request", attrs...)
}

// send answers with a body that is at hand.
func (x *exchange) send(status int, body []byte) {
	x.SendStatus(status)
	if _, err := x.Write(body); err != nil && x.R.Method != http.MethodHead {
		x.trouble = "the client is gone"
	}
}
