package gateway

import (
	"net/http"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/internal/mcp/jsonrpc"
)

// A failure is a response by weir in place of the one that the client asked for: an HTTP status, and a JSON-RPC error with weir's
// own text.
type failure struct {
	status  int
	code    jsonrpc.Code
	message string
	id      jsonrpc.ID     // of the request that failed; zero: it is not known, or there is none
	data    jsontext.Value // nil: none
	header  http.Header    // sent along; nil: none
	record  string         // the code with which the failure of a server is recorded
}

func fail(status int, code jsonrpc.Code, message string) *failure {
	return &failure{status: status, code: code, message: message}
}

func badRequest(message string) *failure {
	return fail(http.StatusBadRequest, jsonrpc.CodeInvalidRequest, message)
}

// noSession is the failure of a request for an MCP session that does not exist, or that belongs to another client. It does not show
// which.
func noSession() *failure {
	return fail(http.StatusNotFound, jsonrpc.CodeInvalidRequest, "there is no such session; begin a new one with initialize")
}

// about sets the id of the failure, if m is a request.
func (f *failure) about(m *jsonrpc.Message) *failure {
	if m.Kind == jsonrpc.Request {
		f.id = m.ID
	}
	return f
}

// piece returns the failure as a piece of a response.
func (f *failure) piece() piece {
	return piece{status: f.status, header: f.header, message: jsonrpc.NewError(f.id, f.code, f.message, f.data)}
}
