package mcp

import (
	"context"
	"crypto/sha256"
	"errors"
	"slices"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/mcp/jsonrpc"
	"github.com/weir-gate/weir/internal/strictjson"
)

// A question is a parsed request.
type question struct {
	*request
	act    call.Call // what the judge is asked
	judged bool      // the judge is asked
	// message is the request without members that must not be passed on. It is passed on if the judge does not change it.
	message *jsonrpc.Message
}

// ask decides what to do with a request.
func (s *Session) ask(ctx context.Context, from *side, m *jsonrpc.Message, w Way) {
	q, refusal := s.read(from, m)
	q.trace = traceOf(m, w)
	q.act.Exchange.Trace = q.trace
	if refusal != nil {
		s.refused(from, q.act, *refusal)
		w.Respond(s.refusal(from, q.request, *refusal))
		return
	}
	r := q.request
	s.mu.Lock()
	first, err := s.open(from, r)
	var held context.Context
	if err == nil && q.judged {
		r.hold = &hold{way: w}
		if held, err = s.hold(ctx, m, r.hold); err != nil {
			from.drop(r)
		}
	}
	if !q.judged {
		r.state = sending
	}
	s.mu.Unlock()
	if first != nil {
		first.way.Drop()
	}
	switch {
	case err != nil:
		s.notOpened(from, q, err, w)
	case q.judged:
		s.work(func() { s.rule(held, from, q) })
	default:
		s.send(r, m, w)
	}
}

// open puts a request into the table. A server may send an open request again, on another stream: then it replaces the first, whose
// hold is returned if it waited. The caller holds s.mu.
func (s *Session) open(from *side, r *request) (waited *hold, err error) {
	if from.gone {
		return nil, errGone
	}
	if s.other(from).gone {
		return nil, errPeerGone
	}
	first := from.open[r.id]
	if first == nil || !s.replays || from != &s.fromServer || first.digest != r.digest {
		return nil, from.add(r)
	}
	from.drop(first)
	r.again = first.isSent()
	if first.state == waiting && s.settle(first.hold) {
		waited = first.hold
	}
	return waited, from.add(r)
}

// notOpened responds to a request that cannot be opened. If two requests have the same id, the first stays open.
func (s *Session) notOpened(from *side, q question, err error, w Way) {
	if errors.Is(err, errGone) {
		w.Drop()
		return
	}
	if errors.Is(err, errPeerGone) {
		w.Respond(jsonrpc.NewError(q.id, jsonrpc.CodeInternal, prefix+"It gets no response: "+err.Error()+".", nil))
		return
	}
	code := jsonrpc.CodeInternal
	if errors.Is(err, errDuplicateID) {
		code = jsonrpc.CodeInvalidRequest
	}
	s.refused(from, q.act, call.Ruling{Code: codeOf(err), Reason: "It was not passed on: " + err.Error() + "."})
	w.Respond(jsonrpc.NewError(q.id, code, prefix+"The request was not passed on: "+err.Error()+".", nil))
}

// toolHold is how long a request is held for a person's decision: many clients give up after a minute.
const toolHold = 45 * time.Second

// rule submits a request to the judge and carries out the ruling.
func (s *Session) rule(ctx context.Context, from *side, q question) {
	r := q.request
	q.act.HoldUntil = time.Now().Add(toolHold)
	ruling := s.judge.Call(ctx, q.act)
	out := q.message
	if ruling.Released && (ruling.Args != nil || ruling.Beside != nil) {
		out, ruling = s.rewritten(out, q.act, ruling)
	}
	late := ctx.Err() != nil

	s.mu.Lock()
	if !s.settle(r.hold) {
		s.mu.Unlock()
		return
	}
	r.call = onRecord(q.act, ruling)
	if ruling.Trace.ID != "" {
		r.trace = ruling.Trace
	}
	switch {
	case late && r.again:
		r.state = sent // as it was before
	case late, !ruling.Released:
		from.drop(r)
	default:
		r.state = sending
	}
	s.mu.Unlock()
	switch {
	case late:
		r.hold.way.Drop()
	case ruling.Released:
		s.send(r, out, r.hold.way)
	default:
		r.hold.way.Respond(s.refusal(from, r, ruling))
	}
}

// onRecord is the id of a call in the record.
func onRecord(c call.Call, ruling call.Ruling) call.ID {
	if ruling.Call != "" {
		return ruling.Call
	}
	return c.ID
}

// rewritten returns a released request with the arguments of its ruling. If they cannot be replaced, the request is refused.
func (s *Session) rewritten(m *jsonrpc.Message, act call.Call, ruling call.Ruling) (*jsonrpc.Message, call.Ruling) {
	out, err := m, error(nil)
	switch {
	case ruling.Args != nil && act.MCP.Method == "":
		out, err = m.Set(ruling.Args, "params", "arguments")
	case ruling.Args != nil:
		out, err = m.Set(ruling.Args, "params")
	}
	if err == nil && ruling.Beside != nil {
		out, err = withBeside(out, ruling.Beside)
	}
	if err == nil {
		return out, ruling
	}
	refused := call.Ruling{
		Code: call.CodeArgsUnreadable, Reason: "Its arguments could not be replaced as policy demands.",
		Rule: ruling.Rule, Policy: ruling.Policy, Call: ruling.Call,
	}
	// The record has the call as released, so every such refusal is recorded.
	s.judge.Refused(act, refused)
	return nil, refused
}

// send passes a request to the other side, and then its cancellation, if that came meanwhile.
func (s *Session) send(r *request, m *jsonrpc.Message, w Way) {
	w.Forward(m)
	s.mu.Lock()
	if r.state == sending {
		r.state = sent
	}
	cancel := r.cancel
	r.cancel = nil
	s.mu.Unlock()
	if cancel != nil {
		cancel()
	}
}

// read parses a request. A refusal says that it cannot be judged; act then has what is known about it.
func (s *Session) read(from *side, m *jsonrpc.Message) (question, *call.Ruling) {
	q := question{request: &request{id: m.ID, method: m.Method}, message: m}
	if s.replays && from == &s.fromServer {
		q.digest = sha256.Sum256(m.Raw)
	}
	if !isMethod(m.Method) {
		q.act = s.act(m.ID, call.Call{Tool: "request"})
		return q, &call.Ruling{Code: call.CodeMalformed, Reason: "Its method is none that can be judged."}
	}
	if from == &s.fromClient && m.Method == toolsCall {
		return s.readToolCall(m, q)
	}
	q.act = s.act(m.ID, call.Call{Tool: m.Method, MCP: call.MCPCall{Method: m.Method, LeftOut: m.LeftOut}})
	if err := s.readMembers(from, m, q.request); err != nil {
		return q, unreadable(&q.act, m)
	}
	// Params that MCP does not define may have effects in a server that weir does not know.
	if q.judged = !from.passes.names(m.Method) || !isPlain(m, from.passes[m.Method]); !q.judged {
		return q, nil
	}
	q.act.Args = emptyArgs
	if m.Params != nil {
		if strictjson.CheckArguments(m.Params) != nil {
			return q, unreadable(&q.act, m)
		}
		q.act.Args = m.Params
	}
	return q, nil
}

// emptyArgs are the arguments of a call without arguments.
var emptyArgs = jsontext.Value(`{}`)

// readToolCall parses the call of a tool.
func (s *Session) readToolCall(m *jsonrpc.Message, q question) (question, *call.Ruling) {
	q.judged = true
	name, err := m.ParamText("name")
	if len(name) <= call.MaxName {
		q.tool = name
	}
	q.unnamed = q.tool == ""
	q.act = s.act(m.ID, call.Call{Tool: q.tool, Args: emptyArgs, MCP: call.MCPCall{LeftOut: m.LeftOut}})
	if err != nil || q.tool == "" || s.readMembers(&s.fromClient, m, q.request) != nil {
		return q, unreadable(&q.act, m)
	}
	args, err := m.Arguments()
	if err != nil {
		return q, unreadable(&q.act, m)
	}
	if args != nil {
		q.act.Args = args
	}
	members, leftOut, err := besideMembers(m)
	if err == nil && len(leftOut) > 0 {
		q.message, err = without(m, leftOut)
	}
	if err != nil {
		return q, unreadable(&q.act, m)
	}
	q.act.MCP.Beside, q.act.MCP.LeftOut = members, slices.Concat(m.LeftOut, jsonrpc.ShownNames(leftOut))
	if isReserved(name) {
		return q, &call.Ruling{Code: call.CodeToolDenied, Reason: "The name is that of a method, which no tool may have."}
	}
	return q, nil
}

// readMembers reads the members of a request that the session needs to understand its response.
func (s *Session) readMembers(from *side, m *jsonrpc.Message, r *request) error {
	meta, err := m.Param(memberMeta)
	if err != nil {
		return err
	}
	version, err := meta.Member(memberVersion)
	if err != nil {
		return err
	}
	if r.version, _ = version.Text(); len(r.version) > maxVersion {
		r.version = ""
	}
	if from != &s.fromClient {
		return nil
	}
	switch m.Method {
	case toolsList:
		r.cursor, err = readCursor(m)
	case tasksGet, tasksResult, tasksCancel:
		var id string
		if id, err = m.ParamText(memberTaskID); err == nil {
			made := s.taskOrigin(id)
			r.tool, r.call = made.tool, made.call
		}
	}
	return err
}

// traceOf is the trace of a request: the one that its transport names, or the one that it names itself, or a new one.
func traceOf(m *jsonrpc.Message, w Way) call.Trace {
	if w.Trace.ID != "" {
		return w.Trace
	}
	meta, _ := m.Param(memberMeta) // it is missing if it is ambiguous
	parent, _ := meta.Member(memberTraceparent)
	if text, isText := parent.Text(); isText {
		if t, ok := call.TraceOf(text); ok {
			return t
		}
	}
	return call.NewTrace()
}

// act completes a call with the fields that are the same in the whole session.
func (s *Session) act(id jsonrpc.ID, c call.Call) call.Call {
	c.ID = call.NewID(s.now())
	c.Surface = call.MCP
	c.Actor = s.actor
	c.Server = s.server.ID
	c.Exchange.Trace = call.NewTrace()
	c.MCP.ServerType, c.MCP.ServerAddr = s.server.Type, s.server.Addr
	if !id.IsZero() {
		c.MCP.RPCID = id.String()
	}
	return c
}

// unreadable is the refusal of a call that can be read in more than one way. It sets the text of the params as the call's
// arguments.
func unreadable(act *call.Call, m *jsonrpc.Message) *call.Ruling {
	act.Args = strictjson.AppendString(nil, string(m.Params))
	return &call.Ruling{
		Code: call.CodeArgsUnreadable, Reason: "It has no name, or its parameters can be read in more than one way.",
	}
}
