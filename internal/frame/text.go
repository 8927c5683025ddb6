package frame

import (
	"bytes"
	"encoding/binary"
	"unicode/utf8"
)

// bom is U+FEFF in UTF-8.
var bom = []byte("\ufeff")

// Some clients split text, not bytes, and take more than CR and LF for a line end: Python's str.splitlines does so at
// these three, which JSON allows unescaped in strings, and at some control characters, which it does not allow.
// The text of an answer could carry a frame of its own to such a client, so none of them goes out unescaped.
const (
	nextLine           = '\u0085'
	lineSeparator      = '\u2028'
	paragraphSeparator = '\u2029'
)

// readAlike says that b, which begins at the start of a line or of a value, is the same text to every client.
func readAlike(b []byte) bool {
	return !bytes.HasPrefix(b, bom) && firstOdd(b) == len(b)
}

// firstOdd returns the index of the first control character other than a tab, separator of lines or byte that is not
// UTF-8, and len(b) if there is none.
func firstOdd(b []byte) int {
	for i := skipPlainASCII(b, 0); i < len(b); {
		c := b[i]
		if c < utf8.RuneSelf {
			if c < ' ' && c != '\t' {
				return i
			}
			i++
			continue
		}
		r, size := utf8.DecodeRune(b[i:])
		switch {
		case r == utf8.RuneError && size == 1,
			r == nextLine, r == lineSeparator, r == paragraphSeparator:
			return i
		}
		i += size
	}
	return len(b)
}

// skipPlainASCII returns an index not before i up to which b holds only printable ASCII. It looks at eight bytes at a
// time, because nearly all frames hold nothing else.
func skipPlainASCII(b []byte, i int) int {
	const (
		high   = 0x8080808080808080
		spaces = 0x2020202020202020
	)
	for ; i+8 <= len(b); i += 8 {
		x := binary.LittleEndian.Uint64(b[i:])
		// The subtraction borrows into the high bit of every byte below a space.
		if (x|(x-spaces))&high != 0 {
			break
		}
	}
	return i
}

// appendLine appends b, a JSON text, so that every client sees one line. Line ends can only be white space in JSON and
// become spaces; the other separators can only stand in strings and are escaped there. Text that is not JSON comes out
// changed, but as one line too.
func appendLine(dst, b []byte) []byte {
	for {
		i := firstOdd(b)
		dst = append(dst, b[:i]...)
		if i == len(b) {
			return dst
		}
		r, size := utf8.DecodeRune(b[i:])
		switch r {
		case '\n', '\v', '\f', '\r', 0x1c, 0x1d, 0x1e:
			dst = append(dst, ' ')
		case nextLine:
			dst = append(dst, `\u0085`...)
		case lineSeparator:
			dst = append(dst, `\u2028`...)
		case paragraphSeparator:
			dst = append(dst, `\u2029`...)
		default:
			dst = append(dst, b[i:i+size]...)
		}
		b = b[i+size:]
	}
}

// isName says that b is a name that no client trims, splits or decodes: not empty, visible ASCII only.
func isName(b []byte) bool {
	for _, c := range b {
		if c <= ' ' || c > '~' {
			return false
		}
	}
	return len(b) > 0
}
