package proxy

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"time"

	"github.com/weir-gate/weir/internal/intake/budget"
	"github.com/weir-gate/weir/internal/record/metrics"
)

// forward sends the request on and the response back.
func (x *exchange) forward() {
	x.keep()
	ctx, cancel := context.WithCancelCause(x.R.Context())
	defer cancel(nil)
	var req *http.Request
	sent := &sending{}
	if x.door.cfg.Observe {
		req = x.observedRequest(ctx)
	} else {
		var f *failure
		if req, sent, f = x.request(ctx); f != nil {
			x.fail(f)
			return
		}
	}
	wire := newWire(ctx, cancel, x.door.cfg.IdleTimeout)
	defer wire.close()
	if x.door.cfg.Propagate != nil {
		x.door.cfg.Propagate(x.trace, req.Header)
	}
	began := time.Now()
	x.forwarded = true
	resp, err := wire.roundTrip(x.door.cfg.Transport, req)
	x.waited = time.Since(began)
	sent.release()
	if err != nil {
		x.unanswered(wire, err)
		return
	}
	x.answeredWith = resp.StatusCode
	if f := x.maskAnswer(wire, resp); f != nil {
		x.fail(f)
		return
	}
	if x.door.cfg.Observe {
		x.observe(wire, resp)
		return
	}
	x.respond(wire, resp)
}

// unanswered ends an exchange to which the upstream said nothing.
func (x *exchange) unanswered(wire *wire, err error) {
	var netErr net.Error
	timedOut := wire.stalled() || errors.As(err, &netErr) && netErr.Timeout()
	x.trouble = "no answer: " + transportTrouble(err)
	switch {
	case x.R.Context().Err() != nil:
		x.abort("the client is gone")
	case timedOut:
		x.door.cfg.Metrics.UpstreamFailed(x.upstream.name, metrics.TimedOut)
		x.fail(silent(x.upstream.name))
	default:
		x.door.cfg.Metrics.UpstreamFailed(x.upstream.name, metrics.Unreachable)
		x.fail(unreachable(x.upstream.name))
	}
}

// transportTrouble is what the log may say of a failed round trip. Only errors of the network and of TLS are told in
// full: others quote what the upstream sent.
func transportTrouble(err error) string {
	var network net.Error
	var certificate *tls.CertificateVerificationError
	if errors.As(err, &network) || errors.As(err, &certificate) || errors.Is(err, io.EOF) || errors.Is(err, context.Canceled) {
		return err.Error()
	}
	return "the response cannot be read as HTTP"
}

// abort breaks the client's connection, so that it cannot take what it has for a whole response.
func (x *exchange) abort(why string) {
	x.trouble = why
	panic(http.ErrAbortHandler)
}

// request builds what goes to the upstream: the whole body, plain and within bounds.
func (x *exchange) request(ctx context.Context) (*http.Request, *sending, *failure) {
	body, room, f := x.readBody()
	if f != nil {
		return nil, nil, f
	}
	came := body
	if body, f = x.readRequest(ctx, body); f != nil {
		return nil, nil, f
	}
	if len(body) > 0 && &body[0] != &came[0] { // from here on the new one is held
		if f = x.noRoom(room.Set(cap(body))); f != nil {
			return nil, nil, f
		}
	}
	x.size = int64(len(body))
	x.keepRequest(body)
	req := x.addressed(ctx, bytes.NewReader(body))
	askPlain(req.Header)
	req.Header.Del("Content-Encoding")
	req, sent := newSending(req, body, room)
	return req, sent, nil
}

// readRequest has the request read and ruled, and returns the body that may be sent.
func (x *exchange) readRequest(ctx context.Context, body []byte) (_ []byte, f *failure) {
	room, err := x.takeReading(body)
	defer room.Free()
	if f = x.noRoom(err); f != nil {
		return nil, f
	}
	if f = x.readWants(body); f != nil {
		return nil, f
	}
	if body, f = x.inspect(ctx, body); f != nil {
		return nil, f
	}
	return x.mend(ctx, body)
}

// addressed is a request to the upstream with the client's header.
func (x *exchange) addressed(ctx context.Context, body io.Reader) *http.Request {
	to := x.upstream.address(x.path, x.R.URL)
	req, err := http.NewRequestWithContext(ctx, x.R.Method, to.Scheme+"://"+to.Host, body)
	if err != nil {
		panic(err) // the method was checked by admit, scheme and host by New
	}
	req.URL = to
	req.Header = requestHeader(x.R.Header)
	x.door.admission.Hide(req.Header) // before weir's own credential is there, which may be a client's key as well
	x.authorise(req.Header)
	if req.GetBody != nil && req.Header["Idempotency-Key"] == nil {
		// An upstream may close an idle connection at the moment it is used again. Then nothing was answered, and the
		// transport may send the request once more on a new one. The empty header says so, and is not sent.
		req.Header["Idempotency-Key"] = []string{}
	}
	return req
}

// readBody reads the request's body to its end, decoded. Only then is anything sent: a response that comes before the
// body was read would else end with its connection. The share has what it takes.
func (x *exchange) readBody() ([]byte, *budget.Share, *failure) {
	limit := x.door.cfg.Bounds.Request
	tooLarge := &failure{status: http.StatusRequestEntityTooLarge, message: "the request is larger than weir's bound"}
	if x.R.ContentLength > int64(limit) {
		return nil, nil, tooLarge
	}
	decoding, room := x.Account.Share(budget.Requests), x.Account.Share(budget.Requests)
	defer decoding.Free()
	src, err := decode(x.Body, encodings(x.R.Header), decoding)
	if err != nil {
		return nil, nil, refusal(http.StatusBadRequest, "the request's content encoding is not known to weir")
	}
	length := x.R.ContentLength
	if len(encodings(x.R.Header)) > 0 {
		length = budget.Unknown
	}
	body, err := budget.ReadAll(src, limit, length, room)
	if err != nil {
		room.Free() // nothing of it is held while the rest of it comes
	}
	var over *budget.Exceeded
	switch {
	case errors.As(err, &over):
		return nil, nil, x.noRoom(err)
	case errors.Is(err, budget.ErrTooLong):
		return nil, nil, tooLarge
	case errors.Is(err, errUndecodable):
		return nil, nil, refusal(http.StatusBadRequest, "the request is not in the content encoding that it names")
	case err != nil:
		x.trouble = "read request: " + err.Error()
		return nil, nil, &failure{status: http.StatusBadRequest, message: "the request broke off"}
	}
	return body, room, nil
}

// readWants finds out how the request wants to be answered.
func (x *exchange) readWants(body []byte) *failure {
	if x.asked == nil {
		return nil
	}
	var err error
	if x.wants, err = x.asked.Wants(x.R, body); err != nil {
		return refusal(http.StatusBadRequest, err.Error())
	}
	return nil
}
