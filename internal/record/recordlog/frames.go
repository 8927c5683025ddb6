package recordlog

import (
	"errors"
	"fmt"
	"io"
)

// frames are those of a segment that is open.
type frames struct {
	content
	id   instance
	base Position
}

// offset is where a position is in the segment.
func (s *frames) offset(at Position) int64 { return headerSize + at - s.base }

// header reads the header of the segment. A segment that was never written has none: the error is io.EOF then.
func (s *frames) header() error {
	b, err := s.read(0, int(headerSize))
	if err != nil {
		return err
	}
	id, base, err := readHeader(b)
	switch {
	case err == nil && base != s.base:
		err = errors.New("its header is that of another segment")
	case errors.Is(err, errNoHeader) && isZero(b):
		return io.EOF
	}
	if s.id = id; errors.Is(err, errNewer) {
		return fmt.Errorf("record log: %s: %w", s.path(), err)
	}
	if err != nil {
		return s.damaged(s.base, s.base, err.Error(), 0)
	}
	return nil
}

func (s *frames) damaged(from, to Position, what string, offset int64) *Damage {
	return &Damage{File: s.path(), Offset: offset, What: what, From: from, To: to}
}

// frame reads the frame at a position; ok is false if there is none that is as it was written, and ends before a limit; -1: none.
func (s *frames) frame(at, limit Position) (f frame, ok bool, err error) {
	head, err := s.read(s.offset(at), frameHead)
	if err != nil || len(head) < frameHead {
		return frame{}, false, err
	}
	n, ok := bodyLength(head)
	if !ok || limit >= 0 && at+frameHead+Position(n) > limit {
		return frame{}, false, nil
	}
	whole, err := s.read(s.offset(at), frameHead+n)
	if err != nil || len(whole) < frameHead+n {
		return frame{}, false, err
	}
	f, ok = parseFrame(whole, &s.id, at)
	return f, ok, nil
}

// A finished segment is one that another follows. All of it was durable, up to where the next one begins.
type finished struct {
	frames
	at, ends Position
}

// next reads the frame at the position where the last one ended. It returns io.EOF after the last. After damage, it goes on with the next
// frame that is as it was written.
func (s *finished) next() (Logged, error) {
	if s.at >= s.ends {
		return Logged{}, io.EOF
	}
	f, ok, err := s.frame(s.at, s.ends)
	if err == nil && ok && f.kind != kindEnd {
		s.at += f.size()
		return f.logged(), nil
	}
	var bad *badBlock
	if err != nil && !errors.As(err, &bad) {
		return Logged{}, err
	}
	from := s.at
	if err := s.search(bad); err != nil {
		return Logged{}, err
	}
	what := "a frame is damaged"
	if bad != nil {
		what = bad.Error()
	} else if b, err := s.read(s.offset(from), 1); err == nil && len(b) == 0 {
		what = "the segment ends here, and the next one begins later"
	}
	return Logged{}, s.damaged(from, s.at, what, s.offset(from))
}

// search moves to the next frame that is as it was written, or to the end of the segment.
func (s *finished) search(bad *badBlock) error {
	for {
		if s.at++; bad != nil {
			s.at = s.base + bad.block.Ends() - headerSize
			bad = nil
		}
		if s.at >= s.ends {
			s.at = s.ends
			return nil
		}
		f, ok, err := s.frame(s.at, s.ends)
		if errors.As(err, &bad) {
			continue
		}
		if err != nil || ok && f.kind != kindEnd {
			return err
		}
		if b, err := s.read(s.offset(s.at), 1); err == nil && len(b) == 0 {
			s.at = s.ends - 1 // the file ends here
		}
	}
}
