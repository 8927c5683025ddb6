// Package loose finds calls in bytes that are in no known format, wherever a reader of files could find them.
package loose

import (
	"errors"

	"github.com/weir-gate/weir/internal/frame"
)

// ErrCall says that some reader finds a call.
var ErrCall = errors.New("some reader finds a call")

// HeadSize is how many bytes of a file are needed to find its possible encodings.
const HeadSize = 4

// A Scout reads a file in the way of several readers at once, and holds the bytes in which one of them may still find a call: never
// more than one incomplete JSON value, and nothing that no reader takes for JSON.
//
// The readers take the file for consecutive JSON values, for records after a mark, for lines (each kind of reader with its own line
// ends), or for server-sent events. Some of them skip what they cannot parse. Some detect that a text is in an encoding with two or
// four bytes per character.
type Scout struct {
	most  int
	views []*view
	held  []byte
	at    int64 // the position of the first held byte
	err   error
}

// New returns a Scout for a file that begins with head, of HeadSize bytes or less if the file has less. It holds at most that many bytes.
func New(head []byte, most int) *Scout {
	s := &Scout{most: most, views: []*view{newView(narrow)}}
	if e := wideOf(head); e != narrow {
		s.views = append(s.views, newView(e))
	}
	return s
}

// Take takes the next bytes of the file, and returns those that may be sent. They are valid until the next call. The error is
// ErrCall, or frame.ErrOversize if too many bytes would have to be held; after an error no more bytes may be sent. What is sent
// before a call does not depend on how the bytes were cut.
func (s *Scout) Take(p []byte) ([]byte, error) {
	if s.err != nil {
		return nil, s.err
	}
	before := make([]*view, len(s.views))
	for i, v := range s.views {
		before[i] = v.clone()
	}
	end := s.at + int64(len(s.held))
	from, found := s.read(p, end)
	if found { // the other readers must not have read beyond the first call
		s.views = before
		n := 0
		for found = false; !found; n++ {
			from, found = s.read(p[n:n+1], end+int64(n))
		}
		p, s.err = p[:n], ErrCall
	}
	s.held = append(s.held, p...)
	out := s.clear(from)
	if s.err == nil && len(s.held) > s.most {
		s.err = frame.ErrOversize
	}
	return out, s.err
}

// read passes bytes to all readers. It returns the position from which on bytes must be held, and whether one of them found a call.
func (s *Scout) read(p []byte, at int64) (from int64, found bool) {
	from = none
	for _, v := range s.views {
		from = min(from, v.read(p, at))
		found = found || v.found()
	}
	return from, found
}

// Held is the number of held bytes.
func (s *Scout) Held() int { return len(s.held) }

// clear returns the held bytes before a position, and no longer holds them.
func (s *Scout) clear(from int64) []byte {
	n := int(min(from-s.at, int64(len(s.held))))
	out := s.held[:n:n]
	s.held = s.held[n:]
	s.at += int64(n)
	return out
}

// End ends the file, and returns the held bytes.
func (s *Scout) End() ([]byte, error) {
	for _, v := range s.views {
		if s.err == nil && v.end() {
			s.err = ErrCall
		}
	}
	if s.err != nil {
		return nil, s.err
	}
	return s.held, nil
}
