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
	// memberTraceparent is the member of _meta by which a request says in which trace it stands, as the header of that name does.
	memberTraceparent = "traceparent"
	memberTaskID      = "taskId"
	memberInputs      = "inputResponses"
	memberState       = "requestState"
)

// ownMeta begins the names in _meta that are MCP's own.
const ownMeta = "io.modelcontextprotocol/"

// maxPlain is how long a value may be, in bytes, that MCP names and nobody looks at.
const maxPlain = 16 << 10

// isPlain says that the params of a message have no members but _meta and those that MCP names for its method, and that every reader
// finds the same in them.
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

// isPlainMeta says that _meta has only short values and what MCP itself puts there.
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

// beside are the members of a tool call's params that MCP has beside its name and arguments and that are judged with it. The state of a
// request is not: it is the server's own text, which comes back to it.
var beside = []string{memberMeta, memberTask, memberInputs}

// besideMembers reads what else a tool call has. Left out are the members that MCP does not name, or that are not what it says: they are
// not passed on. It fails if readers could disagree.
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

// withBeside is a tool call with other members beside its name and arguments.
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

// errNotBeside says that a call cannot be given a member.
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

// without is a message without members of its params, which are given by their names.
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
