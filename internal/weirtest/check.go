package weirtest

import (
	"errors"
	"fmt"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
)

// messageOf is the message in a body, streamed or whole. It is nil if the body is an error, or no message at all.
func messageOf(body []byte, f form) (jsontext.Value, error) {
	if f == stream {
		m, err := fold(body)
		if errors.Is(err, errErrorEvent) {
			return nil, nil
		}
		return m, err
	}
	var m object
	if json.Unmarshal(body, &m, lenient) != nil || text(m["type"]) != "message" {
		return nil, nil
	}
	return body, nil
}

// acceptable checks what no accumulator does but agents and the API do: content, and a stop reason that is true.
func acceptable(message jsontext.Value) error {
	var m struct {
		StopReason string `json:"stop_reason"`
		Content    []struct {
			Type string `json:"type"`
		} `json:"content"`
	}
	if err := json.Unmarshal(message, &m, lenient); err != nil {
		return fmt.Errorf("the message: %w", err)
	}
	if len(m.Content) == 0 {
		return errors.New("the message has no content, and the API would not take it back")
	}
	if m.StopReason != "tool_use" {
		return nil
	}
	for _, b := range m.Content {
		switch {
		case b.Type == "text", strings.HasSuffix(b.Type, "thinking"), strings.HasSuffix(b.Type, "_result"):
		default:
			return nil
		}
	}
	return errors.New("the stop reason is tool_use, and there is no call")
}

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
func difference(a, b jsontext.Value) string {
	var x, y any
	err := errors.Join(json.Unmarshal(a, &x, lenient, asWritten), json.Unmarshal(b, &y, lenient, asWritten))
	if err != nil {
		return err.Error()
	}
	return cmp.Diff(x, y)
}
