package gateway

import (
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/mcp/jsonrpc"
	"github.com/weir-gate/weir/internal/mcp/queue"
)

// pending are the requests of one POST, sent over a connection, that wait for their responses. If their client is gone, nobody gets
// the responses: a lost connection does not cancel a request, so the server continues.
type pending struct {
	out   *queue.Queue[piece]
	trace call.Trace // the trace that the client's headers name; zero: none
	// single says that there is only one request, so that its response may be the whole HTTP response.
	single bool

	mu     sync.Mutex
	open   int           // requests without a response
	heard  bool          // the server has sent something for these requests
	quiet  time.Duration // how long the server may be silent after that
	timers map[jsonrpc.ID]*time.Timer
	tokens map[jsonrpc.ID]bool // progress tokens of the requests
}

// newPending returns the requests of a post. What waits to be sent to the client counts towards the mailbox's bound.
func (x *exchange) newPending(p post, b *mailbox) *pending {
	return &pending{
		out: newPieces(x.gw.holding(x.Actor), b.bound), trace: x.message(), single: !p.batch, open: p.requests,
		timers: map[jsonrpc.ID]*time.Timer{}, tokens: map[jsonrpc.ID]bool{},
	}
}

// respond sends the client the response to one request; nil: none. The last one ends the HTTP response.
func (p *pending) respond(m *jsonrpc.Message) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if m != nil {
		it := piece{message: m}
		if p.single {
			it.status = http.StatusOK
		}
		p.out.Put(it)
		p.forget(m.ID)
	}
	if p.open--; p.open == 0 {
		p.out.Close()
	}
}

// giveUp notes that a request gets no response.
func (p *pending) giveUp(id jsonrpc.ID) {
	p.mu.Lock()
	p.forget(id)
	p.mu.Unlock()
	p.respond(nil)
}

// pass sends the client a message that belongs to its requests. It returns false if the client is gone.
func (p *pending) pass(m *jsonrpc.Message) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.heard = true
	for _, t := range p.timers {
		t.Reset(p.quiet)
	}
	return p.out.Put(piece{message: m})
}

// watch calls late if the server sends nothing about a request for too long.
func (p *pending) watch(id jsonrpc.ID, most time.Duration, late func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.quiet = max(most, longSilence); p.heard {
		most = p.quiet
	}
	p.timers[id] = time.AfterFunc(most, late)
}

// forget stops the timer of a request. The caller holds the lock.
func (p *pending) forget(id jsonrpc.ID) {
	if t := p.timers[id]; t != nil {
		t.Stop()
		delete(p.timers, id)
	}
}

// expect notes that one of the pending requests is about to be sent to the server. If the server is gone, it responds, and returns
// false.
func (c *connection) expect(m *jsonrpc.Message, p *pending) bool {
	meta, _ := m.Param("_meta") // it is missing if it is ambiguous
	token, _ := meta.Member("progressToken")
	if id, err := jsonrpc.ReadID(token); err == nil {
		p.mu.Lock()
		p.tokens[id] = true
		p.mu.Unlock()
	}
	if !c.waiting.add(m.ID, p) {
		p.respond(noResponse(m.ID, hasEnded))
		return false
	}
	p.watch(m.ID, c.server.Timeout, func() { c.late(m) })
	return true
}

// late gives up a request to which the server does not respond in time.
func (c *connection) late(m *jsonrpc.Message) {
	answer := c.governed.Failed(m.ID, errSilent.Error())
	if answer == nil {
		return // its response has arrived, and is being judged
	}
	c.gw.failed(c.server, c.actor, m, call.Ruling{Code: call.CodeCutShort, Reason: "It was given up: " + errSilent.Error() + "."})
	c.deliver(answer)
	params := append([]byte(`{"requestId":`), m.ID.String()...)
	c.send(jsonrpc.NewNotification("notifications/cancelled", append(params, `,"reason":"timeout"}`...)))
}

// deliver sends a message of the server to the client: on the stream of the request that it belongs to, or else through the
// mailbox.
func (c *connection) deliver(m *jsonrpc.Message) {
	defer c.checkBound()
	if m.Kind == jsonrpc.Response {
		if p := c.answered(m.ID); p != nil {
			p.respond(m)
		}
		return
	}
	for _, p := range c.candidates(m) {
		if p.pass(m) {
			return
		}
	}
	c.mailbox.put(m)
}

// answered removes a request from those that wait, and returns its pending; nil: nobody waits for its response.
func (c *connection) answered(id jsonrpc.ID) *pending {
	p, isLast := c.waiting.remove(id)
	if isLast {
		go c.end(hasEnded)
	}
	return p
}

// retire ends the connection once all of its requests have their responses.
func (c *connection) retire() {
	if c.waiting.retire() {
		go c.end(hasEnded)
	}
}

// cancelled ends the wait for a request that the client has cancelled: it gets no response.
func (c *connection) cancelled(m *jsonrpc.Message) {
	if m.Method != "notifications/cancelled" {
		return
	}
	requestID, _ := m.Param("requestId") // it is missing if it is ambiguous
	if id, err := jsonrpc.ReadID(requestID); err == nil {
		if p := c.answered(id); p != nil {
			p.giveUp(id)
		}
	}
}

// candidates returns the pending requests on whose streams a message may be sent, the best first.
func (c *connection) candidates(m *jsonrpc.Message) []*pending {
	switch m.Method {
	case "notifications/tools/list_changed", "notifications/prompts/list_changed", "notifications/resources/list_changed",
		"notifications/resources/updated":
		return nil // they belong to no request
	}
	found := c.waiting.newestFirst()
	token, _ := m.Param("progressToken")
	id, err := jsonrpc.ReadID(token)
	if err != nil {
		return found
	}
	slices.SortStableFunc(found, func(a, b *pending) int {
		switch hasA, hasB := a.hasToken(id), b.hasToken(id); {
		case hasA && !hasB:
			return -1
		case hasB && !hasA:
			return 1
		}
		return 0
	})
	return found
}

func (p *pending) hasToken(id jsonrpc.ID) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.tokens[id]
}

// notTaken responds to a request of the server for which no client listens.
func (c *connection) notTaken(m *jsonrpc.Message) {
	answer := jsonrpc.NewError(m.ID, jsonrpc.CodeInternal, "nobody listens to what the server asks", nil)
	c.tell(answer)
}
