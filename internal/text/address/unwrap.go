package address

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// unescapePercent decodes %XX, also if it is encoded twice.
func unescapePercent(s string) string {
	for range 2 {
		plain := unescapePercentOnce(s)
		if plain == s {
			break
		}
		s = plain
	}
	return s
}

func unescapePercentOnce(s string) string {
	if !strings.Contains(s, "%") {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	for i := 0; i < len(s); i++ {
		if s[i] == '%' && i+2 < len(s) {
			if c, err := strconv.ParseUint(s[i+1:i+3], 16, 8); err == nil {
				b.WriteByte(byte(c))
				i += 2
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// unescapeBackslash decodes the escapes of JSON, JavaScript, C and shells: \/, \uXXXX, \u{X}, \xXX and \ooo.
func unescapeBackslash(s string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			b.WriteByte(s[i])
			continue
		}
		r, width := backslashEscape(s[i+1:])
		if width == 0 {
			b.WriteByte(s[i])
			continue
		}
		b.WriteRune(r)
		i += width
	}
	return b.String()
}

// backslashEscape decodes what follows a backslash. A width of 0 means that it is no escape.
func backslashEscape(s string) (r rune, width int) {
	digits := func(from, to, base int) (rune, int) {
		if to > len(s) || from == to {
			return 0, 0
		}
		n, err := strconv.ParseUint(s[from:to], base, 32)
		if err != nil || n > utf8.MaxRune {
			return 0, 0
		}
		return rune(n), to
	}
	switch c := s[0]; {
	case c == '/':
		return '/', 1
	case c == 'x':
		return digits(1, 3, 16)
	case c == 'u' && len(s) > 1 && s[1] == '{':
		end := strings.IndexByte(s[:min(len(s), 10)], '}')
		if end < 0 {
			return 0, 0
		}
		r, width = digits(2, end, 16)
		if width > 0 {
			width++
		}
		return r, width
	case c == 'u':
		return digits(1, 5, 16)
	case c >= '0' && c <= '7':
		return digits(0, 3, 8)
	default:
		return 0, 0
	}
}

// joinQuoted removes quotes and backslashes between the characters of one name, as shells do.
func joinQuoted(s string) string {
	if !strings.ContainsAny(s, `"'\`) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	for i := 0; i < len(s); {
		end := i
		for end < len(s) && (s[end] == '"' || s[end] == '\'' || s[end] == '\\') {
			end++
		}
		if end == i {
			b.WriteByte(s[i])
			i++
			continue
		}
		if i == 0 || end == len(s) || !isNameByte(s[i-1]) || !isNameByte(s[end]) {
			b.WriteString(s[i:end])
		}
		i = end
	}
	return b.String()
}

// isNameByte reports bytes that may be in a host or before one.
func isNameByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '.' || c == '-' || c == '_' || c == '/' ||
		c >= utf8.RuneSelf
}
