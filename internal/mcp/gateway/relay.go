package gateway

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/weir-gate/weir/internal/intake/budget"
	"github.com/weir-gate/weir/internal/mcp"
	"github.com/weir-gate/weir/internal/mcp/jsonrpc"
	"github.com/weir-gate/weir/internal/mcp/outgoing"
	"github.com/weir-gate/weir/internal/mcp/queue"
	"github.com/weir-gate/weir/internal/mcp/streamable"
)

// maxSessionID is how many bytes the id of an MCP session may have.
const maxSessionID = 1024

// respondTime is the time limit for telling a server that its request was refused.
const respondTime = 30 * time.Second

// A relay forwards the messages of one client request to a server with Streamable HTTP, and the responses to the client. Each
// request of the client becomes one request to the server: streams, their ends and their ids are the server's own.
type relay struct {
	*exchange
	governed *mcp.Session
	session  *session // nil: the server has opened none
	opens    bool     // it begins an MCP session
	numbered bool     // events are sent with their ids: the response has only one stream
	out      *queue.Queue[piece]
	ctx      context.Context // for the requests to the server and the judging of its messages

	mu       sync.Mutex
	answered map[jsonrpc.ID]bool // requests whose responses have arrived
	twice    sync.Once           // records a second response to a request, once

	holding atomic.Int64   // messages that wait for the judge
	under   sync.WaitGroup // goroutines that may still put something into out
}

// begin sets the context of the requests to the server: it ends with the client's request, the MCP session and the gateway. If the
// client breaks off its request, weir breaks off the one to the server, which decides what that means.
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

// isHeld says whether something waits for the judge. A request that begins an MCP session does not count: the session's id must be
// in the header.
func (rl *relay) isHeld() bool { return rl.holding.Load() > 0 && !rl.opens }

// take hands a message of the client to the mcp.Session, and carries out its decision.
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
		Respond: func(answer *jsonrpc.Message) {
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

// statusOf is the status of a response that may be the only one; 0: it is sent on a stream with others.
func (rl *relay) statusOf(status int) int {
	if rl.numbered {
		return status
	}
	return 0
}

// forward sends a message to the server, and its response to the client. before is the message as the client sent it.
func (rl *relay) forward(before, m *jsonrpc.Message) {
	w := newWatch(rl.ctx, rl.server.Timeout)
	defer w.stop()
	resp, err := rl.do(w.ctx, http.MethodPost, before, m)
	if err != nil {
		rl.failed(m, rl.trouble(w.explain(err)))
		return
	}
	defer resp.Body.Close()
	rl.passResponse(w, m, resp)
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
	h.Del(streamable.HeaderSession)
	if before == nil {
		unmirror(h) // the client's headers mirror another message
	}
	if rl.session != nil {
		h.Set(streamable.HeaderSession, rl.session.key.id)
	}
	switch {
	case m != nil:
		if before != nil {
			mirror(h, before, m, rl.server.params)
		}
		h.Set("Content-Type", streamable.MediaJSON)
		h.Set("Accept", streamable.MediaJSON+", "+streamable.MediaEvents)
		h.Del(streamable.HeaderLastEvent)
	case method == http.MethodGet:
		h.Set("Accept", streamable.MediaEvents)
	}
	if h.Get("User-Agent") == "" {
		h["User-Agent"] = []string{""} // else net/http names itself
	}
	return rl.server.HTTP.Do(req)
}

// passResponse passes on the server's response to a message.
func (rl *relay) passResponse(w *watch, m *jsonrpc.Message, resp *http.Response) {
	if m.Kind != jsonrpc.Request {
		if f := rl.checkStatus(resp); f != nil {
			rl.failed(m, f)
		}
		return
	}
	if rl.isRefusal(resp) {
		rl.body(w, m, resp)
		return
	}
	if f := rl.checkStatus(resp); f != nil {
		rl.failed(m, f)
		return
	}
	if f := rl.bind(resp); f != nil {
		rl.failed(m, f)
		return
	}
	switch {
	case isMedia(resp, streamable.MediaEvents):
		w.allow(max(rl.server.Timeout, longSilence))
		if m.Method == "subscriptions/listen" {
			w.allow(0)
		}
		rl.out.Put(piece{header: rl.sessionHeader()})
		rl.events(w, resp.Body, m)
	case isMedia(resp, streamable.MediaJSON):
		rl.body(w, m, resp)
	default:
		rl.failed(m, rl.unfit("the server's response is neither JSON nor a stream of events"))
	}
}

// isRefusal says whether the response may be a JSON-RPC error with a matching HTTP status. The loss of an MCP session is no such
// response.
func (rl *relay) isRefusal(resp *http.Response) bool {
	switch resp.StatusCode {
	case http.StatusBadRequest:
		return isMedia(resp, streamable.MediaJSON)
	case http.StatusNotFound:
		return isMedia(resp, streamable.MediaJSON) && rl.session == nil
	}
	return false
}

// bind gives the MCP session that the server opened to the client.
func (rl *relay) bind(resp *http.Response) *failure {
	if !rl.opens || resp.Header[streamable.HeaderSession] == nil {
		return nil
	}
	id, ok := single(resp.Header, streamable.HeaderSession)
	if !ok || id == "" || len(id) > maxSessionID || !within(id, '!') {
		return rl.unfit("the server gave the session an id that cannot be used")
	}
	s := rl.newSession(id)
	s.side = newRemote(rl.governed)
	if f := rl.openSession(s); f != nil {
		return f
	}
	rl.session = s
	return nil
}

// within says whether all characters of a text are visible ASCII characters, not below first.
func within(s string, first rune) bool {
	return strings.IndexFunc(s, func(c rune) bool { return c < first || c > '~' }) < 0
}

// sessionHeader is the header with the id of a new MCP session; nil: there is none.
func (rl *relay) sessionHeader() http.Header {
	if !rl.opens || rl.session == nil {
		return nil
	}
	return http.Header{streamable.HeaderSession: {rl.session.key.id}}
}

// body passes on a response that is one JSON text.
func (rl *relay) body(w *watch, m *jsonrpc.Message, resp *http.Response) {
	limit := rl.gw.cfg.Bounds.Message
	text, err := budget.ReadAll(w.read(resp.Body), limit, resp.ContentLength, rl.Account.Share(budget.Messages))
	if err == nil {
		err = rl.takeReading(text)
	}
	switch {
	case isNoRoom(err):
		rl.failed(m, rl.unheld(err))
		return
	case err != nil && !errors.Is(err, budget.ErrTooLong):
		rl.failed(m, rl.trouble(w.explain(errors.New("the server's response broke off"))))
		return
	case err != nil:
		rl.failed(m, rl.unfit("the server's response is too large"))
		return
	}
	messages, _, err := jsonrpc.ParseBody(text)
	answered := err == nil && has(messages, m.ID)
	status := http.StatusOK
	if f := rl.checkStatus(resp); f != nil {
		if !answered || len(messages) != 1 || messages[0].Error == nil {
			rl.failed(m, f) // it is not a JSON-RPC error for this request
			return
		}
		status = resp.StatusCode
	}
	if !answered {
		rl.failed(m, rl.unfit("the server's response cannot be read, or belongs to another request"))
		return
	}
	for _, msg := range messages {
		it := piece{header: rl.sessionHeader()}
		if len(messages) == 1 {
			it.status = rl.statusOf(status)
		}
		rl.pass(msg, func(out *jsonrpc.Message) {
			if it.message = rl.learn(m, out); out != nil {
				rl.out.Put(it)
			}
		})
	}
}

// has says whether one of the messages is the response to a request.
func has(messages []*jsonrpc.Message, id jsonrpc.ID) bool {
	for _, m := range messages {
		if m.Kind == jsonrpc.Response && m.ID == id {
			return true
		}
	}
	return false
}

// learn notes the tools in a response that is passed on, and returns the response. asked is the request under way.
func (rl *relay) learn(asked, out *jsonrpc.Message) *jsonrpc.Message {
	if out != nil && asked != nil && asked.Method == "tools/list" && out.Kind == jsonrpc.Response && out.ID == asked.ID {
		rl.server.params.learn(out)
	}
	return out
}

// pass hands a message of the server to the mcp.Session. put is called once, with the message for the client; nil: none.
func (rl *relay) pass(msg *jsonrpc.Message, put func(*jsonrpc.Message)) {
	if msg.Kind == jsonrpc.Response && !rl.first(msg.ID) {
		put(nil) // a stream has one response to a request; a repetition comes on another stream
		rl.twice.Do(func() { rl.refused("The server responded twice to a request on one stream.") })
		return
	}
	rl.under.Add(1)
	rl.governed.FromServer(rl.ctx, msg, mcp.Way{
		Forward: func(out *jsonrpc.Message) {
			defer rl.under.Done()
			put(out)
		},
		Respond: func(answer *jsonrpc.Message) {
			defer rl.under.Done()
			put(nil)
			rl.respondToServer(answer)
		},
		Drop: func() {
			defer rl.under.Done()
			put(nil)
		},
	})
}

// maxResponses is how many responses one stream may have: more than any client waits for.
const maxResponses = 10_000

// first says whether this is the first response to a request on this stream.
func (rl *relay) first(id jsonrpc.ID) bool {
	rl.mu.Lock()
	defer rl.mu.Unlock()
	if rl.answered[id] || len(rl.answered) >= maxResponses {
		return false
	}
	if rl.answered == nil {
		rl.answered = map[jsonrpc.ID]bool{}
	}
	rl.answered[id] = true
	return true
}

// respondToServer responds to a request of the server in the client's place. Only Gateway.Close waits for it.
func (rl *relay) respondToServer(m *jsonrpc.Message) {
	if !rl.gw.underway.Enter() {
		return
	}
	go func() {
		defer rl.gw.underway.Leave()
		ctx, cancel := context.WithTimeout(rl.gw.life, respondTime)
		defer cancel()
		resp, err := rl.do(ctx, http.MethodPost, nil, m)
		if err != nil {
			rl.gw.cfg.Log.Warn("mcp server not told that its request was refused", "server", rl.server.ID, "reason", err.Error())
			return
		}
		_ = resp.Body.Close()
	}()
}
