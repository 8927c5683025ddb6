package mcp

import (
	"context"
	"slices"
	"strings"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/jsonrpc"
)

// noteFromClient decides what becomes of a notification of the client.
func (s *Session) noteFromClient(ctx context.Context, m *jsonrpc.Message, w Way) {
	switch {
	case s.anyGone():
		w.Drop()
	case m.Method == cancelNote:
		s.cancel(ctx, &s.fromClient, m, w)
	case !strings.HasPrefix(m.Method, notifications):
		s.noNotification(&s.fromClient, w)
	default:
		w.Forward(m)
	}
}

// noteFromServer decides what becomes of a notification of the server.
func (s *Session) noteFromServer(ctx context.Context, m *jsonrpc.Message, w Way) {
	switch {
	case s.anyGone():
		w.Drop()
	case m.Method == cancelNote:
		s.cancel(ctx, &s.fromServer, m, w)
	case !strings.HasPrefix(m.Method, notifications):
		s.noNotification(&s.fromServer, w)
	default:
		s.note(ctx, m, w)
	}
}

// anyGone says that one of the sides has ended.
func (s *Session) anyGone() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.fromClient.gone || s.fromServer.gone
}

// noNotification drops a request that wants no answer: who does as it says would do so unjudged.
func (s *Session) noNotification(from *side, w Way) {
	s.refused(from, s.act(jsonrpc.ID{}, call.Call{Tool: "notification"}), call.Ruling{
		Code: call.CodeMalformed, Reason: "Its method is not that of a notification.",
	})
	w.Drop()
}

// note passes on a notification of the server, once it is judged if it says anything, and not before those that came earlier.
func (s *Session) note(ctx context.Context, m *jsonrpc.Message, w Way) {
	mute := isMute(m)
	s.mu.Lock()
	if s.fromClient.gone {
		s.mu.Unlock()
		w.Drop()
		return
	}
	before := s.lastNote
	if mute && isClosed(before) {
		s.mu.Unlock()
		w.Forward(m)
		return
	}
	h := &hold{way: w, aside: true}
	held, err := s.hold(ctx, m, h)
	first := err != nil && !s.flooded
	gone := make(chan struct{})
	if err == nil {
		s.lastNote = gone
	} else {
		s.flooded = true
	}
	s.mu.Unlock()
	if err != nil {
		s.flood(first, err, w)
		return
	}
	s.work(func() {
		defer close(gone)
		out, passes := m, true
		if !mute {
			out, passes = s.reviewNote(held, m)
		}
		select {
		case <-before:
		case <-held.Done():
		}
		s.deliverNote(held, h, out, passes)
	})
}

// flood drops a notification, since too many wait. One event says so for as long as it lasts.
func (s *Session) flood(first bool, err error, w Way) {
	told := first && s.refused(&s.fromServer, s.act(jsonrpc.ID{}, call.Call{Tool: "notification"}), call.Ruling{
		Code: call.CodeMalformed, Reason: "It was dropped: " + err.Error() + ".",
	})
	if told {
		s.log.Warn("dropped a notification", "server", s.server.ID, "err", err)
	}
	w.Drop()
}

// reviewNote has a notification judged. It is what passes.
func (s *Session) reviewNote(ctx context.Context, m *jsonrpc.Message) (out *jsonrpc.Message, passes bool) {
	given := call.Given{Actor: s.actor, Server: s.server, Method: m.Method, Result: m.Params}
	if m.Method == taskStatus {
		if id, err := m.ParamText(memberTaskID); err == nil {
			s.mu.Lock()
			made := s.tasks.find(id)
			s.mu.Unlock()
			given.Tool, given.Call = made.tool, made.call
		}
	}
	ruling := s.judge.Given(ctx, given)
	if !ruling.Released {
		return nil, false
	}
	return withPayload(m, ruling.Args)
}

// deliverNote hands a notification to the client that was judged.
func (s *Session) deliverNote(ctx context.Context, h *hold, out *jsonrpc.Message, passes bool) {
	passes = passes && ctx.Err() == nil
	s.mu.Lock()
	if !s.settle(h) {
		s.mu.Unlock()
		return
	}
	s.mu.Unlock()
	if passes {
		h.way.Forward(out)
	} else {
		h.way.Drop()
	}
}

// maxMute is how long a value may be, in bytes, that is not looked at.
const maxMute = 2048

// isMute says that a notification of the server has no text in it that could speak to a model.
func isMute(m *jsonrpc.Message) bool {
	if m.Params == nil {
		return true
	}
	allowed, known := muteNotifications[m.Method]
	params, err := m.Root().Member("params")
	if err != nil {
		return false
	}
	if params.Len() == 0 {
		return true
	}
	if !known {
		return false
	}
	for name, value := range params.Members() {
		text, isText := name.Text()
		if !isText || !slices.Contains(allowed, text) || value.Len() > 0 || len(value.Raw()) > maxMute {
			return false
		}
	}
	return true
}

// cancel decides what becomes of a cancellation. A request that the other side does not know yet is given up, and both are
// dropped. One that it knows is closed, and the cancellation follows it. For any other the answer was faster.
func (s *Session) cancel(ctx context.Context, from *side, m *jsonrpc.Message, w Way) {
	pass := func() { w.Forward(m) }
	if from == &s.fromServer {
		pass = func() { s.note(ctx, m, w) } // a reason may be in it
	}
	id, ok := cancelledID(m)
	if !ok {
		s.refused(from, s.act(jsonrpc.ID{}, call.Call{Tool: "notification"}), call.Ruling{
			Code: call.CodeMalformed, Reason: "It does not say which request it cancels.",
		})
		w.Drop()
		return
	}
	s.mu.Lock()
	r := from.open[id]
	if r == nil {
		s.mu.Unlock()
		w.Drop()
		return
	}
	known := r.isSent()
	from.close(r, true)
	var givenUp *hold
	if r.hold != nil && s.settle(r.hold) {
		givenUp = r.hold
	}
	if r.state == sending {
		r.cancel = pass
		pass = nil
	}
	s.mu.Unlock()
	if givenUp != nil {
		givenUp.way.Drop()
	}
	switch {
	case !known:
		w.Drop()
	case pass != nil:
		pass()
	}
}

// cancelledID is the id of the request that a notification cancels.
func cancelledID(m *jsonrpc.Message) (jsonrpc.ID, bool) {
	v, err := m.Param("requestId")
	if err != nil {
		return jsonrpc.ID{}, false
	}
	id, err := jsonrpc.ReadID(v)
	return id, err == nil
}
