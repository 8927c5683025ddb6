package jsonrpc

import (
	"fmt"
	"slices"

	"github.com/weir-gate/weir/internal/strictjson"
	"github.com/weir-gate/weir/internal/text/inert"
)

// What is remembered of the names of members that are left out.
const (
	maxLeftOut     = 16
	maxLeftOutName = 64
)

// isForeign says that JSON-RPC has no such member of a message. Nobody looks at it, so that nobody may get it.
func isForeign(name strictjson.Value) bool {
	return !slices.ContainsFunc(memberNames, name.Is)
}

// memberNames are all members that a message may have.
var memberNames = []string{nameVersion, nameID, nameMethod, nameParams, nameResult, nameError}

// own is the message without the members that JSON-RPC does not have. A message that has none of these is itself, byte for byte.
func (m *Message) own() (*Message, error) {
	var leftOut []strictjson.Value
	for name := range m.Root().Members() {
		if isForeign(name) {
			leftOut = append(leftOut, name)
		}
	}
	if leftOut == nil {
		return m, nil
	}
	edits := m.Root().RemoveMembers(func(name, _ strictjson.Value) bool { return isForeign(name) })
	out, err := m.Edit(edits...)
	if err != nil {
		return nil, fmt.Errorf("leave out members: %w", err)
	}
	out.LeftOut = ShownNames(leftOut)
	return out, nil
}

// ShownNames are names of members that were left out as people are shown them: the first few, and the beginnings of long ones.
func ShownNames(names []strictjson.Value) (out []string) {
	for _, name := range names[:min(len(names), maxLeftOut)] {
		out = append(out, inert.Name(string(name.AppendText(nil)), maxLeftOutName))
	}
	return out
}
