package gateway

import (
	"context"
	"crypto/rand"
	"errors"
	"net/http"
	"sync"

	"github.com/weir-gate/weir/internal/mcp"
	"github.com/weir-gate/weir/internal/mcp/jsonrpc"
	"github.com/weir-gate/weir/internal/mcp/outgoing"
	"github.com/weir-gate/weir/internal/mcp/streamable"
)

// hosted is the server side of an MCP session in which weir is the server's client: the server is a process, or has the old
// transport. A process runs as long as the MCP session. With the old transport there may be several connections, one after the
// other; see legacy.go.
type hosted struct {
	gw      *Gateway
	mailbox *mailbox
	version string // of the protocol, if weir responds in place of the server; "": client and server agree on it

	mu   sync.Mutex
	conn *connection // nil: none is open
	over bool
}

func (h *hosted) end() {
	h.mu.Lock()
	c := h.conn
	h.over = true
	h.mu.Unlock()
	if c != nil {
		c.end("the session has ended")
	}
	h.mailbox.close()
}

// current returns the connection; nil: none is open.
func (h *hosted) current() *connection {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.conn
}

// spoken is the version of the protocol that client and server use; "": not known yet.
func (h *hosted) spoken() string {
	if h.version != "" {
		return h.version
	}
	return h.current().governed.Version()
}

// postHosted responds to a POST for a server whose client is weir.
//
// The stateless version is refused, as by servers with MCP sessions; its clients then begin an MCP session. Requests without an MCP
// session in other versions use a stand-in. A process is one MCP session: if many clients used the same process, they would share
// its state, and a new process for each request would have no state.
func (x *exchange) postHosted(p post) {
	if x.version == streamable.VersionStateless {
		x.fail(unsupported(x.version, streamable.SessionVersions).about(p.messages[0]))
		return
	}
	s, f := x.sessionOf()
	switch {
	case f != nil:
	case s == nil && p.opens && x.server.Type == typeSSE:
		x.beginLegacy(p.messages[0])
		return
	case s == nil && p.opens:
		x.beginProcess(p)
		return
	case s == nil:
		x.postAlone(p)
		return
	case p.opens:
		f = badRequest("the session has begun already")
	default:
		f = x.checkBatch(p, s.side.(*hosted).spoken())
	}
	if s != nil {
		defer x.gw.table.leave(s)
	}
	if f != nil {
		x.fail(f.about(p.messages[0]))
		return
	}
	x.pass(s.side.(*hosted), p)
}

// beginProcess starts a process and an MCP session with it.
func (x *exchange) beginProcess(p post) {
	s := x.newSession(rand.Text())
	h := x.newProcess(s)
	c := h.conn
	h.mailbox.refuse = c.notTaken
	if f := x.openProcess(s, c); f != nil {
		x.fail(f.about(p.messages[0]))
		return
	}
	defer x.gw.table.leave(s)
	begun := false
	x.response.look = func(it *piece) {
		if it.message.Kind == jsonrpc.Response {
			begun = it.message.Error == nil
		}
		if it.message.Error == nil {
			it.header = http.Header{streamable.HeaderSession: {s.key.id}}
		}
	}
	if x.pass(h, p); !begun {
		x.gw.table.end(s)
	}
}

// newProcess sets the server side of an MCP session to a process that is not started yet.
func (x *exchange) newProcess(s *session) *hosted {
	h := &hosted{gw: x.gw, mailbox: x.gw.newMailbox(x.Actor)}
	h.conn = newConnection(x, h.mailbox)
	h.conn.onGone = func() { x.gw.table.forget(s) }
	h.conn.onEnd = h.mailbox.close
	s.side = h
	return h
}

// openProcess puts an MCP session into the table, in use, and starts its process.
func (x *exchange) openProcess(s *session, c *connection) *failure {
	if f := x.openSession(s); f != nil {
		c.cancel()
		return f
	}
	if err := c.open(x.R.Context(), x.callerHeader()); err != nil {
		x.refused("A server could not be started or reached.")
		x.gw.table.end(s)
		x.gw.table.leave(s)
		return x.trouble(errors.New(unreachable(err)))
	}
	return nil
}

// callerHeader is the part of the client's headers that a server may see.
func (x *exchange) callerHeader() http.Header {
	h := http.Header{}
	outgoing.ForwardHeaders(h, x.R.Header, x.server.Passthrough)
	x.gw.cfg.Admission.Hide(h)
	unmirror(h)
	for _, name := range []string{streamable.HeaderSession, streamable.HeaderVersion, streamable.HeaderLastEvent} {
		h.Del(name)
	}
	return h
}

// pass sends the messages of a POST to the server, and responds with what comes back.
func (x *exchange) pass(h *hosted, p post) {
	at := x.newPending(p, h.mailbox)
	ctx, cancel := context.WithCancel(x.R.Context())
	defer cancel()
	legacy := x.server.Type == typeSSE
	for _, m := range p.messages {
		c := h.current()
		switch {
		case m.Kind == jsonrpc.Request && legacy:
			x.askLegacy(ctx, h, m, at)
		case m.Kind == jsonrpc.Request:
			c.ask(ctx, m, at, c.send)
		case !legacy || c != nil && m.Method == "notifications/cancelled":
			c.tell(m)
		}
	}
	if p.requests == 0 {
		x.respond(piece{status: http.StatusAccepted})
		return
	}
	x.response.early = x.response.look == nil // the id of a new MCP session must be in the header
	x.send(at.out)
}

// ask hands a request to the mcp.Session. forward sends it to the server, after the connection has noted who waits for the
// response.
func (c *connection) ask(ctx context.Context, m *jsonrpc.Message, at *pending, forward func(*jsonrpc.Message)) {
	c.governed.FromClient(ctx, m, mcp.Way{
		Trace: at.trace,
		Forward: func(out *jsonrpc.Message) {
			if c.expect(out, at) {
				forward(out)
			}
		},
		Respond: at.respond,
		Drop: func() {
			if c.waiting.isGone() {
				at.respond(noResponse(m.ID, hasEnded))
				return
			}
			at.respond(nil)
		},
	})
}

// tell hands a message of the client that needs no response to the mcp.Session.
func (c *connection) tell(m *jsonrpc.Message) {
	c.governed.FromClient(c.ctx, m, mcp.Way{
		Forward: func(m *jsonrpc.Message) {
			c.send(m)
			c.cancelled(m)
		},
		Respond: func(*jsonrpc.Message) {},
		Drop:    func() {},
	})
}
