package jsonrpc

import (
	"errors"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/internal/strictjson"
)

// errOtherThing says that an edit would change the kind or the method of a message.
var errOtherThing = errors.New("it would be another kind of message, or of another method")

// Set returns the message with object at the path of names; every other byte is unchanged. The message itself is not changed. It
// fails if the result is not a message, or a message of another kind.
func (m *Message) Set(object jsontext.Value, names ...string) (*Message, error) {
	last := len(names) - 1
	err := checkObject(object)
	at := m.Root()
	for _, name := range names[:last] {
		if err == nil {
			at, err = at.Member(name)
		}
	}
	var edit strictjson.Edit
	if err == nil {
		edit, err = at.SetMember(names[last], object)
	}
	if err != nil {
		return nil, fmt.Errorf("set %s: %w", names[last], err)
	}
	return m.Edit(edit)
}

// Edit returns the message with the edits, which come from values of Root; every other byte is unchanged. The message itself is not
// changed. It fails if the result is not a message, or a message of another kind or method.
func (m *Message) Edit(edits ...strictjson.Edit) (*Message, error) {
	edited, err := parseMessage(strictjson.Splice(m.Raw, edits...))
	if err != nil {
		return nil, fmt.Errorf("edit message: %w", err)
	}
	if edited.Kind != m.Kind || edited.Method != m.Method {
		return nil, fmt.Errorf("edit message: %w", errOtherThing)
	}
	edited.Batch, edited.LeftOut = m.Batch, m.LeftOut
	return edited, nil
}
