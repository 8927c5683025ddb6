package gateway

import (
	"context"
	"crypto/rand"
	"errors"
	"net/http"

	"github.com/weir-gate/weir/internal/mcp"
	"github.com/weir-gate/weir/internal/mcp/jsonrpc"
	"github.com/weir-gate/weir/internal/mcp/outgoing"
)

// A hosted session has a server process of its own, from initialize to its end.
type hosted struct {
	channel *channel
	mailbox *mailbox
}

func (h *hosted) end() { h.channel.end("the session has ended") }

func (h *hosted) listen(x *exchange) { h.mailbox.serve(x) }

// postHosted answers a POST for a server that is a process.
//
// The stateless version is refused, as servers with sessions do, and its clients then begin a session. Requests without a session in other
// versions have a stand-in of weir's own. A process is one session: requests of many clients in one would share what it keeps, and a process
// for each request would keep nothing.
func (x *exchange) postHosted(p posting) {
	if x.version == versionStateless {
		x.fail(unsupported(x.version, sessionVersions).about(p.messages[0]))
		return
	}
	s, f := x.sessionOf()
	switch {
	case f != nil:
	case s == nil && p.opens:
		x.beginHosted(p)
		return
	case s == nil:
		x.postAlone(p)
		return
	case p.opens:
		f = badRequest("the session has begun already")
	default:
		f = x.checkBatch(p, s.tenant.(*hosted).channel.governed)
	}
	if s != nil {
		defer x.gw.table.leave(s)
	}
	if f != nil {
		x.fail(f.about(p.messages[0]))
		return
	}
	x.postChannel(s.tenant.(*hosted).channel, p, nil)
}

// beginHosted starts a process and a session with it.
func (x *exchange) beginHosted(p posting) {
	box := x.newMailbox()
	c := newChannel(x, box)
	box.refuse = c.notTaken
	s := x.newSession(rand.Text())
	s.tenant = &hosted{channel: c, mailbox: box}
	c.over = func() { x.gw.table.forget(s) }
	c.ended = box.close
	if f := x.openSession(s); f != nil {
		c.cancel()
		x.fail(f.about(p.messages[0]))
		return
	}
	defer x.gw.table.leave(s)
	if err := c.open(x.R.Context(), x.callerHeader()); err != nil {
		x.refused("A server could not be started or reached.")
		x.fail(x.trouble(errors.New(unreachable(err))).about(p.messages[0]))
		x.gw.table.end(s)
		return
	}
	if !x.postChannel(c, p, s) {
		x.gw.table.end(s) // it did not begin
	}
}

// callerHeader is what a server may see of the client's headers.
func (x *exchange) callerHeader() http.Header {
	h := http.Header{}
	outgoing.ForwardHeaders(h, x.R.Header, x.server.Passthrough)
	x.gw.cfg.Admission.Hide(h)
	unmirror(h)
	for _, name := range []string{headerSession, headerVersion, headerLastEvent} {
		h.Del(name)
	}
	return h
}

// postChannel leads the messages of a POST to a channel that is open, and answers with what comes back. begun is the session
// that the client is to be told of; nil: it knows. The result says whether that session has begun.
func (x *exchange) postChannel(c *channel, p posting, begun *session) (ok bool) {
	if p.requests == 0 {
		for _, m := range p.messages {
			c.governed.FromClient(c.ctx, m, c.way())
		}
		x.answer(item{status: http.StatusAccepted})
		return true
	}
	at := newPost(p, c.queued, c.gw.holding(c.actor))
	at.trace = x.message()
	ctx, cancel := context.WithCancel(x.R.Context())
	defer cancel()
	for _, m := range p.messages {
		if m.Kind == jsonrpc.Request {
			c.ask(ctx, m, at, c.send)
		} else {
			c.governed.FromClient(c.ctx, m, c.way())
		}
	}
	if x.reply.early = begun == nil; begun != nil {
		x.reply.look = func(it *item) {
			if it.message.Kind == jsonrpc.Response {
				ok = it.message.Error == nil
			}
			if it.message.Error == nil {
				it.header = http.Header{headerSession: {begun.key.id}}
			}
		}
	}
	x.send(at.out)
	return ok
}

// ask has a request governed. forward sends it to the server, once the channel knows whom the answer is for.
func (c *channel) ask(ctx context.Context, m *jsonrpc.Message, at *post, forward func(*jsonrpc.Message)) {
	c.governed.FromClient(ctx, m, mcp.Way{
		Trace: at.trace,
		Forward: func(out *jsonrpc.Message) {
			if c.expect(out, at) {
				forward(out)
			}
		},
		Answer: at.answer,
		Drop: func() {
			if c.isGone() {
				at.answer(notAnswered(m.ID, hasEnded))
				return
			}
			at.answer(nil)
		},
	})
}

// way is that of a message of the client that nobody waits for.
func (c *channel) way() mcp.Way {
	return mcp.Way{
		Forward: func(m *jsonrpc.Message) {
			c.send(m)
			c.cancelled(m)
		},
		Answer: func(*jsonrpc.Message) {},
		Drop:   func() {},
	}
}
