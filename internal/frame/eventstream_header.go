package frame

import (
	"bytes"
	"encoding/binary"
	"mime"
	"unicode/utf8"
)

// The headers that the framing uses.
const (
	messageType = iota
	eventType
	contentType
	exceptionType
	errorCode
	errorMessage
	headerCount
)

var headerNames = [headerCount]string{
	":message-type", ":event-type", ":content-type", ":exception-type", ":error-code", ":error-message",
}

// maxType is how long the type of a message may be.
const maxType = 255

// jsonType is the content type of every payload.
var jsonType = []byte("application/json")

// The types of header values, and their sizes in bytes; -1: the value itself begins with its size.
const (
	bytesValue  = 6
	stringValue = 7
)

var valueSizes = [...]int{0: 0, 1: 0, 2: 1, 3: 2, 4: 4, 5: 8, bytesValue: -1, stringValue: -1, 8: 8, 9: 16}

// headers are the parsed headers of a message.
type headers struct {
	values [headerCount][]byte // nil: missing
	// odd says that there are other headers, or that these are not written the way the service writes them.
	odd bool
}

// readHeaders parses the headers of a message.
func readHeaders(b []byte) (headers, error) {
	var h headers
	for len(b) > 0 {
		name, rest, ok := cutPrefixed(b, 1)
		if !ok || len(name) == 0 || len(rest) == 0 {
			return h, corrupt("a header is not whole")
		}
		typ := rest[0]
		value, rest, ok := cutValue(typ, rest[1:])
		if !ok {
			return h, corrupt("the value of a header is not whole, or of no known type")
		}
		if err := h.add(name, typ, value); err != nil {
			return h, err
		}
		b = rest
	}
	return h, h.checkContent()
}

// add adds one header.
func (h *headers) add(name []byte, typ byte, value []byte) error {
	for i, known := range headerNames {
		switch {
		case !bytes.EqualFold(name, []byte(known)):
			continue
		case string(name) != known || h.values[i] != nil:
			return corrupt("a header is given twice or in another case")
		case typ != stringValue || !utf8.Valid(value):
			return corrupt("a header of the framing is not a string")
		}
		h.values[i] = value
		return nil
	}
	h.odd = true
	return nil
}

// checkContent checks that the payload is JSON according to the headers.
func (h *headers) checkContent() error {
	switch value := h.values[contentType]; {
	case value == nil, bytes.Equal(value, jsonType):
		return nil
	default:
		h.odd = true
		if typ, _, err := mime.ParseMediaType(string(value)); err != nil || typ != string(jsonType) {
			return corrupt("a payload is not JSON")
		}
	}
	return nil
}

// has says whether the message has exactly these headers, written the way the service writes them.
func (h *headers) has(want ...int) bool {
	n := 0
	for _, v := range h.values {
		if v != nil {
			n++
		}
	}
	for _, i := range want {
		if h.values[i] == nil {
			return false
		}
	}
	return n == len(want) && !h.odd
}

// cutPrefixed cuts a value with a length of size bytes in front from the beginning of b. If it is ok, the value is never nil.
func cutPrefixed(b []byte, size int) (value, rest []byte, ok bool) {
	if len(b) < size {
		return nil, nil, false
	}
	n := int(b[0])
	if size == 2 {
		n = int(binary.BigEndian.Uint16(b))
	}
	if b = b[size:]; len(b) < n {
		return nil, nil, false
	}
	return b[:n:n], b[n:], true
}

// cutValue cuts the value of a header from the bytes after its type.
func cutValue(typ byte, b []byte) (value, rest []byte, ok bool) {
	if int(typ) >= len(valueSizes) {
		return nil, nil, false
	}
	n := valueSizes[typ]
	if n < 0 {
		return cutPrefixed(b, 2)
	}
	if len(b) < n {
		return nil, nil, false
	}
	return b[:n:n], b[n:], true
}

// appendHeader appends a header with a string value.
func appendHeader(dst []byte, name string, value []byte) []byte {
	dst = append(dst, byte(len(name)))
	dst = append(dst, name...)
	dst = append(dst, stringValue)
	dst = binary.BigEndian.AppendUint16(dst, uint16(len(value)))
	return append(dst, value...)
}
