package frame

import (
	"bytes"
	"encoding/base64"
	"slices"

	"github.com/weir-gate/weir/internal/strictjson"
)

// chunkType is the name of events with a wrapped payload.
var chunkType = []byte("chunk")

// unwrap returns the frame whose payload is in a chunk. Other events are not plain: they are wrapped when they are sent, so that
// all clients see the same.
func (m *Messages) unwrap(f Frame) (Frame, error) {
	if !bytes.Equal(f.Type, chunkType) {
		f.Plain = false
		return f, nil
	}
	f.Type = nil
	if m.doc.Parse(f.Data) != nil || m.doc.Root().Kind() != strictjson.Object {
		return Frame{}, corrupt("a chunk is not a JSON object")
	}
	wrapped, err := m.doc.Root().Member("bytes")
	if err != nil {
		return Frame{}, corrupt("the bytes of a chunk are given twice or in another case")
	}
	switch wrapped.Kind() {
	case strictjson.Missing, strictjson.Null:
		f.Data, f.Plain = nil, false
		return f, nil
	case strictjson.String:
	default:
		return Frame{}, corrupt("the bytes of a chunk are not a string")
	}
	if cap(m.text) > readSize {
		m.text, m.data = nil, nil // memory that grew for a large chunk is released
	}
	m.text = wrapped.AppendText(m.text[:0])
	if f.Data, err = m.decode(); err != nil {
		return Frame{}, err
	}
	escaped := bytes.IndexByte(wrapped.Raw(), '\\') >= 0
	f.Plain = f.Plain && !escaped && len(f.Data) > 0 && onlyPadded(m.doc.Root())
	return f, nil
}

// decode decodes the base64 text.
func (m *Messages) decode() ([]byte, error) {
	strict := base64.StdEncoding.Strict()
	m.data = slices.Grow(m.data[:0], strict.DecodedLen(len(m.text)))
	n, err := strict.Decode(m.data[:cap(m.data)], m.text)
	// The decoder accepts line ends; some clients do not.
	if err != nil || bytes.ContainsAny(m.text, "\r\n") {
		return nil, corrupt("the bytes of a chunk are not base64")
	}
	return m.data[:n:n], nil
}

// onlyPadded says whether a chunk has only its bytes and padding.
func onlyPadded(chunk strictjson.Value) bool {
	for name := range chunk.Members() {
		if !name.Is("bytes") && !name.Is("p") {
			return false
		}
	}
	return true
}

// appendChunk appends the payload of a chunk.
func appendChunk(dst, data []byte) []byte {
	dst = append(dst, `{"bytes":"`...)
	dst = base64.StdEncoding.AppendEncode(dst, data)
	return append(dst, `"}`...)
}
