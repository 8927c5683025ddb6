package mcp

import (
	"context"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/mcp/jsonrpc"
)

// responseFromClient decides what to do with a client's response to a request of the server. The request was judged, so the
// response passes.
func (s *Session) responseFromClient(m *jsonrpc.Message, w Way) {
	s.mu.Lock()
	from := &s.fromServer
	r := from.open[m.ID]
	closed := from.closed.find(m.ID)
	useless := from.gone || s.fromClient.gone || r == nil && closed != nil && closed.cancelled
	known := r != nil && r.isSent()
	var pointless *hold // the repetition of the request, which waits
	if known {
		from.close(r, false)
		if r.state == waiting && s.settle(r.hold) {
			pointless = r.hold
		}
	}
	s.mu.Unlock()
	if pointless != nil {
		pointless.way.Drop()
	}
	switch {
	case known && !useless:
		w.Forward(m)
	case useless:
		w.Drop()
	default:
		s.unasked(&s.fromClient, m, w)
	}
}

// unasked drops a response to a request that is not open.
func (s *Session) unasked(from *side, m *jsonrpc.Message, w Way) {
	told := s.refused(from, s.act(m.ID, call.Call{Tool: "response"}), call.Ruling{
		Code: call.CodeMalformed, Reason: "It responds to a request that is not open.",
	})
	if told {
		s.log.Warn("dropped a response to a request that is not open", "server", s.server.ID)
	}
	w.Drop()
}

// responseFromServer decides what to do with a server's response. The server's text reaches a model, so it is judged.
func (s *Session) responseFromServer(ctx context.Context, m *jsonrpc.Message, w Way) {
	s.mu.Lock()
	from := &s.fromClient
	r, again, useless := s.askedFor(m.ID)
	if from.gone || s.fromServer.gone || useless {
		s.mu.Unlock()
		w.Drop()
		return
	}
	if r == nil {
		s.mu.Unlock()
		s.unasked(&s.fromServer, m, w)
		return
	}
	notes := s.fromServer.lastNote
	if emptyResponses[r.method] && isEmpty(m) && isClosed(notes) {
		if !again {
			from.close(r, false)
		}
		s.mu.Unlock()
		w.Forward(m)
		return
	}
	h := &hold{way: w, aside: again}
	held, err := s.hold(ctx, m, h)
	switch {
	case again:
	case err != nil:
		from.close(r, false)
	default:
		r.state, r.hold = responding, h
	}
	s.mu.Unlock()
	if err != nil {
		s.refused(&s.fromServer, s.act(r.id, call.Call{Tool: r.name()}), call.Ruling{
			Code: codeOf(err), Reason: "Its response was not passed on: " + err.Error() + ".",
		})
		w.Forward(s.instead(r, prefix+"The response was not passed on: "+err.Error()+"."))
		return
	}
	s.work(func() {
		out := s.reviewed(held, r, m, again)
		select {
		case <-notes:
		case <-held.Done():
		}
		s.deliver(held, r, h, out)
	})
}

// askedFor finds the request of a response; nil: there is none. again says that the request already had a response, and useless
// that nobody wants the response any more. The caller holds s.mu.
func (s *Session) askedFor(id jsonrpc.ID) (r *request, again, useless bool) {
	if r := s.fromClient.open[id]; r != nil {
		switch {
		case r.isSent():
			return r, false, false
		case r.state == responding && s.replays:
			return r, true, false
		}
		return nil, false, false
	}
	closed := s.fromClient.closed.find(id)
	switch {
	case closed == nil:
		return nil, false, false
	case closed.cancelled:
		return nil, false, true
	case s.replays:
		return &closed.request, true, false
	}
	return nil, false, false
}

// deliver passes a judged response to the client.
func (s *Session) deliver(ctx context.Context, r *request, h *hold, out *jsonrpc.Message) {
	late := ctx.Err() != nil
	s.mu.Lock()
	if !s.settle(h) {
		s.mu.Unlock()
		return
	}
	if r.hold == h {
		s.fromClient.close(r, false) // a server that replays may send it again
	}
	s.mu.Unlock()
	if late {
		h.way.Drop()
		return
	}
	h.way.Forward(out)
}

// isEmpty says whether a response has an empty result.
func isEmpty(m *jsonrpc.Message) bool {
	if m.Result == nil {
		return false
	}
	given, err := m.Root().Member("result")
	return err == nil && given.Len() == 0
}

// isClosed says whether a channel is closed.
func isClosed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// reviewed returns what the client gets: the response, its allowed part, or the refusal that replaces it.
func (s *Session) reviewed(ctx context.Context, r *request, m *jsonrpc.Message, again bool) *jsonrpc.Message {
	look := s.lookedAt
	if r.method == toolsList && m.Result != nil {
		look = s.listed
	}
	out, refusal := look(ctx, r, m, again)
	if refusal == nil {
		out, refusal = s.inputs(ctx, r, out)
	}
	if refusal != nil {
		return refusal
	}
	if !s.learn(r, out) {
		return s.unfit(r)
	}
	return out
}

// lookedAt is listed for a response that is not a list of tools.
func (s *Session) lookedAt(ctx context.Context, r *request, m *jsonrpc.Message, again bool) (out, refusal *jsonrpc.Message) {
	ruling := s.judge.Given(ctx, s.given(r, m, again))
	if !ruling.Released {
		return nil, s.refusedResponse(r, ruling)
	}
	out, ok := withPayload(m, ruling.Args)
	if !ok {
		return nil, s.unfit(r)
	}
	return out, nil
}

// given describes a response to the judge.
func (s *Session) given(r *request, m *jsonrpc.Message, again bool) call.Given {
	return call.Given{
		Actor: s.actor, Server: s.server, Method: r.method, Tool: r.tool, Call: r.call, RPCID: r.id.String(),
		Result: m.Result, Error: m.Error, Again: again, Trace: r.trace,
	}
}

// unfit refuses a response in which a part that the session needs can be read in more than one way.
func (s *Session) unfit(r *request) *jsonrpc.Message {
	ruling := call.Ruling{Code: call.CodeMalformed, Reason: "The server's response can be read in more than one way."}
	act := s.act(r.id, call.Call{Tool: r.name()})
	if r.tool == "" {
		act.MCP.Method = r.method
	}
	s.refused(&s.fromServer, act, ruling)
	return s.refusedResponse(r, ruling)
}

// withPayload returns a message with its result, error or params replaced; if payload is nil, the message itself. It is not ok if
// they cannot be replaced.
func withPayload(m *jsonrpc.Message, payload []byte) (out *jsonrpc.Message, ok bool) {
	if payload == nil {
		return m, true
	}
	member := "params"
	switch {
	case m.Result != nil:
		member = "result"
	case m.Error != nil:
		member = "error"
	}
	out, err := m.Set(payload, member)
	return out, err == nil
}
