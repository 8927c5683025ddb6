package gateway

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/weir-gate/weir/internal/mcp"
	"github.com/weir-gate/weir/internal/mcp/jsonrpc"
	"github.com/weir-gate/weir/internal/mcp/outgoing"
	"github.com/weir-gate/weir/internal/mcp/queue"
)

// longSilence is how long a server's stream for a request may be silent, and how long one may take to answer that is not
// given less.
const longSilence = 10 * time.Minute

// errSilent says that a server took too long.
var errSilent = errors.New("the server took too long")

// A remote session is one with a server that speaks Streamable HTTP itself, and keeps what there is to keep of it.
type remote struct {
	governed *mcp.Session
	life     context.Context // ends with the session, and with it whatever is under way
	cancel   context.CancelFunc
}

func newRemote(governed *mcp.Session) *remote {
	r := &remote{governed: governed}
	r.life, r.cancel = context.WithCancel(context.Background())
	return r
}

func (r *remote) end() {
	r.cancel()
	r.governed.ClientGone()
}

// A relay leads the messages of one client request to a server that speaks Streamable HTTP, and what comes back to the client.
// Each request of the client is one to the server: streams, their ends and their ids are the server's own.
type relay struct {
	*exchange
	governed *mcp.Session
	session  *session // nil: the server has given none
	opens    bool     // it begins a session
	numbered bool     // events keep their ids: the answer has one stream only
	out      *queue.Queue[piece]
	ctx      context.Context // in which the server is asked, and what it says is judged

	mu       sync.Mutex
	answered map[jsonrpc.ID]bool // requests of which the answer came
	twice    sync.Once           // that one was answered twice is on record once

	holding atomic.Int64   // messages that wait for the judge
	under   sync.WaitGroup // what may still put something into out
}

// postRemote answers a POST by asking the server.
func (x *exchange) postRemote(p post) {
	s, f := x.sessionOf()
	if f != nil {
		x.fail(f.about(p.messages[0]))
		return
	}
	rl := &relay{exchange: x, session: s, opens: p.opens && s == nil, numbered: !p.batch, out: newPieces(x.gw.holding(x.Actor), nil)}
	if s != nil {
		defer x.gw.table.leave(s)
		rl.governed = s.side.(*remote).governed
	} else {
		rl.governed = x.gw.govern(x.server, x.Actor)
		defer func() {
			if rl.session == nil {
				rl.governed.ClientGone() // it was for this request only
			} else {
				x.gw.table.leave(rl.session)
			}
		}()
	}
	if f := x.checkBatch(p, rl.governed.Version()); f != nil {
		x.fail(f)
		return
	}
	x.reply.held = rl.isHeld
	cancel := rl.begin()
	defer rl.under.Wait()
	defer cancel()
	for _, m := range p.messages {
		rl.take(m)
	}
	go func() {
		rl.under.Wait()
		if p.requests == 0 {
			rl.out.Put(piece{status: http.StatusAccepted})
		}
		rl.out.Close()
	}()
	x.send(rl.out)
}

// begin sets the context in which the server is asked: it ends with the client's request, the session and the gateway. A
// request that is broken off on this side is broken off on the other, where it means what the server takes it for.
func (rl *relay) begin() context.CancelFunc {
	ctx, cancel := context.WithCancelCause(rl.R.Context())
	rl.ctx = ctx
	rl.gw.relays.enter(rl, cancel)
	end := func() { cancel(nil) }
	stop := []func() bool{context.AfterFunc(rl.gw.life, end)}
	if rl.session != nil {
		stop = append(stop, context.AfterFunc(rl.session.side.(*remote).life, end))
	}
	return func() {
		for _, s := range stop {
			s()
		}
		rl.gw.relays.leave(rl)
		end()
	}
}

// isHeld says that something waits for the judge. The beginning of a session does not count: its id must be in the header.
func (rl *relay) isHeld() bool { return rl.holding.Load() > 0 && !rl.opens }

// take has a message of the client governed, and does as is decided.
func (rl *relay) take(m *jsonrpc.Message) {
	rl.under.Add(1)
	rl.holding.Add(1)
	rl.governed.FromClient(rl.ctx, m, mcp.Way{
		Trace: rl.message(),
		Forward: func(out *jsonrpc.Message) {
			rl.holding.Add(-1)
			go func() {
				defer rl.under.Done()
				rl.forward(m, out)
			}()
		},
		Answer: func(answer *jsonrpc.Message) {
			defer rl.under.Done()
			rl.holding.Add(-1)
			rl.out.Put(piece{status: rl.statusOf(http.StatusOK), message: answer})
		},
		Drop: func() {
			defer rl.under.Done()
			rl.holding.Add(-1)
			if m.Kind == jsonrpc.Request && rl.isOver() {
				it := noSession().about(m).piece()
				it.status = rl.statusOf(it.status)
				rl.out.Put(it)
			}
		},
	})
}

// statusOf is the status of an answer that may be the only one; 0: it goes on a stream with others.
func (rl *relay) statusOf(status int) int {
	if rl.numbered {
		return status
	}
	return 0
}

// forward sends a message to the server, and what comes back to the client. before is the message as the client sent it.
func (rl *relay) forward(before, m *jsonrpc.Message) {
	w := newWatch(rl.ctx, rl.server.Timeout)
	defer w.stop()
	resp, err := rl.do(w.ctx, http.MethodPost, before, m)
	if err != nil {
		rl.failed(m, rl.trouble(w.explain(err)))
		return
	}
	defer resp.Body.Close()
	rl.answer(w, m, resp)
}

// do sends one request to the server. m is nil if it has no body.
func (rl *relay) do(ctx context.Context, method string, before, m *jsonrpc.Message) (*http.Response, error) {
	if _, denied := rl.gw.denied(rl.Actor, rl.server); denied {
		return nil, errDenied
	}
	var body io.Reader
	if m != nil {
		body = bytes.NewReader(m.Raw)
	}
	req, err := http.NewRequestWithContext(ctx, method, rl.server.URL.String(), body)
	if err != nil {
		return nil, errors.New("the request cannot be made")
	}
	h := req.Header
	outgoing.ForwardHeaders(h, rl.R.Header, rl.server.Passthrough)
	rl.gw.cfg.Admission.Hide(h)
	h.Del(headerSession)
	if before == nil {
		unmirror(h) // what the client's headers mirror is another message
	}
	if rl.session != nil {
		h.Set(headerSession, rl.session.key.id)
	}
	switch {
	case m != nil:
		if before != nil {
			mirror(h, before, m, rl.server.params)
		}
		h.Set("Content-Type", mediaJSON)
		h.Set("Accept", mediaJSON+", "+mediaEvents)
		h.Del(headerLastEvent)
	case method == http.MethodGet:
		h.Set("Accept", mediaEvents)
	}
	if h.Get("User-Agent") == "" {
		h["User-Agent"] = []string{""} // else net/http names itself
	}
	return rl.server.HTTP.Do(req)
}

// get answers a GET: with the messages that the server sends of its own accord, or again.
func (x *exchange) get() {
	if !x.accepts(mediaEvents) {
		x.fail(fail(http.StatusNotAcceptable, jsonrpc.CodeInvalidRequest, "the client must accept text/event-stream"))
		return
	}
	s, f := x.sessionOf()
	switch {
	case f != nil:
		x.fail(f)
		return
	case s == nil && x.server.Type != typeHTTP:
		x.fail(needsSession())
		return
	case s != nil:
		defer x.gw.table.leave(s)
	}
	if last, ok := single(x.R.Header, headerLastEvent); !ok || len(last) > maxEventID || !plainText(last) {
		x.fail(badRequest("the header Last-Event-ID cannot be read"))
		return
	}
	if x.server.Type != typeHTTP {
		s.side.(*hosted).mailbox.serve(x)
		return
	}
	x.getRemote(s)
}

// getRemote answers a GET by asking the server.
func (x *exchange) getRemote(s *session) {
	rl := &relay{exchange: x, session: s, numbered: true, out: newPieces(x.gw.holding(x.Actor), nil)}
	if s != nil {
		rl.governed = s.side.(*remote).governed
	} else {
		rl.governed = x.gw.govern(x.server, x.Actor)
		defer rl.governed.ClientGone()
	}
	cancel := rl.begin()
	defer rl.under.Wait()
	defer cancel()
	w := newWatch(rl.ctx, x.server.Timeout)
	defer w.stop()
	resp, err := rl.do(w.ctx, http.MethodGet, nil, nil)
	if err != nil {
		x.fail(rl.trouble(w.explain(err)))
		return
	}
	defer resp.Body.Close()
	if f := rl.checkStatus(resp); f != nil {
		x.fail(f)
		return
	}
	if !isMedia(resp, mediaEvents) {
		x.fail(rl.unfit("the server did not answer with a stream of events"))
		return
	}
	w.allow(0) // such a stream may be silent for as long as it likes
	rl.out.Put(piece{})
	rl.under.Add(1)
	go func() {
		rl.events(w, resp.Body, nil)
		rl.under.Done()
		rl.under.Wait()
		rl.out.Close()
	}()
	x.send(rl.out)
}

// delete answers a DELETE: it ends a session.
func (x *exchange) delete() {
	s, f := x.sessionOf()
	if f == nil && s == nil {
		f = needsSession()
	}
	if f != nil {
		x.fail(f)
		return
	}
	defer x.gw.table.leave(s)
	if x.server.Type != typeHTTP {
		x.gw.table.end(s)
		x.answer(piece{status: http.StatusNoContent})
		return
	}
	rl := &relay{exchange: x, session: s}
	w := newWatch(x.R.Context(), x.server.Timeout)
	defer w.stop()
	resp, err := rl.do(w.ctx, http.MethodDelete, nil, nil)
	if err != nil {
		x.fail(rl.trouble(w.explain(err)))
		return
	}
	_ = resp.Body.Close()
	if f := rl.checkStatus(resp); f != nil {
		x.fail(f)
		return
	}
	x.gw.table.end(s)
	x.answer(piece{status: http.StatusNoContent})
}
