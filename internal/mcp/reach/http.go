package reach

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"sync"
	"time"

	"github.com/weir-gate/weir/internal/mcp/jsonrpc"
	"github.com/weir-gate/weir/internal/mcp/streamable"
)

const (
	// maxSession is the largest length of a session's id, in bytes.
	maxSession = 1024
	// closeTimeout is how long a server may take to end a session.
	closeTimeout = 5 * time.Second
)

// errSession says that a server gave a session an id that cannot be used.
var errSession = errors.New("the server gave the session an id that is too long, or not of visible ASCII")

// HTTPConfig says how a server is reached over Streamable HTTP.
type HTTPConfig struct {
	URL    *url.URL // of the server's endpoint
	Sender Doer
	// Caller are headers to send with every request; nil: none. Headers about a message, and headers of MCP, are left out.
	Caller     http.Header
	Timeout    time.Duration // for the server to begin a response, or to send one that is not a stream; 0: 30 s
	Retry      time.Duration // wait before a broken stream is resumed, unless the server names another time; 0: 1 s
	MaxMessage int           // bytes that a message of the server may have; 0: 16 MiB
}

// httpConn is a connection over Streamable HTTP.
//
// It is stateless until the server responds to initialize with an id for the session. After the client's initialized notification,
// a stream for messages that are not responses is open, if the server offers one. The connection is lost when the server no longer
// knows the session.
type httpConn struct {
	*inbox
	sender
	url        *url.URL
	retry      time.Duration
	maxMessage int

	life  context.Context // ends with Close
	stop  context.CancelFunc
	tasks sync.WaitGroup // goroutines that read what the server sends

	mu         sync.Mutex
	isClosed   bool
	initialize jsonrpc.ID // of the request that opens the session
	session    string     // "": there is none
	version    string     // that the server chose; "": not yet
	listening  bool
}

// HTTP returns the connection with a server. Nothing is sent before the first message.
func HTTP(cfg HTTPConfig) Conn {
	c := &httpConn{
		inbox:  newInbox(),
		sender: sender{doer: cfg.Sender, caller: cfg.Caller, timeout: cmp.Or(cfg.Timeout, defaultTimeout)},
		url:    cfg.URL, retry: cmp.Or(cfg.Retry, defaultRetry), maxMessage: cmp.Or(cfg.MaxMessage, defaultMaxMessage),
	}
	c.life, c.stop = context.WithCancel(context.Background())
	return c
}

// Send posts a message. The error wraps a *StatusError if the server did not accept it, and ErrSessionLost if it no longer knows
// the session.
func (c *httpConn) Send(ctx context.Context, m *jsonrpc.Message) error {
	const step = "send message"
	header, err := c.header(m)
	if err != nil {
		return fmt.Errorf("%s: %w", step, err)
	}
	header.Set("Accept", streamable.MediaJSON+", "+streamable.MediaEvents)
	a, err := c.do(c.life, ctx, request{step: step, method: http.MethodPost, url: c.url, header: header, body: m.AppendLine(nil)})
	if err != nil {
		return err
	}
	if err := c.take(a, m, header.Get(streamable.HeaderSession) != ""); err != nil {
		return fmt.Errorf("%s: %w", step, err)
	}
	return nil
}

// header returns the headers that MCP requires for a message, or for a request without one.
func (c *httpConn) header(m *jsonrpc.Message) (http.Header, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.isClosed {
		return nil, ErrClosed
	}
	if c.hasEnded() {
		return nil, ErrSessionLost
	}
	h := http.Header{}
	if m != nil && m.Kind == jsonrpc.Request && m.Method == methodInitialize {
		c.initialize = m.ID
	}
	if m != nil && mirror(h, m) {
		return h, nil
	}
	if c.session != "" {
		h.Set(streamable.HeaderSession, c.session)
	}
	if c.version != "" {
		h.Set(streamable.HeaderVersion, c.version)
	}
	return h, nil
}

// take handles the response to a POST.
func (c *httpConn) take(a *response, m *jsonrpc.Message, inSession bool) error {
	switch {
	case a.StatusCode == http.StatusNotFound && inSession:
		a.close()
		c.end(ErrSessionLost)
		return ErrSessionLost
	case !isSuccess(a.StatusCode):
		return a.statusError(c.timeout)
	case m.Kind != jsonrpc.Request:
		defer a.within(c.timeout)()
		a.discard()
		if m.Method == methodInitialized {
			c.listen()
		}
		return nil
	}
	if m.Method == methodInitialize {
		if err := c.open(a.Header); err != nil {
			a.close()
			return err
		}
	}
	d := &delivery{inbox: c.inbox, look: c.look, awaited: m.ID}
	var read func()
	switch mediaType(a.Header) {
	case streamable.MediaJSON:
		read = func() { c.readBody(a, d) }
	case streamable.MediaEvents:
		read = func() { c.readStream(a, d) }
	default:
		a.close()
		return fmt.Errorf("the server responded with HTTP status %d and neither JSON nor events", a.StatusCode)
	}
	if !c.run(read) {
		a.close()
		return ErrClosed
	}
	return nil
}

// open notes the id that the server gave the session.
func (c *httpConn) open(h http.Header) error {
	id := h.Get(streamable.HeaderSession)
	if len(id) > maxSession || !streamable.IsVisible(id) {
		return errSession
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.session = id
	return nil
}

// look notes the version in the response to initialize.
func (c *httpConn) look(m *jsonrpc.Message) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if m.Kind != jsonrpc.Response || m.ID.IsZero() || m.ID != c.initialize {
		return
	}
	value, err := m.ResultMember("protocolVersion")
	if version, ok := value.Text(); err == nil && ok && isVersion(version) {
		c.version = version
	}
}

// readBody delivers a response that is not a stream.
func (c *httpConn) readBody(a *response, d *delivery) {
	defer a.close()
	defer a.within(c.timeout)()
	body, err := io.ReadAll(io.LimitReader(a.Body, int64(c.maxMessage)+1))
	switch {
	case err != nil:
		d.finish("the server's response broke off")
		return
	case len(body) > c.maxMessage:
		d.finish("the server's response is larger than the bound")
		return
	case len(body) > 0:
		d.deliver(body)
	}
	d.finish("the server's response is none to the request")
}

// run runs a task that Close waits for. It reports false if the connection was closed.
func (c *httpConn) run(task func()) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.isClosed {
		return false
	}
	c.tasks.Go(task)
	return true
}

// Close ends the session, if there is one. It tells the server, and ignores how the server responds.
func (c *httpConn) Close() error {
	c.mu.Lock()
	wasClosed, session, version := c.isClosed, c.session, c.version
	c.isClosed = true
	c.mu.Unlock()
	if wasClosed {
		return nil
	}
	lost := c.hasEnded()
	c.stop()
	close(c.closed)
	c.end(errLeft)
	c.tasks.Wait()
	if session == "" || lost {
		return nil
	}
	header := http.Header{streamable.HeaderSession: {session}}
	if version != "" {
		header.Set(streamable.HeaderVersion, version)
	}
	ctx, cancel := context.WithTimeout(context.Background(), closeTimeout)
	defer cancel()
	a, err := c.do(ctx, ctx, request{step: "end session", method: http.MethodDelete, url: c.url, header: header})
	if err == nil {
		a.close()
	}
	return nil
}
