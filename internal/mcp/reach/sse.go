package reach

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"sync"
	"time"

	"github.com/weir-gate/weir/internal/intake/budget"
	"github.com/weir-gate/weir/internal/mcp/jsonrpc"
	"github.com/weir-gate/weir/internal/mcp/streamable"
)

// Reasons for which a server cannot be reached over SSE.
var (
	errNotEvents     = errors.New("the server's response is not text/event-stream; check its type and the path of its URL")
	errNoEndpoint    = errors.New("the stream ended before the server named its endpoint")
	errEndpointFirst = errors.New("the server sent a message before it named its endpoint")
)

// SSEConfig says how a server is reached over HTTP with SSE, the transport of version 2024-11-05.
type SSEConfig struct {
	URL    *url.URL // of the stream
	Sender Doer
	// Caller are headers to send with every request; nil: none. Headers about a message, and headers of MCP, are left out.
	Caller          http.Header
	Timeout         time.Duration // for the server to begin a response; 0: 30 s
	EndpointTimeout time.Duration // for the server to name its endpoint, after it began the stream; 0: 15 s
	MaxMessage      int           // bytes that a message of the server may have; 0: 16 MiB
	// Room is charged for the bytes of an incomplete message; nil: without limit. If there is no room, the connection ends.
	Room *budget.Share
}

// sseConn is a connection over SSE: the server's messages come on a stream, and the client's messages are posted to the endpoint
// that the server named there.
type sseConn struct {
	*inbox
	sender
	endpoint *url.URL

	stream *response
	life   context.Context // ends with Close, and with the stream
	stop   context.CancelFunc
	close  sync.Once
	pumped chan struct{} // closed when the stream has ended
}

// SSE opens the stream and waits for the endpoint. ctx limits only this wait, and not the connection afterwards.
func SSE(ctx context.Context, cfg SSEConfig) (Conn, error) {
	const step = "open stream"
	c := &sseConn{
		inbox:  newInbox(),
		sender: sender{doer: cfg.Sender, caller: cfg.Caller, timeout: cmp.Or(cfg.Timeout, defaultTimeout)},
		pumped: make(chan struct{}),
	}
	c.life, c.stop = context.WithCancel(context.Background())
	header := http.Header{"Accept": {streamable.MediaEvents}, "Cache-Control": {"no-store"}}
	var err error
	c.stream, err = c.do(c.life, ctx, request{step: step, method: http.MethodGet, url: cfg.URL, header: header})
	if err != nil {
		c.stop()
		return nil, err
	}
	src := newEvents(c.stream.Body, cmp.Or(cfg.MaxMessage, defaultMaxMessage))
	src.frames.Charge(cfg.Room)
	if err := c.start(ctx, cfg, src); err != nil {
		c.stop()
		c.stream.close()
		return nil, fmt.Errorf("%s: %w", step, err)
	}
	go c.pump(src)
	return c, nil
}

// start waits for the endpoint.
func (c *sseConn) start(ctx context.Context, cfg SSEConfig, src *events) error {
	switch {
	case c.stream.StatusCode != http.StatusOK:
		return c.stream.statusError(c.timeout)
	case mediaType(c.stream.Header) != streamable.MediaEvents:
		return errNotEvents
	}
	limit := cmp.Or(cfg.EndpointTimeout, defaultEndpoint)
	stopTimer := c.stream.within(limit)
	callOff := context.AfterFunc(ctx, c.stream.end)
	endpoint, err := awaitEndpoint(src)
	inTime, wanted := stopTimer(), callOff()
	switch {
	case !wanted:
		return ctx.Err()
	case !inTime:
		return fmt.Errorf("the server did not name its endpoint within %s", limit)
	case err != nil:
		return err
	}
	c.endpoint, err = resolveEndpoint(cfg.URL, endpoint)
	return err
}

// awaitEndpoint returns the endpoint that the server names.
func awaitEndpoint(src *events) (string, error) {
	for {
		e, err := src.next()
		switch {
		case errors.Is(err, errTooLarge), errors.Is(err, errBroken):
			return "", err
		case err != nil:
			return "", errNoEndpoint
		case e.name == "endpoint":
			return string(e.data), nil
		case e.isMessage():
			return "", errEndpointFirst
		}
	}
}

// pump delivers the messages of the stream, until it ends.
func (c *sseConn) pump(src *events) {
	defer close(c.pumped)
	defer c.stop()
	defer c.stream.close()
	d := delivery{inbox: c.inbox}
	for {
		e, err := src.next()
		switch {
		case errors.Is(err, errTooLarge):
			d.refuse(&jsonrpc.Refused{Code: jsonrpc.CodeInvalidRequest, Reason: errTooLarge.Error()})
			c.end(gone{"sent an event that is larger than the bound, and its stream was ended"})
			return
		case errors.Is(err, errBroken):
			c.end(gone{"broke off its stream"})
			return
		case err != nil:
			c.end(gone{"ended its stream"})
			return
		case e.isMessage() && !d.deliver(e.data):
			return
		}
	}
}

// Send posts a message to the endpoint. The error wraps a *StatusError if the server did not accept it.
func (c *sseConn) Send(ctx context.Context, m *jsonrpc.Message) error {
	const step = "send message"
	// The server's response comes on the stream.
	header := http.Header{"Accept": {streamable.MediaJSON + ", " + streamable.MediaEvents}}
	a, err := c.do(c.life, ctx, request{step: step, method: http.MethodPost, url: c.endpoint, header: header, body: m.AppendLine(nil)})
	switch {
	case err != nil && c.hasEnded():
		return fmt.Errorf("%s: %w", step, c.err)
	case err != nil:
		return err
	case !isSuccess(a.StatusCode):
		return fmt.Errorf("%s: %w", step, a.statusError(c.timeout))
	}
	defer a.within(c.timeout)()
	a.discard()
	return nil
}

// Close ends the stream.
func (c *sseConn) Close() error {
	c.close.Do(func() {
		close(c.closed)
		c.end(errLeft)
		c.stop()
	})
	<-c.pumped
	return nil
}
