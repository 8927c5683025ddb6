// Package reach connects to MCP servers over their transports: a process, Streamable HTTP, and the older HTTP with SSE. It is for
// callers that are the client of a session, not for those that relay one.
//
// Servers are not trusted: what they send is limited in size and time, and no error contains a byte of it.
package reach

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/weir-gate/weir/internal/mcp/jsonrpc"
)

// The default bounds.
const (
	defaultMaxMessage     = 16 << 20
	defaultTimeout        = 30 * time.Second
	defaultEndpoint       = 15 * time.Second
	defaultMessageTimeout = 30 * time.Second
	defaultRetry          = time.Second
)

// The ways in which a connection ends.
var (
	ErrClosed      = errors.New("the connection was closed")
	ErrSessionLost = errors.New("the server does not know the session any more")
)

// errLeft is the error of Receive after Close.
var errLeft = fmt.Errorf("%w: %w", ErrClosed, io.EOF)

// A Conn is a connection with a server, until it is closed or the server is gone. Its methods may be called by several
// goroutines.
type Conn interface {
	// Send sends a message. Over HTTP it returns when the server begins to respond, so a slow request should be sent in its own
	// goroutine. When ctx ends, the message may have been sent or not.
	Send(ctx context.Context, m *jsonrpc.Message) error
	// Receive returns the next message of the server. The error is a *jsonrpc.Refused for a message that cannot be parsed, or, with
	// the request's id, for a response that will not come. It wraps io.EOF if the server is gone, and is ErrSessionLost if the server
	// no longer knows the session. When ctx ends, only the wait ends; the connection stays.
	//
	// The server has to wait until its messages are received.
	Receive(ctx context.Context) (*jsonrpc.Message, error)
	// Close ends the connection, and the session with it.
	Close() error
}

// A Doer sends HTTP requests to one server. It follows no redirects. Its errors are shown to people, so they have no text of the
// server.
type Doer interface {
	Do(r *http.Request) (*http.Response, error)
}

// A StatusError says that a server responded to a message with an HTTP status that is not a success.
type StatusError struct {
	Status int
	Code   jsonrpc.Code // of the JSON-RPC error in the response; 0: none
}

// Error says it in words.
func (e *StatusError) Error() string {
	text := fmt.Sprintf("the server responded with HTTP status %d", e.Status)
	if name := http.StatusText(e.Status); name != "" {
		text += " (" + name + ")"
	}
	if e.Code != 0 {
		text += fmt.Sprintf(" and error %d", e.Code)
	}
	switch e.Status {
	case http.StatusUnauthorized, http.StatusForbidden:
		text += "; check the credentials that are declared for it"
	case http.StatusNotFound, http.StatusMethodNotAllowed:
		text += "; check its type and the path of its URL"
	}
	return text
}

// gone says that the server is gone, and how.
type gone struct{ how string }

// Error says it in words.
func (g gone) Error() string { return "the server is gone: it " + g.how }

// Unwrap returns io.EOF.
func (g gone) Unwrap() error { return io.EOF }

// noResponse is received in place of a response that will not come.
func noResponse(id jsonrpc.ID, reason string) *jsonrpc.Refused {
	return &jsonrpc.Refused{Code: jsonrpc.CodeInternal, Kind: jsonrpc.Response, ID: id, Reason: reason}
}
