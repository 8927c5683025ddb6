package fold

import (
	"errors"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
)

// asWritten keeps numbers as they are written: some are too large for every type of Go.
var asWritten = json.WithUnmarshalers(json.UnmarshalFromFunc(func(d *jsontext.Decoder, v *any) error {
	if d.PeekKind() != '0' {
		return errors.ErrUnsupported
	}
	number, err := d.ReadValue()
	*v = number.Clone()
	return err
}))

// difference compares two messages by what they mean.
func Difference(a, b jsontext.Value) string {
	var x, y any
	err := errors.Join(json.Unmarshal(a, &x, lenient, asWritten), json.Unmarshal(b, &y, lenient, asWritten))
	if err != nil {
		return err.Error()
	}
	return cmp.Diff(x, y)
}
