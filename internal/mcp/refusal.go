package mcp

import (
	"strings"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/mcp/jsonrpc"
	"github.com/weir-gate/weir/internal/mcp/streamable"
	"github.com/weir-gate/weir/internal/strictjson"
)

// prefix is the beginning of every text by weir.
const prefix = "[weir] "

// refusal is the response to a refused request, in the form that its method has for refusals.
func (s *Session) refusal(from *side, r *request, ruling call.Ruling) *jsonrpc.Message {
	notice := ruling.Notice(r.name())
	switch {
	case from == &s.fromClient && r.method == toolsCall:
		return s.toolError(r, notice)
	case ruling.Code == call.CodeMalformed && !isMethod(r.method):
		return jsonrpc.NewError(r.id, jsonrpc.CodeMethodNotFound, notice, nil)
	case from == &s.fromClient:
		return jsonrpc.NewError(r.id, jsonrpc.CodeInvalidParams, notice, nil)
	case r.method == sampling:
		return jsonrpc.NewError(r.id, jsonrpc.CodeUserRejected, notice, nil)
	case r.method == elicitation:
		return jsonrpc.NewResponse(r.id, []byte(`{"action":"decline"}`))
	}
	return jsonrpc.NewError(r.id, jsonrpc.CodeMethodNotFound, notice, nil)
}

// refusedResponse is the message to the client in place of a refused response.
func (s *Session) refusedResponse(r *request, ruling call.Ruling) *jsonrpc.Message {
	notice := ruling.Notice(r.name())
	notice = prefix + "The response to the call to " + strings.TrimPrefix(notice, call.NoticePrefix)
	return s.instead(r, notice)
}

// instead is a response to the client with a text by weir. If a model reads the results of the method, it is a result, so that the
// model sees it.
func (s *Session) instead(r *request, notice string) *jsonrpc.Message {
	if r.method == toolsCall || r.method == tasksResult {
		return s.toolError(r, notice)
	}
	return jsonrpc.NewError(r.id, jsonrpc.CodeInternal, notice, nil)
}

// name is the name of the request in a notice.
func (r *request) name() string {
	if r.tool != "" || r.unnamed {
		return r.tool
	}
	return r.method
}

// toolError is the result of a failed tool, which a model reads.
func (s *Session) toolError(r *request, text string) *jsonrpc.Message {
	b := strictjson.AppendString([]byte(`{"content":[{"type":"text","text":`), text)
	b = append(b, `}],"isError":true`...)
	if r.version >= streamable.VersionStateless || r.version == "" && s.Version() >= streamable.VersionStateless {
		b = append(b, `,"resultType":"complete"`...)
	}
	return jsonrpc.NewResponse(r.id, append(b, '}'))
}

// inputNotice says that a request inside a response was refused.
func inputNotice(method string, ruling call.Ruling) string {
	notice := ruling.Notice(method)
	return prefix + "The server asked for more, which is not passed on. " + strings.TrimPrefix(notice, prefix)
}
