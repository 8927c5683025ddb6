package code

import (
	"slices"
	"strings"

	"github.com/weir-gate/weir/internal/text/program"
)

// postfix evaluates members, calls and indexes.
func (e *evaluator) postfix(v value) value {
	for e.at < len(e.tokens) && e.spend(1) {
		t := e.peek(0)
		switch {
		case e.memberSign(t):
			e.at++
			for e.sign(0, "$") || e.sign(0, "@") {
				e.at++
			}
			next := e.peek(0)
			switch {
			case next.kind == 'n':
				e.at++
				v = e.property(v, next.text)
				if e.language == Perl && t.text == "->" && !e.sign(0, "(") && (e.meaningful(v) || next.text == "new") {
					v = e.called(v, nil) // it needs no parentheses
				}
			case next.kind == 's':
				e.at++
				v = e.property(v, next.text)
			case next.kind == 'p' && next.text == "!" && e.language == Java: // "rm x".! of Scala
				e.at++
				v = e.called(e.property(v, "!"), nil)
			case next.kind == 'p' && (next.text == "(" || next.text == "[" || next.text == "{"):
			default:
				return v
			}
		case t.kind == 'p' && t.text == "(" && !t.line && (!t.space || e.language != Awk && callable(v)):
			v = e.called(v, e.arguments(v))
		case t.kind == 'p' && t.text == "[" && !t.line && (!t.space || e.language == Perl):
			if e.sign(1, "::") && e.sign(2, "-") && e.peek(3).text == "1" {
				e.at = t.end
				v = v.each(reversed)
				continue
			}
			v = e.index(v, e.group("]"))
		case t.kind == 'p' && t.text == "{" && e.language == Perl && !t.space && len(v.names) > 0:
			v = e.index(v, e.group("}"))
		case t.kind == 'p' && t.text == "{" && (e.language == Ruby || e.language.folds && e.language.power) && e.sign(1, "|"),
			t.kind == 'n' && t.text == "do" && e.language == Ruby && e.sign(1, "|"):
			e.at++
			e.bind(e.lambda(), v.iterated())
			return v
		case t.kind == 's' && e.language == JavaScript && !t.space && len(v.names) > 0:
			e.at++
			v = e.called(v, []argument{{value: e.filled(t)}}) // a tagged template
		case e.looseCall(v, t):
			v = e.called(v, e.looseArguments())
		default:
			return v
		}
	}
	return v
}

// callable reports a value that a blank and a parenthesis could call.
func callable(v value) bool { return len(v.names) > 0 }

// iterated is what a block after a call goes through: the receiver, or the result.
func (v value) iterated() value {
	if v.over != nil && (v.over.list || !v.list) {
		return *v.over
	}
	return v
}

// memberSign reports a sign before the name of a member.
func (e *evaluator) memberSign(t token) bool {
	if t.kind != 'p' {
		return false
	}
	switch t.text {
	case "->", "::", "?.":
		return true
	case ".":
		return !strings.Contains(e.language.joins, ".") || e.language.joins == ".."
	case ":":
		return e.language == Lua && !t.space && e.peek(1).kind == 'n' && (e.sign(2, "(") || e.peek(2).kind == 's')
	}
	return false
}

// looseCall reports a name that is followed by arguments without parentheses.
func (e *evaluator) looseCall(v value, t token) bool {
	if !e.language.loose || len(v.names) == 0 || v.known() || t.line || !t.space && t.kind != 's' && t.kind != 'c' && t.kind != 'w' {
		return false
	}
	switch t.kind {
	case 's', 'w', 'c':
		return e.language != Awk || e.meaningful(v)
	case 'n':
		return !ends[t.text] && !strings.HasPrefix(v.names[0], "$") && !leads[v.names[0]] && (e.meaningful(v) || e.language.multiword)
	case 'h':
		return e.meaningful(v)
	case 'p':
		begins := t.text == "[" || t.text == "*" || t.text == "{" && e.language != Ruby && e.language != Awk ||
			t.text == "<" && e.language == Perl
		return begins && e.meaningful(v) && !strings.HasPrefix(v.names[0], "$")
	}
	return false
}

// looseArguments are the values that follow a name, separated by commas.
func (e *evaluator) looseArguments() []argument {
	var out []argument
	for e.at < len(e.tokens) && len(out) < maxItems {
		before := e.at
		if key, ok := e.key(true); ok {
			out = append(out, argument{key: key, value: e.expression()})
		} else {
			params := e.lambda()
			out = append(out, argument{value: e.expression(), params: params})
		}
		if e.at == before || !e.sign(0, ",") && !e.sign(0, "=>") {
			if e.language == Any && e.at > before && e.peek(0).kind == 's' && !e.peek(0).line {
				continue // (sh "rm" "-rf" "x")
			}
			if n := len(out); n == 1 && e.language == Perl && e.peek(0).kind != 'p' && e.at > before && !e.peek(0).line && e.peek(0).kind == 's' {
				continue // system {"rm"} "rm", "x"; open F "x"
			}
			return out
		}
		e.at++
	}
	return out
}

// arguments are the values in the parentheses of a call. A function among them gets the elements of what it is called on.
func (e *evaluator) arguments(v value) []argument {
	outer := e.receiver
	e.receiver = v.over
	args := e.group(")")
	e.receiver = outer
	return args
}

// bindParameters sets the parameters of a function that is given to a method: the elements of the value of that method.
func (e *evaluator) bindParameters(params []string) {
	if len(params) == 0 || e.receiver == nil {
		return
	}
	over := e.receiver.elements()
	over.taint = over.taint.with(e.receiver.whole())
	over.names = nil
	e.set(params[0], over)
	for _, param := range params[1:] {
		e.set(param, value{taint: over.taint})
	}
}

// property is a member of a value.
func (e *evaluator) property(v value, name string) value {
	if member, ok := v.member(name); ok {
		return member
	}
	out := value{taint: v.whole(), over: &v}
	for _, n := range v.names {
		full := n + "." + name
		out.names = more(out.names, []string{full}, maxNames+1)
		if known, ok := e.vars[full]; ok {
			out = either(known, out)
		}
	}
	if len(v.names) == 0 {
		out.names = []string{"." + name}
	}
	if slices.ContainsFunc(v.names, isEnvironment) {
		out.taint.env = program.SecretVariable(name) || allVariables[name] // other variables tell nothing
	}
	switch {
	case e.language.power && name == "id" && v.known():
		out.texts = v.texts // of a process that was found by its name
	case v.path && e.language.power && (name == "fullname" || name == "pspath" || name == "name"):
		out.texts, out.path = v.texts, true
	case len(v.folder) > 0 && name == "name":
		out.texts = v.texts
	case len(v.folder) > 0 && (name == "parentPath" || name == "path" && e.language == JavaScript):
		out.texts = v.folder
	case len(v.folder) > 0 && name == "path":
		out.texts = e.joinPath(text(v.folder...), text(Run)).texts
	case v.path && (name == "parent" || name == "dirname"):
		out.texts, out.path = v.each(parentFolder).texts, true
	case v.path && name == "name", name == "parents" && v.path:
		out.texts = []string{Unknown}
	}
	return e.fixed(out)
}

// allVariables are the members of the environment that are all of its variables.
var allVariables = words("to_h to_a to_hash inspect items values copy each map entries toObject")

// index is an element of a value.
func (e *evaluator) index(v value, items []argument) value {
	if len(items) != 1 || items[0].key != "" {
		return value{taint: v.whole(), texts: v.texts}
	}
	key := items[0].value
	if e.language == Ruby && slices.Contains(v.names, "Dir") {
		return globs(e, invocation{name: "Dir.[]", args: items})
	}
	if len(key.texts) == 0 && len(key.names) == 1 && e.language == Perl {
		key = text(key.names[0]) // $ENV{HOME}
	}
	if len(key.texts) == 1 && !hasHole(key.texts[0]) {
		name := key.texts[0]
		if e.language.power && !v.list && v.known() {
			return v
		}
		if v.list && name >= "0" && name <= "9" && len(name) == 1 && int(name[0]-'0') < len(v.items) {
			return v.items[name[0]-'0'].value
		}
		return e.property(v, name)
	}
	out := v.elements()
	out.taint = out.taint.with(v.whole())
	if slices.ContainsFunc(v.names, isEnvironment) {
		out.taint.env = false
	}
	if !v.list {
		out = value{taint: out.taint, names: v.names, over: v.over}
	}
	return out
}
