package gateway

import (
	"net/http"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/internal/mcp/jsonrpc"
)

// A failure is what a client is told in place of what it asked for: an HTTP status, and a JSON-RPC error in weir's own words.
type failure struct {
	status  int
	code    jsonrpc.Code
	message string
	id      jsonrpc.ID     // of the request that failed; zero: it is not known, or there is none
	data    jsontext.Value // nil: none
	header  http.Header    // sent along; nil: none
	record  string         // the code under which the failure of a server is on record
}

func fail(status int, code jsonrpc.Code, message string) *failure {
	return &failure{status: status, code: code, message: message}
}

func badRequest(message string) *failure {
	return fail(http.StatusBadRequest, jsonrpc.CodeInvalidRequest, message)
}

// noSession is the failure of a request for an MCP session that there is not, or that is another's: nobody can tell which.
func noSession() *failure {
	return fail(http.StatusNotFound, jsonrpc.CodeInvalidRequest, "there is no such session; begin a new one with initialize")
}

// about makes the failure one of the request m, if it is a request.
func (f *failure) about(m *jsonrpc.Message) *failure {
	if m.Kind == jsonrpc.Request {
		f.id = m.ID
	}
	return f
}

// piece is the failure as a response.
func (f *failure) piece() piece {
	return piece{status: f.status, header: f.header, message: jsonrpc.NewError(f.id, f.code, f.message, f.data)}
}
