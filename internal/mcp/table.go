package mcp

import (
	"crypto/sha256"
	"errors"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/mcp/jsonrpc"
)

// Why a request cannot be opened.
var (
	errDuplicateID = errors.New("a request with that id is open already")
	errTooMany     = errors.New("too many requests are open")
)

// Why a message is of no use any more.
var (
	errGone     = errors.New("its sender is gone")
	errPeerGone = errors.New("the other side is gone")
)

// A state is how far a request has come. See Session.
type state uint8

// The states of a request that is open.
const (
	waiting state = iota
	sending
	sent
	responding
)

// A request is one that a side asked.
type request struct {
	id      jsonrpc.ID
	method  string
	tool    string  // that is called, or of the call that a task stands for; "": none is
	unnamed bool    // a tool is called, but its name cannot be told
	call    call.ID // under which it is on record; "": it was not judged
	version string  // of the protocol, as the request says; "": it does not
	trace   call.Trace
	cursor  string // of tools/list: where the page begins; "": at the beginning
	// digest is that of the whole message, to know it when it is sent again; only where the server may do so.
	digest [sha256.Size]byte

	number uint64 // how many were asked before it
	state  state
	// again says that the request is waiting, but was sent before: it may be answered.
	again bool
	hold  *hold // of the request while it is waiting, of its response while it is responding
	// cancel passes on the request's cancellation, which came while it was being sent and must not overtake it.
	cancel func()
}

// isSent says that the other side knows the request, and may answer.
func (r *request) isSent() bool {
	return r.state == sending || r.state == sent || r.state == waiting && r.again
}

// A side is what is known of one of the two: what it may ask for without being judged, and what it asked.
type side struct {
	passes vocabulary
	notes  vocabulary // notifications that MCP has
	max    int
	open   map[jsonrpc.ID]*request
	asked  uint64
	closed recent[jsonrpc.ID, closedRequest]
	gone   bool
	// refusals are its messages that were refused for what they are.
	refusals tally
	// lastNote is closed when the youngest of its notifications that waited is gone.
	lastNote chan struct{}
	flooded  bool // a notification was dropped, and some still wait
}

// newSide returns a side that has asked nothing yet.
func newSide(limit int, passes, notes vocabulary) side {
	last := make(chan struct{})
	close(last)
	return side{passes: passes, notes: notes, max: limit, open: map[jsonrpc.ID]*request{}, lastNote: last}
}

// add opens a request. It fails if that cannot be.
func (f *side) add(r *request) error {
	if f.open[r.id] != nil {
		return errDuplicateID
	}
	if len(f.open) >= f.max {
		return errTooMany
	}
	r.number = f.asked
	f.asked++
	f.open[r.id] = r
	f.closed.forget(r.id)
	return nil
}

// close takes a request out of the table. It is remembered.
func (f *side) close(r *request, cancelled bool) {
	if f.open[r.id] == r {
		delete(f.open, r.id)
		done := closedRequest{*r, cancelled}
		done.hold, done.cancel = nil, nil
		f.closed.add(r.id, done)
	}
}

// drop takes a request out of the table that the other side never knew.
func (f *side) drop(r *request) {
	if f.open[r.id] == r {
		delete(f.open, r.id)
	}
}

// A closedRequest was answered or cancelled.
type closedRequest struct {
	request
	cancelled bool
}
