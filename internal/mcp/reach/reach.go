// Package reach talks to MCP servers over the ways they are reached: a process, Streamable HTTP, and HTTP with SSE as it was
// before. It is for those who end a session, not for those who pass one on.
//
// Servers are not trusted: what they send is bounded in size and time, and no error has a byte of it.
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

// The bounds where none are given.
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

// errLeft is what is received after Close.
var errLeft = fmt.Errorf("%w: %w", ErrClosed, io.EOF)

// A Conn is a connection with a server, until it is closed or the server is gone. Its methods may be called by several
// goroutines.
type Conn interface {
	// Send sends a message. Over HTTP it returns when the server begins to answer, so a request that may take its time is best
	// sent by a goroutine of its own. When ctx ends, the message may have been sent or not.
	Send(ctx context.Context, m *jsonrpc.Message) error
	// Receive returns the next message of the server. The error is a *jsonrpc.Refused for one that cannot be read, or, with the
	// request's id, for a response that will not come. It wraps io.EOF when the server is gone, and is ErrSessionLost when it is
	// there but knows the session no more. When ctx ends, the wait does, and the connection stays.
	//
	// A server waits until its messages are received.
	Receive(ctx context.Context) (*jsonrpc.Message, error)
	// Close ends the connection, and the session with it.
	Close() error
}

// A Doer sends HTTP requests to one server. It follows no redirect. Its errors are shown to people, so nothing that the
// server sent is in them.
type Doer interface {
	Do(r *http.Request) (*http.Response, error)
}

// A StatusError says that a server answered a message with an HTTP status that is no success.
type StatusError struct {
	Status int
	Code   jsonrpc.Code // of the JSON-RPC error that the response has; 0: it has none
}

// Error says it in words.
func (e *StatusError) Error() string {
	text := fmt.Sprintf("the server answered with HTTP status %d", e.Status)
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

// noResponse returns what is received in place of a response that will not come.
func noResponse(id jsonrpc.ID, reason string) *jsonrpc.Refused {
	return &jsonrpc.Refused{Code: jsonrpc.CodeInternal, Kind: jsonrpc.Response, ID: id, Reason: reason}
}
