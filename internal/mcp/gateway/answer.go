package gateway

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/weir-gate/weir/internal/intake/budget"
	"github.com/weir-gate/weir/internal/mcp"
	"github.com/weir-gate/weir/internal/mcp/jsonrpc"
)

// maxSessionID is how many bytes the id of a session may have.
const maxSessionID = 1024

// answerBackTime is how long it may take to tell a server that its request was refused.
const answerBackTime = 30 * time.Second

// answer passes on what the server answered to a message that was posted.
func (rl *relay) answer(w *watch, m *jsonrpc.Message, resp *http.Response) {
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
	case isMedia(resp, mediaEvents):
		w.allow(max(rl.server.Timeout, longSilence))
		if m.Method == "subscriptions/listen" {
			w.allow(0)
		}
		rl.out.Put(piece{header: rl.sessionHeader()})
		rl.events(w, resp.Body, m)
	case isMedia(resp, mediaJSON):
		rl.body(w, m, resp)
	default:
		rl.failed(m, rl.unfit("the server answered neither with JSON nor with a stream of events"))
	}
}

// isRefusal says that the server may have answered with an error of JSON-RPC, under a status of HTTP that fits it. The loss of
// a session is no such answer.
func (rl *relay) isRefusal(resp *http.Response) bool {
	switch resp.StatusCode {
	case http.StatusBadRequest:
		return isMedia(resp, mediaJSON)
	case http.StatusNotFound:
		return isMedia(resp, mediaJSON) && rl.session == nil
	}
	return false
}

// bind makes the session that the server opened the client's.
func (rl *relay) bind(resp *http.Response) *failure {
	if !rl.opens || resp.Header[headerSession] == nil {
		return nil
	}
	id, ok := single(resp.Header, headerSession)
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

// within says whether all characters of a text are of ASCII, from the given one to the last that is visible.
func within(s string, first rune) bool {
	return strings.IndexFunc(s, func(c rune) bool { return c < first || c > '~' }) < 0
}

// sessionHeader tells the client of the session that was opened.
func (rl *relay) sessionHeader() http.Header {
	if !rl.opens || rl.session == nil {
		return nil
	}
	return http.Header{headerSession: {rl.session.key.id}}
}

// body passes on the answer that is one JSON text.
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
		rl.failed(m, rl.trouble(w.explain(errors.New("the server's answer broke off"))))
		return
	case err != nil:
		rl.failed(m, rl.unfit("the server's answer is too large"))
		return
	}
	messages, _, err := jsonrpc.ParseBody(text)
	answered := err == nil && has(messages, m.ID)
	status := http.StatusOK
	if f := rl.checkStatus(resp); f != nil {
		if !answered || len(messages) != 1 || messages[0].Error == nil {
			rl.failed(m, f) // the error of JSON-RPC is none, or of nobody's request
			return
		}
		status = resp.StatusCode
	}
	if !answered {
		rl.failed(m, rl.unfit("the server's answer cannot be read, or answers another request"))
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

// has says whether one of the messages answers a request.
func has(messages []*jsonrpc.Message, id jsonrpc.ID) bool {
	for _, m := range messages {
		if m.Kind == jsonrpc.Response && m.ID == id {
			return true
		}
	}
	return false
}

// learn takes note of the tools in an answer that is passed on, and returns it. asked is the request that is under way.
func (rl *relay) learn(asked, out *jsonrpc.Message) *jsonrpc.Message {
	if out != nil && asked != nil && asked.Method == "tools/list" && out.Kind == jsonrpc.Response && out.ID == asked.ID {
		rl.server.params.learn(out)
	}
	return out
}

// pass has a message of the server governed. put gets what the client is to get, once; nil: nothing.
func (rl *relay) pass(msg *jsonrpc.Message, put func(*jsonrpc.Message)) {
	if msg.Kind == jsonrpc.Response && !rl.first(msg.ID) {
		put(nil) // one stream has one answer to a request; what is sent again comes on another
		rl.twice.Do(func() { rl.refused("The server answered a request twice on one stream.") })
		return
	}
	rl.under.Add(1)
	rl.governed.FromServer(rl.ctx, msg, mcp.Way{
		Forward: func(out *jsonrpc.Message) {
			defer rl.under.Done()
			put(out)
		},
		Answer: func(answer *jsonrpc.Message) {
			defer rl.under.Done()
			put(nil)
			rl.answerBack(answer)
		},
		Drop: func() {
			defer rl.under.Done()
			put(nil)
		},
	})
}

// maxAnswered is how many answers of one stream are told apart: more than anybody waits for.
const maxAnswered = 10_000

// first says whether this is the first answer to a request on this stream.
func (rl *relay) first(id jsonrpc.ID) bool {
	rl.mu.Lock()
	defer rl.mu.Unlock()
	if rl.answered[id] || len(rl.answered) >= maxAnswered {
		return false
	}
	if rl.answered == nil {
		rl.answered = map[jsonrpc.ID]bool{}
	}
	rl.answered[id] = true
	return true
}

// answerBack answers a request of the server in the client's place. Nobody but the gateway's end waits for it.
func (rl *relay) answerBack(m *jsonrpc.Message) {
	if !rl.gw.underway.Enter() {
		return
	}
	go func() {
		defer rl.gw.underway.Leave()
		ctx, cancel := context.WithTimeout(rl.gw.life, answerBackTime)
		defer cancel()
		resp, err := rl.do(ctx, http.MethodPost, nil, m)
		if err != nil {
			rl.gw.cfg.Log.Warn("mcp server not told that its request was refused", "server", rl.server.ID, "reason", err.Error())
			return
		}
		_ = resp.Body.Close()
	}()
}
