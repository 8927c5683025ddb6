package code

import (
	"slices"
	"strings"
)

// A token is the smallest part of a text.
type token struct {
	kind  byte // 'n' a name, 's' a string, '0' a number, 'p' a sign, 'h' a hole, 'c' a command in backticks, 'w' a list of words
	text  string
	parts []part // of a string with expressions; nil: it is text
	line  bool   // a line begins before it
	space bool   // a blank is before it
	end   int    // the index of the token after the group that it opens
	from  int    // where it begins in the text
	to    int    // where it ends
}

// A part of a string is a text or an expression.
type part struct {
	text string
	code bool
}

// A lexer cuts a text into tokens.
type lexer struct {
	*Language
	text   string
	at     int
	start  int // of the token that is read
	tokens []token
	line   bool
	space  bool
	docs   []string // the ends of texts that begin after this line
	fresh  int      // the first token whose text follows this line
	failed int      // searches for an end that is missing
}

// maxFailed bounds the searches for an end that is missing, so that a text takes linear time.
const maxFailed = 64

func lex(text string, l *Language) []token {
	x := &lexer{Language: l, text: text}
	for x.at < len(x.text) {
		x.step()
	}
	if l.multiword {
		x.tokens = joinWords(x.tokens)
	}
	matchGroups(x.tokens)
	return x.tokens
}

// joinWords makes one name of the names of several words that AppleScript has.
func joinWords(tokens []token) []token {
	var out []token
	for i := 0; i < len(tokens); i++ {
		t := tokens[i]
		is := func(n int, text string) bool {
			return i+n < len(tokens) && tokens[i+n].kind == 'n' && tokens[i+n].text == text
		}
		switch {
		case is(0, "do") && is(1, "shell") && is(2, "script"):
			t.text = "do_shell_script"
			i += 2
		case is(0, "do") && is(1, "script"):
			t.text = "do_shell_script"
			i++
		case is(0, "run") && is(1, "script"):
			t.text = "run_script"
			i++
		}
		out = append(out, t)
	}
	return out
}

// matchGroups sets where groups end. A group without an end goes to the end of the text.
func matchGroups(tokens []token) {
	var open []int
	closes := map[string]string{")": "(", "]": "[", "}": "{"}
	for i := range tokens {
		tokens[i].end = len(tokens)
		if tokens[i].kind != 'p' {
			continue
		}
		switch opens := closes[tokens[i].text]; {
		case tokens[i].text == "(" || tokens[i].text == "[" || tokens[i].text == "{":
			open = append(open, i)
		case opens == "":
		case len(open) > 0 && tokens[open[len(open)-1]].text == opens:
			tokens[open[len(open)-1]].end = i + 1
			open = open[:len(open)-1]
		}
	}
}

func (x *lexer) add(kind byte, text string, parts []part) {
	x.tokens = append(x.tokens, token{
		kind: kind, text: text, parts: parts, line: x.line, space: x.space || x.line, from: x.start, to: x.at,
	})
	x.line, x.space = false, false
}

func (x *lexer) rest() string { return x.text[x.at:] }

// step reads the next token.
func (x *lexer) step() {
	c := x.text[x.at]
	x.start = x.at
	switch {
	case c == '\n':
		x.at++
		x.line = true
		x.documents()
	case c == ' ' || c == '\t' || c == '\r':
		x.space = true
		x.at++
	case isHole(c):
		x.at++
		x.add('h', string([]byte{c}), nil)
	case x.comment():
	case x.document():
	case c == '!' && x.Program == "python3" && (x.line || len(x.tokens) == 0):
		line, _, _ := strings.Cut(x.rest()[1:], "\n")
		x.at += 1 + len(line)
		x.add('c', line, nil) // a command in a notebook
	case x.power && c == '@' && x.powerDocument():
	case c == '"' || c == '\'' || c == '`':
		x.quoted("")
	case x.brackets && c == '[' && x.longBracket():
	case strings.IndexByte(x.sigils, c) >= 0 && x.variable():
	case x.percent && c == '%' && x.percentQuote():
	case c >= '0' && c <= '9':
		x.number()
	case isNameByte(c):
		x.name()
	case x.regex && c == '/' && x.pattern():
	case c == '\\' && !x.power && strings.HasPrefix(x.rest()[1:], "\n"):
		x.at += 2
	default:
		x.sign()
	}
}

func isNameByte(c byte) bool {
	return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c >= 0x80 && !isHole(c)
}

// comment skips a comment.
func (x *lexer) comment() bool {
	rest := x.rest()
	for i := 0; i+1 < len(x.block); i += 2 {
		if strings.HasPrefix(rest, x.block[i]) {
			if end := strings.Index(rest[len(x.block[i]):], x.block[i+1]); end >= 0 {
				x.at += len(x.block[i]) + end + len(x.block[i+1])
			} else {
				x.at = len(x.text)
			}
			x.space = true
			return true
		}
	}
	for _, begin := range x.Language.line {
		if !strings.HasPrefix(rest, begin) {
			continue
		}
		// $#array and s#a#b# of perl are no comments.
		if begin == "#" && x.at > 0 && strings.IndexByte("$\\", x.text[x.at-1]) >= 0 ||
			x.power && x.at > 0 && strings.IndexByte(" \t\n;{}(|", x.text[x.at-1]) < 0 {
			continue
		}
		if end := strings.IndexByte(rest, '\n'); end >= 0 {
			x.at += end
		} else {
			x.at = len(x.text)
		}
		return true
	}
	return false
}

func (x *lexer) number() {
	start := x.at
	for x.at < len(x.text) && (isNameByte(x.text[x.at]) || x.text[x.at] == '.' && x.at+1 < len(x.text) &&
		x.text[x.at+1] >= '0' && x.text[x.at+1] <= '9') {
		x.at++
	}
	x.add('0', x.text[start:x.at], nil)
}

// variable reads a name with its sigil, such as $x, @list or ${x}.
func (x *lexer) variable() bool {
	rest := x.rest()
	i := 1
	for i < len(rest) && strings.IndexByte(x.sigils, rest[i]) >= 0 {
		i++ // $$x, @$x, @@x
	}
	braced := i < len(rest) && rest[i] == '{' && x.fills != "" && x.Program != "ruby"
	if braced {
		i++
	}
	start := i
	for i < len(rest) && (isNameByte(rest[i]) || rest[i] == ':' && i+2 < len(rest) && (rest[i+1] == ':' || x.power) && isNameByte(rest[i+1])) {
		i++
	}
	name := rest[start:i]
	if name == "" && x.Program == "node" {
		x.at++
		x.add('n', "$", nil)
		return true
	}
	if name == "" && !braced && i == 1 && len(rest) > 1 && rest[0] == '$' && (x.Program == "perl" || x.Program == "ruby") &&
		strings.IndexByte(`/\,;!&|"`, rest[1]) >= 0 {
		x.at += 2
		x.add('n', rest[:2], nil) // $/ begins no pattern
		return true
	}
	if name == "" || name[0] >= '0' && name[0] <= '9' && x.Program != "perl" {
		if x.power && i < len(rest) && (rest[i] == '_' || rest[i] == '?') {
			x.at += i + 1
			x.add('n', "$_", nil)
			return true
		}
		return false
	}
	if braced {
		if i == len(rest) || rest[i] != '}' {
			return false
		}
		i++
	}
	if x.sigils == "$" && x.fills == "" || x.Program == "jshell" {
		name = rest[:i] // $ is a letter of names
	} else {
		name = "$" + name
	}
	x.at += i
	x.add('n', x.folded(name), nil)
	return true
}

func (x *lexer) folded(name string) string {
	if x.folds {
		return strings.ToLower(name)
	}
	return name
}

// name reads a name. It may be the beginning of a string.
func (x *lexer) name() {
	start := x.at
	inName := func(i int) bool { return i < len(x.text) && isNameByte(x.text[i]) }
	for inName(x.at) || x.dashes && inName(x.at+1) && x.text[x.at] == '-' {
		x.at++
	}
	if x.at+1 < len(x.text) && x.text[x.at] == '!' && x.text[x.at+1] == '(' && x.loose {
		x.at++ // rm_rf!(x)
	}
	name := x.text[start:x.at]
	if x.at < len(x.text) {
		next := x.text[x.at]
		if (next == '"' || next == '\'') && x.isPrefix(name) {
			x.quoted(name)
			return
		}
		if next == '"' && x.Program == "julia" && (name == "raw" || name == "r" || name == "b") {
			x.quoted("r")
			return
		}
		if x.letters && x.letterQuote(name) {
			return
		}
	}
	x.add('n', x.folded(name), nil)
}

func (x *lexer) isPrefix(name string) bool {
	return x.prefixes != "" && len(name) <= 2 && strings.Trim(name, x.prefixes) == ""
}

// regexWords are names after which a slash begins a pattern.
var regexWords = words(`return and or not if unless while until when in split grep match print puts p say then else case typeof`)

// pattern skips a pattern between slashes.
func (x *lexer) pattern() bool {
	if n := len(x.tokens); n > 0 {
		last := x.tokens[n-1]
		switch {
		case last.kind == 'n' && !regexWords[last.text], last.kind == '0', last.kind == 's', last.kind == 'h', last.kind == 'w',
			last.kind == 'p' && (last.text == ")" || last.text == "]" || last.text == "}"):
			return false
		}
	}
	class := false
	for i := x.at + 1; i < len(x.text) && x.failed < maxFailed; i++ {
		switch c := x.text[i]; {
		case c == '\\':
			i++
		case c == '\n':
			x.failed++
			return false
		case c == '[':
			class = true
		case c == ']':
			class = false
		case c == '/' && !class:
			x.at = i + 1
			for x.at < len(x.text) && x.text[x.at] >= 'a' && x.text[x.at] <= 'z' {
				x.at++
			}
			x.add('h', Unknown, nil)
			return true
		}
	}
	x.failed++
	return false
}

// signs are the signs of more than one byte, the longest first.
var signs = strings.Fields(`=== !== <=> **= ||= &&= ??= ... >>> <<= >>= == => -> :: := += -= .= *= /= |= .. && || |& << >> <= >= !=
	?. ?? <- =~ **`)

func (x *lexer) sign() {
	rest := x.rest()
	for _, sign := range signs {
		if len(rest) < 2 || strings.IndexByte("=>-:.&|*?<~", rest[1]) < 0 {
			break
		}
		if strings.HasPrefix(rest, sign) {
			x.at += len(sign)
			x.add('p', sign, nil)
			return
		}
	}
	x.at++
	x.add('p', rest[:1], nil)
}

func words(list string) map[string]bool {
	set := map[string]bool{}
	for _, word := range strings.Fields(list) {
		set[word] = true
	}
	return set
}

// document notes the beginning of a text that follows the line: <<EOF, <<~EOF, <<"EOF", <<<EOF.
func (x *lexer) document() bool {
	rest := x.rest()
	begin := "<<"
	switch x.Program {
	case "php":
		begin = "<<<"
	case "ruby", "perl":
	default:
		return false
	}
	after, ok := strings.CutPrefix(rest, begin)
	if !ok {
		return false
	}
	name := strings.TrimLeft(after, "~-'\" ")
	if lead := len(after) - len(name); lead > 2 || lead > 0 && after[0] == ' ' {
		return false
	}
	size := 0
	for size < len(name) && isNameByte(name[size]) {
		size++
	}
	if size == 0 || name[0] >= '0' && name[0] <= '9' || name[0] >= 'a' && x.Program == "ruby" {
		return false
	}
	x.at += len(rest) - len(name) + size
	if x.at < len(x.text) && (x.text[x.at] == '\'' || x.text[x.at] == '"') {
		x.at++
	}
	x.docs = append(x.docs, name[:size])
	x.add('s', "", nil)
	if len(x.docs) == 1 {
		x.fresh = len(x.tokens) - 1
	}
	return true
}

// documents reads the texts that follow a line.
func (x *lexer) documents() {
	at := x.fresh
	for _, end := range x.docs {
		var body []string
		for x.at < len(x.text) {
			line, _, _ := strings.Cut(x.rest(), "\n")
			x.at = min(len(x.text), x.at+len(line)+1)
			if strings.TrimRight(strings.TrimSpace(line), ";,)") == end {
				break
			}
			body = append(body, line)
		}
		for ; at < len(x.tokens); at++ {
			if t := &x.tokens[at]; t.kind == 's' && t.text == "" && t.parts == nil {
				t.text, t.parts = x.literal(strings.Join(body, "\n")+"\n", x.fills, false)
				at++
				break
			}
		}
	}
	x.docs = slices.Delete(x.docs, 0, len(x.docs))
}
