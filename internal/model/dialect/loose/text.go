package loose

import (
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// unescaped returns the text of a string, given the bytes between its quotes. Invalid escapes stay as they are.
func unescaped(raw []byte) []byte {
	out := make([]byte, 0, len(raw))
	for i := 0; i < len(raw); i++ {
		if raw[i] != '\\' || i+1 == len(raw) {
			out = append(out, raw[i])
			continue
		}
		i++
		switch c := raw[i]; c {
		case 'b':
			out = append(out, '\b')
		case 'f':
			out = append(out, '\f')
		case 'n':
			out = append(out, '\n')
		case 'r':
			out = append(out, '\r')
		case 't':
			out = append(out, '\t')
		case 'u':
			r, ok := unit(raw[i+1:])
			if !ok {
				out = append(out, c)
				continue
			}
			i += 4
			if low, ok := lowHalf(raw[i+1:]); ok && utf16.IsSurrogate(r) {
				r, i = utf16.DecodeRune(r, low), i+6
			}
			out = utf8.AppendRune(out, r)
		default:
			out = append(out, c)
		}
	}
	return out
}

// unit returns the number of an escape, after its u.
func unit(s []byte) (rune, bool) {
	if len(s) < 4 {
		return 0, false
	}
	n, err := strconv.ParseUint(string(s[:4]), 16, 16)
	return rune(n), err == nil
}

// lowHalf returns the second half of a surrogate pair.
func lowHalf(s []byte) (rune, bool) {
	if len(s) < 6 || s[0] != '\\' || s[1] != 'u' {
		return 0, false
	}
	r, ok := unit(s[2:])
	return r, ok && 0xDC00 <= r && r < 0xE000
}
