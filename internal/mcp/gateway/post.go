package gateway

import (
	"cmp"
	"errors"
	"net/http"

	"github.com/weir-gate/weir/internal/mcp/jsonrpc"
)

// methodInitialize begins a session.
const methodInitialize = "initialize"

// A post is the messages of one POST.
type post struct {
	messages []*jsonrpc.Message
	batch    bool // they came in an array
	requests int  // how many of them want an answer
	opens    bool // it is the one message that begins a session
}

// servePost responds to a POST.
func (x *exchange) servePost() {
	p, f := x.readPost()
	if f != nil {
		x.fail(f)
		return
	}
	if x.server.Type == typeHTTP {
		x.postRemote(p)
		return
	}
	x.postHosted(p)
}

// readPost reads the messages of a POST, and checks that they are all that the request says.
func (x *exchange) readPost() (post, *failure) {
	if !x.accepts(mediaJSON, mediaEvents) {
		return post{}, fail(http.StatusNotAcceptable, jsonrpc.CodeInvalidRequest,
			"the client must accept both application/json and text/event-stream")
	}
	body, f := x.readBody()
	if f != nil {
		return post{}, f
	}
	messages, batch, err := jsonrpc.ParseBody(body)
	if err != nil {
		return post{}, x.unreadable(err)
	}
	p := post{messages: messages, batch: batch}
	for _, m := range messages {
		if m.Kind == jsonrpc.Request {
			p.requests++
		}
		if m.Method != methodInitialize || m.Kind != jsonrpc.Request {
			continue
		}
		if p.opens = !batch; batch {
			return post{}, badRequest("initialize must come by itself")
		}
	}
	return p, x.checkAgreement(p)
}

// unreadable is the failure of a body that is no message. It is on record.
func (x *exchange) unreadable(err error) *failure {
	f := badRequest("the body is no message of JSON-RPC")
	var refused *jsonrpc.Refused
	if errors.As(err, &refused) {
		f.code, f.message = refused.Code, "the body cannot be read: "+refused.Reason
		if refused.Kind == jsonrpc.Request {
			f.id = refused.ID
		}
	}
	x.refused("A client's message was refused: " + f.message + ".")
	return f
}

// checkAgreement checks that headers and messages say the same.
func (x *exchange) checkAgreement(p post) *failure {
	for _, m := range p.messages {
		if f := agree(x.R.Header, m, x.server.params); f != nil {
			if f.code == jsonrpc.CodeHeaderMismatch {
				x.refused("A client's request was refused: " + f.message + ".")
			}
			return f.about(m)
		}
	}
	return nil
}

// checkBatch checks that the version has batches, if the post is one. spoken is the version of the MCP session; "": the header says
// it, if anything does.
func (x *exchange) checkBatch(p post, spoken string) *failure {
	if version := cmp.Or(spoken, x.version); p.batch && version != "" && version != versionBatches {
		return badRequest("this version of the protocol has no batches: send one message at a time")
	}
	return nil
}

// sessionOf enters the session that the request names. It is nil if it names none; a failure if there is no such session, or
// it is another's.
func (x *exchange) sessionOf() (*session, *failure) {
	if x.version == versionStateless || x.R.Header[headerSession] == nil {
		return nil, nil
	}
	id, ok := single(x.R.Header, headerSession)
	if !ok {
		return nil, badRequest("the header Mcp-Session-Id is there twice")
	}
	s, foreign := x.gw.table.enter(sessionKey{x.server.ID, id}, x.Actor)
	if foreign {
		x.refused("A client named a session that is another's.")
	}
	if s == nil || s.server != x.server {
		if s != nil {
			x.gw.table.leave(s)
		}
		return nil, noSession()
	}
	return s, nil
}

// newSession returns an MCP session that is not open yet, and has no server side.
func (x *exchange) newSession(id string) *session {
	return &session{key: sessionKey{x.server.ID, id}, actor: x.Actor, server: x.server}
}

// openSession puts a new session into the table, entered.
func (x *exchange) openSession(s *session) *failure {
	switch x.gw.table.add(s) {
	case sessionTaken:
		return fail(http.StatusBadGateway, jsonrpc.CodeInternal, "the server gave the session an id that another has")
	case tooManySessions:
		return fail(http.StatusServiceUnavailable, jsonrpc.CodeInternal, "too many sessions are open; end some, or try again later")
	case gatewayClosed:
		return fail(http.StatusServiceUnavailable, jsonrpc.CodeInternal, "weir is shutting down")
	}
	return nil
}

// needsSession is the failure of a request that names no session and begins none.
func needsSession() *failure {
	return badRequest("the header Mcp-Session-Id is missing; begin a session with initialize")
}
