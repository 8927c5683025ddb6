package mcp

import (
	"errors"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/internal/mcp/jsonrpc"
	"github.com/weir-gate/weir/internal/strictjson"
)

// The members of params that are read.
const (
	memberMeta    = "_meta"
	memberVersion = ownMeta + "protocolVersion"
	memberTask    = "task"
	// memberTraceparent is the member of _meta that names the trace of a request, like the header of that name.
	memberTraceparent = "traceparent"
	memberTaskID      = "taskId"
	memberInputs      = "inputResponses"
	memberState       = "requestState"
)

// ownMeta is the prefix of the names in _meta that are MCP's own.
const ownMeta = "io.modelcontextprotocol/"

// maxPlain is the largest length in bytes of a value that MCP defines and that need not be judged.
const maxPlain = 16 << 10

// isPlain says whether the params of a message have only _meta and the members that MCP defines for its method, and are read the
// same by every reader.
func isPlain(m *jsonrpc.Message, named []string) bool {
	if m.Params == nil {
		return true
	}
	if strictjson.CheckArguments(m.Params) != nil {
		return false
	}
	params, err := m.Root().Member("params")
	if err != nil {
		return false
	}
	for name, value := range params.Members() {
		text, ok := name.Text()
		switch {
		case !ok:
			return false
		case text == memberMeta && isObject(value):
		case slices.Contains(named, text) && (isScalar(value, maxPlain) || slices.Contains(openMembers, text)):
		default:
			return false
		}
	}
	return true
}

// isPlainMeta says whether _meta has only short values and MCP's own members.
func isPlainMeta(m *jsonrpc.Message) bool {
	meta, err := m.Param(memberMeta)
	if err != nil {
		return false
	}
	for name, value := range meta.Members() {
		if text, ok := name.Text(); !ok || !isScalar(value, maxMute) && !strings.HasPrefix(text, ownMeta) {
			return false
		}
	}
	return true
}

func isObject(v strictjson.Value) bool {
	return v.Kind() == strictjson.Object || v.Kind() == strictjson.Null
}

// beside are the members of a tool call's params, beside its name and arguments, that MCP defines and that are judged with the
// call. The state of a request is not judged: it is the server's own text, which the client sends back to it.
var beside = []string{memberMeta, memberTask, memberInputs}

// besideMembers returns the members of a tool call beside its name and arguments. Left out, and not passed on, are members that MCP
// does not define, or that have another type. It fails if readers could disagree.
func besideMembers(m *jsonrpc.Message) (members jsontext.Value, leftOut []strictjson.Value, err error) {
	for _, name := range append([]string{memberState}, beside...) {
		if _, err := m.Param(name); err != nil {
			return nil, nil, err
		}
	}
	params, err := m.Root().Member("params")
	if err != nil {
		return nil, nil, err
	}
	for name, value := range params.Members() {
		text, ok := name.Text()
		switch {
		case ok && (text == "name" || text == "arguments"):
		case ok && text == memberState && value.Kind() == strictjson.String:
		case ok && slices.Contains(beside, text) && isObject(value):
			if value.Len() > 0 {
				members = appendMember(members, text, value.Raw())
			}
		default:
			leftOut = append(leftOut, name)
		}
	}
	if members != nil {
		members = append(members, '}')
		err = strictjson.CheckArguments(members)
	}
	return members, leftOut, err
}

// withBeside returns a tool call with its members beside the name and arguments replaced.
func withBeside(m *jsonrpc.Message, members jsontext.Value) (*jsonrpc.Message, error) {
	var doc strictjson.Doc
	if err := doc.Parse(members); err != nil {
		return nil, err
	}
	params, err := m.Root().Member("params")
	if err != nil {
		return nil, err
	}
	var edits []strictjson.Edit
	for name, value := range doc.Root().Members() {
		text, ok := name.Text()
		if !ok || !slices.Contains(beside, text) {
			return nil, errNotBeside
		}
		edit, err := params.SetMember(text, value.Raw())
		if err != nil {
			return nil, err
		}
		edits = append(edits, edit)
	}
	return m.Edit(edits...)
}

// errNotBeside says that a ruling has a member that cannot be set in a call.
var errNotBeside = errors.New("a tool call has no such member beside its arguments")

// appendMember appends a member to an object that is not closed yet.
func appendMember(object []byte, name string, value []byte) []byte {
	separator := byte(',')
	if object == nil {
		separator = '{'
	}
	object = strictjson.AppendString(append(object, separator), name)
	return append(append(object, ':'), value...)
}

// without returns a message without some members of its params. names are the positions of their names.
func without(m *jsonrpc.Message, names []strictjson.Value) (*jsonrpc.Message, error) {
	params, err := m.Root().Member("params")
	if err != nil {
		return nil, err
	}
	gone := map[int]bool{}
	for _, name := range names {
		start, _ := name.Span()
		gone[start] = true
	}
	return m.Edit(params.RemoveMembers(func(name, _ strictjson.Value) bool {
		start, _ := name.Span()
		return gone[start]
	})...)
}
