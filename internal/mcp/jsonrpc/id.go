package jsonrpc

import (
	"errors"
	"strconv"

	"github.com/weir-gate/weir/internal/strictjson"
)

const (
	// maxSafeInteger is the largest integer that a double represents exactly: clients in JavaScript would send a larger one back as
	// another number.
	maxSafeInteger = 1<<53 - 1
	// maxIDLength is the largest length of an id in bytes. Ids are held while their requests are open.
	maxIDLength = 1024
)

// Reasons for which a value is not an id.
var (
	errNullID   = errors.New("its id is null, which is a notification to some readers and an error to others")
	errIDNumber = errors.New("its id is a number that readers print in different ways: " +
		"only integers within 53 bits, without fraction or exponent")
	errIDKind    = errors.New("its id is neither a text nor a number")
	errIDText    = errors.New("its id has half a surrogate pair, which is no text")
	errIDTooLong = errors.New("its id is longer than 1024 bytes")
	errNoID      = errors.New("it is a response without an id")
)

// An ID identifies a request of one side. Two IDs are == if and only if they are the same id: 1 and "1" are different, "a" and
// "\u0061" are the same. The zero ID means no id.
type ID struct {
	text string // the id as JSON, in the form that this package writes
}

// IntID returns an integer id. It is for ids that weir makes; n is within 53 bits.
func IntID(n int64) ID { return ID{strconv.FormatInt(n, 10)} }

// TextID returns a text id. It is for ids that weir makes; s is valid UTF-8.
func TextID(s string) ID { return ID{string(strictjson.AppendString(nil, s))} }

// ReadID returns v as an id: the id of a request, or of the request that a notification is about.
func ReadID(v strictjson.Value) (ID, error) {
	switch v.Kind() {
	case strictjson.Missing:
		return ID{}, errNoID
	case strictjson.Null:
		return ID{}, errNullID
	case strictjson.Number:
		n, ok := v.Int64()
		if !ok || n < -maxSafeInteger || n > maxSafeInteger || n == 0 && len(v.Raw()) > 1 {
			return ID{}, errIDNumber
		}
		return IntID(n), nil
	case strictjson.String:
		text, ok := v.Text()
		if !ok {
			return ID{}, errIDText
		}
		if len(text) > maxIDLength {
			return ID{}, errIDTooLong
		}
		return TextID(text), nil
	}
	return ID{}, errIDKind
}

// IsZero reports whether there is no id.
func (id ID) IsZero() bool { return id.text == "" }

// String returns the id as JSON: a number, a text in quotes, or null if there is none.
func (id ID) String() string {
	if id.IsZero() {
		return "null"
	}
	return id.text
}
