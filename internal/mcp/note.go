package mcp

import (
	"context"
	"slices"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/mcp/jsonrpc"
	"github.com/weir-gate/weir/internal/strictjson"
)

// tell decides what to do with a notification.
func (s *Session) tell(ctx context.Context, from *side, m *jsonrpc.Message, w Way) {
	switch {
	case s.anyGone():
		w.Drop()
	case !isNotification(m.Method):
		s.noNotification(from, w)
	case m.Method == cancelNote:
		s.cancel(ctx, from, m, w)
	default:
		s.note(ctx, from, m, w)
	}
}

// anyGone says whether one of the sides has ended.
func (s *Session) anyGone() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.fromClient.gone || s.fromServer.gone
}

// noNotification drops a request that asks for no response: the receiver could carry it out without a ruling.
func (s *Session) noNotification(from *side, w Way) {
	s.refused(from, s.act(jsonrpc.ID{}, call.Call{Tool: "notification"}), call.Ruling{
		Code: call.CodeMalformed, Reason: "Its method is not that of a notification.",
	})
	w.Drop()
}

// note passes on a notification, after it was judged, if it must be, and after earlier notifications that wait. A client's
// notification that need not be judged does not wait.
func (s *Session) note(ctx context.Context, from *side, m *jsonrpc.Message, w Way) {
	mute := s.isMute(from, m)
	s.mu.Lock()
	if s.fromClient.gone {
		s.mu.Unlock()
		w.Drop()
		return
	}
	before := from.lastNote
	if mute && (from == &s.fromClient || isClosed(before)) {
		s.mu.Unlock()
		w.Forward(m)
		return
	}
	h := &hold{way: w, aside: true}
	held, err := s.hold(ctx, m, h)
	first := err != nil && !from.flooded
	gone := make(chan struct{})
	if err == nil {
		from.lastNote = gone
	} else {
		from.flooded = true
	}
	s.mu.Unlock()
	if err != nil {
		s.flood(from, first, err, w)
		return
	}
	s.work(func() {
		defer close(gone)
		out, passes := m, true
		if !mute {
			out, passes = s.reviewNote(held, from, m)
		}
		select {
		case <-before:
		case <-held.Done():
		}
		s.deliverNote(held, from, h, out, passes)
	})
}

// flood drops a notification, because too many wait. Only the first of them is recorded until none waits any more.
func (s *Session) flood(from *side, first bool, err error, w Way) {
	told := first && s.refused(from, s.act(jsonrpc.ID{}, call.Call{Tool: "notification"}), call.Ruling{
		Code: call.CodeMalformed, Reason: "It was dropped: " + err.Error() + ".",
	})
	if told {
		s.log.Warn("dropped a notification", "server", s.server.ID, "err", err)
	}
	w.Drop()
}

// reviewNote submits a notification to the judge: its method, unless MCP defines it; and its text, if it is a server's. It returns
// the notification that passes.
func (s *Session) reviewNote(ctx context.Context, from *side, m *jsonrpc.Message) (out *jsonrpc.Message, passes bool) {
	if from == &s.fromClient {
		return s.ruleNote(ctx, from, m)
	}
	if !from.notes.names(m.Method) || hasUnnamed(m) {
		if m, passes = s.ruleNote(ctx, from, m); !passes {
			return nil, false
		}
	}
	if m.Params == nil {
		return m, true
	}
	given := call.Given{Actor: s.actor, Server: s.server, Method: m.Method, Result: m.Params, Trace: traceOf(m, Way{})}
	if m.Method == taskStatus {
		if id, err := m.ParamText(memberTaskID); err == nil {
			made := s.taskOrigin(id)
			given.Tool, given.Call = made.tool, made.call
		}
	}
	ruling := s.judge.Given(ctx, given)
	if !ruling.Released {
		return nil, false
	}
	return withPayload(m, ruling.Args)
}

// hasUnnamed says whether one of the muteNotifications has params that MCP does not define.
func hasUnnamed(m *jsonrpc.Message) bool {
	named, mute := muteNotifications[m.Method]
	if !mute || m.Params == nil {
		return false
	}
	params, err := m.Root().Member("params")
	if err != nil {
		return true
	}
	for name := range params.Members() {
		text, isText := name.Text()
		if !isText || text != memberMeta && text != "message" && text != "reason" && !slices.Contains(named, text) {
			return true
		}
	}
	return false
}

// ruleNote submits a notification to the judge like a request of that method. If it is refused, it is dropped: nobody waits for a
// response.
func (s *Session) ruleNote(ctx context.Context, from *side, m *jsonrpc.Message) (out *jsonrpc.Message, passes bool) {
	act := s.act(jsonrpc.ID{}, call.Call{Tool: m.Method, Args: emptyArgs, MCP: call.MCPCall{Method: m.Method, LeftOut: m.LeftOut}})
	if m.Params != nil {
		if strictjson.CheckArguments(m.Params) != nil {
			s.refused(from, act, *unreadable(&act, m))
			return nil, false
		}
		act.Args = m.Params
	}
	ruling := s.judge.Call(ctx, act)
	if !ruling.Released {
		return nil, false
	}
	if ruling.Args == nil {
		return m, true
	}
	out, ruling = s.rewritten(m, act, ruling)
	return out, ruling.Released
}

// deliverNote passes a judged notification to the other side.
func (s *Session) deliverNote(ctx context.Context, from *side, h *hold, out *jsonrpc.Message, passes bool) {
	passes = passes && ctx.Err() == nil
	s.mu.Lock()
	passes = passes && !(from == &s.fromClient && s.fromServer.gone)
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

// maxMute is the largest length in bytes of a value that need not be judged.
const maxMute = 2048

// isMute says whether a notification need not be judged. MCP must define it. A client's must have only members that MCP defines,
// and a server's no text that a model could read.
func (s *Session) isMute(from *side, m *jsonrpc.Message) bool {
	if !from.notes.names(m.Method) {
		return false
	}
	if from == &s.fromClient {
		return isPlain(m, from.notes[m.Method]) && isPlainMeta(m)
	}
	params, err := m.Root().Member("params")
	if err != nil {
		return false
	}
	return areMute(params, muteNotifications[m.Method], maxMute)
}

// areMute says whether an object has only these members, with short values that are not objects or arrays.
func areMute(object strictjson.Value, allowed []string, most int) bool {
	for name, value := range object.Members() {
		text, isText := name.Text()
		if !isText || !slices.Contains(allowed, text) || !isScalar(value, most) {
			return false
		}
	}
	return true
}

// isScalar says whether a value is short, and not an object or array with anything in it.
func isScalar(v strictjson.Value, most int) bool { return v.Len() == 0 && len(v.Raw()) <= most }

// cancel decides what to do with a cancellation. If the other side has not got the request yet, both are dropped. If it has, the
// request is closed, and the cancellation is passed on. If the request is not open, the response came first, and the cancellation
// is dropped.
func (s *Session) cancel(ctx context.Context, from *side, m *jsonrpc.Message, w Way) {
	pass := func() { s.note(ctx, from, m, w) } // it may have a reason, which is judged
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
