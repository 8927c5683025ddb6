package mcp

import (
	"crypto/sha256"
	"errors"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/mcp/jsonrpc"
)

// Reasons for which a request cannot be opened.
var (
	errDuplicateID = errors.New("a request with that id is open already")
	errTooMany     = errors.New("too many requests are open")
)

// Reasons for which a message is no longer of use.
var (
	errGone     = errors.New("its sender is gone")
	errPeerGone = errors.New("the other side is gone")
)

// A state is the state of an open request. See Session.
type state uint8

// The states of an open request.
const (
	waiting state = iota
	sending
	sent
	responding
)

// A request is a request that one side sent.
type request struct {
	id      jsonrpc.ID
	method  string
	tool    string  // the called tool, or that of the call that a task belongs to; "": none
	unnamed bool    // a tool is called, but its name cannot be read
	call    call.ID // its id in the record; "": it was not judged
	version string  // of the protocol, as the request names it; "": it names none
	trace   call.Trace
	cursor  string // of tools/list: the position of the page; "": the first page
	// digest is the hash of the whole message, to recognise it when it is sent again; set only if the server may do so.
	digest [sha256.Size]byte

	number uint64 // the number of requests before it
	state  state
	// again says that the request waits now, but was passed on before: its response may come.
	again bool
	hold  *hold // of the request while it is waiting, of its response while it is responding
	// cancel passes on the request's cancellation, which came while it was being sent and must not overtake it.
	cancel func()
}

// isSent says whether the other side has got the request, and may respond.
func (r *request) isSent() bool {
	return r.state == sending || r.state == sent || r.state == waiting && r.again
}

// A side is the state of one of the two sides: what it may send without being judged, and its requests.
type side struct {
	passes vocabulary
	notes  vocabulary // notifications that MCP defines
	max    int
	open   map[jsonrpc.ID]*request
	asked  uint64
	closed recent[jsonrpc.ID, closedRequest]
	gone   bool
	// refusals counts its invalid messages.
	refusals tally
	// lastNote is closed when the latest of its notifications that waited is passed on or dropped.
	lastNote chan struct{}
	flooded  bool // a notification was dropped, and some still wait
}

// newSide returns a side that has sent nothing yet.
func newSide(limit int, passes, notes vocabulary) side {
	last := make(chan struct{})
	close(last)
	return side{passes: passes, notes: notes, max: limit, open: map[jsonrpc.ID]*request{}, lastNote: last}
}

// add opens a request. It fails if its id is open already, or too many are open.
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

// close removes a request from the table, and remembers it as closed.
func (f *side) close(r *request, cancelled bool) {
	if f.open[r.id] == r {
		delete(f.open, r.id)
		done := closedRequest{*r, cancelled}
		done.hold, done.cancel = nil, nil
		f.closed.add(r.id, done)
	}
}

// drop removes a request that the other side never got from the table.
func (f *side) drop(r *request) {
	if f.open[r.id] == r {
		delete(f.open, r.id)
	}
}

// A closedRequest is a request that has its response, or was cancelled.
type closedRequest struct {
	request
	cancelled bool
}
