package jsonrpc

import (
	"fmt"
	"slices"

	"github.com/weir-gate/weir/internal/strictjson"
	"github.com/weir-gate/weir/internal/text/inert"
)

// Limits for the remembered names of members that are left out.
const (
	maxLeftOut     = 16
	maxLeftOutName = 64
)

// isForeign says whether JSON-RPC does not define this member of a message. Nobody judges such a member, so nobody may get it.
func isForeign(name strictjson.Value) bool {
	return !slices.ContainsFunc(memberNames, name.Is)
}

// memberNames are the names of all members that a message may have.
var memberNames = []string{nameVersion, nameID, nameMethod, nameParams, nameResult, nameError}

// own returns the message without the members that JSON-RPC does not define. If there are none, it returns the message itself.
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

// ShownNames returns the names of left-out members for people: the first few, long names cut.
func ShownNames(names []strictjson.Value) (out []string) {
	for _, name := range names[:min(len(names), maxLeftOut)] {
		out = append(out, inert.Name(string(name.AppendText(nil)), maxLeftOutName))
	}
	return out
}
