// Package httpdoor is what weir's HTTP doors have in common: one exchange with a client, within its time and its memory, and the
// server that listens for them.
package httpdoor

import (
	"errors"
	"net/http"
	"time"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/intake/admission"
	"github.com/weir-gate/weir/internal/intake/budget"
)

// A Door is what all exchanges of one door have in common.
type Door struct {
	Admission *admission.Admission
	// Budget is the memory that exchanges may take; nil: it has no bound.
	Budget *budget.Budget
	// Cost is about what an exchange takes, whatever is sent in it: buffers of connections, goroutines.
	Cost int
	// ClientTimeout is how long a client may take over the next piece of its request or of its response.
	ClientTimeout time.Duration
	Now           func() time.Time
}

// An Exchange is one request of a client and its response.
type Exchange struct {
	R     *http.Request
	Body  *Body
	Start time.Time
	// W takes the response. A door may put a writer of its own around it.
	W http.ResponseWriter

	Actor    call.Actor      // set by Identify
	Account  *budget.Account // of what the exchange makes weir hold; opened by OpenAccount, closed by Close
	admitted bool            // the account is open: the client may use what it asks for

	Status int // that was sent; 0: none was sent yet

	door *Door
	ctl  *http.ResponseController
}

// Begin begins an exchange. Close must follow.
func (d *Door) Begin(w http.ResponseWriter, r *http.Request) *Exchange {
	ctl := http.NewResponseController(w)
	return &Exchange{R: r, W: w, ctl: ctl, door: d, Start: d.Now(), Body: newBody(r, ctl, d.ClientTimeout)}
}

// Identify finds out who sends the request, or says why that client may not.
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

// Close gives back what the exchange made weir hold.
func (x *Exchange) Close() { x.Account.Close() }

// Took is how long the exchange has taken so far.
func (x *Exchange) Took() time.Duration { return x.door.Now().Sub(x.Start) }

// Method is the request's, for the log: one that the client made up is not repeated.
func (x *Exchange) Method() string {
	if !admission.KnownMethod(x.R.Method) {
		return "other"
	}
	return x.R.Method
}

// GiveTime lets the client have another ClientTimeout to take the next piece of the response. Where a deadline cannot be set there is
// no connection that could be pinned.
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

// Flush makes the client get what was written.
func (x *Exchange) Flush() error {
	x.GiveTime()
	return x.ctl.Flush()
}

// SendEarly responds to a request whose body may not have been read, with send. The client of an admitted request hears of it even if it
// sends all of the body first, unless that has more than most bytes.
func (x *Exchange) SendEarly(most int64, send func()) {
	if !x.admitted {
		send()
		return
	}
	x.Body.respondEarly(most, send)
}

// retryAfter is how many seconds a client should wait before it tries again, when there was no room for its request.
const retryAfter = "5"

// NoRoom is the status of the response to a request for which there is no room. retry says that it may help to try again: then the
// header is told after how long.
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
