package proxy

import (
	"net/http"
	"strings"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/intake/httpdoor"
	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/model/endpoint"
)

// requestIDHeader is on every response.
const requestIDHeader = "X-Weir-Request-Id"

// An exchange is the state that both halves of a request share: the asking sets it, the answering uses it.
type exchange struct {
	*httpdoor.Exchange
	door     *Door
	id       string
	trace    call.Trace // in which it stands
	target              // set by asking.aim, and its wants once more by asking.readWants
	captured *captured  // copies of the bodies, set by asking.capture; nil: they are not stored
	trouble  string     // for the log; "" if there was none
}

// A target is what a request is for.
type target struct {
	upstream *upstream       // nil: no known one
	path     string          // clean, without the upstream's base: what is sent and what is classified
	endpoint endpoint.Row    // how requests for the path are treated
	known    bool            // whether that is known
	asked    *dialect.Format // the format that the request asks for; nil if unknown
	ask      dialect.Ask     // what it asks of that format
	wants    frame.Framing   // how the request wants its response to come
}

func newExchange(d *Door, w http.ResponseWriter, r *http.Request) *exchange {
	x := &exchange{Exchange: d.http.Begin(w, r), door: d}
	x.id = "req_" + strings.TrimPrefix(string(call.NewID(x.Start)), "call_")
	if d.cfg.Trace != nil {
		x.trace = d.cfg.Trace(r.Header)
	}
	w.Header().Set(requestIDHeader, x.id)
	x.Body.Expect()
	return x
}

// send responds with a body that is at hand.
func (x *exchange) send(status int, body []byte) {
	x.SendStatus(status)
	if _, err := x.Write(body); err != nil && x.R.Method != http.MethodHead {
		x.trouble = clientGone
	}
}

// clientGone is the trouble of an exchange whose client does not listen any more.
const clientGone = "the client is gone"

// abort breaks the client's connection, so that it cannot take what it has for a whole response.
func (x *exchange) abort(why string) {
	x.trouble = why
	panic(http.ErrAbortHandler)
}

// exchangeOf is what the record says of the exchange before there is a response. The format may be nil.
func (x *exchange) exchangeOf(f *dialect.Format) call.Exchange {
	known := call.Exchange{RequestID: x.id, Provider: x.upstream.name, Trace: x.trace}
	if f != nil {
		known.Dialect = f.Name
	}
	return known
}

// refuseExchange records that the request is not sent, or that its response is not passed on, and says so.
func (x *exchange) refuseExchange(why dialect.Refused) *failure {
	if x.door.cfg.Judge != nil {
		x.door.cfg.Judge.RequestRefused(call.Outcome{Actor: x.Actor, Exchange: x.exchangeOf(x.format()), Code: why.Code, Reason: why.Reason})
	}
	f := refusal(http.StatusBadRequest, why.Reason)
	f.code += ", " + why.Code
	return f
}

// format is the best guess at what the client speaks, before a response says it; nil if there is none.
func (t *target) format() *dialect.Format {
	if t.asked == nil && t.upstream != nil {
		return t.upstream.format
	}
	return t.asked
}

// expected is what the request lets weir expect of its response.
func (t *target) expected() expectation {
	return expectation{asked: t.asked, wants: t.wants, file: t.isContent(), otherwise: t.mayRespondOtherwise()}
}

// mayRespondOtherwise says whether the endpoint's responses may be something else than model output.
func (t *target) mayRespondOtherwise() bool {
	if !t.known {
		return false
	}
	row := t.endpoint
	return row.Treatment == endpoint.Passes || row.Treatment == endpoint.Content || row.Treatment == endpoint.Gated && row.Quiet
}

// mayRespondInLines says whether a response of the endpoint may be a file with a JSON text in each line, whatever it is called.
func (t *target) mayRespondInLines() bool {
	return t.isContent() || t.known && t.endpoint.Treatment == endpoint.Gated && t.asked == nil
}

// isContent says whether the endpoint's responses are files of any type.
func (t *target) isContent() bool { return t.known && t.endpoint.Treatment == endpoint.Content }

// changesModels says whether the request would change the models of a model server.
func (t *target) changesModels() bool { return t.known && t.endpoint.Treatment == endpoint.Changes }
