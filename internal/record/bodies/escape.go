package bodies

import (
	"sort"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// An escape is a decoded escape: it was at from to to in the original text, and its character is at start to end in the decoded
// text.
type escape struct {
	start, end int
	from, to   int
}

// escapes are the decoded escapes of a text, in order.
type escapes []escape

// last is the last escape that begins at or before a position of the decoded text.
func (e escapes) last(at int) (escape, bool) {
	i := sort.Search(len(e), func(i int) bool { return e[i].start > at })
	if i == 0 {
		return escape{}, false
	}
	return e[i-1], true
}

// begin is the original position of something that begins at a position of the decoded text.
func (e escapes) begin(at int) int {
	last, ok := e.last(at)
	switch {
	case !ok:
		return at
	case at < last.end:
		return last.from
	}
	return last.to + at - last.end
}

// finish is the original end of something that ends at a position of the decoded text.
func (e escapes) finish(at int) int {
	last, ok := e.last(at - 1)
	switch {
	case !ok:
		return at
	case at <= last.end:
		return last.to
	}
	return last.to + at - last.end
}

// unescape decodes the escapes of JSON anywhere in a text. They need no quotes around them: a text may be cut anywhere, or have a
// quote too many. Invalid escapes stay.
func unescape(text string) (string, escapes) {
	var out strings.Builder
	var made escapes
	kept := 0
	for at := 0; ; {
		next := strings.IndexByte(text[at:], '\\')
		if next < 0 {
			break
		}
		at += next
		r, size := decodeEscape(text[at:])
		if size == 0 {
			at++
			continue
		}
		out.WriteString(text[kept:at])
		start := out.Len()
		out.WriteRune(r)
		made = append(made, escape{start: start, end: out.Len(), from: at, to: at + size})
		at += size
		kept = at
	}
	if len(made) == 0 {
		return text, nil
	}
	out.WriteString(text[kept:])
	return out.String(), made
}

// decodeEscape is the character of the escape that a text begins with, and its length; 0: it begins with none. Half a surrogate
// pair becomes U+FFFD, which no secret contains.
func decodeEscape(text string) (r rune, size int) {
	if len(text) < len(`\n`) {
		return 0, 0
	}
	switch c := text[1]; c {
	case '"', '\\', '/':
		return rune(c), 2
	case 'b', 'f', 'n', 'r', 't':
		return rune("\b\f\n\r\t"[strings.IndexByte("bfnrt", c)]), 2
	}
	r, ok := unitAt(text)
	if !ok {
		return 0, 0
	}
	if utf16.IsSurrogate(r) {
		if low, ok := unitAt(text[unitSize:]); ok {
			if whole := utf16.DecodeRune(r, low); whole != utf8.RuneError {
				return whole, 2 * unitSize
			}
		}
		return utf8.RuneError, unitSize
	}
	return r, unitSize
}

const unitSize = len(`\u0000`)

// unitAt is the UTF-16 unit of the \u escape at the beginning of a text.
func unitAt(text string) (rune, bool) {
	if len(text) < unitSize || text[0] != '\\' || text[1] != 'u' {
		return 0, false
	}
	n, err := strconv.ParseUint(text[2:unitSize], 16, 16)
	return rune(n), err == nil
}
