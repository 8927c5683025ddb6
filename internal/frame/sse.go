package frame

import (
	"bytes"
	"io"
)

// An SSE reads server-sent events by the WHATWG rules. Where some clients are more lenient, it does what the most lenient client
// does: U+FEFF is stripped from the start of every line, so that a line of nothing else is blank, and an event that the end of the
// stream cut off is returned, marked Cut.
//
// Every byte of the source is in the Raw of exactly one frame. The frames do not depend on how the bytes arrive.
//
// A frame is plain if it is one event in the form that every client parses alike: at most one "event: NAME" line with a name of
// visible ASCII, then exactly one "data: VALUE" line that is not empty, then the blank line, all ended by LF or all by CRLF, like
// the stream's first line. Its text is valid UTF-8 without control characters, without U+FEFF at the start of a line or value, and
// without U+0085, U+2028 and U+2029, at which some clients split lines. Blank lines alone and blocks of only comments are plain
// under the same rules; their Data is empty.
type SSE struct {
	window // offsets in cursor and block count from its start
	cursor lineCursor
	block  block
	style  lineEnd // how the stream's first line ended
	// split says that the last frame ended with a CR. If its LF follows, it is at the start of the window.
	split bool
}

// NewSSE returns an SSE that reads src and refuses frames of more than maxFrame bytes. 0 means 16 MiB.
func NewSSE(src io.Reader, maxFrame int) *SSE { return &SSE{window: newWindow(src, maxFrame)} }

// Next returns the next event or comment block. It reads from the source only if the window has no complete one.
func (s *SSE) Next() (Frame, error) {
	if s.err != nil {
		return Frame{}, s.err
	}
	if s.start == s.end && s.srcErr == nil {
		s.fill()
	}
	if f, ok := quickFrame(s.buf[s.start:s.end], s.style); ok && len(f.Raw) <= s.max {
		s.forget(len(f.Raw))
		return f, nil
	}
	s.block.reset()
	for {
		f, ok := s.scan()
		if err := s.setAside(cap(s.block.joined)); err != nil {
			return Frame{}, s.fail(err)
		}
		switch {
		case len(f.Raw) > s.max || !ok && s.end-s.start > s.max:
			return Frame{}, s.fail(ErrOversize)
		case ok:
			return f, nil
		case s.srcErr == nil:
			s.fill()
		case s.atEnd() && s.start < s.end:
			return s.remainder(), nil
		default:
			return Frame{}, s.fail(s.srcErr)
		}
	}
}

// scan continues with the current block and returns its frame if the window has its end.
func (s *SSE) scan() (Frame, bool) {
	w := s.buf[s.start:s.end]
	if s.split && len(w) > 0 {
		s.split = false
		if w[0] == '\n' {
			s.cursor.pos = 1
		}
	}
	for {
		from := s.cursor.pos
		to, end := s.cursor.next(w, s.atEnd())
		text := bytes.TrimPrefix(w[from:to], bom)
		if s.style == endCR && len(text) == 0 && to < len(w) && w[to] == '\r' {
			// In a stream of lone CRs, waiting to see whether an LF follows would delay every event until the next. So a CR always ends the
			// frame at once, and an LF after it belongs to the next frame.
			end, s.split = endCR, true
		}
		if end == noEnd {
			return Frame{}, false
		}
		if s.style == noEnd {
			s.style = end
		}
		s.block.odd = s.block.odd || end != s.style || end == endCR || len(text) < to-from
		s.cursor.pos = to + end.size()
		if len(text) == 0 {
			return s.cutFrame(s.cursor.pos), true
		}
		s.block.add(w, to-len(text), to)
	}
}

// cutFrame takes the block's frame, of n bytes, from the window.
func (s *SSE) cutFrame(n int) Frame {
	f := s.block.frame(s.buf[s.start : s.start+n : s.start+n])
	s.forget(n)
	return f
}

// forget moves the window past a frame of n bytes.
func (s *SSE) forget(n int) {
	s.start += n
	s.cursor.forget(n)
}

// remainder returns what is left at a clean end of the source: bytes that no blank line ended.
func (s *SSE) remainder() Frame {
	w := s.buf[s.start:s.end]
	text := bytes.TrimPrefix(w[s.cursor.pos:], bom)
	if len(text) > 0 {
		s.block.add(w, len(w)-len(text), len(w))
	}
	// The rest may be only the second half of the last frame's line end. Then nothing was cut.
	cut := s.cursor.pos < len(w) || s.block.lines > 0
	s.block.odd = true
	f := s.cutFrame(len(w))
	f.Cut = cut
	return f
}

// AppendEnd appends nothing: each event has its own end.
func (s *SSE) AppendEnd(dst []byte) []byte { return dst }

// Append appends f: Raw if it is plain; nothing if it has no data; else one event line, if there is a name that every client parses
// alike, one data line and a blank line. They end like the stream's first line, or with LF if that ended with a lone CR. Data must
// be JSON or have no line ends: in JSON, line ends and separators are written so that its meaning stays.
func (s *SSE) Append(dst []byte, f Frame) []byte {
	if f.Plain {
		return append(dst, f.Raw...)
	}
	if len(f.Data) == 0 {
		return dst
	}
	end := "\n"
	if s.style == endCRLF {
		end = "\r\n"
	}
	if isName(f.Type) {
		dst = append(dst, "event: "...)
		dst = append(dst, f.Type...)
		dst = append(dst, end...)
	}
	dst = append(dst, "data: "...)
	dst = appendLine(dst, f.Data)
	dst = append(dst, end...)
	return append(dst, end...)
}
