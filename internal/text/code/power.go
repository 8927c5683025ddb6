package code

import (
	"slices"
	"strings"
)

// backtickEscape reads the backtick of PowerShell outside of strings: the end of a line continues it, other characters are themselves.
func (x *lexer) backtickEscape() {
	rest := x.rest()
	switch {
	case rest == "":
	case rest[0] == '\n':
		x.at++
		x.space = true
	case strings.HasPrefix(rest, "\r\n"):
		x.at += 2
		x.space = true
	default:
		x.at++
		x.add('s', rest[:1], nil)
	}
}

// powerDocument reads a text of several lines between @" and "@.
func (x *lexer) powerDocument() bool {
	rest := x.rest()
	if len(rest) < 3 || rest[1] != '"' && rest[1] != '\'' || rest[2] != '\n' && rest[2] != '\r' || x.failed > maxFailed {
		return false
	}
	end := strings.Index(rest[2:], "\n"+rest[1:2]+"@")
	if end < 0 {
		x.failed++
		return false
	}
	inside := strings.TrimLeft(rest[2:2+end], "\r\n")
	x.at += 2 + end + 3
	if rest[1] == '\'' {
		x.add('s', inside, nil)
		return true
	}
	text, parts := x.literal(inside, "$", false)
	x.add('s', text, parts)
	return true
}

// powerKeywords begin no command.
var powerKeywords = words(`if elseif else while until do for foreach switch try catch finally function filter param return throw begin
	process end trap in class using data break continue exit`)

// aliases are other names of commands.
var aliases = func() map[string]string {
	out := map[string]string{}
	fields := strings.Fields(`gci get-childitem dir get-childitem gc get-content sc set-content ac add-content ri remove-item del remove-item
		erase remove-item rd remove-item cpi copy-item mi move-item rni rename-item ren rename-item ni new-item md new-item iex invoke-expression
		irm invoke-restmethod iwr invoke-webrequest icm invoke-command saps start-process spps stop-process kill stop-process spsv stop-service
		sasv start-service sajb start-job sp set-itemproperty rp remove-itemproperty gp get-itemproperty si set-item clc clear-content
		foreach foreach-object % foreach-object where where-object ? where-object select select-object sls select-string ipmo import-module
		nsn new-pssession etsn enter-pssession gwmi get-wmiobject gcm get-command gps get-process
		ps get-process iwmi invoke-wmimethod icim invoke-cimmethod type get-content sl set-location
		rcjb receive-job tee tee-object ii invoke-item gi get-item gcim get-ciminstance sal set-alias nal new-alias`)
	for i := 0; i+1 < len(fields); i += 2 {
		out[fields[i]] = fields[i+1]
	}
	return out
}()

// aliasOf is the full name of the command that a value names.
func aliasOf(v value) string {
	if len(v.texts) != 1 {
		return ""
	}
	name := strings.ToLower(v.texts[0])
	if full, ok := aliases[name]; ok {
		return full
	}
	return name
}

// A powerLine is a command with the values of its words.
type powerLine struct {
	name  string
	words []value
	piped bool
	given string // the texts that an expression before it gives to it
}

// powerCommand evaluates a pipeline if a command begins here.
func (e *evaluator) powerCommand() (value, bool) {
	if !e.beginsCommand() {
		return value{}, false
	}
	v := e.powerOne(false, "")
	return e.powerPipe(v, false), true
}

// powerPipe evaluates the commands that get a value. What an expression gives to the first of them is no output of a command.
func (e *evaluator) powerPipe(v value, given bool) value {
	for e.sign(0, "|") && e.spend(1) {
		input := ""
		if given && v.known() {
			input = strings.Join(v.texts, "\n")
		}
		given = false
		e.at++
		before, had := e.vars["$_"]
		e.vars["$_"] = v.elements()
		if e.beginsCommand() {
			v = e.powerOne(true, input)
		} else {
			v = e.expression()
		}
		if delete(e.vars, "$_"); had {
			e.vars["$_"] = before
		}
	}
	return v
}

// beginsCommand reports whether the next token begins a command, and not an expression.
func (e *evaluator) beginsCommand() bool {
	t := e.peek(0)
	switch t.kind {
	case 'n':
		next := e.peek(1)
		assigns := next.kind == 'p' && (next.text == "=" || next.text == "+=")
		return t.text[0] != '$' && !powerKeywords[t.text] && !assigns || t.text == "foreach" && e.sign(1, "{")
	case 's':
		return e.at+1 < len(e.tokens) && t.to-t.from == 2 && e.text[t.from] == '`' // an escape begins a word
	case 'p':
		next := e.peek(1)
		switch t.text {
		case "&":
			return true
		case ".":
			return next.kind != 'p' || next.text == "\\" || next.text == "/" || next.text == "(" || next.text == "."
		case "\\", "/", "~", "%", "?", "..":
			return true
		}
	}
	return false
}

// powerEnds reports whether a command ends before the next token.
func (e *evaluator) powerEnds() bool {
	t := e.peek(0)
	if t.kind == 'e' || t.line {
		return true
	}
	ends := []string{"|", "||", "&&", ";", ")", "}", "|&"}
	return t.kind == 'p' && (slices.Contains(ends, t.text) || t.text == "&" && t.space)
}

// powerOne evaluates one command of a pipeline.
func (e *evaluator) powerOne(piped bool, given string) value {
	line := powerLine{piped: piped, given: given}
	invoked := e.sign(0, "&") || e.sign(0, ".") && (e.peek(1).space || e.sign(1, "("))
	if invoked {
		e.at++
	}
	if e.sign(0, "{") || e.sign(0, "(") && invoked { // & { … }, & (…)
		block := e.operand()
		if !block.list || len(block.texts) > 0 {
			line.words = append(line.words, block)
		} else {
			return block
		}
	}
	first := len(line.words) == 0
	for (first || !e.powerEnds()) && e.at < len(e.tokens) && len(line.words) < maxItems && e.spend(1) {
		before := e.at
		if e.powerRedirect() {
			continue
		}
		line.words = append(line.words, e.powerWords()...)
		if e.at == before {
			e.at++
		}
		e.making = strings.EqualFold(strings.Join(line.words[0].texts, ""), "New-Object")
		first = false
	}
	e.making = false
	return e.powerRun(line)
}

// powerRedirect reads a redirection.
func (e *evaluator) powerRedirect() bool {
	at := 0
	if t := e.peek(0); (t.kind == '0' || t.kind == 'p' && t.text == "*") && !e.peek(1).space && (e.sign(1, ">") || e.sign(1, ">>")) {
		at = 1
	}
	if !e.sign(at, ">") && !e.sign(at, ">>") {
		return false
	}
	e.at += at + 1
	if e.sign(0, "&") {
		e.at += 2 // 2>&1
		return true
	}
	for _, word := range e.powerWords() {
		for _, name := range word.texts {
			if name != Unknown {
				e.note(Act{Words: []string{"tee", "--", name}})
			}
		}
	}
	return true
}

// powerWords evaluates a word of a command; -name:value are two. Elements of an array are alternatives.
func (e *evaluator) powerWords() []value {
	t := e.peek(0)
	if t.kind == 'p' && t.text == "-" && e.peek(1).kind == 'n' && e.sign(2, ":") && !e.peek(2).space && !e.peek(3).line {
		name := text("-" + e.raw(1, 2))
		e.at += 3
		return append([]value{name}, e.powerArray())
	}
	return []value{e.powerArray()}
}

// raw is the text of tokens as written.
func (e *evaluator) raw(from, to int) string {
	begin, end := e.peek(from).from, e.peek(to-1).to
	return e.text[min(begin, end):end]
}

// powerArray evaluates words that are joined by commas.
func (e *evaluator) powerArray() value {
	v := e.powerWord()
	for e.sign(0, ",") && e.spend(1) {
		e.at++
		next := e.powerWord()
		if !v.list {
			v = value{list: true, items: []argument{{value: v}}, texts: v.texts, taint: v.taint}
		}
		if len(v.items) < maxItems {
			v.items = append(v.items, argument{value: next})
		}
		v.texts = more(v.texts, next.alternatives(), maxTexts)
		v.taint = v.taint.with(next.taint)
	}
	return v
}

// powerWord evaluates the parts of one word.
func (e *evaluator) powerWord() value {
	v, first := value{}, true
	named := e.peek(0).kind == 'n'
	for e.at < len(e.tokens) && e.spend(1) && (first || !e.powerEnds() && !e.peek(0).space) {
		t := e.peek(0)
		if !first && named && !e.making && t.kind == 'p' && t.text == "(" && aliasOf(v) == "invoke-expression" {
			break // iex(…) is the command and its argument
		}
		if !first && t.kind == 'p' && (t.text == "," || t.text == ">" || t.text == ">>") {
			break
		}
		var next value
		switch {
		case t.kind == 's':
			e.at++
			next = e.filled(t)
			next.quoted = first && e.text[t.from] != '`'
		case !first && e.making && t.kind == 'p' && t.text == "(":
			v.made = e.group(")") // New-Object Type(…)
			continue
		case t.kind == 'n' && t.text[0] == '$', t.kind == 'p' && (t.text == "(" || t.text == "{" || t.text == "@" && e.groupFollows()):
			if t.text == "@" {
				e.at++
			}
			next = e.operand()
		case t.kind == 'p' && t.text == "@" && e.peek(1).kind == 'n':
			e.at += 2 // splatting
			next = text(Unknown)
		case t.kind == 'p' && t.text == "$" && e.sign(1, "("):
			e.at++
			next = e.operand()
		case t.kind == 'p' && t.text == "[" && first:
			next = e.operand()
		default:
			next = text(e.raw(0, 1))
			e.at++
		}
		if v = e.powerJoin(v, next, first); !first {
			v.items, v.list = nil, false
		}
		first = false
	}
	return v
}

func (e *evaluator) powerJoin(v, next value, first bool) value {
	if first {
		return next
	}
	return e.join(v, next)
}

func (e *evaluator) groupFollows() bool { return e.sign(1, "(") || e.sign(1, "{") }

// parameter is the value of a parameter of a command, which may be abbreviated.
func (l powerLine) parameter(names ...string) (value, bool) {
	for i := range l.words {
		given := l.option(i)
		for _, name := range names {
			if given != "" && strings.HasPrefix(name, given) && i+1 < len(l.words) && l.option(i+1) == "" {
				return l.words[i+1], true
			}
		}
	}
	return value{}, false
}

// option is the name of a parameter, if the word is one.
func (l powerLine) option(i int) string {
	if i == 0 || len(l.words[i].texts) == 0 {
		return ""
	}
	name, ok := strings.CutPrefix(strings.ToLower(l.words[i].texts[0]), "-")
	if !ok || l.words[i].quoted || name == "" || name[0] >= '0' && name[0] <= '9' {
		return ""
	}
	return name
}

func (l powerLine) has(name string) bool {
	for i := range l.words {
		if given := l.option(i); given != "" && strings.HasPrefix(name, given) {
			return true
		}
	}
	return false
}

// flags are the parameters without a value.
var flags = words(`recurse force r fo f whatif confirm usebasicparsing useb verbose asjob wait nonewwindow passthru raw append
	noclobber nonewline directory file hidden name_ asplaintext noprofile allusers persist quiet enableexit`)

// positional is the first word that is no parameter, and no value of one.
func (l powerLine) positional() (value, bool) {
	for i := 1; i < len(l.words); i++ {
		given := l.option(i)
		if given == "" {
			return l.words[i], true
		}
		if !flags[given] && !strings.HasPrefix("recurse", given) && !strings.HasPrefix("force", given) {
			i++
		}
	}
	return value{}, false
}

// subject is the value of a parameter, or the first word that is no parameter.
func (l powerLine) subject(names ...string) value {
	if v, ok := l.parameter(names...); ok {
		return v
	}
	v, _ := l.positional()
	return v
}
