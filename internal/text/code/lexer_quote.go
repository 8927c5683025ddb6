package code

import (
	"strings"
)

// closers are the ends of quotes that begin with a bracket.
var closers = map[byte]byte{'(': ')', '[': ']', '{': '}', '<': '>'}

// delimited returns the text between a delimiter and its end, and goes on behind it.
func (x *lexer) delimited() (string, bool) {
	if x.at >= len(x.text) || x.failed > maxFailed {
		return "", false
	}
	open := x.text[x.at]
	closing, nests := closers[open]
	if !nests {
		closing = open
	}
	depth := 1
	for i := x.at + 1; i < len(x.text); i++ {
		switch c := x.text[i]; {
		case c == '\\':
			i++
		case c == closing:
			if depth--; depth == 0 {
				inside := x.text[x.at+1 : i]
				x.at = i + 1
				return inside, true
			}
		case nests && c == open:
			depth++
		}
	}
	x.failed++
	return "", false
}

// letterQuote reads the quotes of perl: q(…), qq(…), qw(…), qx(…), m/…/, s/…/…/, tr/…/…/.
func (x *lexer) letterQuote(name string) bool {
	kinds := map[string]byte{"q": 'q', "qq": 'Q', "qw": 'w', "qx": 'c', "m": 'm', "qr": 'm', "s": 's', "tr": 's', "y": 's'}
	kind, ok := kinds[name]
	at := x.at
	for at < len(x.text) && x.text[at] == ' ' {
		at++
	}
	if !ok || at == len(x.text) || isNameByte(x.text[at]) || strings.IndexByte("=,;)", x.text[at]) >= 0 || at > x.at && x.text[at] == '#' ||
		strings.HasPrefix(x.text[at:], "->") {
		return false
	}
	if last := x.lastSign(); last == "->" || last == "{" && x.text[at] == '}' {
		return false
	}
	return x.quoteLike(kind, at)
}

// lastSign is the last token if it is a sign.
func (x *lexer) lastSign() string {
	if n := len(x.tokens); n > 0 && x.tokens[n-1].kind == 'p' {
		return x.tokens[n-1].text
	}
	return ""
}

// quoteLike reads a quote of a kind whose delimiter is at a position.
func (x *lexer) quoteLike(kind byte, at int) bool {
	before := x.at
	x.at = at
	inside, ok := x.delimited()
	if !ok {
		x.at = before
		return false
	}
	switch kind {
	case 'w':
		x.add('w', inside, nil)
	case 'q':
		text, parts := x.literal(inside, "", true)
		x.add('s', text, parts)
	case 'Q':
		text, parts := x.literal(inside, x.fills, false)
		x.add('s', text, parts)
	case 'c':
		text, parts := x.literal(inside, x.fills, false)
		x.add('c', text, parts)
	default:
		if kind == 's' {
			x.at-- // the end of the first part begins the second
			if closers[x.text[at]] != 0 {
				x.at++
				for x.at < len(x.text) && x.text[x.at] == ' ' {
					x.at++
				}
			}
			x.delimited()
		}
		for x.at < len(x.text) && x.text[x.at] >= 'a' && x.text[x.at] <= 'z' {
			x.at++
		}
		x.add('h', Unknown, nil)
	}
	return true
}

// percentQuote reads the quotes of ruby: %w[…], %q(…), %x(…), %(…).
func (x *lexer) percentQuote() bool {
	rest := x.rest()
	if len(rest) < 3 {
		return false
	}
	kinds := map[byte]byte{'w': 'w', 'W': 'w', 'i': 'w', 'I': 'w', 'q': 'q', 'Q': 'Q', 'x': 'c', 'r': 'm'}
	if kind, ok := kinds[rest[1]]; ok && !isNameByte(rest[2]) && rest[2] != ' ' && rest[2] != '=' {
		return x.quoteLike(kind, x.at+2)
	}
	if last := x.lastSign(); closers[rest[1]] != 0 && (len(x.tokens) == 0 || last != "" && last != ")" && last != "]") {
		return x.quoteLike('Q', x.at+1)
	}
	return false
}

// longBracket reads [[…]] and [=[…]=] of Lua.
func (x *lexer) longBracket() bool {
	rest := x.rest()
	level := 0
	for 1+level < len(rest) && rest[1+level] == '=' {
		level++
	}
	if 1+level >= len(rest) || rest[1+level] != '[' || x.failed > maxFailed {
		return false
	}
	inside := rest[2+level:]
	closing := "]" + strings.Repeat("=", level) + "]"
	end := strings.Index(inside, closing)
	if end < 0 {
		x.failed++
		return false
	}
	x.at += 2 + level + end + len(closing)
	x.add('s', strings.TrimPrefix(inside[:end], "\n"), nil)
	return true
}
