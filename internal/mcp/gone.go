package mcp

import (
	"cmp"
	"slices"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/mcp/jsonrpc"
)

// ServerGone notes that the server has ended. It returns the responses to the client's requests that the server got and did not
// respond to, in the order of the requests. Requests that wait for the judge get their responses on their Ways, and are not passed
// on. Messages that the server sent before are still judged and passed on: see Wait. The reason is a short text by weir.
func (s *Session) ServerGone(reason string) []*jsonrpc.Message {
	s.mu.Lock()
	s.fromServer.gone = true
	var open []*request
	for _, r := range s.fromClient.open {
		if r.state != responding {
			open = append(open, r)
		}
	}
	slices.SortFunc(open, func(a, b *request) int { return cmp.Compare(a.number, b.number) })
	var answers []*jsonrpc.Message
	var settled []func()
	for _, r := range open {
		s.fromClient.drop(r)
		answer := noResponse(r.id, reason)
		switch {
		case r.state != waiting:
			answers = append(answers, answer)
		case s.settle(r.hold):
			settled = append(settled, func() { r.hold.way.Respond(answer) })
		}
	}
	for _, r := range s.fromServer.open {
		if r.state == waiting && s.settle(r.hold) {
			settled = append(settled, r.hold.way.Drop)
		}
	}
	clear(s.fromServer.open)
	s.mu.Unlock()
	for _, f := range settled {
		f()
	}
	return answers
}

// ClientGone notes that the client has ended. All messages that wait, and all later ones, are dropped.
func (s *Session) ClientGone() {
	s.mu.Lock()
	s.fromClient.gone = true
	var settled []*hold
	for h := range s.holds {
		if s.settle(h) {
			settled = append(settled, h)
		}
	}
	clear(s.fromClient.open)
	clear(s.fromServer.open)
	s.mu.Unlock()
	for _, h := range settled {
		h.way.Drop()
	}
}

// Failed notes that a request of the client was passed on and gets no response: the server could not be reached, or took too long.
// It returns the response for the client; nil: the request is not open, or its response is being judged. The reason is a short text
// by weir.
func (s *Session) Failed(id jsonrpc.ID, reason string) *jsonrpc.Message {
	s.mu.Lock()
	defer s.mu.Unlock()
	r := s.fromClient.open[id]
	if r == nil || !r.isSent() {
		return nil
	}
	s.fromClient.close(r, true)
	return noResponse(id, reason)
}

// noResponse is weir's response to a request that got no response from the server.
func noResponse(id jsonrpc.ID, reason string) *jsonrpc.Message {
	return jsonrpc.NewError(id, jsonrpc.CodeInternal, prefix+"The server did not respond: "+reason+".", nil)
}

// RefusedFromClient notes a message of the client that could not be parsed, and returns messages for the client and the server;
// nil: none. If the message was a response, the server would else wait for it in vain.
func (s *Session) RefusedFromClient(r *jsonrpc.Refused) (toClient, toServer *jsonrpc.Message) {
	s.unread(&s.fromClient, r)
	switch r.Kind {
	case jsonrpc.Request, jsonrpc.Unknown:
		return jsonrpc.NewError(r.ID, r.Code, prefix+r.Error(), nil), nil
	case jsonrpc.Response:
		if s.closeUnread(&s.fromServer, r.ID) {
			return nil, jsonrpc.NewError(r.ID, jsonrpc.CodeInternal, prefix+"The client's response could not be read.", nil)
		}
	}
	return nil, nil
}

// RefusedFromServer notes a message of the server that could not be parsed, and returns messages for the client and the server;
// nil: none. If the message was a response, the client would else wait for it in vain.
func (s *Session) RefusedFromServer(r *jsonrpc.Refused) (toClient, toServer *jsonrpc.Message) {
	s.unread(&s.fromServer, r)
	switch r.Kind {
	case jsonrpc.Request:
		if !r.ID.IsZero() {
			return nil, jsonrpc.NewError(r.ID, r.Code, prefix+r.Error(), nil)
		}
	case jsonrpc.Response:
		if s.closeUnread(&s.fromClient, r.ID) {
			return jsonrpc.NewError(r.ID, jsonrpc.CodeInternal, prefix+"The server's response was refused: "+r.Reason+".", nil), nil
		}
	}
	return nil, nil
}

// unread notes a message that could not be parsed.
func (s *Session) unread(from *side, r *jsonrpc.Refused) {
	kind := map[jsonrpc.Kind]string{
		jsonrpc.Request: "request", jsonrpc.Notification: "notification", jsonrpc.Response: "response", jsonrpc.Unknown: "message",
	}[r.Kind]
	s.refused(from, s.act(r.ID, call.Call{Tool: kind}), call.Ruling{Code: call.CodeMalformed, Reason: r.Reason + "."})
}

// closeUnread closes the request of a response that could not be parsed. It returns false if there is no such request.
func (s *Session) closeUnread(from *side, id jsonrpc.ID) bool {
	s.mu.Lock()
	r := from.open[id]
	known := r != nil && r.isSent()
	var pointless *hold
	if known {
		from.close(r, true)
		if r.state == waiting && s.settle(r.hold) {
			pointless = r.hold
		}
	}
	s.mu.Unlock()
	if pointless != nil {
		pointless.way.Drop()
	}
	return known
}
