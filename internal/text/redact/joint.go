package redact

import (
	"sort"
	"strings"
)

// A cut is a position where bytes were left out of a joined text.
type cut struct {
	at    int // the offset in the joined text of the first byte after the cut
	shift int // how many bytes were left out before that byte
	own   int // how many of the bytes left out here belong to the character before the cut
}

// cuts are the cuts of a text, in order.
type cuts []cut

// before returns the offset in the original text of a byte of the joined text.
func (c cuts) before(at int) int {
	i := sort.Search(len(c), func(i int) bool { return c[i].at > at })
	if i == 0 {
		return at
	}
	return at + c[i-1].shift
}

// after returns the end in the original text of the byte that ends there in the joined text.
func (c cuts) after(end int) int {
	was := c.before(end-1) + 1
	if i := sort.Search(len(c), func(i int) bool { return c[i].at >= end }); i < len(c) && c[i].at == end {
		was += c[i].own
	}
	return was
}

// join removes the invisible characters of a text and the line breaks inside long words, and replaces characters that stand for an
// ASCII character by that one.
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

// These are the least lengths on both sides of a line break inside a word. The text after it must also look like part of a key, so
// that the first word of the next line is not joined.
const (
	minBeforeWrap = 8
	minAfterWrap  = 16
	maxIndent     = 8
)

// wrapChars are the characters of long tokens.
var wrapChars = newCharset("A-Za-z0-9_./+=-")

// isWrap reports whether a long word continues after the line break at i.
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

// wrapSpan returns the range of the line break at i: with a carriage return, the backslash of a shell, and the indent of the next
// line.
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
