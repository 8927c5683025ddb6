package gateway

import (
	"net/http"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/intake/budget"
	"github.com/weir-gate/weir/internal/mcp/jsonrpc"
	"github.com/weir-gate/weir/internal/mcp/queue"
)

// A piece is one of those that a response to a client consists of.
type piece struct {
	message *jsonrpc.Message // nil: none
	event   event            // how a stream carries it
	// status makes it the whole response, if nothing was sent before: with the message as its body, or none. 0: it goes on a stream.
	status int
	header http.Header // sent along, if nothing was sent before; nil: none
}

// messageOverhead is about what a message takes beside its bytes.
const messageOverhead = 512

// messageSize is about the memory that a message takes; nil takes none.
func messageSize(m *jsonrpc.Message) int {
	if m == nil {
		return 0
	}
	return len(m.Raw) + messageOverhead
}

// newPieces returns a queue of what is to be sent to one client. account opens accounts for what waits in it; nil: it is not counted.
func newPieces(account func() *budget.Account, bound *queue.Bound) *queue.Queue[piece] {
	return queue.New(queue.Config[piece]{
		Size: func(p piece) int { return messageSize(p.message) }, Bound: bound, Account: account, Unheld: unheldPiece,
	})
}

// unheldPiece is what the client gets in place of a piece for which there is no room: of a response it must be told.
func unheldPiece(p piece) (piece, bool) {
	if p.message == nil || p.message.Kind != jsonrpc.Response {
		return p, false
	}
	p.message = jsonrpc.NewError(p.message.ID, jsonrpc.CodeInternal, "weir has no room for the response ("+call.CodeOverBudget+")", nil)
	return p, true
}
