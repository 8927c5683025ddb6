package approval

import (
	"context"
	"errors"
	"time"
)

// A Store keeps requests and grants in the transactional state. Several processes may use one: of two that change a request at once, one
// wins, and the other sees what the first one did. What it returns without an error is durable.
type Store interface {
	// OpenApproval returns the open request about the same matter, or stores r if there is none. A holder has at most limit pending
	// requests: beyond it fails with ErrFlood.
	OpenApproval(ctx context.Context, r Request, limit int) (Opened, error)
	// ChangeApproval replaces a request by what change makes of it. If change fails, nothing is changed; its error is returned. If there
	// is no such request, the error is ErrUnknown.
	ChangeApproval(ctx context.Context, id string, change func(Request) (Request, error)) (Request, error)
	// UseApproval uses up a yes, and stores the grant that comes with it.
	UseApproval(ctx context.Context, id string, use func(Request) (Request, error), now time.Time) (Request, error)
	// Approvals returns requests, the newest first.
	Approvals(ctx context.Context, f Filter) ([]Request, error)
	// GrantFor returns the grant that lets a matter pass in a session; false: there is none.
	GrantFor(ctx context.Context, match Digest, session string, now time.Time) (Grant, bool, error)
	// Grants returns the grants that hold at a time, the newest first.
	Grants(ctx context.Context, now time.Time) ([]Grant, error)
	// RevokeGrant ends a grant.
	RevokeGrant(ctx context.Context, id, by string, now time.Time) (Grant, error)
}

// Opened is what became of a question.
type Opened struct {
	Request Request
	New     bool // it was asked now
	// Ended are requests about the same matter that had ended by themselves, and are now stored as such.
	Ended []Request
}

// A Filter selects requests.
type Filter struct {
	IDs    []string // nil: any
	States []State  // nil: any
	// Unsettled selects yeses that were used, and of which it is not known whether the record has the call.
	Unsettled bool
	// EndedBy selects open requests that end by themselves no later than this; zero: any.
	EndedBy time.Time
	Limit   int // 0: 1000
}

// Why a store does not do what it is asked for.
var (
	ErrUnknown = errors.New("there is no such request")
	ErrFlood   = errors.New("too many calls wait for an approval")
)

// Holder names who answers for the number of requests: the session, else the client.
func (r Request) Holder() string {
	if r.Card.Actor.Session != "" {
		return "session " + r.Card.Actor.Session
	}
	return r.Card.Actor.Holder()
}

// Ends is when an open request ends by itself; zero: it is not open.
func (r Request) Ends() time.Time {
	switch r.State {
	case Pending:
		return r.Expires
	case Approved:
		return r.Until
	}
	return time.Time{}
}
