package shell

import "strings"

// looseCommands splits a text into commands and their words.
func looseCommands(text string) []looseCommand {
	l := looseLexer{text: text}
	for l.at < len(l.text) {
		l.step()
	}
	l.endCommand()
	return l.out
}

// A looseLexer reads a PowerShell text byte by byte.
type looseLexer struct {
	text    string
	at      int
	out     []looseCommand
	command looseCommand // the unfinished command
	word    []byte       // the unfinished word, if open
	first   byte         // its first byte
	open    bool
	target  bool // the next word is the target of a redirection
	endless bool // a text of several lines has no end, so no further end is searched
	method  bool // the words are those between the parentheses of a method
}

func (l *looseLexer) add(text string) {
	if !l.open {
		l.first, l.open = l.text[l.at], true
	}
	l.word = append(l.word, text...)
}

func (l *looseLexer) endWord() {
	if !l.open {
		return
	}
	c, word := &l.command, clean(string(l.word))
	name, assigned, ok := strings.Cut(word, "=")
	switch {
	case l.target:
		c.redirects = append(c.redirects, Redirect{File: newWord(powerVariables(word)), Writes: true})
	case ok && len(c.fields) == 0 && l.first == '$' && name != "" && assigned != "":
		c.fields = append(c.fields, oneWord, "=", powerVariables(assigned))
		c.begins = append(c.begins, '$', '=', assigned[0])
	default:
		c.fields, c.begins = append(c.fields, powerVariables(word)), append(c.begins, l.first)
	}
	l.word, l.open, l.target = nil, false, false
}

func (l *looseLexer) endCommand() {
	l.endWord()
	if len(l.command.fields) > 0 || len(l.command.redirects) > 0 {
		l.out = append(l.out, l.command)
	}
	l.command, l.target, l.method = looseCommand{}, false, false
}

// step reads the next part.
func (l *looseLexer) step() {
	switch c := l.text[l.at]; c {
	case '(':
		if l.open && l.first == '[' && strings.Contains(string(l.word), "::") {
			l.endWord()
			l.method = true
			break
		}
		l.endCommand()
	case ';', '\n', '|', '{', '}', ')', '&':
		l.endCommand()
		l.command.piped, l.command.invoked = c == '|', c == '&'
	case ' ', '\t', '\r':
		l.endWord()
	case ',':
		if l.method {
			l.endWord()
			break
		}
		l.add(",")
	case '>':
		l.redirect()
	case '#':
		if l.open {
			l.add("#")
			break
		}
		l.at += lineEnd(l.text[l.at:]) - 1
	case '`':
		l.escape()
	case '"', '\'':
		l.quoted(c)
	case '@':
		l.block()
	default:
		l.add(l.text[l.at : l.at+1])
	}
	l.at++
}

// lineEnd returns the end of the line, which is never at its beginning.
func lineEnd(text string) int {
	if end := strings.IndexByte(text, '\n'); end > 0 {
		return end
	}
	return len(text)
}

// redirect reads a redirection sign. A number before it is no word.
func (l *looseLexer) redirect() {
	if l.open && strings.Trim(string(l.word), "0123456789*") == "" {
		l.word, l.open = nil, false
	}
	l.endWord()
	if rest := l.text[l.at+1:]; len(rest) > 1 && rest[0] == '&' && rest[1] >= '0' && rest[1] <= '9' {
		l.at += 2
		return
	}
	l.target = true
}

// escape reads a backtick and the character that it escapes; at the end of a line, the line break.
func (l *looseLexer) escape() {
	rest := l.text[l.at+1:]
	switch {
	case strings.HasPrefix(rest, "\r\n"):
		l.endWord()
		l.at += 2
	case strings.HasPrefix(rest, "\n"):
		l.endWord()
		l.at++
	case rest != "":
		l.add(rest[:1])
		l.at++
	}
}

// quoted reads a text in quotes. Commands inside double quotes run as well.
func (l *looseLexer) quoted(quote byte) {
	rest := l.text[l.at+1:]
	end := 0
	for end < len(rest) && rest[end] != quote {
		if quote == '"' && rest[end] == '`' && end+1 < len(rest) {
			end++
		}
		end++
	}
	l.literal(rest[:end], quote)
	l.at += end + 1
}

func (l *looseLexer) literal(inside string, quote byte) {
	l.add(inside)
	if _, code, ok := strings.Cut(inside, "$("); ok && quote == '"' {
		l.out = append(l.out, looseCommands(strings.ReplaceAll(code, `"`, ""))...)
	}
}

// block reads a text of several lines between @" and "@, or the sign alone.
func (l *looseLexer) block() {
	rest := l.text[l.at+1:]
	if !l.endless && len(rest) > 1 && (rest[0] == '"' || rest[0] == '\'') && (rest[1] == '\n' || rest[1] == '\r') {
		if end := strings.Index(rest[1:], "\n"+rest[:1]+"@"); end >= 0 {
			l.literal(strings.Trim(rest[1:1+end], "\r\n"), rest[0])
			l.at += 1 + 1 + end + 2
			return
		}
		l.endless = true
	}
	l.add("@")
}
