package script

import (
	"math/big"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// htmlComments begin comments in scripts, but are operators in modules.
var htmlComments = []string{"<!--", "-->"}

// strayHTMLComment reports whether source has such a mark outside of the strings, templates and regular expressions
// in literals.
func strayHTMLComment(source string, literals [][]byte) bool {
	for _, mark := range htmlComments {
		n := strings.Count(source, mark)
		for _, literal := range literals {
			if n == 0 {
				break
			}
			n -= strings.Count(string(literal), mark)
		}
		if n > 0 {
			return true
		}
	}
	return false
}

// stringValue is the value of a string literal, given with its quotes. ok is false for escapes that depend on the mode of the text,
// and for halves of surrogate pairs.
func stringValue(literal []byte) (s string, ok bool) {
	return unescape(string(literal[1 : len(literal)-1]))
}

// templateValue is the value of a piece of a template: between ` or } and ` or ${.
func templateValue(piece []byte, raw bool) (s string, ok bool) {
	s = string(piece[1:])
	if strings.HasSuffix(s, "${") {
		s = s[:len(s)-2]
	} else {
		s = s[:len(s)-1]
	}
	s = strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
	if raw {
		return s, true
	}
	return unescape(s)
}

// simpleEscapes are the escapes of one character that mean another character.
var simpleEscapes = map[byte]byte{'n': '\n', 't': '\t', 'r': '\r', 'b': '\b', 'f': '\f', 'v': '\v'}

func unescape(s string) (string, bool) {
	if !strings.ContainsRune(s, '\\') {
		return s, true
	}
	var out strings.Builder
	for len(s) > 0 {
		i := strings.IndexByte(s, '\\')
		if i < 0 {
			out.WriteString(s)
			break
		}
		out.WriteString(s[:i])
		s = s[i+1:]
		text, n, ok := escape(s)
		if !ok {
			return "", false
		}
		out.WriteString(text)
		s = s[n:]
	}
	return out.String(), true
}

// escape decodes what follows a backslash. It returns its value and its length.
func escape(s string) (text string, length int, ok bool) {
	if s == "" {
		return "", 0, false
	}
	c := s[0]
	if plain, found := simpleEscapes[c]; found {
		return string(rune(plain)), 1, true
	}
	switch {
	case c == '\r' && strings.HasPrefix(s, "\r\n"):
		return "", 2, true
	case c == '\r' || c == '\n':
		return "", 1, true
	case strings.HasPrefix(s, "\u2028") || strings.HasPrefix(s, "\u2029"):
		return "", 3, true
	case c == 'x':
		if len(s) < 3 {
			return "", 0, false
		}
		code, err := strconv.ParseUint(s[1:3], 16, 8)
		return string(rune(code)), 3, err == nil
	case c == 'u':
		return unicodeEscape(s)
	case c == '0' && (len(s) == 1 || s[1] < '0' || s[1] > '9'):
		return "\x00", 1, true
	case c >= '0' && c <= '9':
		return "", 0, false
	}
	_, n := utf8.DecodeRuneInString(s)
	return s[:n], n, true
}

// unicodeEscape decodes u0041, u{41} or a pair of surrogates.
func unicodeEscape(s string) (text string, length int, ok bool) {
	code, n, ok := codeUnit(s)
	if !ok {
		return "", 0, false
	}
	if utf16.IsSurrogate(code) {
		if !strings.HasPrefix(s[n:], `\u`) {
			return "", 0, false
		}
		low, m, ok := codeUnit(s[n+1:])
		pair := utf16.DecodeRune(code, low)
		if !ok || pair == utf8.RuneError {
			return "", 0, false
		}
		return string(pair), n + 1 + m, true
	}
	return string(code), n, code <= utf8.MaxRune
}

func codeUnit(s string) (code rune, length int, ok bool) {
	if strings.HasPrefix(s, "u{") {
		end := strings.IndexByte(s, '}')
		if end < 0 {
			return 0, 0, false
		}
		n, err := strconv.ParseUint(s[2:end], 16, 31)
		return rune(n), end + 1, err == nil && n <= utf8.MaxRune
	}
	if len(s) < 5 {
		return 0, 0, false
	}
	n, err := strconv.ParseUint(s[1:5], 16, 16)
	return rune(n), 5, err == nil
}

// identifier is the name of an identifier with its escapes decoded.
func identifier(data []byte) string {
	name, ok := unescape(string(data))
	if !ok {
		opaque("a name has an escape that cannot be read")
	}
	return name
}

// numberValue is the value of a numeric literal. ok is false for a BigInt.
func numberValue(literal []byte) (f float64, ok bool) {
	s := strings.ReplaceAll(string(literal), "_", "")
	if len(s) > 1 && s[0] == '0' && strings.ContainsRune("xXbBoO", rune(s[1])) {
		n, ok := new(big.Int).SetString(s, 0)
		if !ok {
			return 0, false
		}
		f, _ := new(big.Float).SetInt(n).Float64()
		return f, true
	}
	f, err := strconv.ParseFloat(s, 64)
	return f, err == nil
}
