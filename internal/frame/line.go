package frame

import "bytes"

// A lineEnd says how a line ends.
type lineEnd uint8

const (
	noEnd lineEnd = iota // it is not known whether the line has ended
	endLF
	endCRLF
	endCR // a CR without LF
)

// plainEnds are the bytes of the line ends that plain frames have.
var plainEnds = [...][]byte{endLF: []byte("\n"), endCRLF: []byte("\r\n"), endCR: nil}

// size returns the number of bytes of e.
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

// A lineCursor goes through the lines of a window of bytes. The window grows at its end, and its start moves ahead when a frame is
// done. The cursor looks at every byte once for LF and once for CR, however the bytes arrive.
//
// All fields are offsets into the window. lf and cr are each one of three: before pos, and then out of date; the first LF or CR
// from pos on; or the end of the part that was searched without finding one.
type lineCursor struct {
	pos    int // where the current line begins
	lf, cr int
}

// next returns where the text of the current line ends, and how. It does not move to the next line.
//
// A CR as the last byte may be half of a CRLF: it ends a line only if last says that no more bytes come.
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
