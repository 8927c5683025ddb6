package frame

import (
	"io"

	"github.com/weir-gate/weir/internal/intake/budget"
)

// A Charged stream pays for the memory that it holds.
type Charged interface {
	Stream
	// Charge makes the stream take its memory from a share. If there is no room, Next returns the share's error.
	Charge(s *budget.Share)
}

// Open cuts src into frames of at most maxFrame bytes. release must be called when none of them is needed any more.
func Open(src io.Reader, framing Framing, maxFrame int) (s Charged, release func()) {
	switch framing {
	case Whole:
		return NewBody(src, maxFrame), func() {}
	case Elements:
		a := NewArray(src, maxFrame)
		return a, a.Release
	case Rows:
		l := NewLines(src, maxFrame)
		return l, l.Release
	case Binary, Chunks:
		m := NewMessages(src, framing, maxFrame)
		return m, m.Release
	}
	e := NewSSE(src, maxFrame)
	return e, e.Release
}

// ContentType returns the content type of a body of a framing.
func (f Framing) ContentType() string {
	switch f {
	case Events:
		return "text/event-stream"
	case Rows:
		return "application/x-ndjson"
	case Binary, Chunks:
		return "application/vnd.amazon.eventstream"
	}
	return "application/json"
}
