package frame

import (
	"fmt"
	"io"
)

// An Array reads a JSON array that arrives element by element. Each element is a frame, and must be an object.
//
// Every byte of the source is in the Raw of exactly one frame, or in what AppendEnd writes; bytes before an element belong to its
// frame. If the source is not an array of objects, the wrong byte is the Data of a frame, which no dialect can parse.
type Array struct {
	window
	at    int        // the next byte of the window to look at
	state arrayState // where that byte is
	depth int        // inside an element
	from  int        // the start of the element in the window
	tail  []byte
	// written says that an element was written.
	written bool
}

// An arrayState says where in an array a byte is.
type arrayState uint8

const (
	beforeArray   arrayState = iota
	beforeFirst              // after the bracket
	beforeComma              // after an element
	beforeElement            // after a comma
	inElement
	inText   // a string in an element
	inEscape // after a backslash in it
	afterArray
)

// NewArray returns an Array that reads src and refuses elements of more than maxFrame bytes. 0 means 16 MiB.
func NewArray(src io.Reader, maxFrame int) *Array { return &Array{window: newWindow(src, maxFrame)} }

// Next returns the next element.
func (a *Array) Next() (Frame, error) {
	for a.err == nil {
		unread := a.unread()
		for a.at < len(unread) {
			if a.state == inText {
				if a.at += plainText(unread[a.at:]); a.at == len(unread) {
					break
				}
			}
			c := unread[a.at]
			a.at++
			switch ended, ok := a.step(c); {
			case (ended || !ok) && a.at > a.max:
				return Frame{}, a.fail(ErrOversize)
			case !ok:
				return a.odd(), nil
			case ended:
				return a.element(), nil
			}
		}
		switch {
		case len(unread) > a.max:
			return Frame{}, a.fail(ErrOversize)
		case a.srcErr == nil:
			a.fill()
		case a.atEnd() && a.state == afterArray:
			a.tail = append(a.tail, a.take(len(unread))...)
			return Frame{}, a.fail(io.EOF)
		case a.atEnd():
			return Frame{}, a.fail(fmt.Errorf("read source: %w: the array is not closed", io.ErrUnexpectedEOF))
		default:
			return Frame{}, a.fail(a.srcErr)
		}
	}
	return Frame{}, a.err
}

// step examines one byte. ended says that it ends an element; not ok says that it is not allowed here.
func (a *Array) step(c byte) (ended, ok bool) {
	switch a.state {
	case inElement:
		return a.stepInElement(c), true
	case inText:
		switch c {
		case '"':
			a.state = inElement
		case '\\':
			a.state = inEscape
		}
		return false, true
	case inEscape:
		a.state = inText
		return false, true
	}
	if c == ' ' || c == '\t' || c == '\r' || c == '\n' {
		return false, true
	}
	switch {
	case c == '[' && a.state == beforeArray:
		a.state = beforeFirst
	case c == '{' && (a.state == beforeFirst || a.state == beforeElement):
		a.state, a.depth, a.from = inElement, 1, a.at-1
	case c == ',' && a.state == beforeComma:
		a.state = beforeElement
	case c == ']' && (a.state == beforeComma || a.state == beforeFirst):
		a.state = afterArray
	default:
		return false, false
	}
	return false, true
}

// plainText returns how many bytes of a string come before a quote or a backslash.
func plainText(b []byte) int {
	for i, c := range b {
		if c == '"' || c == '\\' {
			return i
		}
	}
	return len(b)
}

func (a *Array) stepInElement(c byte) (ended bool) {
	switch c {
	case '"':
		a.state = inText
	case '{', '[':
		a.depth++
	case '}', ']':
		a.depth--
	}
	if a.depth == 0 {
		a.state = beforeComma
		return true
	}
	return false
}

// element takes the element that was read, with the bytes before it.
func (a *Array) element() Frame {
	raw := a.take(a.at)
	f := Frame{Raw: raw, Data: raw[a.from:], Plain: true}
	a.at = 0
	return f
}

// odd takes the bytes up to and including a byte that is not allowed there.
func (a *Array) odd() Frame {
	raw := a.take(a.at)
	a.at = 0
	return Frame{Raw: raw, Data: raw[len(raw)-1:]}
}

// Append appends f as an element: Raw if it is plain and begins with the right bracket or comma, else its data.
func (a *Array) Append(dst []byte, f Frame) []byte {
	if len(f.Data) == 0 {
		return dst
	}
	first := !a.written
	a.written = true
	if f.Plain && opens(f.Raw) == first {
		return append(dst, f.Raw...)
	}
	if first {
		dst = append(dst, '[')
	} else {
		dst = append(dst, ",\r\n"...)
	}
	return append(dst, f.Data...)
}

// opens says whether the bytes of a frame begin with the array's bracket.
func opens(raw []byte) bool {
	for _, c := range raw {
		switch c {
		case ' ', '\t', '\r', '\n':
		default:
			return c == '['
		}
	}
	return false
}

// AppendEnd closes the array.
func (a *Array) AppendEnd(dst []byte) []byte {
	switch {
	case len(a.tail) > 0 && opens(a.tail) == !a.written:
		return append(dst, a.tail...)
	case !a.written:
		return append(dst, "[]"...)
	}
	return append(dst, ']')
}
