package echo

import (
	"bytes"
	"strconv"
	"strings"
)

// MayOpen says whether a JSON text may have a string value that contains a credential, or ends with the beginning of one. It may be
// wrong if it says yes, but never if it says no. A text that is no JSON counts as one that may have a credential.
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

// mayBegin says whether a credential may begin where b begins, or be cut off at the end of the string.
func mayBegin(b []byte, secret string) bool {
	for i := range len(secret) {
		switch {
		case i == len(b):
			return false // the text is cut off, so it is no JSON
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

// mayBePercent says whether the text after a percent sign may be an escape of a URL, or its beginning.
func mayBePercent(b []byte) bool {
	return len(b) == 0 || strings.IndexByte("0123456789abcdefABCDEF\"\\", b[0]) >= 0
}

// mayBeEscaped says whether the text after a backslash may be an escape of c, or of the begin of another escape.
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
