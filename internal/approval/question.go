package approval

import (
	"time"

	"github.com/weir-gate/weir/internal/call"
)

// A Question is a call about which people are asked.
type Question struct {
	Match  Digest
	Terms  Terms
	Card   Card
	By     call.ID   // the call that would be released
	Until  time.Time // how long whoever asks can hold the call
	Origin Origin    // of the call
}

// An Answer is what became of a question.
type Answer struct {
	// Request is the request. If the call is Released, its yes is used up for this call.
	Released bool
	Request  Request
	// Grant is the yes for the session by which the call is released; "": none is.
	Grant string
	Code  string // why the call is refused
	Said  string // the words of the person who said no
}

// NewRequest is the request of a question that nobody has asked yet.
func (q Question) NewRequest(now time.Time) (Request, error) {
	display, err := q.Card.Digest()
	return Request{
		ID: NewID(now), State: Pending, Match: q.Match, Display: display, Terms: q.Terms, Card: q.Card, Created: now, Origin: q.Origin,
		Expires: now.Add(q.Terms.Expires.Duration()),
	}, err
}
