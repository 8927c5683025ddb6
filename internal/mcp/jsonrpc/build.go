package jsonrpc

import (
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/internal/strictjson"
)

// weir's own messages are built from weir's own parts. An invalid part is a bug in weir, and the functions below panic.

// NewResponse returns the response to a request. The result is a JSON object.
func NewResponse(id ID, result jsontext.Value) *Message {
	return build(appendID(nil, id), nameResult, result)
}

// NewRequest returns a request. The params, which may be nil, are a JSON object.
func NewRequest(id ID, method string, params jsontext.Value) *Message {
	return build(appendMethod(appendID(nil, id), method), nameParams, params)
}

// NewNotification returns a notification. The params, which may be nil, are a JSON object.
func NewNotification(method string, params jsontext.Value) *Message {
	return build(appendMethod(nil, method), nameParams, params)
}

// NewError returns the error response to a request; with a zero id, to a request whose id is not known. The data, which may be nil,
// are JSON.
func NewError(id ID, code Code, message string, data jsontext.Value) *Message {
	failure := strconv.AppendInt([]byte(`{"code":`), int64(code), 10)
	failure = strictjson.AppendString(append(failure, `,"message":`...), message)
	if data != nil {
		if (&strictjson.Doc{}).Parse(data) != nil {
			panic("jsonrpc: the data of an error are not JSON")
		}
		failure = append(append(failure, `,"data":`...), data...)
	}
	return build(appendID(nil, id), nameError, append(failure, '}'))
}

// build returns a message of members and an object under a name. The object is checked to be one value, because text after it would
// be read as more members. Only params may be nil.
func build(members []byte, name string, object jsontext.Value) *Message {
	text := append([]byte(`{"jsonrpc":"2.0"`), members...)
	var err error
	if object != nil || name != nameParams {
		err = checkObject(object)
		text = append(append(text, `,"`+name+`":`...), object...)
	}
	var m *Message
	if err == nil {
		m, err = parseMessage(append(text, '}'))
	}
	if err != nil {
		panic("jsonrpc: a message cannot be built: " + err.Error())
	}
	return m
}

// checkObject checks that text is one JSON object and nothing else.
func checkObject(text jsontext.Value) error {
	var doc strictjson.Doc
	if err := doc.Parse(text); err != nil {
		return err
	}
	if doc.Root().Kind() != strictjson.Object {
		return strictjson.ErrNotObject
	}
	return nil
}

// appendID appends the member that is the id.
func appendID(b []byte, id ID) []byte { return append(append(b, `,"id":`...), id.String()...) }

// appendMethod appends the member that is the method.
func appendMethod(b []byte, method string) []byte {
	return strictjson.AppendString(append(b, `,"method":`...), method)
}
