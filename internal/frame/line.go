package frame

import "bytes"

// A lineEnd is what ends a line.
type lineEnd uint8

const (
	noEnd lineEnd = iota // the line is not known to have ended
	endLF
	endCRLF
	endCR // a CR without LF
)

// plainEnds are the bytes of the line ends that plain frames have.
var plainEnds = [...][]byte{endLF: []byte("\n"), endCRLF: []byte("\r\n"), endCR: nil}

// size is the number of bytes of e.
func (e lineEnd) size() int {
	switch e {
	case endLF, endCR:
		return 1
	case endCRLF:
		return 2
	default:
		return 0
	}
}

// A lineCursor walks the lines of a window of bytes that grows at its end and, when a frame is done, moves ahead at its
// start. It looks at every byte once for LF and once for CR, however the bytes arrive.
//
// All fields are offsets into the window. lf and cr are either behind pos and stale, or the first LF and CR from pos
// on, or the end of what has been searched without finding one.
type lineCursor struct {
	pos    int // where the current line begins
	lf, cr int
}

// next returns where the text of the current line ends and what ends it. It does not move on.
//
// A CR that is the last byte may be half a CRLF: it ends a line only if last says that no more bytes come.
func (c *lineCursor) next(w []byte, last bool) (textEnd int, end lineEnd) {
	c.lf = indexFrom(w, max(c.lf, c.pos), '\n')
	c.cr = indexFrom(w, max(c.cr, c.pos), '\r')
	switch {
	case c.cr < c.lf && c.cr+1 < len(w):
		if c.cr+1 == c.lf {
			return c.cr, endCRLF
		}
		return c.cr, endCR
	case c.cr < c.lf:
		if last {
			return c.cr, endCR
		}
		return c.cr, noEnd
	case c.lf < len(w):
		return c.lf, endLF
	default:
		return len(w), noEnd
	}
}

// forget moves the start of the window n bytes ahead, to where a line begins.
func (c *lineCursor) forget(n int) {
	c.pos, c.lf, c.cr = 0, c.lf-n, c.cr-n
}

// indexFrom returns the index of the first b in w from i on, and len(w) if there is none.
func indexFrom(w []byte, i int, b byte) int {
	if n := bytes.IndexByte(w[i:], b); n >= 0 {
		return i + n
	}
	return len(w)
}
