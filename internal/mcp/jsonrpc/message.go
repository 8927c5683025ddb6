package jsonrpc

import (
	"bytes"
	"errors"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/internal/strictjson"
)

// A Kind is what a message is.
type Kind uint8

// The kinds. The zero Kind is for a refused message whose kind is not known.
const (
	Unknown Kind = iota
	Request
	Notification
	Response
)

// A Message is one request, notification or response that this package parsed or built. It is immutable, and may be used by several
// goroutines.
type Message struct {
	Raw    []byte // the exact bytes, without white space around them and without the members in LeftOut
	Kind   Kind
	ID     ID     // zero for a notification, and for an error response to a request that could not be read
	Method string // of a request or notification
	// Params, Result and Error are the members' bytes; nil: there is none. Each is an object. A response has a Result or an
	// Error.
	Params, Result, Error jsontext.Value
	// Batch is shared by the messages of one array; nil: the message was not in an array.
	Batch *Batch
	// LeftOut are names of members that JSON-RPC does not define and that were removed from the message: the first few.
	LeftOut []string

	doc *strictjson.Doc // of Raw
}

// Root returns the whole message as a value, to read other members and to make edits for Edit.
func (m *Message) Root() strictjson.Value { return m.doc.Root() }

// The names of a message's members.
const (
	nameVersion   = "jsonrpc"
	nameID        = "id"
	nameMethod    = "method"
	nameParams    = "params"
	nameResult    = "result"
	nameError     = "error"
	nameArguments = "arguments"
)

// Reasons for which an object is not a message.
var (
	errVersion   = errors.New(`its member "jsonrpc" is not "2.0"`)
	errMixed     = errors.New("it has members of more than one kind of message")
	errKind      = errors.New("it has no method, no result and no error")
	errMethod    = errors.New("its method is not a text, or empty")
	errParams    = errors.New("its params are not an object")
	errResult    = errors.New("its result is not an object")
	errError     = errors.New("its error is not an object with a code, which is an integer, and a message, which is a text")
	errNotObject = errors.New("it is not an object")
	errTwice     = errors.New("a member is there twice, or in another case")
)

// members are the members of a message that JSON-RPC defines.
type members struct {
	version, id, method, params, result, err strictjson.Value
}

// readMembers finds the members of a message. It fails if readers could disagree on one of them.
func readMembers(root strictjson.Value) (f members, err error) {
	for _, m := range []struct {
		name string
		to   *strictjson.Value
	}{
		{nameVersion, &f.version},
		{nameID, &f.id},
		{nameMethod, &f.method},
		{nameParams, &f.params},
		{nameResult, &f.result},
		{nameError, &f.err},
	} {
		if *m.to, err = root.Member(m.name); err != nil {
			return f, errTwice
		}
	}
	return f, nil
}

// parseMessage parses one message. The message takes over raw. An error is a *Refused.
func parseMessage(raw []byte) (*Message, error) {
	raw = trimSpace(raw)
	doc := &strictjson.Doc{}
	if err := doc.Parse(raw); err != nil {
		return nil, refuse(raw, err)
	}
	return readMessage(raw, doc)
}

// readMessage is parseMessage for raw, without white space around it, that was parsed into doc.
func readMessage(raw []byte, doc *strictjson.Doc) (*Message, error) {
	m := &Message{Raw: raw, doc: doc}
	if err := m.read(); err != nil {
		return nil, refuse(raw, err)
	}
	own, err := m.own()
	if err != nil {
		return nil, refuse(raw, err)
	}
	return own, nil
}

// read fills in the message from its document.
func (m *Message) read() error {
	root := m.Root()
	if root.Kind() != strictjson.Object {
		return errNotObject
	}
	f, err := readMembers(root)
	if err != nil {
		return err
	}
	if !f.version.Is("2.0") {
		return errVersion
	}
	isThere := func(v strictjson.Value) bool { return v.Kind() != strictjson.Missing }
	switch {
	case isThere(f.method):
		if isThere(f.result) || isThere(f.err) {
			return errMixed
		}
		return m.readRequest(f)
	case isThere(f.result) && isThere(f.err), isThere(f.params):
		return errMixed
	case isThere(f.result), isThere(f.err):
		return m.readResponse(f)
	}
	return errKind
}

// readRequest fills in a request or notification.
func (m *Message) readRequest(f members) (err error) {
	m.Kind = Notification
	if f.id.Kind() != strictjson.Missing {
		m.Kind = Request
		if m.ID, err = ReadID(f.id); err != nil {
			return err
		}
	}
	var ok bool
	if m.Method, ok = f.method.Text(); !ok || m.Method == "" {
		return errMethod
	}
	switch f.params.Kind() {
	case strictjson.Missing, strictjson.Null:
		return nil
	case strictjson.Object:
		m.Params = f.params.Raw()
		return nil
	}
	return errParams
}

// readResponse fills in a response.
func (m *Message) readResponse(f members) (err error) {
	m.Kind = Response
	if f.err.Kind() == strictjson.Missing {
		if m.ID, err = ReadID(f.id); err != nil {
			return err
		}
		if f.result.Kind() != strictjson.Object {
			return errResult
		}
		m.Result = f.result.Raw()
		return nil
	}
	if k := f.id.Kind(); k != strictjson.Missing && k != strictjson.Null {
		if m.ID, err = ReadID(f.id); err != nil {
			return err
		}
	}
	if _, _, err := readError(f.err); err != nil {
		return err
	}
	m.Error = f.err.Raw()
	return nil
}

// readError returns the code and the message of an error.
func readError(v strictjson.Value) (Code, string, error) {
	code, codeErr := v.Member("code")
	message, messageErr := v.Member("message")
	_, dataErr := v.Member("data")
	if codeErr != nil || messageErr != nil || dataErr != nil {
		return 0, "", errTwice
	}
	n, isInt := code.Int64()
	text, isText := message.Text()
	if !isInt || !isText {
		return 0, "", errError
	}
	return Code(n), text, nil
}

// trimSpace returns text without the white space of JSON around it.
func trimSpace(text []byte) []byte { return bytes.Trim(text, " \t\r\n") }
