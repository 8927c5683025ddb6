package frame

import (
	"bytes"
	"encoding/binary"
	"unicode/utf8"
)

// bom is U+FEFF in UTF-8.
var bom = []byte("\ufeff")

// Some clients split text, not bytes, and not only at CR and LF. Python's str.splitlines splits at these three, which JSON allows
// unescaped in strings, and at some control characters, which JSON does not allow. For such a client the text of a response could
// contain a frame of its own. So none of them is sent unescaped.
const (
	nextLine           = '\u0085'
	lineSeparator      = '\u2028'
	paragraphSeparator = '\u2029'
)

// readAlike says that b, the start of a line or of a value, is the same text for every client.
func readAlike(b []byte) bool {
	return !bytes.HasPrefix(b, bom) && firstOdd(b) == len(b)
}

// firstOdd returns the index of the first control character other than a tab, the first line separator or the first byte that is
// not UTF-8; len(b) if there is none.
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

// skipPlainASCII returns an index, i or higher, such that b has only printable ASCII from i up to it. It looks at eight bytes at a
// time, because nearly all frames have nothing else.
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

// appendLine appends b, a JSON text, so that every client sees one line. In JSON, line ends can only be white space; they become
// spaces. The other separators can only be in strings; they are escaped. Text that is not JSON is changed, but also becomes one
// line.
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
