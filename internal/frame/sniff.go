package frame

import "bytes"

// A Shape is the kind of a body according to its first bytes, whatever its headers say.
type Shape uint8

// The shapes that bodies have.
const (
	Undecided     Shape = iota // more bytes are needed
	EventStream                // server-sent events
	JSON                       // an object or an array
	Unknown                    // none of these
	MessageStream              // binary messages: see Messages
)

// Sniff finds the shape of a body from its first bytes. U+FEFF and white space before text do not count. A body that ends while
// Undecided has no shape.
func Sniff(prefix []byte) Shape {
	if len(prefix) > 0 && prefix[0] <= longestMessage>>24 {
		return sniffMessage(prefix)
	}
	rest := bytes.TrimPrefix(prefix, bom)
	rest = bytes.TrimLeft(rest, " \t\r\n")
	if len(rest) == 0 || len(prefix) < len(bom) && bytes.HasPrefix(bom, prefix) {
		return Undecided
	}
	switch rest[0] {
	case '{', '[':
		return JSON
	case ':':
		return EventStream
	}
	end := bytes.IndexAny(rest, ":\r\n")
	for _, field := range []string{"data", "event", "id", "retry"} {
		if end >= 0 && string(rest[:end]) == field {
			return EventStream
		}
		if end < 0 && len(rest) <= len(field) && string(rest) == field[:len(rest)] {
			return Undecided
		}
	}
	return Unknown
}

// longestMessage is longer than any message: the bounds of clients are lower.
const longestMessage = 1<<25 - 1

// sniffMessage says whether a body begins with a message. Its first byte is one with which no text begins.
func sniffMessage(prefix []byte) Shape {
	switch {
	case len(prefix) < preludeSize:
		return Undecided
	case preludeHolds(prefix):
		return MessageStream
	}
	return Unknown
}
