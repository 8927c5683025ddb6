package jsonrpc

import (
	"fmt"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/internal/strictjson"
)

// Answer returns the response to a request. It fails if result is not a JSON object, or there is no id.
func Answer(id ID, result jsontext.Value) (*Message, error) {
	return build("build answer", result, func(b []byte) []byte {
		return append(append(appendID(b, id), `,"result":`...), result...)
	})
}

// Ask returns a request of weir's own. It fails if params, which may be nil, are not a JSON object, or there is no id.
func Ask(id ID, method string, params jsontext.Value) (*Message, error) {
	return build("build request", orEmpty(params), func(b []byte) []byte {
		return appendCall(appendID(b, id), method, params)
	})
}

// Notify returns a notification of weir's own. It fails if params, which may be nil, are not a JSON object.
func Notify(method string, params jsontext.Value) (*Message, error) {
	return build("build notification", orEmpty(params), func(b []byte) []byte {
		return appendCall(b, method, params)
	})
}

// Fail returns the error response to a request; to one whose id is not known, if there is no id. The data, which may be nil,
// are weir's own: Fail panics if they are not JSON.
func Fail(id ID, code Code, message string, data jsontext.Value) *Message {
	failure := strconv.AppendInt([]byte(`{"code":`), int64(code), 10)
	failure = strictjson.AppendString(append(failure, `,"message":`...), message)
	if data != nil {
		if (&strictjson.Doc{}).Parse(data) != nil {
			panic("jsonrpc: the data of an error are not JSON")
		}
		failure = append(append(failure, `,"data":`...), data...)
	}
	failure = append(failure, '}')
	m, err := build("build error", failure, func(b []byte) []byte {
		return append(append(appendID(b, id), `,"error":`...), failure...)
	})
	if err != nil {
		panic("jsonrpc: an error cannot be built: " + err.Error())
	}
	return m
}

// build returns the message of which members appends what follows the version. The object is what it carries: more than one value
// would be further members.
func build(step string, object jsontext.Value, members func([]byte) []byte) (*Message, error) {
	if err := checkObject(object); err != nil {
		return nil, fmt.Errorf("%s: %w", step, err)
	}
	m, err := parseMessage(append(members([]byte(`{"jsonrpc":"2.0"`)), '}'))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", step, err)
	}
	return m, nil
}

// orEmpty returns an object without members if there is none.
func orEmpty(object jsontext.Value) jsontext.Value {
	if object == nil {
		return jsontext.Value(`{}`)
	}
	return object
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

// appendCall appends the members that are a method and its params.
func appendCall(b []byte, method string, params jsontext.Value) []byte {
	b = strictjson.AppendString(append(b, `,"method":`...), method)
	if params != nil {
		b = append(append(b, `,"params":`...), params...)
	}
	return b
}
