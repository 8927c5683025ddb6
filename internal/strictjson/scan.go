package strictjson

import (
	"encoding/binary"
	"math/bits"
	"unicode/utf16"
	"unicode/utf8"
)

// isSpace reports whether c is white space to JSON.
func isSpace(c byte) bool {
	return c == ' ' || c == '\n' || c == '\r' || c == '\t'
}

// plainRun returns the offset of the first byte of data, from i on, that is special inside a string: a quote, a backslash, a
// control character or a non-ASCII byte. It is len(data) if there is none.
//
// It looks at eight bytes at a time and marks each such byte by its high bit. A subtraction borrows from the next higher byte only
// where it marks its own byte. So a mark can be wrong only above a correct one: the lowest mark is always correct.
func plainRun(data []byte, i int) int {
	const (
		ones  = 0x0101010101010101
		highs = 0x80 * ones
	)
	for ; i+8 <= len(data); i += 8 {
		x := binary.LittleEndian.Uint64(data[i:])
		quote, slash := x^('"'*ones), x^('\\'*ones)
		stop := (x | (x - ' '*ones) | (quote - ones) | (slash - ones)) & highs
		if stop != 0 {
			return i + bits.TrailingZeros64(stop)/8
		}
	}
	for ; i < len(data); i++ {
		if c := data[i]; c < ' ' || c == '"' || c == '\\' || c >= utf8.RuneSelf {
			return i
		}
	}
	return i
}

// scanString reads a string literal whose first byte after the quote is data[i]. It returns the offset after the
// closing quote, and what it found in between.
func scanString(data []byte, i int) (end int, found traits, err error) {
	for {
		if i = plainRun(data, i); i >= len(data) {
			return 0, 0, errEnd
		}
		switch c := data[i]; {
		case c == '"':
			return i + 1, found, nil
		case c == '\\':
			n, half, err := scanEscape(data[i:])
			if err != nil {
				return 0, 0, err
			}
			found |= escaped | half
			i += n
		case c >= utf8.RuneSelf:
			// Non-ASCII characters often come in runs.
			run := i
			for i < len(data) && data[i] >= utf8.RuneSelf {
				i++
			}
			if !utf8.Valid(data[run:i]) {
				return 0, 0, errUTF8
			}
			found |= wide
		default:
			return 0, 0, errControl
		}
	}
}

// scanEscape reads the escape at the beginning of s, or both escapes of a surrogate pair. It returns the length, and whether it is
// only half of a pair.
func scanEscape(s []byte) (n int, half traits, err error) {
	if len(s) < 2 {
		return 0, 0, errEnd
	}
	if s[1] != 'u' {
		if unescaped(s[1]) == 0 {
			return 0, 0, errEscape
		}
		return 2, 0, nil
	}
	r, ok := hexEscape(s)
	if !ok {
		return 0, 0, errEscape
	}
	if !utf16.IsSurrogate(r) {
		return 6, 0, nil
	}
	if low, ok := hexEscape(s[6:]); ok && isPair(r, low) {
		return 12, 0, nil
	}
	return 6, lone, nil
}

// hexEscape reads a \uXXXX at the start of s.
func hexEscape(s []byte) (rune, bool) {
	if len(s) < 6 || s[0] != '\\' || s[1] != 'u' {
		return 0, false
	}
	var r rune
	for _, c := range s[2:6] {
		d, ok := hexDigit(c)
		if !ok {
			return 0, false
		}
		r = r<<4 | rune(d)
	}
	return r, true
}

// hexDigit returns the value of a hexadecimal digit.
func hexDigit(c byte) (byte, bool) {
	switch {
	case '0' <= c && c <= '9':
		return c - '0', true
	case 'a' <= c && c <= 'f':
		return c - 'a' + 10, true
	case 'A' <= c && c <= 'F':
		return c - 'A' + 10, true
	}
	return 0, false
}

// unescaped returns the character that a backslash and c mean, or 0 if they are no escape.
func unescaped(c byte) byte {
	switch c {
	case '"', '\\', '/':
		return c
	case 'b':
		return '\b'
	case 'f':
		return '\f'
	case 'n':
		return '\n'
	case 'r':
		return '\r'
	case 't':
		return '\t'
	}
	return 0
}

// isHigh reports whether r is the first half of a surrogate pair.
func isHigh(r rune) bool { return 0xD800 <= r && r < 0xDC00 }

// isPair reports whether the two halves make one character.
func isPair(high, low rune) bool { return isHigh(high) && 0xDC00 <= low && low < 0xE000 }

// scanNumber reads the number literal at data[i], if there is one, and returns the offset after it.
func scanNumber(data []byte, i int) (end int, err error) {
	first := i
	if data[i] == '-' {
		i++
	}
	whole := i
	if i = skipDigits(data, i); i == whole {
		if i == first {
			return 0, errToken
		}
		return 0, errNumber
	}
	if data[whole] == '0' && i > whole+1 {
		return 0, errNumber
	}
	if i < len(data) && data[i] == '.' {
		fraction := i + 1
		if i = skipDigits(data, fraction); i == fraction {
			return 0, errNumber
		}
	}
	if i < len(data) && (data[i] == 'e' || data[i] == 'E') {
		exponent := i + 1
		if exponent < len(data) && (data[exponent] == '+' || data[exponent] == '-') {
			exponent++
		}
		if i = skipDigits(data, exponent); i == exponent {
			return 0, errNumber
		}
	}
	return i, nil
}

// isDigit reports whether c is a decimal digit.
func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// skipDigits returns the offset of the first byte from i on that is not a digit.
func skipDigits(data []byte, i int) int {
	for i < len(data) && isDigit(data[i]) {
		i++
	}
	return i
}
