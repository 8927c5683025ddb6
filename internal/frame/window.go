package frame

import (
	"errors"
	"io"
	"sync"

	"github.com/weir-gate/weir/internal/intake/budget"
)

const (
	// readSize is the size of a read. It is large enough to read frames together that arrive together.
	readSize = 32 << 10
	// defaultMaxFrame is the default bound of a frame.
	defaultMaxFrame = 16 << 20
)

var (
	buffers     = sync.Pool{New: func() any { return new([readSize]byte) }}
	errReleased = errors.New("stream was released")
)

// A window holds the bytes of a source that were read and are not in a frame yet: buf[start:end].
type window struct {
	src        io.Reader
	max        int // bytes that a frame may have
	pooled     *[readSize]byte
	buf        []byte
	start, end int
	// srcErr is the error that ended the source; err is what Next returns from now on.
	srcErr, err error
	room        *budget.Share // pays for memory beyond the first buffer; nil: it has no bound
	aside       int           // bytes that are held in addition to buf
}

func newWindow(src io.Reader, maxFrame int) window {
	if maxFrame <= 0 {
		maxFrame = defaultMaxFrame
	}
	pooled := buffers.Get().(*[readSize]byte)
	return window{src: src, max: maxFrame, pooled: pooled, buf: pooled[:]}
}

// Charge makes the stream take the memory beyond its first buffer from a share. If there is no room, Next returns the share's
// error.
func (w *window) Charge(s *budget.Share) { w.room = s }

// setAside sets how many bytes are held in addition to the window.
func (w *window) setAside(bytes int) error {
	if bytes <= readSize {
		bytes = 0 // a small amount, about one first buffer, is not counted
	}
	if bytes == w.aside {
		return nil
	}
	w.aside = bytes
	return w.charge(len(w.buf))
}

// charge takes room for a buffer of a size, and for the bytes set aside.
func (w *window) charge(size int) error {
	if size <= readSize {
		size = 0
	}
	return w.room.Set(size + w.aside)
}

// Release gives the buffer back for other streams to use. No frame that the stream returned may be used afterwards,
// unless it was cloned.
func (w *window) Release() {
	if w.pooled == nil {
		return
	}
	buffers.Put(w.pooled)
	w.room.Free()
	*w = window{err: errReleased}
}

// fail makes err what Next returns from now on.
func (w *window) fail(err error) error {
	w.err = err
	return err
}

// unread returns the bytes that were read and are not in a frame.
func (w *window) unread() []byte { return w.buf[w.start:w.end] }

// atEnd says that the source came to a clean end.
func (w *window) atEnd() bool { return w.srcErr == io.EOF } // readSome does not wrap io.EOF at a clean end

// fill reads once, to the end of the window. It may overwrite bytes of frames that were returned before.
func (w *window) fill() {
	unread := w.unread()
	switch {
	case len(unread) == 0:
		if len(w.buf) > readSize {
			w.buf = w.pooled[:] // a buffer that grew for a large frame is dropped
			_ = w.charge(readSize)
		}
	case len(unread) == len(w.buf):
		// The window is within the bound, else Next would have failed. So one more byte is always allowed.
		size := min(2*len(w.buf), w.max+1)
		if w.srcErr = w.charge(size); w.srcErr != nil {
			return
		}
		w.buf = make([]byte, size)
		copy(w.buf, unread)
	case w.start > 0:
		copy(w.buf, unread)
	}
	w.start, w.end = 0, len(unread)
	var n int
	n, w.srcErr = readSome(w.src, w.buf[w.end:])
	w.end += n
}

// take returns the first n bytes of the window and moves it past them.
func (w *window) take(n int) []byte {
	raw := w.buf[w.start : w.start+n : w.start+n]
	w.start += n
	return raw
}
