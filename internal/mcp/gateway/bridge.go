package gateway

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/weir-gate/weir/internal/mcp/jsonrpc"
	"github.com/weir-gate/weir/internal/mcp/reach"
	"github.com/weir-gate/weir/internal/strictjson"
)

// A bridge is a session with a server that speaks the old transport, of which only the tools are offered. weir itself answers
// what needs no server, and opens a channel for the first request that does. A channel that broke is replaced by the next
// request.
type bridge struct {
	gw      *Gateway
	version string // that the client speaks
	mailbox *mailbox

	mu      sync.Mutex
	channel *channel // nil: none is open
	over    bool
}

func (b *bridge) end() {
	b.mu.Lock()
	c := b.channel
	b.channel, b.over = nil, true
	b.mu.Unlock()
	if c != nil {
		c.end("the session has ended")
	}
	b.mailbox.close()
}

func (b *bridge) listen(x *exchange) { b.mailbox.serve(x) }

// current returns the channel; nil: none is open.
func (b *bridge) current() *channel {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.channel
}

// reach returns the channel, or a new one; nil: the session is over.
func (b *bridge) reach(x *exchange) *channel {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.over {
		return nil
	}
	credential := x.credential()
	if b.channel != nil && b.channel.credential == credential {
		return b.channel
	}
	if b.channel != nil {
		b.channel.retire() // it was opened with a credential that the client does not use any more
	}
	c := newChannel(x, b.mailbox)
	c.credential = credential
	c.greet = func(ctx context.Context, conn reach.Conn) error { return b.gw.greet(ctx, conn, versionLegacy) }
	c.reply = replyToLegacy
	c.over = func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		if b.channel == c {
			b.channel = nil
		}
	}
	b.channel = c
	return c
}

// credential is what the client shows the server to be let in, as one text; "": nothing.
func (x *exchange) credential() string {
	h := x.callerHeader()
	return strings.Join(append(h["Authorization"], h["Cookie"]...), "\n")
}

// postBridge answers a POST for a server that speaks the old transport.
func (x *exchange) postBridge(p posting) {
	if x.version == versionStateless {
		x.fail(unsupported(x.version, sessionVersions).about(p.messages[0]))
		return
	}
	s, f := x.sessionOf()
	switch {
	case f != nil:
	case s == nil && p.opens:
		x.beginBridge(p.messages[0])
		return
	case s == nil:
		x.postAlone(p)
		return
	case p.opens:
		f = badRequest("the session has begun already")
	case p.batch && s.tenant.(*bridge).version != versionBatches:
		f = badRequest("this version of the protocol has no batches: send one message at a time")
	}
	if s != nil {
		defer x.gw.table.leave(s)
	}
	if f != nil {
		x.fail(f.about(p.messages[0]))
		return
	}
	x.postAcross(s.tenant.(*bridge), p)
}

// beginBridge begins a session, in the server's place.
func (x *exchange) beginBridge(m *jsonrpc.Message) {
	version, err := m.ParamText("protocolVersion")
	if err != nil {
		x.fail(fail(http.StatusBadRequest, jsonrpc.CodeInvalidParams, "the version of the protocol cannot be read").about(m))
		return
	}
	if !slices.Contains(sessionVersions, version) {
		version = versionNewest
	}
	s := x.newSession(rand.Text())
	s.tenant = &bridge{gw: x.gw, version: version, mailbox: x.newMailbox()}
	if f := x.openSession(s); f != nil {
		x.fail(f.about(m))
		return
	}
	defer x.gw.table.leave(s)
	result := strictjson.AppendString([]byte(`{"protocolVersion":`), version)
	result = strictjson.AppendString(append(result, `,"capabilities":{"tools":{"listChanged":true}},"serverInfo":{"name":`...), x.server.ID)
	result = strictjson.AppendString(append(result, `,"version":`...), x.gw.cfg.Version)
	x.answer(item{
		status: http.StatusOK, message: answerOf(m.ID, append(result, "}}"...)), header: http.Header{headerSession: {s.key.id}},
	})
}

// answerOf is an answer with a result of weir's own.
func answerOf(id jsonrpc.ID, result []byte) *jsonrpc.Message {
	m, err := jsonrpc.Answer(id, result)
	if err != nil {
		panic("gateway: an answer cannot be built: " + err.Error())
	}
	return m
}

// postAcross leads the messages of a POST over the bridge.
func (x *exchange) postAcross(b *bridge, p posting) {
	at := newPost(p, b.mailbox.total, x.gw.holding(x.Actor))
	at.trace = x.message()
	ctx, cancel := context.WithCancel(x.R.Context())
	defer cancel()
	for _, m := range p.messages {
		if m.Kind == jsonrpc.Request {
			x.askAcross(ctx, b, m, at)
		} else if c := b.current(); c != nil && m.Method == "notifications/cancelled" {
			c.governed.FromClient(c.ctx, m, c.way())
		}
	}
	if p.requests == 0 {
		x.answer(item{status: http.StatusAccepted})
		return
	}
	x.reply.early = true
	x.send(at.out)
}

// askAcross answers a request, or has the server answer it.
func (x *exchange) askAcross(ctx context.Context, b *bridge, m *jsonrpc.Message, at *post) {
	var answer *jsonrpc.Message
	switch m.Method {
	case "ping":
		answer = answerOf(m.ID, []byte("{}"))
	case "tools/list", "tools/call":
		c := b.reach(x)
		if c != nil {
			caller := x.callerHeader()
			c.ask(ctx, m, at, func(out *jsonrpc.Message) { go c.sendOpen(ctx, out, caller) })
			return
		}
		answer = notAnswered(m.ID, "the session has ended")
	default:
		answer = jsonrpc.Fail(m.ID, jsonrpc.CodeMethodNotFound, "only tools are offered of this server, which speaks an old transport", nil)
	}
	at.answer(answer)
}

// sendOpen sends a request once the channel is open. If it cannot be opened it ends, and so the request is answered.
func (c *channel) sendOpen(ctx context.Context, m *jsonrpc.Message, caller http.Header) {
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

// errGreeting says that a server did not take part in the beginning of the protocol.
var errGreeting = errors.New("it did not answer initialize as it should")

// greet begins the protocol on a new connection, with weir as the client.
func (g *Gateway) greet(ctx context.Context, conn reach.Conn, version string) error {
	id := jsonrpc.TextID("weir-" + rand.Text())
	params := strictjson.AppendString([]byte(`{"protocolVersion":"`+version+`","capabilities":{},"clientInfo":{"name":"weir","version":`), g.cfg.Version)
	hello, err := jsonrpc.Ask(id, methodInitialize, append(params, "}}"...))
	if err != nil {
		return fmt.Errorf("build the greeting: %w", err)
	}
	if err := conn.Send(ctx, hello); err != nil {
		return fmt.Errorf("send initialize: %w", err)
	}
	for {
		m, err := conn.Receive(ctx)
		var refused *jsonrpc.Refused
		switch {
		case errors.As(err, &refused):
			if refused.ID == id {
				return errGreeting
			}
		case err != nil:
			return fmt.Errorf("receive the answer to initialize: %w", err)
		case m.Kind == jsonrpc.Request:
			if err := conn.Send(ctx, replyToLegacy(m)); err != nil {
				return fmt.Errorf("answer the server: %w", err)
			}
		case m.Kind == jsonrpc.Response && m.ID == id:
			return finishGreeting(ctx, conn, m)
		}
	}
}

// finishGreeting tells the server that the protocol has begun.
func finishGreeting(ctx context.Context, conn reach.Conn, answer *jsonrpc.Message) error {
	if answer.Error != nil {
		return errGreeting
	}
	done, err := jsonrpc.Notify("notifications/initialized", nil)
	if err != nil {
		return fmt.Errorf("build the greeting: %w", err)
	}
	if err := conn.Send(ctx, done); err != nil {
		return fmt.Errorf("send initialized: %w", err)
	}
	return nil
}

// replyToLegacy is what a server with the old transport is answered: weir offers it nothing.
func replyToLegacy(m *jsonrpc.Message) *jsonrpc.Message {
	if m.Method == "ping" {
		return answerOf(m.ID, []byte("{}"))
	}
	return jsonrpc.Fail(m.ID, jsonrpc.CodeMethodNotFound, "the client offers nothing to the server", nil)
}
