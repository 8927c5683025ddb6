package proxy

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"time"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/gate"
	"github.com/weir-gate/weir/internal/model/dialect"
)

// An answering is the upstream's response on its way to the client. It begins when the request is sent to the upstream, and uses
// what the asking has learned.
type answering struct {
	*exchange
	learned
	wire     *wire
	resp     *http.Response // set by roundTrip; nil: the upstream has not responded
	waited   time.Duration  // until the upstream responded
	failed   bool           // its status says that it is an error
	masked   bool           // it repeated the upstream's key
	recorded bool           // the end of the response is recorded, or will be
}

// learned is what the asking learns from the request that the answering needs.
type learned struct {
	size    int64         // of the body that is sent
	links   dialect.Links // the response or conversation that the request continues
	menu    call.Menu     // what the names of its tools mean; nil: unknown
	outputs []string      // calls of the continued conversation whose outputs weir has added
}

// roundTrip sends the request to the upstream, and waits for the header of its response.
func (a *answering) roundTrip(req *http.Request) (err error) {
	if a.door.cfg.Propagate != nil {
		a.door.cfg.Propagate(a.trace, req.Header)
	}
	began := time.Now()
	a.resp, err = a.wire.roundTrip(a.upstream.transport, req)
	a.waited = time.Since(began)
	return err
}

// status is the status of the upstream's response; 0: there was no response.
func (a *answering) status() int {
	if a.resp == nil {
		return 0
	}
	return a.resp.StatusCode
}

// fail responds with a failure.
func (a *answering) fail(f *failure) { a.send(f.status, a.render(f)) }

// unanswered ends an exchange in which the upstream did not respond.
func (a *answering) unanswered(err error) {
	var netErr net.Error
	timedOut := a.wire.stalled() || errors.As(err, &netErr) && netErr.Timeout()
	a.trouble = "no response: " + transportTrouble(err)
	switch {
	case a.R.Context().Err() != nil:
		a.abort(clientGone)
	case timedOut:
		a.door.cfg.Metrics.UpstreamTimedOut(a.upstream.name)
		a.fail(silent(a.upstream.name))
	default:
		a.door.cfg.Metrics.UpstreamUnreachable(a.upstream.name)
		a.fail(unreachable(a.upstream.name))
	}
}

// transportTrouble is what the log may say about a failed round trip. Only errors of the network and of TLS are logged in full:
// others quote what the upstream sent.
func transportTrouble(err error) string {
	var network net.Error
	var certificate *tls.CertificateVerificationError
	if errors.As(err, &network) || errors.As(err, &certificate) || errors.Is(err, io.EOF) || errors.Is(err, context.Canceled) {
		return err.Error()
	}
	return "the response cannot be read as HTTP"
}

// recordFailure records that a model did not respond. The gate records only responses that it has seen.
func (a *answering) recordFailure() {
	if !a.recorded && a.asked != nil && a.ask == dialect.Turn {
		a.door.cfg.Gate.Missed(a.passage(a.asked, a.wants), a.resp != nil && a.trouble == "")
	}
}

// passage is what the gate needs to know about an exchange.
func (a *answering) passage(f *dialect.Format, framing frame.Framing) gate.Passage {
	options := dialect.Options{
		Whole: framing == frame.Whole, Unnamed: framing == frame.Chunks, Drop: a.door.cfg.Drop, MaxArguments: a.door.cfg.Bounds.Arguments,
		Path: a.path,
	}
	exchange := a.exchangeOf(f)
	exchange.Reread = a.ask != dialect.Turn // a response that is not a new turn may have been seen before
	if f.Chain != nil {
		about := f.Chain.About(a.path)
		options.Previous, options.Response = a.links.Response, about.Response
		options.Conversation = cmp.Or(about.Conversation, a.links.Conversation)
	}
	p := gate.Passage{Actor: a.Actor, Exchange: exchange, Dialect: f.New(options), Whole: options.Whole}
	p.Patience, p.Wait = f.Patience, bears(a.R)
	if !exchange.Reread {
		p.Menu = a.menu
	}
	p.Started, p.Waited, p.Status, p.Account = a.Start, a.waited, a.status(), a.Account
	if a.captured != nil {
		p.Bodies = a.captured.whenKnown
	}
	if !a.failed && !exchange.Reread {
		p.Asked = a.size
	}
	return p
}
