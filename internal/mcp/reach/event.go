package reach

import (
	"bytes"
	"errors"
	"io"
	"strconv"
	"time"

	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/mcp/streamable"
)

// maxRetry is the longest time that a server can make weir wait before it resumes a stream.
const maxRetry = 30 * time.Second

// Reasons for which a stream of events ends early. The system's own errors are not used: they may have bytes of the server in them.
var (
	errBroken   = errors.New("the stream broke off")
	errTooLarge = errors.New("an event is larger than the bound")
)

// An event is a server-sent event.
type event struct {
	name string // "": it has no name, and so is a message
	data []byte // empty: it has no message, but perhaps an id
}

// isMessage reports whether the event has a message.
func (e event) isMessage() bool {
	return (e.name == "" || e.name == "message") && len(e.data) > 0
}

// events reads a stream of events.
type events struct {
	frames *frame.SSE
	// lastID is the id of the last event with an id; "": the stream cannot be resumed.
	lastID string
	// retry is how long the server wants weir to wait before it resumes the stream; 0: not given.
	retry time.Duration
}

// newEvents returns events that reads src. limit is the largest size of an event in bytes.
func newEvents(src io.Reader, limit int) *events {
	return &events{frames: frame.NewSSE(src, limit)}
}

// next returns the next event, which shares no memory with the reader. The error is io.EOF, errBroken or errTooLarge.
func (s *events) next() (event, error) {
	f, err := s.frames.Next()
	switch {
	case errors.Is(err, frame.ErrOversize):
		return event{}, errTooLarge
	case err == io.EOF: // only io.EOF itself is a clean end
		return event{}, io.EOF
	case err != nil, f.Cut:
		// An event that was cut off does not count: half a message could be read as a whole one.
		return event{}, errBroken
	}
	s.note(f.Raw)
	return event{name: string(f.Type), data: bytes.Clone(f.Data)}, nil
}

// note reads the id and the retry time in the lines of an event.
func (s *events) note(raw []byte) {
	for field, value := range streamable.Fields(raw) {
		switch field {
		case "id":
			s.noteID(value)
		case "retry":
			if ms, err := strconv.ParseUint(value, 10, 32); err == nil {
				s.retry = min(time.Duration(ms)*time.Millisecond, maxRetry)
			}
		}
	}
}

// noteID notes an event's id. After an id that a header cannot hold, the stream cannot be resumed.
func (s *events) noteID(id string) {
	s.lastID = ""
	if len(id) <= streamable.MaxEventID && streamable.IsVisible(id) {
		s.lastID = id
	}
}
