package proxy

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"

	"github.com/weir-gate/weir/internal/intake/budget"
)

// An asking is a client's request on its way to the upstream: it is admitted, read, inspected, completed by mend, and sent.
type asking struct {
	*exchange
	own    *Page // weir's own page that the request is for; nil: none
	hidden bool  // the address has a misplaced key in it, so it is not logged
	learned
	// answering is the response to it; nil: the request was not sent.
	answering *answering
}

// forward sends the request to the upstream and the response to the client.
func (q *asking) forward() {
	q.capture()
	ctx, cancel := context.WithCancelCause(q.R.Context())
	defer cancel(nil)
	var req *http.Request
	var observed []byte
	sent := &sending{}
	if q.door.cfg.Observe {
		req, observed = q.observedRequest(ctx)
	} else {
		var f *failure
		if req, sent, f = q.request(ctx); f != nil {
			q.fail(f)
			return
		}
	}
	a := &answering{exchange: q.exchange, learned: q.learned, wire: newWire(ctx, cancel, q.door.cfg.IdleTimeout)}
	defer a.wire.close()
	q.answering = a
	err := a.roundTrip(req)
	sent.release()
	switch {
	case err != nil:
		a.unanswered(err)
	case !a.mask():
	case q.door.cfg.Observe:
		a.observe(observed)
	default:
		a.respond()
	}
}

// fail responds with a failure. A client whose request is somewhat too large gets the failure, too.
func (q *asking) fail(f *failure) {
	body := q.render(f)
	q.SendEarly(2*int64(q.door.cfg.Bounds.Request), func() { q.send(f.status, body) })
}

// request builds the request to the upstream: with the whole body, decoded and within bounds.
func (q *asking) request(ctx context.Context) (*http.Request, *sending, *failure) {
	body, room, f := q.readBody()
	if f != nil {
		return nil, nil, f
	}
	came := body
	if body, f = q.readRequest(ctx, body); f != nil {
		return nil, nil, f
	}
	if len(body) > 0 && &body[0] != &came[0] { // from here on the new body is held
		if f = q.noRoom(room.Set(cap(body))); f != nil {
			return nil, nil, f
		}
	}
	q.size = int64(len(body))
	q.captureRequest(body)
	req := q.addressed(ctx, bytes.NewReader(body))
	askPlain(req.Header)
	req.Header.Del("Content-Encoding")
	req, sent := newSending(req, body, room)
	return req, sent, nil
}

// readRequest parses the request, rules its offers, and returns the body that may be sent.
func (q *asking) readRequest(ctx context.Context, body []byte) (_ []byte, f *failure) {
	room, err := q.takeReading(body)
	defer room.Free()
	if f = q.noRoom(err); f != nil {
		return nil, f
	}
	if f = q.readWants(body); f != nil {
		return nil, f
	}
	if body, f = q.inspect(ctx, body); f != nil {
		return nil, f
	}
	return q.mend(ctx, body)
}

// addressed is a request to the upstream with the client's header.
func (q *asking) addressed(ctx context.Context, body io.Reader) *http.Request {
	to := q.upstream.address(q.path, q.R.URL)
	req, err := http.NewRequestWithContext(ctx, q.R.Method, to.Scheme+"://"+to.Host, body)
	if err != nil {
		panic(err) // the method was checked by admit, scheme and host by New
	}
	req.URL = to
	req.Header = requestHeader(q.R.Header)
	q.door.admission.Hide(req.Header) // before weir's own credential is added, which may equal a client's key
	q.authorise(req.Header)
	if req.GetBody != nil && req.Header["Idempotency-Key"] == nil {
		// An upstream may close an idle connection at the moment it is used again. Then there was no response, and the transport may send
		// the request once more on a new connection. The empty header allows it to, and is not sent.
		req.Header["Idempotency-Key"] = []string{}
	}
	return req
}

// readBody reads the request's body to its end, decoded. Nothing is sent before that: if a response came before the body was read,
// it would end with its connection. The share holds the memory of the body.
func (q *asking) readBody() ([]byte, *budget.Share, *failure) {
	limit := q.door.cfg.Bounds.Request
	tooLarge := &failure{status: http.StatusRequestEntityTooLarge, message: "the request is larger than weir's bound"}
	if q.R.ContentLength > int64(limit) {
		return nil, nil, tooLarge
	}
	decoding, room := q.Account.Share(budget.Requests), q.Account.Share(budget.Requests)
	defer decoding.Free()
	src, err := decode(q.Body, encodings(q.R.Header), decoding)
	if err != nil {
		return nil, nil, refusal(http.StatusBadRequest, "the request's content encoding is not known to weir")
	}
	length := q.R.ContentLength
	if len(encodings(q.R.Header)) > 0 {
		length = budget.Unknown
	}
	body, err := budget.ReadAll(src, limit, length, room)
	if err != nil {
		room.Free() // nothing of the body is held while the rest of it arrives
	}
	var over *budget.Exceeded
	switch {
	case errors.As(err, &over):
		return nil, nil, q.noRoom(err)
	case errors.Is(err, budget.ErrTooLong):
		return nil, nil, tooLarge
	case errors.Is(err, errUndecodable):
		return nil, nil, refusal(http.StatusBadRequest, "the request is not in the content encoding that it names")
	case err != nil:
		q.trouble = "read request: " + err.Error()
		return nil, nil, &failure{status: http.StatusBadRequest, message: "the request broke off"}
	}
	return body, room, nil
}

// readWants finds out the framing in which the request wants its response.
func (q *asking) readWants(body []byte) *failure {
	if q.asked == nil {
		return nil
	}
	var err error
	if q.wants, err = q.asked.Wants(q.R, body); err != nil {
		return refusal(http.StatusBadRequest, err.Error())
	}
	return nil
}
