// Package httpdoor is what weir's HTTP doors have in common: an exchange with a client, with limits of time and memory, and the
// HTTP server.
package httpdoor

import (
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/intake/admission"
	"github.com/weir-gate/weir/internal/intake/budget"
)

// A Door is what all exchanges of one door have in common.
type Door struct {
	Admission *admission.Admission
	// Budget is the memory that exchanges may take; nil: without limit.
	Budget *budget.Budget
	// Cost is about the memory of an exchange, beside what is sent in it: buffers of connections, goroutines.
	Cost int
	// ClientTimeout is how long a client may take to send the next piece of its request, or to read the next piece of its response.
	ClientTimeout time.Duration
	Now           func() time.Time
}

// An Exchange is one request of a client and its response.
type Exchange struct {
	// ID names the request, in the log, in the record, and to the client.
	ID    string
	R     *http.Request
	Body  *Body
	Start time.Time
	// W is the writer of the response. A door may wrap it.
	W http.ResponseWriter

	Actor    call.Actor      // set by Identify
	Account  *budget.Account // for the memory of the exchange; opened by OpenAccount, closed by Close
	admitted bool            // the client is admitted, and the account is open

	Status int // the sent status; 0: none was sent yet

	door *Door
	ctl  *http.ResponseController
}

// Begin begins an exchange. Close must follow.
func (d *Door) Begin(w http.ResponseWriter, r *http.Request) *Exchange {
	ctl, start := http.NewResponseController(w), d.Now()
	id := "req_" + strings.TrimPrefix(string(call.NewID(start)), "call_")
	w.Header().Set(RequestIDHeader, id)
	return &Exchange{ID: id, R: r, W: w, ctl: ctl, door: d, Start: start, Body: newBody(r, ctl, d.ClientTimeout)}
}

// RequestIDHeader is on every response.
const RequestIDHeader = "X-Weir-Request-Id"

// Identify finds out who sends the request, or returns why the client is refused.
func (x *Exchange) Identify(key string) (refused *admission.Refusal) {
	x.Actor, refused = x.door.Admission.Admit(key, x.R.Header)
	return refused
}

// OpenAccount opens the account of an exchange whose client is admitted. It fails if there is no room for the exchange.
func (x *Exchange) OpenAccount() error {
	x.admitted = true
	x.Account = x.door.Budget.Open(x.Actor.Holder())
	return x.Account.Take(budget.Connections, x.door.Cost)
}

// Close gives back the memory of the exchange.
func (x *Exchange) Close() { x.Account.Close() }

// Took is how long the exchange has taken so far.
func (x *Exchange) Took() time.Duration { return x.door.Now().Sub(x.Start) }

// Method is the request's method, for the log. An unknown method is not repeated.
func (x *Exchange) Method() string {
	if !admission.KnownMethod(x.R.Method) {
		return "other"
	}
	return x.R.Method
}

// GiveTime gives the client another ClientTimeout to read the next piece of the response. If a deadline cannot be set, there is no
// connection that could be blocked.
func (x *Exchange) GiveTime() { x.giveTime(x.door.ClientTimeout) }

// GiveTimeToEnd gives the client twice that time: net/http writes the end of the response, and before that it may wait for the rest of
// the request.
func (x *Exchange) GiveTimeToEnd() { x.giveTime(2 * x.door.ClientTimeout) }

func (x *Exchange) giveTime(d time.Duration) { _ = x.ctl.SetWriteDeadline(time.Now().Add(d)) }

// SendStatus sends the status and the header. Headers that are set later are not sent.
func (x *Exchange) SendStatus(status int) {
	x.Status = status
	x.GiveTime()
	x.W.WriteHeader(status)
}

// Write sends a piece of the response. The status must have been sent.
func (x *Exchange) Write(p []byte) (int, error) {
	x.GiveTime()
	return x.W.Write(p)
}

// Flush sends what was written to the client.
func (x *Exchange) Flush() error {
	x.GiveTime()
	return x.ctl.Flush()
}

// SendEarly responds to a request whose body may not have been read, with send. The client of an admitted request gets the response
// even if it sends the whole body first, unless the body has more than most bytes.
func (x *Exchange) SendEarly(most int64, send func()) {
	if !x.admitted {
		send()
		return
	}
	x.Body.respondEarly(most, send)
}

// retryAfter is how many seconds a client should wait before it tries again, when there was no room for its request.
const retryAfter = "5"

// NoRoom returns the status of the response to a request for which there is no room. retry says that trying again may help: then it
// sets the wait time in the header.
func NoRoom(err error, h http.Header) (status int, retry bool) {
	var over *budget.Exceeded
	switch {
	case !errors.As(err, &over) || over.Alone:
		return http.StatusRequestEntityTooLarge, false
	case over.Scope == budget.OfClient:
		status = http.StatusTooManyRequests
	default:
		status = http.StatusServiceUnavailable
	}
	h.Set("Retry-After", retryAfter)
	return status, true
}
