package gateway

import (
	"net/http"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/intake/budget"
	"github.com/weir-gate/weir/internal/mcp/jsonrpc"
	"github.com/weir-gate/weir/internal/mcp/queue"
)

// A piece is a part of a response to a client.
type piece struct {
	message *jsonrpc.Message // nil: none
	event   event            // its fields, if it is sent on a stream
	// status makes the piece the whole response, if nothing was sent before; the body is the message, if there is one. 0: it is sent
	// on a stream.
	status int
	header http.Header // sent along, if nothing was sent before; nil: none
}

// messageOverhead is about the memory of a message, beside its bytes.
const messageOverhead = 512

// messageSize is about the memory of a message; 0 for nil.
func messageSize(m *jsonrpc.Message) int {
	if m == nil {
		return 0
	}
	return len(m.Raw) + messageOverhead
}

// newPieces returns a queue of pieces for one client. account opens accounts for the memory of the waiting pieces; nil: it is not
// counted.
func newPieces(account func() *budget.Account, bound *queue.Bound) *queue.Queue[piece] {
	return queue.New(queue.Config[piece]{
		Size: func(p piece) int { return messageSize(p.message) }, Bound: bound, Account: account, Unheld: unheldPiece,
	})
}

// unheldPiece returns the replacement for a piece for which there is no room. Only a response is replaced: its client waits for it.
func unheldPiece(p piece) (piece, bool) {
	if p.message == nil || p.message.Kind != jsonrpc.Response {
		return p, false
	}
	p.message = jsonrpc.NewError(p.message.ID, jsonrpc.CodeInternal, "weir has no room for the response ("+call.CodeOverBudget+")", nil)
	return p, true
}
