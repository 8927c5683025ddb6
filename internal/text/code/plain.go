package code

import (
	"slices"
	"strings"
)

// maxPlain bounds the code that is looked at: what is longer is no line that people type to look at something.
const maxPlain = 4 << 10

// Plain reports code that only computes, reads and prints, as far as every call in it says: functions that are known to do no more, and
// functions of the project and its packages, if the words that they are given can name no file and no command. It is about code that
// passes unless something is known against it, so doubt means that it is not plain.
func Plain(source string, l *Language) bool {
	p := dialectOf(l)
	if p == nil || len(source) > maxPlain {
		return false
	}
	s := plainScan{dialect: p, language: l, tokens: lex(source, l)}
	return s.imports() && s.calls() && !(s.hands && s.pointed())
}

// A plainScan looks at the tokens of a text one by one.
type plainScan struct {
	dialect  *plainDialect
	language *Language
	tokens   []token
	foreign  map[string]bool // functions and modules that the text imports or defines
	hands    bool            // something is given to a function of which only the name is known
}

func (s *plainScan) at(i int) token {
	if i >= 0 && i < len(s.tokens) {
		return s.tokens[i]
	}
	return token{kind: 'e', line: true}
}

func (s *plainScan) sign(i int, texts ...string) bool {
	t := s.at(i)
	return t.kind == 'p' && slices.Contains(texts, t.text)
}

func (s *plainScan) word(i int, texts ...string) bool {
	t := s.at(i)
	return t.kind == 'n' && slices.Contains(texts, t.text)
}

// imports collects what the text imports and defines, and reports whether all of it may be imported.
func (s *plainScan) imports() bool {
	s.foreign = map[string]bool{}
	for i, t := range s.tokens {
		switch {
		case s.word(i, "import", "from") && s.language == Python:
			for n := i + 1; !s.at(n).line && !s.sign(n, ";") && n < len(s.tokens); n++ {
				if s.at(n).kind != 'n' {
					continue
				}
				if s.dialect.barred[s.at(n).text] {
					return false
				}
				s.foreign[s.at(n).text] = true
			}
		case s.word(i, "import", "from", "require", "require_relative") && s.language != Python:
			name := i + 1
			if s.sign(name, "(") {
				name++
			}
			module := s.at(name)
			joined := s.sign(i+1, "(") && !s.sign(name+1, ")") // with a text that the name does not show
			if module.kind == 's' && (joined || !s.loads(module)) || module.kind != 's' && !s.binds(i) {
				return false
			}
		case s.word(i, "def", "function") && s.at(i+1).kind == 'n':
			s.foreign[s.at(i+1).text] = true
		case t.kind == 'n' && s.language == JavaScript && s.word(i+1, "as") && s.at(i+2).kind == 'n':
			s.foreign[s.at(i+2).text] = true
		}
		if t.kind == 'n' && s.assigned(i) {
			s.foreign[t.text] = true
		}
	}
	return true
}

// binds reports an import of JavaScript that gives names to what it imports: import x, {y} from "z".
func (s *plainScan) binds(i int) bool {
	if !s.word(i, "import") || s.language != JavaScript {
		return false
	}
	for n := i + 1; n < len(s.tokens) && n < i+maxDestructured; n++ {
		switch {
		case s.word(n, "from"):
			return true
		case s.at(n).kind == 'n':
			s.foreign[s.at(n).text] = true
		case !s.sign(n, "{", "}", ",", "*"):
			return false
		}
	}
	return false
}

// loads reports a module that may be loaded: a package, or a file below the folder where the code runs.
func (s *plainScan) loads(module token) bool {
	name := strings.TrimPrefix(module.text, "node:")
	first, _, _ := strings.Cut(name, "/")
	return module.parts == nil && !s.dialect.barred[first] && !strings.HasPrefix(name, "/") && !strings.Contains(name, "..") &&
		!strings.ContainsAny(name, "~\\:$ ")
}

// assigned reports a name that gets a value, or stands for the elements of something.
func (s *plainScan) assigned(i int) bool {
	if s.sign(i-1, ".", "->", "::", "?.") {
		return false
	}
	if s.sign(i-1, "{", ",") && s.sign(i+1, ",", "}") {
		return true // const {a, b} = require("./c")
	}
	return s.sign(i+1, "=", ":=", "=>") || s.word(i-1, "as", "for", "lambda", "const", "let", "var") || s.sign(i-1, "|")
}

// calls reports that every token may stand in plain code.
func (s *plainScan) calls() bool {
	for i, t := range s.tokens {
		switch t.kind {
		case 's':
			if !s.filled(t) {
				return false
			}
		case '0', 'w':
		case 'n':
			if !s.name(i) {
				return false
			}
		case 'p':
			if !s.plainSign(i) {
				return false
			}
		default:
			return false // a command, or a part that is not known
		}
	}
	return true
}

// filled reports a string whose expressions are plain.
func (s *plainScan) filled(t token) bool {
	for _, p := range t.parts {
		if p.code && !Plain(p.text, s.language) {
			return false
		}
	}
	return true
}

// plainSign reports a sign that calls nothing of which no name is known, and changes no member of anything.
func (s *plainScan) plainSign(i int) bool {
	switch s.at(i).text {
	case "`":
		return false
	case "\\":
		return s.language == PHP
	case "(":
		return s.at(i).line || !s.sign(i-1, ")", "]", "}") && s.at(i-1).kind != 's'
	case "@":
		return s.language != Python
	case "=", ":=", "+=", "||=", "<<=":
		changed := s.sign(i-1, "]") || s.sign(i-1, "}") && s.language != JavaScript
		return !changed && !(s.at(i-1).kind == 'n' && s.sign(i-2, ".", "->", "::", "?."))
	}
	return true
}

// name reports a name that may stand in plain code, and may be called if it is.
func (s *plainScan) name(i int) bool {
	t := s.at(i)
	text := strings.TrimRight(t.text, "?!")
	called := s.called(i)
	root, path := s.path(i)
	if called && s.dialect.known[path] {
		return !s.orders(i)
	}
	member := s.sign(i+1, ".") && s.dialect.known[text+"."+s.at(i+2).text]
	if s.dialect.barred[text] && !member || strings.HasPrefix(text, "__") && !plainDunders[text] || !plainText(text, identifierSigns) {
		return false
	}
	if !called || leads[t.text] || ends[t.text] || plainWords[t.text] {
		return true
	}
	if s.language == PHP && strings.HasPrefix(text, "$") {
		return false // its text is the name of a function
	}
	if s.dialect.methods[text] && s.sign(i-1, ".", "->", "?.", "::", ":") {
		return !callbacks[text] || s.language != JavaScript || s.hasArrow(i)
	}
	own := root != "" && (s.foreign[root] || s.dialect.project && root[0] >= 'A' && root[0] <= 'Z')
	if !own && !(root == "" && s.sign(i-1, ".", "->", "?.")) || !s.tame(i) {
		return false
	}
	s.hands = s.hands || !s.sign(i+1, "(") || s.at(i+1).end != i+3
	return true
}

// callbacks are the methods that call what they are given.
var callbacks = words("then catch map filter forEach reduce flatMap find some every sort")

// hasArrow reports a call that is given a function that the text writes out, or nothing.
func (s *plainScan) hasArrow(i int) bool {
	end := s.at(i + 1).end
	for n := i + 2; n < end; n++ {
		if s.sign(n, "=>") || s.word(n, "function") || s.word(n, "console") {
			return true
		}
	}
	return end == i+3
}

// orders reports a call whose key is a function of which only the name is known.
func (s *plainScan) orders(i int) bool {
	end := s.at(i + 1).end
	for n := i + 2; n < end; n++ {
		if s.word(n, "key", "default", "object_hook") && s.sign(n+1, "=") && !s.word(n+2, "lambda", "len", "str", "int", "repr") {
			return true
		}
	}
	return false
}

// pointed reports a text that could name a file, a command or an address, outside of what is only printed.
func (s *plainScan) pointed() bool {
	for i := 0; i < len(s.tokens); i++ {
		t := s.at(i)
		if _, path := s.path(i); t.kind == 'n' && printers[path] && s.sign(i+1, "(") {
			i = max(i, s.at(i+1).end-1)
			continue
		}
		if t.kind == 'w' || t.kind == 's' && !tameText(t) && !s.word(i-1, "require", "from", "require_relative", "puts", "p", "echo") &&
			!(s.sign(i-1, "(") && s.word(i-2, "require", "import")) {
			return true
		}
	}
	return false
}

// printers are the functions that only print what they are given.
var printers = words("print console.log console.error console.table console.dir IO.puts IO.inspect var_dump print_r pprint.pprint pprint")

// called reports a name that is called: with brackets, or with arguments behind it where the language needs no brackets.
func (s *plainScan) called(i int) bool {
	if s.sign(i+1, "(") {
		return true
	}
	next := s.at(i + 1)
	return s.language.loose && !next.line && (next.kind == 's' || next.kind == 'w' || next.kind == 'n' && !ends[next.text])
}

// path is the name of a function with the modules before it, and the first of them; "" if it is a member of a value without a name.
func (s *plainScan) path(i int) (root, path string) {
	path = s.at(i).text
	for s.sign(i-1, ".", "::", "->", "?.") {
		if i -= 2; s.at(i).kind != 'n' {
			return "", path
		}
		path = s.at(i).text + "." + path
	}
	return s.at(i).text, path
}

// tame reports a call whose texts can name no file, no command and no address.
func (s *plainScan) tame(i int) bool {
	from, to := i+1, i+2
	if s.sign(i+1, "(") {
		to = s.at(i + 1).end
	} else {
		for !s.at(to).line && !s.sign(to, ";") && to < len(s.tokens) {
			to++
		}
	}
	for ; from < to && from < len(s.tokens); from++ {
		loaded := s.sign(from-1, "(") && s.word(from-2, "require", "import") // which imports has looked at
		if t := s.at(from); t.kind == 's' && !tameText(t) && !loaded || t.kind == 'w' {
			return false
		}
	}
	return true
}

// tameText reports a string that can name no file elsewhere, no command with arguments and no address.
func tameText(t token) bool {
	return t.parts == nil && plainText(t.text, textSigns) && !strings.HasPrefix(t.text, "-") && !strings.Contains(t.text, "..")
}

// Signs that identifiers and harmless texts have, besides letters and digits.
const (
	identifierSigns = "_$@?!%"
	textSigns       = "_.:,-"
)

func plainText(text, signs string) bool {
	for _, c := range text {
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
		if !letter && !strings.ContainsRune(signs, c) {
			return false
		}
	}
	return true
}
