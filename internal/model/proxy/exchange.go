package proxy

import (
	"net/http"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/intake/httpdoor"
	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/model/endpoint"
)

// An exchange is the state that both halves of a request share: the asking sets it, the answering uses it.
type exchange struct {
	*httpdoor.Exchange
	door     *Door
	id       string
	trace    call.Trace // the position of the request in it
	target              // set by asking.aim; asking.readWants sets wants again
	captured *captured  // copies of the bodies, set by asking.capture; nil: they are not stored
	trouble  string     // for the log; "" if there was none
}

// A target is what a request is for.
type target struct {
	upstream *upstream       // nil: unknown
	path     string          // clean, without the upstream's base: used for sending and for finding the endpoint
	endpoint endpoint.Row    // how requests for the path are treated
	known    bool            // endpoint is known
	asked    *dialect.Format // the format that the request asks for; nil if unknown
	ask      dialect.Ask     // what it asks of that format
	wants    frame.Framing   // the framing in which the request wants its response
}

func newExchange(d *Door, w http.ResponseWriter, r *http.Request) *exchange {
	x := &exchange{Exchange: d.http.Begin(w, r), door: d}
	x.id = x.ID
	if d.cfg.Trace != nil {
		x.trace = d.cfg.Trace(r.Header)
	}
	x.Body.Expect()
	return x
}

// send responds with a status and a complete body.
func (x *exchange) send(status int, body []byte) {
	x.SendStatus(status)
	if _, err := x.Write(body); err != nil && x.R.Method != http.MethodHead {
		x.trouble = clientGone
	}
}

// clientGone is the trouble of an exchange whose client has closed the connection.
const clientGone = "the client is gone"

// abort breaks the client's connection, so that it cannot take what it got for a complete response.
func (x *exchange) abort(why string) {
	x.trouble = why
	panic(http.ErrAbortHandler)
}

// exchangeOf is what the record says about the exchange before there is a response. The format may be nil.
func (x *exchange) exchangeOf(f *dialect.Format) call.Exchange {
	known := call.Exchange{RequestID: x.id, Provider: x.upstream.name, Trace: x.trace}
	if f != nil {
		known.Dialect = f.Name
	}
	return known
}

// refuseExchange records that the request, or its response, is refused, and returns the failure for the client.
func (x *exchange) refuseExchange(why dialect.Refused) *failure {
	if x.door.cfg.Judge != nil {
		x.door.cfg.Judge.RequestRefused(call.Outcome{Actor: x.Actor, Exchange: x.exchangeOf(x.format()), Code: why.Code, Reason: why.Reason})
	}
	f := refusal(http.StatusBadRequest, why.Reason)
	f.code += ", " + why.Code
	return f
}

// format is the best guess at the client's format before a response shows it; nil: none.
func (t *target) format() *dialect.Format {
	if t.asked == nil && t.upstream != nil {
		return t.upstream.format
	}
	return t.asked
}

// expected is what weir expects of the response.
func (t *target) expected() expectation {
	return expectation{asked: t.asked, wants: t.wants, file: t.isContent(), otherwise: t.mayRespondOtherwise()}
}

// mayRespondOtherwise says whether the endpoint's responses may be something other than model output.
func (t *target) mayRespondOtherwise() bool {
	if !t.known {
		return false
	}
	row := t.endpoint
	return row.Treatment == endpoint.Passes || row.Treatment == endpoint.Content || row.Treatment == endpoint.Gated && row.Quiet
}

// mayRespondInLines says whether a response of the endpoint may be a file with a JSON text in each line, whatever its content type
// is.
func (t *target) mayRespondInLines() bool {
	return t.isContent() || t.known && t.endpoint.Treatment == endpoint.Gated && t.asked == nil
}

// isContent says whether the endpoint's responses are files of any type.
func (t *target) isContent() bool { return t.known && t.endpoint.Treatment == endpoint.Content }

// changesModels says whether the request would change the models of a model server.
func (t *target) changesModels() bool { return t.known && t.endpoint.Treatment == endpoint.Changes }
