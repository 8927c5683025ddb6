package jsonrpc

import (
	"bytes"
	"io"

	"github.com/weir-gate/weir/internal/intake/budget"
)

const (
	// readSize is the size of a read.
	readSize = 32 << 10
	// maxEmptyReads is how often a source may return neither bytes nor an error.
	maxEmptyReads = 100
)

// A window is the part of a source that was read and not used yet.
type window struct {
	src        io.Reader
	buf        []byte
	start, end int
	err        error         // the error that ended the source
	room       *budget.Share // for the buffer, beyond its first size; nil: without limit
}

// unread returns the bytes in the window.
func (w *window) unread() []byte { return w.buf[w.start:w.end] }

// skip moves the window past its first n bytes.
func (w *window) skip(n int) { w.start += n }

// at returns the byte at index i of the window, and reads as far as needed. It is not ok if the source ends before.
func (w *window) at(i int) (c byte, ok bool) {
	for w.end-w.start <= i {
		if w.err != nil {
			return 0, false
		}
		w.fill()
	}
	return w.buf[w.start+i], true
}

// lineWithin returns the length of the line that the window begins with, without its end, and reads as far as needed. It is not ok
// if the line is longer than limit. The end of the source ends a line, too.
func (w *window) lineWithin(limit int) (n int, ok bool) {
	for seen := 0; ; {
		unread := w.unread()
		if i := bytes.IndexByte(unread[seen:], '\n'); i >= 0 {
			return seen + i, seen+i <= limit
		}
		if seen = len(unread); seen > limit {
			return 0, false
		}
		if w.err != nil {
			return seen, true
		}
		w.fill()
	}
}

// skipSpace moves the window past white space.
func (w *window) skipSpace() {
	for {
		c, ok := w.at(0)
		if !ok || c != ' ' && c != '\t' && c != '\r' && c != '\n' {
			return
		}
		w.skip(1)
	}
}

// fill reads once, to the end of the window.
func (w *window) fill() {
	unread := w.unread()
	switch {
	case len(unread) == 0 && (w.buf == nil || len(w.buf) > maxIdleBuffer):
		w.buf = make([]byte, readSize) // a buffer that has grown for a large message is released
		w.room.Free()
	case len(unread) == len(w.buf):
		if w.err = w.room.Set(2 * len(w.buf)); w.err != nil {
			return
		}
		w.buf = append(make([]byte, 0, 2*len(w.buf)), unread...)
		w.buf = w.buf[:cap(w.buf)]
	case w.start > 0:
		copy(w.buf, unread)
	}
	w.start, w.end = 0, len(unread)
	for range maxEmptyReads {
		n, err := w.src.Read(w.buf[w.end:])
		w.end, w.err = w.end+n, err
		if n > 0 || err != nil {
			return
		}
	}
	w.err = io.ErrNoProgress
}
