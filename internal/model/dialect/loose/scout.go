// Package loose finds calls in bytes that are in no format, wherever a reader of files could find one.
package loose

import (
	"errors"

	"github.com/weir-gate/weir/internal/frame"
)

// ErrCall says that some reader finds a call.
var ErrCall = errors.New("some reader finds a call")

// HeadSize is how many bytes of a file tell in which encodings it may be read.
const HeadSize = 4

// A Scout reads a file as different readers do at once, and holds back what one of them may still find a call in: never more than
// one JSON value that is not complete, and nothing of what begins in no reader's eyes as JSON.
//
// The readers are those that take the file for JSON values in a row, for records behind a mark, for lines (each kind of reader
// with its own idea of where a line ends) and for server-sent events. Some of them skip what they cannot read. Some find out by
// themselves that a text is in an encoding with two or four bytes for a character.
type Scout struct {
	most  int
	views []*view
	held  []byte
	at    int64 // of the first byte that is held
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

// Take takes the next bytes of the file, and returns those that may go out. They are valid until the next call. The error is
// ErrCall, or frame.ErrOversize if more would have to be held than may be; no other bytes may go out after one. What goes out ahead of
// a call does not depend on how the bytes were cut.
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
	if found { // where that was first so, the others had not read on
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

// read has all readers read on. It returns from where on bytes must be held, and whether one of them found a call.
func (s *Scout) read(p []byte, at int64) (from int64, found bool) {
	from = none
	for _, v := range s.views {
		from = min(from, v.read(p, at))
		found = found || v.found()
	}
	return from, found
}

// Held is how many bytes are held back.
func (s *Scout) Held() int { return len(s.held) }

// clear lets go what stands ahead of a place.
func (s *Scout) clear(from int64) []byte {
	n := int(min(from-s.at, int64(len(s.held))))
	out := s.held[:n:n]
	s.held = s.held[n:]
	s.at += int64(n)
	return out
}

// End says that the file is over, and returns what is left of it.
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
