package echo

import (
	"bytes"
	"strconv"
	"strings"
)

// MayOpen says whether a value in a JSON text may be a string with a credential in it, or with the beginning of one at its end. It
// may say so where a reader of the text finds none, but not the other way round. What is no JSON it takes for a text that may have a
// credential in it.
func (m *Mask) MayOpen(json []byte) bool {
	if m == nil {
		return false
	}
	for _, s := range m.secrets {
		for i, c := range json {
			if (c == s[0] || c == '\\' || c == '%') && mayBegin(json[i:], s) {
				return true
			}
		}
	}
	return false
}

// mayBegin says whether a credential may begin where b does, or end with the string.
func mayBegin(b []byte, secret string) bool {
	for i := range len(secret) {
		switch {
		case i == len(b):
			return false // the text is cut, and no JSON
		case b[i] == '"' && secret[i] != '"':
			return !isName(b[i+1:])
		case b[i] == '"':
			return true
		case b[i] == '%' && secret[i] != '%':
			return mayBePercent(b[i+1:])
		case b[i] == '\\':
			return mayBeEscaped(b[i+1:], secret[i])
		case b[i] != secret[i]:
			return false
		}
	}
	return true
}

// isName says whether a string that ends where b begins is the name of a member.
func isName(b []byte) bool {
	b = bytes.TrimLeft(b, " \t\r\n")
	return len(b) > 0 && b[0] == ':'
}

// mayBePercent says whether what stands behind a percent sign may be an escape of a URL, or its beginning.
func mayBePercent(b []byte) bool {
	return len(b) == 0 || strings.IndexByte("0123456789abcdefABCDEF\"\\", b[0]) >= 0
}

// mayBeEscaped says whether what stands behind a backslash may be an escape of c, or of what begins another escape.
func mayBeEscaped(b []byte, c byte) bool {
	const letters, meant = `"/bfnrt`, "\"/\b\f\n\r\t"
	if len(b) == 0 || b[0] == c || c == '\\' {
		return true
	}
	if i := strings.IndexByte(letters, b[0]); i >= 0 {
		return meant[i] == c
	}
	if b[0] != 'u' || len(b) < 5 {
		return true
	}
	r, err := strconv.ParseUint(string(b[1:5]), 16, 16)
	return err != nil || r == uint64(c) || r == '\\' || r == '%' || r >= 0x80 && c >= 0x80
}
