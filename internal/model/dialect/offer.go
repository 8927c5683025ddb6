package dialect

import (
	"bytes"
	"errors"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/internal/strictjson"
)

// Reasons for which the tools of a request cannot be read, with texts for the client.
var (
	ErrNotStrict   = errors.New("the request is not strict JSON")
	ErrBounds      = errors.New("the request has more values, or nests deeper, than weir's bound")
	ErrTwoReadings = errors.New("the tools of the request can be read in more than one way")
	ErrUnreadable  = errors.New("the request has a tool that is not an object, or has no name")
)

// ParseRequest parses the body of a request. It returns a missing Value if the body is empty or not an object: then it has no
// tools.
func ParseRequest(doc *strictjson.Doc, body []byte) (strictjson.Value, error) {
	if len(bytes.Trim(body, " \t\r\n")) == 0 {
		return strictjson.Value{}, nil
	}
	switch err := doc.Parse(body); {
	case errors.Is(err, strictjson.ErrBounds):
		return strictjson.Value{}, ErrBounds
	case err != nil:
		return strictjson.Value{}, ErrNotStrict
	}
	if doc.Root().Kind() != strictjson.Object {
		return strictjson.Value{}, nil
	}
	return doc.Root(), nil
}

// Declared returns what a member of a request declares, as one object without secrets. A value that is not an object becomes the
// only member of one, under the member's name.
func Declared(member string, v strictjson.Value) jsontext.Value {
	if v.Kind() == strictjson.Object {
		return WithoutSecrets(v)
	}
	var doc strictjson.Doc
	if doc.Parse([]byte(`{`+Quote(member)+`:`+string(v.Raw())+`}`)) != nil {
		return jsontext.Value(`{}`)
	}
	return WithoutSecrets(doc.Root())
}
