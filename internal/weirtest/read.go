package weirtest

import "github.com/go-json-experiment/json/jsontext"

// Read makes one message of an answer in the canonical framing, as the clients of its API do. It fails where one of them
// would stumble, or where the API would not take the message back. kind is how the answer is cut: sse, array, ndjson, aws,
// or json for a whole one. The message is nil if the answer is an error, or in no format that is known.
func Read(answer []byte, kind string) (jsontext.Value, error) {
	m, err := messageOf(answer, form(kind))
	if err != nil || m == nil {
		return nil, err
	}
	return m.text, m.wire.acceptable(m.text)
}

// Difference compares two messages by what they mean; "": they are the same.
func Difference(a, b jsontext.Value) string { return difference(a, b) }
