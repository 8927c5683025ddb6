package code

import (
	"slices"
	"strings"

	"github.com/weir-gate/weir/internal/text/program"
)

// expression evaluates operands and the signs between them. It knows no precedence: only signs that join texts matter.
func (e *evaluator) expression() value {
	if e.depth++; e.depth > maxDepth {
		e.depth--
		e.at++
		return value{}
	}
	defer func() { e.depth-- }()
	v := e.operand()
	for e.at < len(e.tokens) && e.spend(1) {
		t := e.peek(0)
		switch {
		case t.kind == 's' && e.language.adjacent && !t.line || t.kind == 's' && e.language == Python && e.inGroup():
			v = e.join(v, e.operand())
		case e.language == Awk && !t.line && (t.kind == '0' || t.kind == 'n' && !ends[t.text] && t.text != "getline"):
			v = e.join(v, e.operand())
		case t.kind == 'n' && (t.text == "or" || t.text == "and" || t.text == "else" && e.language == Python):
			e.at++
			v = either(v, e.operand())
		case t.kind == 'n' && (t.text == "if" || t.text == "unless") && e.language == Python && !t.line:
			e.at++
			e.operand() // the condition of a choice
		case t.kind != 'p':
			return v
		default:
			next, ok := e.operator(v, t.text)
			if !ok {
				return v
			}
			v = next
		}
	}
	return v
}

// inGroup reports whether the next token is in brackets, where lines do not end statements.
func (e *evaluator) inGroup() bool { return e.depth > 2 }

// operator evaluates a sign after a value, and the operand behind it.
func (e *evaluator) operator(v value, sign string) (value, bool) {
	switch sign {
	case "+":
		e.at++
		right := e.operand()
		if v.list && right.list {
			v.items = append(slices.Clone(v.items), right.items...)
			if len(v.items) > maxItems {
				v.items = v.items[:maxItems]
			}
			return v, true
		}
		return e.join(v, right), true
	case ".", "..", "&", "*", "~":
		if !strings.Contains(e.language.joins, sign) || sign == "." && e.language.joins == ".." {
			if sign == "." || sign == "..." {
				return v, false
			}
			break
		}
		e.at++
		return e.join(v, e.operand()), true
	case "/":
		e.at++
		right := e.operand()
		if v.path || right.path {
			return e.joinPath(v, right), true
		}
		return value{taint: v.whole().with(right.whole())}, true
	case "%":
		e.at++
		return e.format(v, e.operand()), true
	case "?":
		e.at++
		return e.choice(v), true
	case "||", "??", "&&":
		e.at++
		return either(v, e.operand()), true
	case "|", "|&":
		if e.language.pipes {
			return e.awkPipe(v)
		}
		if e.language.power {
			return v, false
		}
	case "<", ">", ">>":
		if e.language.power {
			return v, false
		}
		if e.language.pipes && e.awkFile(sign) {
			return value{}, true
		}
	case "-":
		if e.language.power && e.powerOperator(&v) {
			return v, true
		}
	case "==", "!=", "===", "!==", "<=", ">=", "=~", "<=>", "**", ">>>":
	default:
		return v, false
	}
	e.at++
	right := e.operand()
	return value{taint: v.whole().with(right.whole())}, true
}

// choice evaluates what follows the question mark after a value.
func (e *evaluator) choice(v value) value {
	if e.take(":") { // a ?: b
		return either(v, e.operand())
	}
	yes := e.expression()
	if e.take(":") {
		return either(yes, e.expression())
	}
	return yes
}

// operand evaluates a value with the members, calls and indexes behind it.
func (e *evaluator) operand() value {
	for range lookAhead {
		t := e.peek(0)
		prefix := t.kind == 'p' && slices.Contains([]string{"!", "-", "+", "~", "&", "*", "\\", "@", "...", "**", "$", "<"}, t.text) ||
			t.kind == 'n' && leads[t.text] && !e.sign(1, ".") && !e.sign(1, "(")
		if e.language.power && t.text == "@" || !prefix {
			break
		}
		if t.text == "<" && e.language != Perl {
			break
		}
		e.at++
	}
	if e.is("new", "await", "not", "return", "yield") && e.peek(0).kind == 'n' {
		e.at++
	}
	v, ok := e.primary()
	if !ok {
		return value{}
	}
	return e.postfix(v)
}

// primary evaluates the smallest expression.
func (e *evaluator) primary() (value, bool) {
	t := e.peek(0)
	switch t.kind {
	case 's':
		e.at++
		return e.filled(t), true
	case 'c':
		e.at++
		command := e.filled(t)
		if e.language == JavaScript {
			return command, true
		}
		e.runShell(command)
		e.readsOutput(command)
		return value{texts: []string{Unknown}, taint: printed(command)}, true
	case 'w':
		e.at++
		v := value{list: true}
		for _, word := range strings.Fields(t.text) {
			if len(v.items) < maxItems {
				v.items = append(v.items, argument{value: text(word)})
			}
		}
		return v, true
	case '0':
		e.at++
		return text(t.text), true
	case 'h':
		e.at++
		return text(t.text), true
	case 'n':
		return e.named()
	case 'p':
		return e.bracketed(t)
	}
	return value{}, false
}

// named evaluates a name.
func (e *evaluator) named() (value, bool) {
	t := e.peek(0)
	if ends[t.text] && !e.sign(1, ".") && !e.sign(1, "(") {
		return value{}, false
	}
	if t.text == "function" || t.text == "sub" || t.text == "def" {
		e.define()
		return value{}, true
	}
	e.at++
	v := e.variable(t.text)
	if next := e.peek(0); e.language == Perl && (t.text == "unlink" || t.text == "rmdir") &&
		(next.kind == 'e' || next.kind == 'n' && ends[next.text] || next.kind == 'p' && strings.Contains(";}|&)", next.text[:1])) {
		return e.called(v, nil), true // what $_ names
	}
	return v, true
}

// variable is what a name refers to.
func (e *evaluator) variable(name string) value {
	if name == "fork" && e.language.loose && !e.sign(0, "(") {
		return forks(e, invocation{})
	}
	v, ok := e.vars[name]
	if secret, is := strings.CutPrefix(name, "$env:"); is && e.language.power && program.SecretVariable(secret) {
		v.taint.env = true
	}
	v.names = more(v.names, []string{name}, maxNames+1)
	if !ok {
		for _, module := range e.imported {
			v.names = more(v.names, []string{module + "." + name}, 2*maxNames)
		}
	}
	return e.fixed(v)
}

// fixed adds the text of names whose text is known, such as process.env.HOME.
func (e *evaluator) fixed(v value) value {
	for _, name := range v.names {
		if known, ok := fixedText(name); ok {
			v.texts = more(v.texts, []string{known}, maxTexts)
			v.path = v.path || known == Home && strings.HasSuffix(name, "Path.home")
		}
	}
	return v
}

// bracketed evaluates what is in brackets.
func (e *evaluator) bracketed(t token) (value, bool) {
	switch t.text {
	case "(":
		name := e.functionName()
		items := e.group(")")
		if name == "" && len(items) == 1 && items[0].params != nil && e.sign(0, "(") {
			name = "=>"
			e.functions[name] = items[0].params
		}
		if name != "" && e.sign(0, "(") {
			return value{names: []string{name}}, true // it is called at once
		}
		commas := len(items) > 1
		if len(items) == 1 && items[0].key == "" && !commas {
			return items[0].value, true
		}
		return value{items: items, list: len(items) > 0}, true
	case "[":
		if e.language.power {
			if v, ok := e.powerType(); ok {
				return v, true
			}
		}
		items := e.group("]")
		return value{items: items, list: true}, true
	case "{":
		items := e.group("}")
		return value{items: items, list: true}, true
	}
	return value{}, false
}

// filled is the text of a string, with the values of its expressions.
func (e *evaluator) filled(t token) value {
	if t.parts == nil {
		return text(t.text)
	}
	v := text("")
	for _, p := range t.parts {
		if !p.code {
			v = e.join(v, text(p.text))
			continue
		}
		v = e.join(v, e.inner(p.text))
	}
	return v
}

// inner evaluates an expression in a string.
func (e *evaluator) inner(source string) value {
	if e.nested++; e.nested > maxNested || !e.spend(1+len(source)) {
		e.nested--
		return text(Unknown)
	}
	outer := e.cursor
	e.cursor = cursor{text: source, tokens: lex(source, e.language)}
	v := value{}
	for e.at < len(e.tokens) && !e.cut {
		before := e.at
		item, ok := e.item(false)
		if ok {
			v = item.value
		}
		if e.at == before {
			e.at++
		}
	}
	e.cursor = outer
	e.nested--
	return v
}
