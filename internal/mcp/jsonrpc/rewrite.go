package jsonrpc

import (
	"errors"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/internal/strictjson"
)

// The ways in which a message cannot be rewritten.
var (
	errOverlap    = errors.New("the arguments are part of the params: replace one of them")
	errNoPlace    = errors.New("the message has no such member")
	errOtherThing = errors.New("it would be another kind of message, or of another method")
)

// A Replacement is what takes the place of parts of a message. What is nil stays as it is.
type Replacement struct {
	Params    jsontext.Value // an object; of a request or notification
	Arguments jsontext.Value // an object; of a request or notification, in its params. Not with Params
	Result    jsontext.Value // an object; of a response that is no error
}

// Rewrite returns the message with parts of it replaced and every other byte kept. The message itself stays as it is.
func (m *Message) Rewrite(r Replacement) (*Message, error) {
	asks := m.Kind == Request || m.Kind == Notification
	switch {
	case r.Params != nil && r.Arguments != nil:
		return nil, fmt.Errorf("rewrite message: %w", errOverlap)
	case r.Result != nil && m.Result == nil, (r.Params != nil || r.Arguments != nil) && !asks:
		return nil, fmt.Errorf("rewrite message: %w", errNoPlace)
	}
	var edits []strictjson.Edit
	set := func(object strictjson.Value, name string, text jsontext.Value) error {
		if text == nil {
			return nil
		}
		if err := checkObject(text); err != nil {
			return fmt.Errorf("rewrite %s: %w", name, err)
		}
		edit, err := object.SetMember(name, text)
		if err != nil {
			return fmt.Errorf("rewrite %s: %w", name, err)
		}
		edits = append(edits, edit)
		return nil
	}
	params, err := m.Root().Member(nameParams)
	if err == nil {
		err = errors.Join(
			set(m.Root(), nameParams, r.Params), set(params, nameArguments, r.Arguments), set(m.Root(), nameResult, r.Result))
	}
	if err != nil {
		return nil, err
	}
	return m.Edit(edits...)
}

// Edit returns the message with the edits made, which come from values of Root, and every other byte kept. The message itself
// stays as it is. It fails if the result is no message, or one of another kind or method.
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
