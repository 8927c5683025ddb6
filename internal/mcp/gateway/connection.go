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

// A connection is one of weir, as the client, with a server: a process, or one that speaks the old transport. It belongs to one MCP
// session of a client. It is opened by the first message that needs it, and ends once: when the server is gone, or the MCP session
// is over.
//
// What is to be sent to the server waits in toServer, so that a server that does not read holds up nobody. What the server sends
// goes to the request that it belongs to, or into the mailbox.
type connection struct {
	gw       *Gateway
	server   *server
	actor    call.Actor
	governed *mcp.Session
	mailbox  *mailbox
	// greet opens the protocol on a connection that was just made; nil: the client does that.
	greet func(ctx context.Context, conn reach.Conn) error
	// respond is what weir itself responds to a request of the server; nil: the client is asked.
	respond func(*jsonrpc.Message) *jsonrpc.Message
	// credential is the client's that the connection was opened with; "": none.
	credential string
	// onGone is called when no message can be sent to the server any more, and onEnd when none of its messages comes any more.
	onGone, onEnd func()

	ctx      context.Context // ends with the connection
	cancel   context.CancelFunc
	toServer *queue.Queue[*jsonrpc.Message]

	opening sync.Once
	opened  chan struct{} // closed when it is open, or cannot be
	openErr error

	ending sync.Once

	mu      sync.Mutex
	gone    bool                    // the server will respond to nothing more
	retired bool                    // it ends with its last response
	pending map[jsonrpc.ID]*pending // by the id of each request that the server was sent and has not responded to
	order   []*pending              // those that wait, the youngest last
}

// newConnection returns a connection that is not open yet.
func newConnection(x *exchange, b *mailbox) *connection {
	c := &connection{
		gw: x.gw, server: x.server, actor: x.Actor, governed: x.gw.govern(x.server, x.Actor), mailbox: b, onGone: func() {}, onEnd: func() {},
		toServer: queue.New(queue.Config[*jsonrpc.Message]{Size: messageSize, Bound: b.bound, Account: x.gw.holding(x.Actor)}),
		opened:   make(chan struct{}), pending: map[jsonrpc.ID]*pending{},
	}
	c.ctx, c.cancel = context.WithCancel(x.gw.life)
	return c
}

// open opens the connection, or waits until somebody else has. caller has those of the client's headers that the server may see.
func (c *connection) open(ctx context.Context, caller http.Header) error {
	c.opening.Do(func() {
		if c.gw.underway.Enter() {
			go c.connect(caller)
			return
		}
		c.openErr = errShutDown
		close(c.opened)
	})
	select {
	case <-c.opened:
		return c.openErr
	case <-ctx.Done():
		return errClientGone
	}
}

// connect reaches the server, and runs the connection until it ends.
func (c *connection) connect(caller http.Header) {
	defer c.gw.underway.Leave()
	account := c.gw.cfg.Budget.Open(c.actor.Holder())
	defer account.Close()
	conn, err := c.dial(caller, account)
	if err != nil {
		c.openErr = err
		close(c.opened)
		c.end(unreachable(err))
		return
	}
	close(c.opened)
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

// dial makes the connection, within the server's time.
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
			_ = conn.Close() // what went wrong is known
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

// sendAll sends what waits for the server, until the connection ends.
func (c *connection) sendAll(conn reach.Conn) {
	var under sync.WaitGroup
	defer under.Wait()
	for {
		m, ok := c.toServer.Next()
		switch {
		case !ok:
			return
		case c.server.Type == typeSSE && m.Kind == jsonrpc.Request:
			under.Go(func() { c.sendOne(conn, m) }) // some servers take it only once they have responded
		default:
			c.sendOne(conn, m)
		}
	}
}

// sendOne sends a message. If the server does not take a request, that is its response.
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

// send has a message sent to the server. Too many that wait end the connection.
func (c *connection) send(m *jsonrpc.Message) {
	c.toServer.Put(m)
	c.checkBound()
}

// checkBound ends the connection if too much waits in it, for a server that does not read or a client that does not take.
func (c *connection) checkBound() {
	if c.toServer.Exceeded() {
		go c.end("too much waits to be sent")
	}
}

// hasEnded is why a server that is gone does not answer.
const hasEnded = "it has ended"

// lastWords is how long the judge may take over what a server said before it was gone.
const lastWords = time.Minute

// receiveAll passes on what the server sends, and returns why it sends no more.
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
			_ = c.governed.Wait(ctx) // what is not judged by then is not passed on
			cancel()
			return hasEnded
		}
	}
}

// receive has a message of the server governed.
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

// refused deals with a message of the server that cannot be passed on.
func (c *connection) refused(r *jsonrpc.Refused) {
	toClient, toServer := c.governed.RefusedFromServer(r)
	if toServer != nil {
		c.send(toServer)
	}
	if toClient != nil {
		c.deliver(toClient)
	}
}

// end ends the connection: what waits for the server's response is told that it will not come. reason is a few words.
func (c *connection) end(reason string) {
	c.ending.Do(func() {
		c.serverGone(reason)
		c.cancel()
		c.toServer.Close()
		c.governed.ClientGone()
		for id, p := range c.unanswered() {
			p.respond(noResponse(id, reason))
		}
		c.onEnd()
	})
}

// serverGone responds to what the server cannot respond to any more. It may be called again.
func (c *connection) serverGone(reason string) {
	c.mu.Lock()
	first := !c.gone
	c.gone = true
	c.mu.Unlock()
	if first {
		c.onGone() // before anybody is told, so that nobody comes back to it
	}
	for _, answer := range c.governed.ServerGone(reason) {
		c.deliver(answer)
	}
}

func (c *connection) isGone() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.gone
}

// unanswered returns the requests that still wait, and forgets them.
func (c *connection) unanswered() map[jsonrpc.ID]*pending {
	c.mu.Lock()
	defer c.mu.Unlock()
	left := c.pending
	c.pending, c.order = map[jsonrpc.ID]*pending{}, nil
	return left
}

// noResponse is the response to a request that the server did not answer.
func noResponse(id jsonrpc.ID, reason string) *jsonrpc.Message {
	return jsonrpc.NewError(id, jsonrpc.CodeInternal, "the server did not answer: "+reason, nil)
}

// errShutDown says that the gateway is closed.
var errShutDown = errors.New("weir is shutting down")

// unreachable says why a connection could not be opened. The texts of connections have nothing in them that the server sent.
func unreachable(err error) string { return "it could not be reached: " + err.Error() }
