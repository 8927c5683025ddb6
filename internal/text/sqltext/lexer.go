package sqltext

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// A dialect describes how a family of databases parses SQL.
type dialect struct {
	backslash    bool // \' does not end a string
	hashComment  bool // # starts a comment
	dashBlank    bool // -- starts a comment only before a blank
	nested       bool // comments may be inside comments
	codeComment  bool // the text inside /*! */ runs
	dollarQuote  bool // $tag$ text $tag$
	bracketQuote bool // [name]
	letterQuote  bool // q'[text]'
	psql         bool // \command to the end of the line
	mysql        bool // \c of one letter, and DELIMITER
	dot          bool // .command at the begin of a line
	anyBreak     bool // every character that some reader takes for a line break ends a line

	// lines are the client commands that take a whole line, by their first word. SHELL and FILE are kinds of statements; END ends a
	// statement. nil: none.
	lines map[string]string
}

// dialects are those of PostgreSQL, MySQL, SQLite with SQL Server, and Oracle.
var dialects = []dialect{
	{nested: true, dollarQuote: true, psql: true},
	{backslash: true, hashComment: true, dashBlank: true, codeComment: true, mysql: true},
	{bracketQuote: true, dot: true, lines: map[string]string{"!!": "SHELL", ":!!": "SHELL", ":r": "FILE", ":out": "FILE", "go": "END"}},
	{letterQuote: true, lines: map[string]string{"host": "SHELL", "!": "SHELL", "@": "FILE", "@@": "FILE", "spool": "FILE", "/": "END"}},
}

type tokenKind uint8

const (
	tokenWord tokenKind = iota
	tokenName           // a quoted name
	tokenString
	tokenNumber
	tokenOther // an operator or another character
	tokenEnd   // ;
	tokenMeta  // a command of the database's client, to the end of its line
)

type token struct {
	kind tokenKind
	text string // without quotes; escapes are not decoded
	word string // of words that matter, in upper case
}

// A lexer splits SQL text into tokens.
type lexer struct {
	dialect
	s      string
	i      int
	inCode bool // inside /*! */
	fresh  bool // no token of this line yet
	begin  bool // no token of this statement yet

	lineStop  int    // the end of the last line that was searched
	delimiter string // ends a statement, in addition to the semicolon; "": nothing does
}

func newLexer(text string, d dialect) *lexer {
	return &lexer{dialect: d, s: text, fresh: true, begin: true, lineStop: -1}
}

// next returns the next token; ok is false at the end.
func (l *lexer) next() (t token, ok bool) {
	for l.i < len(l.s) {
		if l.skip() {
			continue
		}
		t, ok := l.lineCommand()
		if !ok {
			t = l.token(l.fresh && l.begin && l.dot)
		}
		l.fresh, l.begin = false, t.kind == tokenEnd || t.kind == tokenMeta
		return t, true
	}
	return token{}, false
}

// skip skips a blank or a comment.
func (l *lexer) skip() bool {
	c := l.s[l.i]
	rest := l.s[l.i:]
	switch {
	case c == '\n' || c == '\r' && l.anyBreak:
		l.fresh = true
		l.i++
	case c <= ' ' || c == 0x7f:
		l.i++
	case c >= utf8.RuneSelf:
		width := blankWidth(rest)
		l.i += width
		return width > 0
	case strings.HasPrefix(rest, "--") && (!l.dashBlank || len(rest) == 2 || rest[2] <= ' '), c == '#' && l.hashComment:
		l.i += l.lineRest()
	case l.codeComment && (strings.HasPrefix(rest, "/*!") || strings.HasPrefix(rest, "/*M!")):
		l.i += strings.IndexByte(rest, '!') + 1
		for l.i < len(l.s) && isDigit(l.s[l.i]) {
			l.i++
		}
		l.inCode = true
	case l.inCode && strings.HasPrefix(rest, "*/"):
		l.inCode = false
		l.i += 2
	case strings.HasPrefix(rest, "/*"):
		l.comment()
	default:
		return false
	}
	return true
}

// lineRest is the distance to the end of the line.
func (l *lexer) lineRest() int {
	if l.lineStop < l.i {
		rest, end := l.s[l.i:], 0
		if l.anyBreak {
			end = strings.IndexAny(rest, anyBreaks)
		} else {
			end = strings.IndexByte(rest, '\n')
		}
		if end < 0 {
			end = len(rest)
		}
		l.lineStop = l.i + end
	}
	return l.lineStop - l.i
}

// anyBreaks are the characters that some reader takes for the end of a line. All readers agree on the first.
const anyBreaks = "\n\r\u0085\u2028\u2029"

func (l *lexer) comment() {
	depth := 1
	l.i += 2
	for l.i < len(l.s) && depth > 0 {
		end := strings.IndexAny(l.s[l.i:], "*/")
		if end < 0 {
			l.i = len(l.s)
			return
		}
		l.i += end
		switch rest := l.s[l.i:]; {
		case strings.HasPrefix(rest, "*/"):
			depth--
			l.i += 2
		case l.nested && strings.HasPrefix(rest, "/*"):
			depth++
			l.i += 2
		default:
			l.i++
		}
	}
}

// token reads a token that is no blank. command says that a dot would begin a client command.
func (l *lexer) token(command bool) token {
	c := l.s[l.i]
	switch {
	case c == '\'' || c == '"' || c == '`':
		return l.quoted(c, l.backslash && c != '`')
	case c == '[' && l.bracketQuote:
		end := strings.IndexByte(l.s[l.i:], ']')
		if end < 0 {
			l.bracketQuote = false // then no later bracket is closed either
			return l.one(tokenOther)
		}
		return l.take(tokenName, end+1)
	case c == '$' && l.dollarQuote:
		if t, ok := l.dollarQuoted(); ok {
			return t
		}
		return l.one(tokenOther)
	case c == '$' && l.delimiter == "" && strings.HasPrefix(l.s[l.i:], "$$"):
		// A character that opens no string here can only begin a name.
		return l.word()
	case c == ';':
		return l.one(tokenEnd)
	case l.delimiter != "" && strings.HasPrefix(l.s[l.i:], l.delimiter):
		return l.take(tokenEnd, len(l.delimiter))
	case c == '\\' && (l.psql || l.mysql):
		return l.metaCommand()
	case c == '.' && command:
		return l.take(tokenMeta, l.lineEnd())
	case isDigit(c):
		return l.number()
	case isWordByte(c):
		return l.word()
	default:
		return l.one(tokenOther)
	}
}

// metaCommand reads a command of a client, or a mark that ends a statement for the client.
func (l *lexer) metaCommand() token {
	rest := l.s[l.i:]
	switch {
	case len(rest) == 1:
		return l.one(tokenOther)
	case l.psql && rest[1] == ';', l.mysql && (rest[1] == 'g' || rest[1] == 'G'):
		return l.take(tokenEnd, 2)
	case l.psql, rest[1] == '!', rest[1] == '.':
		return l.take(tokenMeta, l.lineEnd())
	default:
		return l.take(tokenOther, 2)
	}
}

// lineEnd is the length of a client command: to the end of the line, or in psql to two backslashes before it.
func (l *lexer) lineEnd() int {
	line := l.s[l.i : l.i+l.lineRest()]
	if i := strings.Index(line, `\\`); i >= 0 && l.psql {
		return i + 2
	}
	return len(line)
}

func (l *lexer) one(kind tokenKind) token { return l.take(kind, 1) }

func (l *lexer) take(kind tokenKind, n int) token {
	t := token{kind: kind, text: l.s[l.i : l.i+n]}
	l.i += n
	return t
}

// quoted reads a string or a quoted name. Without a closing quote it goes to the end of the text.
func (l *lexer) quoted(quote byte, backslash bool) token {
	start := l.i + 1
	i := start
	for i < len(l.s) {
		switch {
		case l.s[i] == '\\' && backslash:
			i++
		case l.s[i] == quote && i+1 < len(l.s) && l.s[i+1] == quote:
			i++
		case l.s[i] == quote:
			l.i = i + 1
			return token{kind: quoteKind(quote), text: l.s[start:i]}
		}
		i++
	}
	l.i = len(l.s)
	return token{kind: quoteKind(quote), text: l.s[start:]}
}

func quoteKind(quote byte) tokenKind {
	if quote == '\'' {
		return tokenString
	}
	return tokenName
}

// dollarQuoted reads $tag$ text $tag$.
func (l *lexer) dollarQuoted() (token, bool) {
	rest := l.s[l.i:]
	end := 1
	for end < len(rest) && end < 64 && rest[end] != '$' && isWordByte(rest[end]) {
		end++
	}
	if end >= len(rest) || rest[end] != '$' || end > 1 && isDigit(rest[1]) {
		return token{}, false
	}
	tag := rest[:end+1]
	body := rest[len(tag):]
	stop := strings.Index(body, tag)
	if stop < 0 {
		l.i = len(l.s)
		return token{kind: tokenString, text: body}, true
	}
	l.i += len(tag) + stop + len(tag)
	return token{kind: tokenString, text: body[:stop]}, true
}

func (l *lexer) number() token {
	end := l.i
	for end < len(l.s) && (isWordByte(l.s[end]) || l.s[end] == '.') {
		end++
	}
	return l.take(tokenNumber, end-l.i)
}

// word reads a word. If its first letter is the prefix of a string, it reads that string.
func (l *lexer) word() token {
	end := l.i
	for end < len(l.s) && (isWordByte(l.s[end]) || l.s[end] == '$' && !l.dollarQuote) {
		if l.s[end] >= utf8.RuneSelf && blankWidth(l.s[end:]) > 0 {
			break
		}
		end++
	}
	if l.delimiter != "" {
		if cut := strings.Index(l.s[l.i:end], l.delimiter); cut > 0 {
			end = l.i + cut
		}
	}
	text := l.s[l.i:end]
	if l.letterQuote && (strings.EqualFold(text, "q") || strings.EqualFold(text, "nq")) {
		if t, ok := l.letterQuoted(end); ok {
			return t
		}
	}
	if end < len(l.s) && l.s[end] == '\'' && len(text) == 1 {
		switch text[0] {
		case 'E', 'e': // escapes as in C
			l.i = end
			return l.quoted('\'', true)
		case 'N', 'n', 'B', 'b', 'X', 'x':
			l.i = end
			return l.quoted('\'', l.backslash)
		}
	}
	if end+1 < len(l.s) && l.s[end] == '&' && (l.s[end+1] == '\'' || l.s[end+1] == '"') && strings.EqualFold(text, "U") {
		l.i = end + 1
		return l.quoted(l.s[end+1], false)
	}
	starts := l.fresh && l.mysql
	l.i = end
	t := token{kind: tokenWord, text: text, word: keyword(text)}
	if starts && t.word == "DELIMITER" {
		l.setDelimiter()
	}
	return t
}

// blankWidth is the length of a blank beyond ASCII at the start of s. Some databases accept such characters as blanks.
func blankWidth(s string) int {
	r, width := utf8.DecodeRuneInString(s)
	if unicode.IsSpace(r) || r == '\ufeff' || r == '\u200b' {
		return width
	}
	return 0
}

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isWordByte(c byte) bool {
	return isLetter(c) || isDigit(c) || c == '_' || c == '@' || c >= utf8.RuneSelf
}
