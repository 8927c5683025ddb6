package gateway

import (
	"context"
	"crypto/rand"
	"errors"
	"net/http"
	"slices"
	"strings"

	"github.com/weir-gate/weir/internal/mcp/jsonrpc"
	"github.com/weir-gate/weir/internal/mcp/reach"
	"github.com/weir-gate/weir/internal/mcp/streamable"
	"github.com/weir-gate/weir/internal/strictjson"
)

// A server with the old transport offers only its tools here. weir itself responds to requests that do not need the server, and
// connects for the first request that does. A broken connection is replaced for the next request.

// connect returns the connection, or a new one; nil: the MCP session is over.
func (h *hosted) connect(x *exchange) *connection {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.over {
		return nil
	}
	credential := x.credential()
	if h.conn != nil && h.conn.credential == credential {
		return h.conn
	}
	if h.conn != nil {
		h.conn.retire() // it was opened with a credential that the client no longer uses
	}
	c := newConnection(x, h.mailbox)
	c.credential = credential
	c.greet = h.gw.greet(streamable.VersionLegacy)
	c.respond = offerNothing
	c.onGone = func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		if h.conn == c {
			h.conn = nil
		}
	}
	h.conn = c
	return c
}

// credential is the client's credentials for the server, as one text; "": none.
func (x *exchange) credential() string {
	h := x.callerHeader()
	return strings.Join(append(h["Authorization"], h["Cookie"]...), "\n")
}

// beginLegacy begins an MCP session, and responds in place of the server.
func (x *exchange) beginLegacy(m *jsonrpc.Message) {
	version, err := m.ParamText("protocolVersion")
	if err != nil {
		x.fail(fail(http.StatusBadRequest, jsonrpc.CodeInvalidParams, "the version of the protocol cannot be read").about(m))
		return
	}
	if !slices.Contains(streamable.SessionVersions, version) {
		version = streamable.VersionNewest
	}
	s := x.newSession(rand.Text())
	s.side = &hosted{gw: x.gw, version: version, mailbox: x.gw.newMailbox(x.Actor)}
	if f := x.openSession(s); f != nil {
		x.fail(f.about(m))
		return
	}
	defer x.gw.table.leave(s)
	result := strictjson.AppendString([]byte(`{"protocolVersion":`), version)
	result = strictjson.AppendString(append(result, `,"capabilities":{"tools":{"listChanged":true}},"serverInfo":{"name":`...), x.server.ID)
	result = strictjson.AppendString(append(result, `,"version":`...), x.gw.cfg.Version)
	x.respond(piece{
		status: http.StatusOK, message: jsonrpc.NewResponse(m.ID, append(result, "}}"...)),
		header: http.Header{streamable.HeaderSession: {s.key.id}},
	})
}

// askLegacy responds to a request, or forwards it to the server.
func (x *exchange) askLegacy(ctx context.Context, h *hosted, m *jsonrpc.Message, at *pending) {
	switch m.Method {
	case "ping":
		at.respond(jsonrpc.NewResponse(m.ID, []byte("{}")))
	case "tools/list", "tools/call":
		c := h.connect(x)
		if c == nil {
			at.respond(noResponse(m.ID, "the session has ended"))
			return
		}
		caller := x.callerHeader()
		c.ask(ctx, m, at, func(out *jsonrpc.Message) { go c.sendOpen(ctx, out, caller) })
	default:
		const onlyTools = "only tools are offered of this server, which speaks an old transport"
		at.respond(jsonrpc.NewError(m.ID, jsonrpc.CodeMethodNotFound, onlyTools, nil))
	}
}

// sendOpen sends a request once the connection is open. If it cannot be opened, it ends, and its end gives the request a response.
func (c *connection) sendOpen(ctx context.Context, m *jsonrpc.Message, caller http.Header) {
	err := c.open(ctx, caller)
	switch {
	case err == nil:
		c.send(m)
	case errors.Is(err, errClientGone):
		if answer := c.governed.Failed(m.ID, errClientGone.Error()); answer != nil {
			c.deliver(answer)
		}
	case errors.Is(err, errShutDown):
		c.end(err.Error())
	}
}

// greet begins the protocol on a new connection, with weir as the client.
func (g *Gateway) greet(version string) func(context.Context, reach.Conn) error {
	return func(ctx context.Context, conn reach.Conn) error {
		return reach.Greet(ctx, conn, reach.AskConfig{Version: g.cfg.Version}, version)
	}
}

// offerNothing is weir's own response to a request of a server: it offers the server nothing.
func offerNothing(m *jsonrpc.Message) *jsonrpc.Message {
	if m.Method == "ping" {
		return jsonrpc.NewResponse(m.ID, []byte("{}"))
	}
	return jsonrpc.NewError(m.ID, jsonrpc.CodeMethodNotFound, "the client offers nothing to the server", nil)
}
