package shell

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// unescape decodes the backslashes and wildcards of an unquoted literal.
func unescape(s string) string {
	if !strings.Contains(s, `\`) {
		return globHoles(s)
	}
	var out strings.Builder
	for s != "" {
		i := strings.IndexByte(s, '\\')
		if i < 0 || i+1 == len(s) {
			out.WriteString(globHoles(s))
			break
		}
		out.WriteString(globHoles(s[:i]))
		if s[i+1] != '\n' {
			out.WriteByte(s[i+1])
		}
		s = s[i+2:]
	}
	return out.String()
}

func unescapeQuoted(s string) string { return unescapeOnly(s, "$`\"\\\n") }

func unescapeDocument(s string) string { return unescapeOnly(s, "$`\\\n") }

// unescapeOnly decodes backslashes before the given characters.
func unescapeOnly(s, special string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) && strings.IndexByte(special, s[i+1]) >= 0 {
			i++
			if s[i] == '\n' {
				continue
			}
		}
		out = append(out, s[i])
	}
	return string(out)
}

var ansiEscapes = map[byte]string{
	'a': "\a", 'b': "\b", 'e': "\x1b", 'E': "\x1b", 'f': "\f", 'n': "\n", 'r': "\r", 't': "\t", 'v': "\v",
	'\\': `\`, '\'': "'", '"': `"`, '?': "?",
}

// unescapeANSI decodes the escapes of $'…', which printf shares. A text with holes stays unchanged.
func unescapeANSI(s string) string { return unescapeBytes(s, 3) }

// unescapeEcho decodes the escapes of echo -e and of the verb %b of printf, which have one more digit after a zero.
func unescapeEcho(s string) string { return unescapeBytes(s, 4) }

// unescapeBytes decodes escapes. A zero and octal digits are as many digits as given.
func unescapeBytes(s string, zeroDigits int) string {
	if !strings.Contains(s, `\`) || hasHole(s) {
		return s
	}
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); {
		if s[i] != '\\' || i+1 == len(s) {
			out = append(out, s[i])
			i++
			continue
		}
		c := s[i+1]
		if text, ok := ansiEscapes[c]; ok {
			out = append(out, text...)
			i += 2
			continue
		}
		made, length := numericEscape(s[i+1:], zeroDigits)
		if length == 0 {
			out = append(out, '\\', c)
			i += 2
			continue
		}
		out = append(out, made...)
		i += 1 + length
	}
	// The bytes may not be valid text.
	return clean(string(out))
}

// numericEscape decodes an escape such as x72, 162, u0072 or cx, and returns the bytes and its length.
func numericEscape(s string, zeroDigits int) ([]byte, int) {
	switch c := s[0]; {
	case c == 'x':
		n, digits := number(s[1:], 2, 16)
		return []byte{byte(n)}, withPrefix(digits)
	case c == 'u':
		n, digits := number(s[1:], 4, 16)
		return utf8.AppendRune(nil, rune(n)), withPrefix(digits)
	case c == 'U':
		n, digits := number(s[1:], 8, 16)
		return utf8.AppendRune(nil, rune(n)), withPrefix(digits)
	case c >= '0' && c <= '7':
		digits := 3
		if c == '0' {
			digits = zeroDigits
		}
		n, length := number(s, digits, 8)
		return []byte{byte(n)}, length
	case c == 'c' && len(s) > 1:
		return []byte{s[1] & 0x1f}, 2
	default:
		return nil, 0
	}
}

func withPrefix(digits int) int {
	if digits == 0 {
		return 0
	}
	return digits + 1
}

// number reads up to limit digits.
func number(s string, limit, base int) (n uint64, length int) {
	for length < min(limit, len(s)) {
		next, err := strconv.ParseUint(s[:length+1], base, 32)
		if err != nil || s[length] == '_' || s[length] == '+' {
			break
		}
		n = next
		length++
	}
	return n, length
}
