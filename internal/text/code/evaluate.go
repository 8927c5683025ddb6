package code

import (
	"slices"
	"strings"
)

// An evaluator computes what it can of a text.
type evaluator struct {
	to       *string // what target found; nil: it did not look yet
	language *Language
	cursor
	pass   int // the last one notes what is done; those before collect variables
	steps  int
	depth  int
	nested int // texts in texts
	cut    bool
	acts   []Act
	seen   map[string]struct{}
	folder []string // where the commands of the current call run

	vars      map[string]value
	functions map[string][]string // their parameters
	receiver  *value              // what the method of the current call is called on
	making    bool                // the words of New-Object are read
	imported  []string            // modules of which all names are used without the module
	databases []string            // the hosts of databases
	dataFiles []string            // databases that are a file
	walked    []string            // folders whose files the code goes through
	sockets   []socket
	sent      taint // what is sent through sockets
	strays    taint // what is read
	vague     []request
	bare      bool // a shell is started whose commands the code writes to it
	shells    bool // a shell, or a command from elsewhere, is started
	ran       bool // a command is started of which something is known
	unknown   bool // a command of which nothing is known is started
	loops     int  // the position of the last word that begins a loop

	record     taint // what awk has read without a name for it
	evaluating bool  // what is run is code of the same language
}

// A cursor is a position in a list of tokens.
type cursor struct {
	text   string
	tokens []token
	at     int
}

func (c *cursor) peek(n int) token {
	if c.at+n < len(c.tokens) {
		return c.tokens[c.at+n]
	}
	return token{kind: 'e', line: true}
}

// is reports whether the next token is one of these signs or words.
func (c *cursor) is(texts ...string) bool {
	t := c.peek(0)
	return (t.kind == 'p' || t.kind == 'n') && slices.Contains(texts, t.text)
}

// sign reports whether the token n places on is a sign.
func (c *cursor) sign(n int, text string) bool {
	t := c.peek(n)
	return t.kind == 'p' && t.text == text
}

func (c *cursor) take(texts ...string) bool {
	if c.is(texts...) {
		c.at++
		return true
	}
	return false
}

// block evaluates items up to a closing sign, or to the end.
func (e *evaluator) block(closing string) []argument {
	var items []argument
	for e.at < len(e.tokens) && !e.cut {
		if closing != "" && e.sign(0, closing) {
			break
		}
		before := e.at
		item, ok := e.item(closing != "")
		if ok && closing != "" && len(items) < maxItems {
			items = append(items, item)
		}
		if e.at == before {
			e.at++ // a sign that means nothing here
		}
	}
	return items
}

// group evaluates what is in brackets, and goes on behind them.
func (e *evaluator) group(closing string) []argument {
	end := e.peek(0).end
	e.at++
	if e.depth++; e.depth > maxDepth {
		// Deeper groups are read one after the other.
		e.depth--
		return nil
	}
	outer := e.tokens
	inner := min(end, len(outer))
	if inner > 0 && inner <= len(outer) && inner > e.at && outer[inner-1].kind == 'p' && outer[inner-1].text == closing {
		inner--
	}
	e.tokens = outer[:inner]
	items := e.block(closing)
	e.tokens = outer
	e.at = max(e.at, min(end, len(outer)))
	e.depth--
	return items
}

// These words only lead to an expression, or only connect statements.
var (
	leads = words(`if elif elsif else unless while until do then begin return yield await async new not delete typeof void raise throw my our
		local const let var global try except catch finally rescue ensure loop end pass break continue switch case when default public static
		private final nonlocal repeat BEGIN END assert with use no package extends implements elseif endif`)
	ends = words(`if unless while until for foreach in of then do end else elif elsif as and or is from rescue where`)
)

// item evaluates a statement, or an element of a group.
func (e *evaluator) item(inGroup bool) (argument, bool) {
	if !e.spend(1) {
		return argument{}, false
	}
	t := e.peek(0)
	if t.kind == 'p' && (t.text == "," || t.text == ";" || t.text == ")" || t.text == "]" || t.text == "}") {
		return argument{}, false
	}
	if t.kind == 'n' {
		switch t.text {
		case "import", "from":
			if e.imports() {
				return argument{}, false
			}
		case "for", "foreach":
			e.loops = e.at + 1
			if e.loop() {
				return argument{}, false
			}
		case "while", "until", "loop":
			e.loops = e.at + 1
		case "del", "delete":
			e.deleted()
		case "def", "function", "sub", "fn", "func":
			e.define()
			return argument{}, false
		}
		if leads[t.text] && !(inGroup && e.sign(1, ":")) && !e.sign(1, ".") {
			e.at++
			return argument{}, false
		}
	}
	if e.language.power {
		if e.powerRedirect() {
			return argument{}, false
		}
		if v, ok := e.powerCommand(); ok {
			return argument{value: v}, true
		}
	}
	if key, ok := e.key(inGroup); ok {
		return argument{key: key, value: e.expression()}, true
	}
	params := e.lambda()
	e.bindParameters(params)
	start := e.at
	v := e.expression()
	if e.at == start {
		return argument{params: params}, params != nil
	}
	v = e.assigned(start, v)
	if e.language.power {
		v = e.powerPipe(v, true)
	}
	return argument{value: v, params: params}, true
}

// key takes the name before a value in a call or an object: name=, name:, 'name' =>.
func (e *evaluator) key(inGroup bool) (string, bool) {
	t, next := e.peek(0), e.peek(1)
	if !inGroup || t.kind != 'n' && t.kind != 's' || next.kind != 'p' {
		return "", false
	}
	switch {
	case next.text == "=" && t.kind == 'n' && (e.language == Python || e.language == R || e.language == Julia):
	case next.text == "=" && e.language.power && t.text != "" && t.text[0] != '$':
	case next.text == ":" && !e.sign(2, ":") && e.language != Lua:
	case next.text == "=>" && e.language != JavaScript && e.language != Java:
	default:
		return "", false
	}
	e.at += 2
	return strings.TrimPrefix(t.text, "$"), true
}

// assigned handles what may follow the expression that began at a token: an assignment, or a name for the value.
func (e *evaluator) assigned(start int, v value) value {
	for range lookAhead {
		switch {
		case e.is("=", ":=", "<-", "||=", "??="):
			target, end := start, e.at
			e.at++
			right := e.assignedValue()
			e.assign(target, end, right)
			return right
		case e.is("+=", ".=", "<<") && e.at > start:
			target, end := start, e.at
			e.at++
			right := e.join(v, e.expression())
			if e.pass > 0 {
				right = value{taint: right.taint} // the text was added before
			}
			e.assign(target, end, right)
			return right
		case e.is("as") && e.peek(1).kind == 'n':
			e.set(e.peek(1).text, v)
			e.at += 2
		default:
			return v
		}
	}
	return v
}

// assignedValue evaluates what is assigned.
func (e *evaluator) assignedValue() value {
	if e.language.power {
		item, _ := e.item(false)
		return item.value
	}
	right := e.expression()
	return e.assigned(e.at, right)
}

// assign sets what is written between two tokens: a name, a member, or the names of a pattern.
func (e *evaluator) assign(from, to int, v value) {
	target := e.tokens[from:min(to, len(e.tokens))]
	if len(target) == 0 || len(target) > maxDestructured {
		return
	}
	for len(target) > 1 && target[0].kind == 'n' && (leads[target[0].text] || target[1].kind == 'n' && !e.language.power) {
		target = target[1:] // a type, or a word such as const
	}
	if target[0].kind == 'p' && (target[0].text == "{" || target[0].text == "[" || target[0].text == "(") {
		e.destructure(target[1:], v, target[0].text == "{")
		return
	}
	name, whole := memberName(target)
	if !whole {
		return
	}
	e.set(name, v)
	if e.language == Go && from > 1 && e.tokens[from-1].text == "," && e.tokens[from-2].kind == 'n' {
		e.set(e.tokens[from-2].text, v) // the last of several names is the error
	}
	cut := strings.LastIndexByte(name, '.')
	if variable, ok := strings.CutPrefix(name, "$env:"); ok && e.language.power {
		e.exports(variable, v)
	} else if cut >= 0 && isEnvironment(name[:cut]) {
		e.exports(name[cut+1:], v)
	}
}

// destructure sets the names of a pattern such as {rmSync: r, readFileSync} or [a, b].
func (e *evaluator) destructure(target []token, v value, byKey bool) {
	at := 0
	for i := 0; i < len(target); i++ {
		t := target[i]
		if t.kind != 'n' {
			continue
		}
		key, name := t.text, t.text
		if byKey && i+2 < len(target) && target[i+1].text == ":" && target[i+2].kind == 'n' {
			name = target[i+2].text
			i += 2
		}
		member := e.property(v, key)
		if !byKey {
			member = v.elements()
			if at < len(v.items) {
				member = v.items[at].value
			}
		}
		at++
		e.set(name, member)
	}
}

// set adds a value that a variable could have.
func (e *evaluator) set(name string, v value) {
	if name == "" || name == "_" || !e.collecting() || len(name) > maxText>>8 {
		return
	}
	old, ok := e.vars[name]
	if ok {
		v = either(old, v)
	}
	v.over = nil
	e.vars[name] = v
}
