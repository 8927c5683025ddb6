package gateway

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"time"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/intake/budget"
	"github.com/weir-gate/weir/internal/mcp"
	"github.com/weir-gate/weir/internal/mcp/jsonrpc"
	"github.com/weir-gate/weir/internal/mcp/queue"
	"github.com/weir-gate/weir/internal/mcp/reach"
)

// A connection is a connection between weir, as the client, and a server: a process, or a server with the old transport. It belongs
// to one MCP session of a client. The first message that needs it opens it. It ends once: when the server is gone, or the MCP
// session is over.
//
// Messages for the server wait in toServer, so that a server that does not read blocks nobody. Messages of the server go to the
// request that they belong to, or into the mailbox.
type connection struct {
	parties
	hooks
	opening  opening
	governed *mcp.Session
	mailbox  *mailbox
	toServer *queue.Queue[*jsonrpc.Message]
	waiting  waiting

	ctx    context.Context // ends with the connection
	cancel context.CancelFunc
	ending sync.Once
}

// parties says between whom a connection is.
type parties struct {
	gw     *Gateway
	server *server
	actor  call.Actor
	// credential is the client's credential with which the connection was opened; "": none.
	credential string
}

// hooks are what the owner of a connection does with it.
type hooks struct {
	// greet initializes the protocol on a new connection; nil: the client does that.
	greet func(ctx context.Context, conn reach.Conn) error
	// respond returns weir's own response to a request of the server; nil: the client is asked.
	respond func(*jsonrpc.Message) *jsonrpc.Message
	// onGone is called when no more messages can be sent to the server. onEnd is called when no more messages come from it.
	onGone, onEnd func()
}

// opening is how far a connection is on its way to being open.
type opening struct {
	once sync.Once
	done chan struct{} // closed when the connection is open, or failed to open
	err  error
}

// finish notes that the connection is open, or why it is not.
func (o *opening) finish(err error) {
	o.err = err
	close(o.done)
}

// newConnection returns a connection that is not open yet.
func newConnection(x *exchange, b *mailbox) *connection {
	c := &connection{
		parties: parties{gw: x.gw, server: x.server, actor: x.Actor}, hooks: hooks{onGone: func() {}, onEnd: func() {}},
		opening: opening{done: make(chan struct{})}, governed: x.gw.govern(x.server, x.Actor), mailbox: b,
		toServer: queue.New(queue.Config[*jsonrpc.Message]{Size: messageSize, Bound: b.bound, Account: x.gw.holding(x.Actor)}),
		waiting:  waiting{pending: map[jsonrpc.ID]*pending{}},
	}
	c.ctx, c.cancel = context.WithCancel(x.gw.life)
	return c
}

// open opens the connection, or waits until another goroutine has opened it. caller has the headers of the client that the server
// may see.
func (c *connection) open(ctx context.Context, caller http.Header) error {
	c.opening.once.Do(func() {
		if c.gw.underway.Enter() {
			go c.connect(caller)
			return
		}
		c.opening.finish(errShutDown)
	})
	select {
	case <-c.opening.done:
		return c.opening.err
	case <-ctx.Done():
		return errClientGone
	}
}

// connect connects to the server, and runs the connection until it ends.
func (c *connection) connect(caller http.Header) {
	defer c.gw.underway.Leave()
	account := c.gw.cfg.Budget.Open(c.actor.Holder())
	defer account.Close()
	conn, err := c.dial(caller, account)
	if err != nil {
		c.opening.finish(err)
		c.end(unreachable(err))
		c.toServer.Drain() // nobody takes what waits there
		return
	}
	c.opening.finish(nil)
	sent := make(chan struct{})
	go func() {
		defer close(sent)
		c.sendAll(conn)
	}()
	reason := c.receiveAll(conn)
	c.end(reason)
	<-sent
	if err := conn.Close(); err != nil {
		c.gw.cfg.Log.Debug("mcp connection not closed cleanly", "server", c.server.ID, "reason", err.Error())
	}
}

// dial connects to the server, within the server's timeout.
func (c *connection) dial(caller http.Header, account *budget.Account) (reach.Conn, error) {
	if err := account.Take(budget.Connections, connectionCost); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeoutCause(budget.NewContext(c.ctx, account), c.server.Timeout, errSilent)
	defer cancel()
	if _, denied := c.gw.denied(c.actor, c.server); denied {
		return nil, errDenied
	}
	conn, err := c.server.Open(ctx, caller)
	if err == nil && c.greet != nil {
		if err = c.greet(ctx, conn); err != nil {
			_ = conn.Close() // the first error is reported
		}
	}
	switch {
	case err == nil:
		return conn, nil
	case errors.Is(context.Cause(ctx), errSilent):
		return nil, errSilent
	}
	return nil, err
}

// sendAll sends the messages that wait for the server, until the connection ends.
func (c *connection) sendAll(conn reach.Conn) {
	var under sync.WaitGroup
	defer under.Wait()
	for {
		m, ok := c.toServer.Next()
		switch {
		case !ok:
			return
		case c.server.Type == typeSSE && m.Kind == jsonrpc.Request:
			under.Go(func() { c.sendOne(conn, m) }) // some servers accept the POST only when they have responded
		default:
			c.sendOne(conn, m)
		}
	}
}

// sendOne sends a message. If a request cannot be sent, the error becomes its response.
func (c *connection) sendOne(conn reach.Conn, m *jsonrpc.Message) {
	err := conn.Send(c.ctx, m)
	if err == nil || c.ctx.Err() != nil {
		return
	}
	c.gw.cfg.Log.Warn("mcp message not sent", "server", c.server.ID, "reason", err.Error())
	if m.Kind == jsonrpc.Request {
		c.refused(&jsonrpc.Refused{Code: jsonrpc.CodeInternal, Kind: jsonrpc.Response, ID: m.ID, Reason: err.Error()})
	}
}

// send queues a message for the server. If too many messages wait, the connection ends.
func (c *connection) send(m *jsonrpc.Message) {
	c.toServer.Put(m)
	c.checkBound()
}

// checkBound ends the connection if too much waits in it, because the server or the client does not read.
func (c *connection) checkBound() {
	if c.toServer.Exceeded() {
		go c.end("too much waits to be sent")
	}
}

// hasEnded is the reason for missing responses of a server that is gone.
const hasEnded = "it has ended"

// lastWords is how long the judge may take for the messages that a server sent before it was gone.
const lastWords = time.Minute

// receiveAll passes on the messages of the server, and returns the reason for their end.
func (c *connection) receiveAll(conn reach.Conn) (reason string) {
	for {
		m, err := conn.Receive(c.ctx)
		var refused *jsonrpc.Refused
		switch {
		case err == nil:
			c.receive(m)
		case errors.As(err, &refused):
			c.refused(refused)
		case c.ctx.Err() != nil:
			return "the session has ended"
		default:
			c.gw.cfg.Log.Info("mcp server gone", "server", c.server.ID, "reason", err.Error())
			c.serverGone(hasEnded)
			ctx, cancel := context.WithTimeout(c.ctx, lastWords)
			_ = c.governed.Wait(ctx) // messages that are not judged by then are dropped
			cancel()
			return hasEnded
		}
	}
}

// receive hands a message of the server to the mcp.Session.
func (c *connection) receive(m *jsonrpc.Message) {
	if m.Kind == jsonrpc.Request && c.respond != nil {
		c.send(c.respond(m))
		return
	}
	c.governed.FromServer(c.ctx, m, mcp.Way{
		Forward: c.deliver,
		Respond: c.send,
		Drop:    func() {},
	})
}

// refused handles a message of the server that could not be parsed or has no response.
func (c *connection) refused(r *jsonrpc.Refused) {
	toClient, toServer := c.governed.RefusedFromServer(r)
	if toServer != nil {
		c.send(toServer)
	}
	if toClient != nil {
		c.deliver(toClient)
	}
}

// end ends the connection. Requests that wait for a response get an error. reason is a short text.
func (c *connection) end(reason string) {
	c.ending.Do(func() {
		c.serverGone(reason)
		c.cancel()
		c.toServer.Close()
		c.governed.ClientGone()
		for id, p := range c.waiting.removeAll() {
			p.respond(noResponse(id, reason))
		}
		c.onEnd()
	})
}

// serverGone responds to the requests that the server can no longer respond to. It may be called again.
func (c *connection) serverGone(reason string) {
	if c.waiting.serverGone() {
		c.onGone() // before clients get their responses, so that nobody uses the connection again
	}
	for _, answer := range c.governed.ServerGone(reason) {
		c.deliver(answer)
	}
}

// noResponse is weir's response to a request that got no response from the server.
func noResponse(id jsonrpc.ID, reason string) *jsonrpc.Message {
	return jsonrpc.NewError(id, jsonrpc.CodeInternal, "the server did not respond: "+reason, nil)
}

// errShutDown says that the gateway is closed.
var errShutDown = errors.New("weir is shutting down")

// unreachable says why a connection could not be opened. Errors of connections have no text that the server sent.
func unreachable(err error) string { return "it could not be reached: " + err.Error() }
