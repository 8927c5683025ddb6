package frame

import (
	"bytes"
	"io"
)

// Lines reads a stream in which every line is one JSON text. Lines end at LF; CR is white space in JSON. A last line without an LF
// is a frame too, because clients read it.
//
// Every byte of the source is in the Raw of exactly one frame. A line is plain if every client sees it as one line: some clients
// also split text at other characters than LF. Lines of white space have no data and are not plain: some clients treat an empty
// line as broken JSON.
type Lines struct {
	window
	seen int // bytes of the window that were searched and have no LF
}

// NewLines returns Lines that read src and refuse lines of more than maxFrame bytes. 0 means 16 MiB.
func NewLines(src io.Reader, maxFrame int) *Lines { return &Lines{window: newWindow(src, maxFrame)} }

// Next returns the next line.
func (l *Lines) Next() (Frame, error) {
	for l.err == nil {
		unread := l.unread()
		i := bytes.IndexByte(unread[l.seen:], '\n')
		switch {
		case i >= 0 && l.seen+i < l.max:
			return l.cut(l.seen+i+1, true), nil
		case i >= 0 || len(unread) > l.max:
			return Frame{}, l.fail(ErrOversize)
		case l.srcErr == nil:
			l.seen = len(unread)
			l.fill()
		case l.atEnd() && len(unread) > 0:
			return l.cut(len(unread), false), nil
		default:
			return Frame{}, l.fail(l.srcErr)
		}
	}
	return Frame{}, l.err
}

// cut takes a line of n bytes from the window.
func (l *Lines) cut(n int, ended bool) Frame {
	l.seen = 0
	raw := l.take(n)
	text := raw
	if ended {
		text = bytes.TrimSuffix(raw[:n-1], []byte("\r"))
	}
	data := bytes.Trim(bytes.TrimPrefix(text, bom), " \t\r")
	return Frame{Raw: raw, Data: data, Plain: ended && len(data) > 0 && readAlike(text), Cut: !ended}
}

// Append appends f: Raw if it is plain; nothing if it has no data; else its data as one line.
func (l *Lines) Append(dst []byte, f Frame) []byte {
	if f.Plain {
		return append(dst, f.Raw...)
	}
	if len(f.Data) == 0 {
		return dst
	}
	return append(appendLine(dst, f.Data), '\n')
}

// AppendEnd appends nothing: each line has its own end.
func (l *Lines) AppendEnd(dst []byte) []byte { return dst }
