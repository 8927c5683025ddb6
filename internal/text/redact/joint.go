package redact

import (
	"sort"
	"strings"
)

// A cut is where bytes were left out of a joined text.
type cut struct {
	at    int // the offset in the joined text of the first byte after it
	shift int // how many bytes were left out up to here
	own   int // how many of those that were left out here are of the character whose byte is before it
}

// cuts are the cuts of a text, in order.
type cuts []cut

// before returns the offset that a byte of the joined text had before joining.
func (c cuts) before(at int) int {
	i := sort.Search(len(c), func(i int) bool { return c[i].at > at })
	if i == 0 {
		return at
	}
	return at + c[i-1].shift
}

// after returns where the byte of the joined text that ends there ended before joining.
func (c cuts) after(end int) int {
	was := c.before(end-1) + 1
	if i := sort.Search(len(c), func(i int) bool { return c[i].at >= end }); i < len(c) && c[i].at == end {
		was += c[i].own
	}
	return was
}

// join leaves out of a text its invisible characters and the line breaks at which long words were wrapped, and writes characters
// that stand for one of ASCII as that one.
func join(text string) (string, cuts) {
	var out strings.Builder
	var made cuts
	kept := 0
	for i := 0; i < len(text); i++ {
		start, end := i, i
		stands := byte(0)
		switch c := text[i]; {
		case c == '\n' && isWrap(text, i):
			start, end = wrapSpan(text, i)
		case c == '%':
			stands, end = percentAt(text, i)
		case mayBeginWide(c):
			stands, end = wideAt(text, i)
		}
		if start = max(start, kept); end <= start {
			continue
		}
		out.WriteString(text[kept:start])
		own := 0
		if stands != 0 {
			out.WriteByte(stands)
			own = end - start - 1
		}
		made = append(made, cut{out.Len(), end - out.Len(), own})
		kept, i = end, end-1
	}
	out.WriteString(text[kept:])
	return out.String(), made
}

// isJoint reports whether join changes something at i.
func isJoint(text string, i int) bool {
	switch c := text[i]; {
	case c == '\n':
		return isWrap(text, i)
	case c == '%':
		_, end := percentAt(text, i)
		return end > i
	case mayBeginWide(c):
		_, end := wideAt(text, i)
		return end > i
	}
	return false
}

// The least that must stand on both sides of a line break for it to be one inside a word. What follows must also look like
// part of a key, so that the next line's first word is not taken for one.
const (
	minBeforeWrap = 8
	minAfterWrap  = 16
	maxIndent     = 8
)

// wrapChars are those of long tokens.
var wrapChars = newCharset("A-Za-z0-9_./+=-")

// isWrap reports whether a long word goes on across the line break at i.
func isWrap(text string, i int) bool {
	start, end := wrapSpan(text, i)
	for n := range minBeforeWrap {
		if start-1-n < 0 || !wrapChars[text[start-1-n]] {
			return false
		}
	}
	if end+minAfterWrap > len(text) {
		return false
	}
	digit, letter := false, false
	for _, c := range []byte(text[end : end+minAfterWrap]) {
		if !wrapChars[c] {
			return false
		}
		digit, letter = digit || isDigit(c), letter || isLetter(c)
	}
	return digit && letter
}

// wrapSpan returns what belongs to the line break at i: a carriage return, the backslash of a shell, the next line's indent.
func wrapSpan(text string, i int) (start, end int) {
	start, end = i, i+1
	if start > 0 && text[start-1] == '\r' {
		start--
	}
	if start > 0 && text[start-1] == '\\' {
		start--
	}
	for end < len(text) && end <= i+maxIndent && (text[end] == ' ' || text[end] == '\t') {
		end++
	}
	return start, end
}
