package jsonrpc

import (
	"errors"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/internal/strictjson"
)

// errNotText says that a member is present, but not a text.
var errNotText = errors.New("not a text")

// Param returns a member of the params, such as "arguments" or "_meta"; it is missing if there is none. Decoded names are compared.
// It fails with strictjson.ErrAmbiguous if the member is given twice, or in another case.
func (m *Message) Param(name string) (strictjson.Value, error) { return m.memberOf(nameParams, name) }

// ResultMember is Param for the result.
func (m *Message) ResultMember(name string) (strictjson.Value, error) {
	return m.memberOf(nameResult, name)
}

// memberOf returns a member of one of the message's members.
func (m *Message) memberOf(parent, name string) (strictjson.Value, error) {
	object, err := m.Root().Member(parent)
	if err == nil {
		object, err = object.Member(name)
	}
	if err != nil {
		return strictjson.Value{}, fmt.Errorf("read %q of the %s: %w", name, parent, err)
	}
	return object, nil
}

// ParamText returns the decoded text of a member of the params, such as "name" or "uri"; "" if there is none. It fails as Param
// does, and if the member is not a text.
func (m *Message) ParamText(name string) (string, error) {
	v, err := m.Param(name)
	if err != nil || v.Kind() == strictjson.Missing {
		return "", err
	}
	text, ok := v.Text()
	if !ok {
		return "", fmt.Errorf("read %q of the params: %w", name, errNotText)
	}
	return text, nil
}

// Arguments returns the member "arguments" of the params: one strict JSON object that passes strictjson.CheckArguments; nil if
// there is none.
func (m *Message) Arguments() (jsontext.Value, error) {
	v, err := m.Param(nameArguments)
	if err != nil || v.Kind() == strictjson.Missing {
		return nil, err
	}
	if err := strictjson.CheckArguments(v.Raw()); err != nil {
		return nil, fmt.Errorf("read %q of the params: %w", nameArguments, err)
	}
	return v.Raw(), nil
}

// Failure returns the code and the message of an error response; 0 and "" for any other message.
func (m *Message) Failure() (code Code, message string) {
	if m.Error == nil {
		return 0, ""
	}
	v, err := m.Root().Member(nameError)
	if err == nil {
		code, message, err = readError(v)
	}
	if err != nil {
		panic("jsonrpc: a message was changed after it was read")
	}
	return code, message
}
