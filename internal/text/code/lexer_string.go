package code

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// quoted reads a string with its prefix.
func (x *lexer) quoted(prefix string) {
	quote := x.text[x.at : x.at+1]
	if x.triple && strings.HasPrefix(x.rest(), quote+quote+quote) {
		quote = quote + quote + quote
	}
	if quote == "`" && (x.backtick == 0 || x.backtick == 'e') {
		if x.at++; x.backtick == 'e' {
			x.backtickEscape()
		}
		return
	}
	raw := strings.ContainsAny(prefix, "rR")
	if raw && x.Program == "rscript" {
		x.rawR()
		return
	}
	x.at += len(quote)
	inside := x.until(quote, !x.doubled || quote != "'")
	fills, kind := "", byte('s')
	switch {
	case strings.ContainsAny(prefix, "fF"):
		fills = "{"
	case quote[0] == '`':
		fills = "${"
		if x.backtick == 'c' {
			fills, kind = x.fills, 'c'
		}
	case quote[0] == '"' || x.triple && x.Program == "jshell":
		fills = x.fills
	}
	if x.doubled && quote == "'" {
		x.add('s', strings.ReplaceAll(inside, "''", "'"), nil)
		return
	}
	onlyQuote := strings.Contains(x.raw, quote[:1])
	if raw {
		text, parts := fillIn(inside, fills, func(s string) string { return s })
		x.add(kind, text, parts)
		return
	}
	text, parts := x.literal(inside, fills, onlyQuote)
	x.add(kind, text, parts)
}

// rawR reads r"(…)" of R.
func (x *lexer) rawR() {
	rest := x.rest()
	if len(rest) < 3 {
		x.at = len(x.text)
		return
	}
	closes := map[byte]string{'(': ")", '[': "]", '{': "}"}[rest[1]] + rest[:1]
	if end := strings.Index(rest[2:], closes); end >= 0 && len(closes) == 2 {
		x.at += 2 + end + 2
		x.add('s', rest[2:2+end], nil)
		return
	}
	x.at = len(x.text)
}

// until returns the text up to a quote, and goes on behind it. A string without an end goes to the end of the text.
func (x *lexer) until(quote string, escapes bool) string {
	start := x.at
	nested := 0
	for x.at < len(x.text) {
		switch c := x.text[x.at]; {
		case escapes && c == '\\' && !x.power, x.power && c == '`' && quote == `"`:
			x.at++
		case quote == "`" && x.backtick == 't' && strings.HasPrefix(x.rest(), "${"):
			nested++
			x.at++
		case nested > 0 && c == '}':
			nested--
		case nested > 0:
		case strings.HasPrefix(x.rest(), quote):
			if x.doubled && strings.HasPrefix(x.rest()[1:], quote) && len(quote) == 1 {
				x.at++
				break
			}
			end := x.at
			x.at += len(quote)
			return x.text[start:end]
		}
		x.at++
	}
	x.at = len(x.text)
	return x.text[start:]
}

// literal decodes the escapes of a string, and splits it if it has expressions.
func (x *lexer) literal(inside, fills string, onlyQuote bool) (string, []part) {
	decode := func(s string) string { return x.unescape(s, onlyQuote) }
	return fillIn(inside, fills, decode)
}

// fillIn splits a string at its expressions: {x} for "{", #{x} for "#", ${x} for "${", $x and ${x} for "$" with letters after it.
func fillIn(inside, fills string, decode func(string) string) (string, []part) {
	if fills == "" || !strings.ContainsAny(inside, fills) {
		return decode(inside), nil
	}
	var parts []part
	start, failed := 0, 0
	for i := 0; i < len(inside) && failed < maxFailed; {
		size, code := 0, ""
		c := inside[i]
		switch {
		case c == '\\' && i+1 < len(inside) && (fills != "{" || inside[i+1] != '{'):
			i += 2
			continue
		case fills == "{" && (strings.HasPrefix(inside[i:], "{{") || strings.HasPrefix(inside[i:], "}}")):
			parts = append(parts, part{text: decode(inside[start : i+1])})
			i += 2
			start = i
			continue
		case fills == "{" && c == '{':
			size, code = braced(inside[i:], 0)
			code = formatless(code)
		case fills == "#" && strings.HasPrefix(inside[i:], "#{"), fills == "${" && strings.HasPrefix(inside[i:], "${"):
			size, code = braced(inside[i:], 1)
		case fills[0] == '$' && fills != "${" && strings.IndexByte(fills, c) >= 0:
			size, code = dollar(inside[i:])
		case strings.HasSuffix(fills, "{$") && strings.HasPrefix(inside[i:], "{$"):
			size, code = braced(inside[i:], 0)
		}
		if size == 0 {
			if c == '{' || c == '#' || c == '$' {
				failed++
			}
			i++
			continue
		}
		if i > start {
			parts = append(parts, part{text: decode(inside[start:i])})
		}
		parts = append(parts, part{text: code, code: true})
		i += size
		start = i
	}
	if len(parts) == 0 {
		return decode(inside), nil
	}
	if start < len(inside) {
		parts = append(parts, part{text: decode(inside[start:])})
	}
	return "", parts
}

// braced returns the size of a group in braces that begins after skip bytes, and what is in it.
func braced(s string, skip int) (int, string) {
	depth := 0
	for i := skip; i < len(s); i++ {
		switch s[i] {
		case '{', '(', '[':
			depth++
		case '}', ')', ']':
			if depth--; depth == 0 {
				return i + 1, s[skip+1 : i]
			}
		}
	}
	return 0, ""
}

// formatless removes the format of an expression in an f-string.
func formatless(code string) string {
	if i := strings.LastIndexByte(code, ':'); i > 0 && !strings.ContainsAny(code[i:], "'\")]}") && code[i-1] != ':' {
		code = code[:i]
	}
	return strings.TrimRight(strings.TrimSuffix(strings.TrimSuffix(code, "!r"), "!s"), "= ")
}

// dollar returns the size of a variable in a string, and its expression.
func dollar(s string) (int, string) {
	switch {
	case strings.HasPrefix(s, "${"):
		size, code := braced(s, 1)
		if size > 0 && strings.IndexFunc(code, func(r rune) bool { return r > 0x7f || !isNameByte(byte(r)) && r != ':' }) < 0 {
			return size, s[:size]
		}
		return size, code
	case strings.HasPrefix(s, "$("):
		return braced(s, 1)
	}
	i := 1
	for i < len(s) && isNameByte(s[i]) || i > 1 && i+1 < len(s) && s[i] == ':' && isNameByte(s[i+1]) {
		i++
	}
	if i == 1 {
		return 0, ""
	}
	for i < len(s) && (s[i] == '[' || s[i] == '{') {
		size, _ := braced(s[i:], 0)
		if size == 0 {
			break
		}
		i += size
	}
	return i, s[:i]
}

var plainEscapes = map[byte]string{
	'n': "\n", 't': "\t", 'r': "\r", 'a': "\a", 'b': "\b", 'f': "\f", 'v': "\v", '\\': `\`, '\'': "'", '"': `"`, '\n': "", '`': "`",
}

// unescape decodes backslashes.
func (x *lexer) unescape(s string, onlyQuote bool) string {
	if x.power {
		return unescapePower(s)
	}
	if !strings.Contains(s, `\`) {
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
		if onlyQuote {
			if c != '\\' && c != '\'' {
				out = append(out, '\\')
			}
			out = append(out, c)
			i += 2
			continue
		}
		if plain, ok := plainEscapes[c]; ok {
			out = append(out, plain...)
			i += 2
			continue
		}
		made, size := numericEscape(s[i+1:])
		if size > 0 {
			out = append(out, made...)
			i += 1 + size
			continue
		}
		if x.keeps {
			out = append(out, '\\')
		}
		out = append(out, c)
		i += 2
	}
	return string(out)
}

// unescapePower decodes the backticks of PowerShell.
func unescapePower(s string) string {
	if !strings.Contains(s, "`") {
		return s
	}
	special := map[byte]string{'n': "\n", 't': "\t", 'r': "\r", '0': "\x00", '\n': ""}
	var out strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '`' && i+1 < len(s) {
			i++
			if plain, ok := special[s[i]]; ok {
				out.WriteString(plain)
				continue
			}
		}
		out.WriteByte(s[i])
	}
	return out.String()
}

// numericEscape decodes x72, x{72}, 162, u0072, u{72} and U00000072, and returns the text and the size. Bytes that are no text are
// decoded as the character of that number.
func numericEscape(s string) ([]byte, int) {
	most, base, from := 0, 16, 1
	switch c := s[0]; {
	case (c == 'x' || c == 'u' || c == 'o') && len(s) > 1 && s[1] == '{':
		end := strings.IndexByte(s, '}')
		if end < 0 || end > 12 {
			return nil, 0
		}
		n, err := strconv.ParseUint(s[2:end], base, 32)
		if err != nil {
			return nil, 0
		}
		return utf8.AppendRune(nil, rune(n)), end + 1
	case c == 'x':
		most = 2
	case c == 'u':
		most = 4
	case c == 'U':
		most = 8
	case c >= '0' && c <= '7':
		most, base, from = 3, 8, 0
	case c == 'e':
		return []byte{0x1b}, 1
	case c == 'N' && len(s) > 1 && s[1] == '{':
		if end := strings.IndexByte(s, '}'); end >= 0 {
			return []byte(Char), end + 1
		}
		return nil, 0
	default:
		return nil, 0
	}
	size := from
	for size < len(s) && size < from+most {
		if _, err := strconv.ParseUint(s[size:size+1], base, 8); err != nil {
			break
		}
		size++
	}
	if size == from || s[0] == 'u' && size != 5 {
		return nil, 0
	}
	n, err := strconv.ParseUint(s[from:size], base, 32)
	if err != nil {
		return nil, 0
	}
	return utf8.AppendRune(nil, rune(n)), size
}
