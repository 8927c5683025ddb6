package frame

import "bytes"

// A Shape is what a body looks like from its first bytes, whatever its headers say.
type Shape uint8

// The shapes that bodies have.
const (
	Undecided     Shape = iota // more bytes are needed
	EventStream                // server-sent events
	JSON                       // an object or an array
	Unknown                    // none of these
	MessageStream              // messages as Messages reads them
)

// Sniff tells from the first bytes of a body what it is. U+FEFF and white space ahead of text do not count. A body that
// ends while Undecided has no shape.
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

// longestMessage is what no message is longer than: clients have bounds of their own below it.
const longestMessage = 1<<25 - 1

// sniffMessage tells whether a body that begins with a byte that no text begins with begins with a message.
func sniffMessage(prefix []byte) Shape {
	switch {
	case len(prefix) < preludeSize:
		return Undecided
	case preludeHolds(prefix):
		return MessageStream
	}
	return Unknown
}
