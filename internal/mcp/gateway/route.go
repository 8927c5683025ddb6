package gateway

import (
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/intake/budget"
	"github.com/weir-gate/weir/internal/mcp/jsonrpc"
)

// A post is one POST with requests that a channel answers. Its client may be gone; then nobody gets the answers: a lost
// connection takes nothing back, so the server goes on.
type post struct {
	out   *queue
	trace call.Trace // that the client's headers name; zero: none
	// single says that there is one request only, so that its answer may be the whole answer.
	single bool

	mu     sync.Mutex
	open   int           // requests that were not answered
	heard  bool          // the server has sent something for it
	quiet  time.Duration // how long it may be silent after that
	timers map[jsonrpc.ID]*time.Timer
	tokens map[jsonrpc.ID]bool // by which the server tells how far it is
}

// newPost returns a post. total counts what waits in its session, and holding opens accounts for it.
func newPost(p posting, total *atomic.Int64, holding func() *budget.Account) *post {
	out := newQueue(holding)
	out.total = total
	return &post{
		out: out, single: !p.batch, open: p.requests,
		timers: map[jsonrpc.ID]*time.Timer{}, tokens: map[jsonrpc.ID]bool{},
	}
}

// answer gives the client the answer to one request; nil: it gets none. The last one ends the post.
func (p *post) answer(m *jsonrpc.Message) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if m != nil {
		it := item{message: m}
		if p.single {
			it.status = http.StatusOK
		}
		p.out.add(it)
		p.forget(m.ID)
	}
	if p.open--; p.open == 0 {
		p.out.close()
	}
}

// giveUp says that a request gets no answer.
func (p *post) giveUp(id jsonrpc.ID) {
	p.mu.Lock()
	p.forget(id)
	p.mu.Unlock()
	p.answer(nil)
}

// relay gives the client a message that belongs to its requests. It reports whether the client is there.
func (p *post) relay(m *jsonrpc.Message) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.heard = true
	for _, t := range p.timers {
		t.Reset(p.quiet)
	}
	return p.out.add(item{message: m})
}

// watch calls late if the server is silent for too long about a request.
func (p *post) watch(id jsonrpc.ID, most time.Duration, late func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.quiet = max(most, longSilence); p.heard {
		most = p.quiet
	}
	p.timers[id] = time.AfterFunc(most, late)
}

// forget ends the watch over a request. The caller has the lock.
func (p *post) forget(id jsonrpc.ID) {
	if t := p.timers[id]; t != nil {
		t.Stop()
		delete(p.timers, id)
	}
}

// expect takes note that the server is about to be sent a request of the post. It reports false, and answers, if it is gone.
func (c *channel) expect(m *jsonrpc.Message, p *post) bool {
	meta, _ := m.Param("_meta") // of what is ambiguous nothing is read
	token, _ := meta.Member("progressToken")
	if id, err := jsonrpc.ReadID(token); err == nil {
		p.mu.Lock()
		p.tokens[id] = true
		p.mu.Unlock()
	}
	c.mu.Lock()
	gone := c.gone
	if !gone {
		c.posts[m.ID] = p
		if !slices.Contains(c.order, p) {
			c.order = append(c.order, p)
		}
	}
	c.mu.Unlock()
	if gone {
		p.answer(notAnswered(m.ID, hasEnded))
		return false
	}
	p.watch(m.ID, c.server.Timeout, func() { c.late(m) })
	return true
}

// late gives up a request that the server does not answer.
func (c *channel) late(m *jsonrpc.Message) {
	answer := c.governed.Failed(m.ID, errSilent.Error())
	if answer == nil {
		return // its answer has come, and is being judged
	}
	c.gw.failed(c.server, c.actor, m, call.Ruling{Code: call.CodeCutShort, Reason: "It was given up: " + errSilent.Error() + "."})
	c.deliver(answer)
	params := append([]byte(`{"requestId":`), m.ID.String()...)
	note, err := jsonrpc.Notify("notifications/cancelled", append(params, `,"reason":"timeout"}`...))
	if err == nil {
		c.send(note)
	}
}

// deliver gives a message of the server to the client: on the stream of the request that it answers or belongs to, or else by
// the mailbox.
func (c *channel) deliver(m *jsonrpc.Message) {
	defer c.checkQueued()
	if m.Kind == jsonrpc.Response {
		if p := c.answered(m.ID); p != nil {
			p.answer(m)
		}
		return
	}
	for _, p := range c.places(m) {
		if p.relay(m) {
			return
		}
	}
	c.mailbox.deliver(m)
}

// answered takes the post that waits for an answer out of the table; nil: none does.
func (c *channel) answered(id jsonrpc.ID) *post {
	c.mu.Lock()
	defer c.mu.Unlock()
	p := c.posts[id]
	delete(c.posts, id)
	for _, other := range c.posts {
		if other == p {
			return p
		}
	}
	c.order = slices.DeleteFunc(c.order, func(o *post) bool { return o == p })
	c.endRetired()
	return p
}

// retire ends the channel once all that it was asked is answered.
func (c *channel) retire() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.retired = true
	c.endRetired()
}

// endRetired ends a retired channel if nobody waits. The caller has the lock.
func (c *channel) endRetired() {
	if c.retired && len(c.posts) == 0 {
		go c.end(hasEnded)
	}
}

// cancelled ends the wait for a request that the client has taken back: it gets no answer.
func (c *channel) cancelled(m *jsonrpc.Message) {
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

// places returns the posts on whose streams a message may go, the best first.
func (c *channel) places(m *jsonrpc.Message) []*post {
	switch m.Method {
	case "notifications/tools/list_changed", "notifications/prompts/list_changed", "notifications/resources/list_changed",
		"notifications/resources/updated":
		return nil // they belong to no request
	}
	c.mu.Lock()
	found := slices.Clone(c.order)
	c.mu.Unlock()
	slices.Reverse(found)
	token, _ := m.Param("progressToken")
	id, err := jsonrpc.ReadID(token)
	if err != nil {
		return found
	}
	slices.SortStableFunc(found, func(a, b *post) int {
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

func (p *post) hasToken(id jsonrpc.ID) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.tokens[id]
}

// notTaken answers a request of the server for which there is no client.
func (c *channel) notTaken(m *jsonrpc.Message) {
	answer := jsonrpc.Fail(m.ID, jsonrpc.CodeInternal, "nobody listens to what the server asks", nil)
	c.governed.FromClient(c.ctx, answer, c.way())
}
