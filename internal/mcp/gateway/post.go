package gateway

import (
	"cmp"
	"errors"
	"net/http"

	"github.com/weir-gate/weir/internal/mcp/jsonrpc"
	"github.com/weir-gate/weir/internal/mcp/streamable"
)

// methodInitialize is the method that begins an MCP session.
const methodInitialize = "initialize"

// A post is the messages of one POST.
type post struct {
	messages []*jsonrpc.Message
	batch    bool // they came in an array
	requests int  // how many of them want a response
	opens    bool // it is the one message that begins an MCP session
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

// readPost parses the messages of a POST, and checks that the headers match them.
func (x *exchange) readPost() (post, *failure) {
	if !x.accepts(streamable.MediaJSON, streamable.MediaEvents) {
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

// unreadable records and returns the failure of a body that is not a message.
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

// checkAgreement checks that headers and messages match.
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

// checkBatch checks that the version has batches, if the post is one. spoken is the version of the MCP session; "": unknown, then
// the header counts.
func (x *exchange) checkBatch(p post, spoken string) *failure {
	if version := cmp.Or(spoken, x.version); p.batch && version != "" && version != streamable.VersionBatches {
		return badRequest("this version of the protocol has no batches: send one message at a time")
	}
	return nil
}
