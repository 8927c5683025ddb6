package jsonrpc

import (
	"bytes"
	"fmt"
	"io"
	"sync"
)

// maxIdleBuffer is the largest buffer that is reused for the next message.
const maxIdleBuffer = 64 << 10

// A Writer writes messages to a stream, each as one line. Its methods may be called by several goroutines.
type Writer struct {
	mu  sync.Mutex
	dst io.Writer
	buf []byte
	err error // the error of a failed write: half a line may be written, so nothing can follow
}

// NewWriter returns a Writer to dst. Each message is one call of dst's Write.
func NewWriter(dst io.Writer) *Writer { return &Writer{dst: dst} }

// Write writes one message. After an error of the stream, every Write fails.
func (w *Writer) Write(m *Message) error { return w.write(m.AppendLine) }

// WriteBatch writes messages as one array, for a peer whose version has batches.
func (w *Writer) WriteBatch(messages []*Message) error {
	return w.write(func(b []byte) []byte { return AppendBatch(b, messages) })
}

// write writes the line that text appends.
func (w *Writer) write(text func([]byte) []byte) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.err != nil {
		return w.err
	}
	w.buf = append(text(w.buf[:0]), '\n')
	n, err := w.dst.Write(w.buf)
	if err == nil && n < len(w.buf) {
		err = io.ErrShortWrite
	}
	if cap(w.buf) > maxIdleBuffer {
		w.buf = nil
	}
	if err != nil {
		w.err = fmt.Errorf("write message: %w", err)
	}
	return w.err
}

// The characters beyond ASCII at which some readers split lines. JSON allows them in strings only.
const (
	nextLine           = "\u0085"
	lineSeparator      = "\u2028"
	paragraphSeparator = "\u2029"
)

// AppendLine appends the message such that every reader sees one line, without a line end: white space with line ends is left out,
// and line separators in strings are escaped. Every other byte is unchanged, so most messages are appended as they are.
func (m *Message) AppendLine(dst []byte) []byte {
	if isLine(m.Raw) {
		return append(dst, m.Raw...)
	}
	for rest := m.Raw; len(rest) > 0; {
		switch c := rest[0]; {
		case c == '\n' || c == '\r':
			// A message begins with a bracket, so this stops there at the latest.
			dst = bytes.TrimRight(dst, " \t")
			rest = bytes.TrimLeft(rest, " \t\r\n")
		case c == nextLine[0] && bytes.HasPrefix(rest, []byte(nextLine)):
			dst, rest = append(dst, `\u0085`...), rest[len(nextLine):]
		case c == lineSeparator[0] && bytes.HasPrefix(rest, []byte(lineSeparator)):
			dst, rest = append(dst, `\u2028`...), rest[len(lineSeparator):]
		case c == lineSeparator[0] && bytes.HasPrefix(rest, []byte(paragraphSeparator)):
			dst, rest = append(dst, `\u2029`...), rest[len(paragraphSeparator):]
		default:
			dst, rest = append(dst, c), rest[1:]
		}
	}
	return dst
}

// isLine says whether a text is one line to every reader.
func isLine(text []byte) bool {
	for _, end := range []string{"\n", "\r", nextLine, lineSeparator, paragraphSeparator} {
		if bytes.Contains(text, []byte(end)) {
			return false
		}
	}
	return true
}
