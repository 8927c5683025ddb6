package sqltext

import "strings"

// lineCommand reads a line that is a command of a database client.
func (l *lexer) lineCommand() (token, bool) {
	if !l.fresh || l.lines == nil {
		return token{}, false
	}
	length := l.lineRest()
	line := l.s[l.i : l.i+length]
	word := line[:len(line)-len(strings.TrimLeft(line, ":!@/"))]
	if word == "" || word == ":" {
		word, _, _ = strings.Cut(line, " ")
	}
	const longest = len("spool")
	word = strings.TrimRight(word, "\r\t")
	if len(word) > longest {
		return token{}, false
	}
	switch kind := l.lines[strings.ToLower(word)]; {
	case kind == "END" && strings.Trim(line[len(word):], " \t\r0123456789") == "":
		return l.take(tokenEnd, length), true
	case kind != "" && kind != "END" && l.begin:
		t := l.take(tokenMeta, length)
		t.word = kind
		return t, true
	default:
		return token{}, false
	}
}

// setDelimiter reads the mark after DELIMITER, which ends statements from now on.
func (l *lexer) setDelimiter() {
	length := l.lineRest()
	mark, _, _ := strings.Cut(strings.TrimLeft(l.s[l.i:l.i+length], " \t"), " ")
	l.delimiter = strings.Trim(mark, " \t\r'\"`")
	l.i += length
	if l.delimiter == ";" {
		l.delimiter = ""
	}
}

// letterQuoted reads q'[text]', whose first quote is at quote. The text ends with the bracket and a quote.
func (l *lexer) letterQuoted(quote int) (token, bool) {
	if quote+1 >= len(l.s) || l.s[quote] != '\'' || l.s[quote+1] <= ' ' {
		return token{}, false
	}
	closing := l.s[quote+1]
	if i := strings.IndexByte("[{(<", closing); i >= 0 {
		closing = "]})>"[i]
	}
	body := l.s[quote+2:]
	end := strings.Index(body, string([]byte{closing, '\''}))
	if end < 0 {
		l.i = len(l.s)
		return token{kind: tokenString, text: body}, true
	}
	l.i = quote + 2 + end + 2
	return token{kind: tokenString, text: body[:end]}, true
}
