package reach

import (
	"bytes"
	"errors"
	"io"
	"strconv"
	"time"

	"github.com/weir-gate/weir/internal/frame"
)

const (
	// maxEventID is the largest length of an event's id, which is sent back to the server in a header.
	maxEventID = 1024
	// maxRetry is the longest time that a server can make weir wait before it resumes a stream.
	maxRetry = 30 * time.Second
)

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
	for len(raw) > 0 {
		end := bytes.IndexAny(raw, "\r\n")
		line := raw
		if end >= 0 {
			line, raw = raw[:end], raw[end+1:]
		} else {
			raw = nil
		}
		field, value, _ := bytes.Cut(bytes.TrimPrefix(line, []byte("\ufeff")), []byte{':'})
		value = bytes.TrimPrefix(value, []byte{' '})
		switch string(field) {
		case "id":
			s.noteID(value)
		case "retry":
			if ms, err := strconv.ParseUint(string(value), 10, 32); err == nil {
				s.retry = min(time.Duration(ms)*time.Millisecond, maxRetry)
			}
		}
	}
}

// noteID notes an event's id. After an id that a header cannot hold, the stream cannot be resumed.
func (s *events) noteID(id []byte) {
	s.lastID = ""
	if len(id) <= maxEventID && isVisible(id) {
		s.lastID = string(id)
	}
}

// isVisible reports whether text is visible ASCII; blanks are allowed inside.
func isVisible[T ~string | ~[]byte](text T) bool {
	for i := range len(text) {
		c := text[i]
		if c > '~' || c < ' ' || c == ' ' && (i == 0 || i == len(text)-1) {
			return false
		}
	}
	return true
}
