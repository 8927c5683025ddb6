package script

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// callBuiltin interprets the call of a function of the language or the runtime.
func (r *reader) callBuiltin(name string, g given, p place) value {
	if timers[name] {
		return r.timer(name, g, p)
	}
	if v, ok := r.foldBuiltin(name, g); ok {
		return v
	}
	switch {
	case name == "Object.assign":
		r.assignAll(g)
	case !printers[name] || r.replaced(name):
		r.poison(harmOf(name))
		r.releaseAll(g)
	case name == "JSON.stringify" && (given{args: g.args[min(1, len(g.args)):]}).whole().kind != data:
		r.releaseAll(g) // a function is called with each member
	case name == "JSON.parse":
		r.releaseAll(g)
	}
	if name == "Array.from" && g.at(1).kind == local {
		r.repeats++
		r.inline(g.at(1), given{args: []value{{}, {kind: anyNumber}}})
		r.repeats--
	}
	return r.builtinResult(name, g)
}

// assignAll interprets Object.assign, which changes and returns its first argument.
func (r *reader) assignAll(g given) {
	if len(g.args) == 0 {
		r.poison(fatal)
		return
	}
	r.change(g.args[0], given{args: g.args[1:]}.whole(), false)
	r.releaseAll(g)
}

// builtinResult is the result of a function of the language.
func (r *reader) builtinResult(name string, g given) value {
	switch {
	case r.poisoned(): // it may have been replaced
		return value{}
	case stringResults[name]:
		return value{kind: anyString}
	case numberResults[name]:
		return value{kind: anyNumber}
	case name == "JSON.parse" && (len(g.args) != 1 || g.unknown):
		return value{} // a second argument, a function, may change the result
	case dataResults[name]:
		return r.part()
	case passThrough[name]:
		if slices.ContainsFunc(g.args, func(v value) bool { return !v.plain() }) || g.unknown {
			return value{}
		}
		return r.part()
	}
	return value{}
}

// timer interprets a function that is called later. A string would be compiled.
func (r *reader) timer(name string, g given, p place) value {
	callback := g.at(0)
	if callback.kind != local && callback.kind != builtin && callback.kind != tool {
		opaque("a timer may compile text")
	}
	if name == "setInterval" {
		r.repeats++
		defer func() { r.repeats-- }()
	}
	r.release(g.at(1))
	r.release(r.invoke(callback, given{args: g.args[min(2, len(g.args)):]}, p))
	return value{}
}

// foldBuiltin computes functions of constants.
func (r *reader) foldBuiltin(name string, g given) (v value, ok bool) {
	first := g.at(0)
	if r.poisoned() || g.unknown || len(g.args) == 0 {
		return value{}, false
	}
	r.spend(first.extra)
	switch name {
	case "String":
		s, ok := first.string()
		return textOf(s), ok
	case "JSON.stringify":
		if len(g.args) > 1 {
			return value{}, false
		}
		b, ok := stringify(first)
		r.spend(len(b) / 64)
		return textOf(string(b)), ok && !strings.ContainsRune(string(b), 0x7F)
	case "String.fromCharCode", "String.fromCodePoint":
		return fromCodes(g)
	case "Object.freeze":
		return first, true
	case "Promise.all":
		if first.kind != array {
			return value{}, false
		}
		items := make([]value, len(first.items))
		for i, item := range first.items {
			items[i] = r.await(item)
		}
		return r.arrayOf(items), true
	case "Object.entries":
		return pairs(first), first.kind == object
	case "Object.values":
		return value{kind: array, items: first.items, extra: first.extra}, first.kind == object || first.kind == array
	case "Object.keys":
		var names []value
		for _, key := range first.keys {
			names = append(names, textOf(key))
		}
		return r.arrayOf(names), first.kind == object
	}
	return value{}, false
}

// fromCodes is a string made of character codes. It fails for halves of surrogate pairs.
func fromCodes(g given) (value, bool) {
	var out strings.Builder
	for _, code := range g.args {
		if code.kind != number || code.num < 0 || code.num > 0xFFFF || code.num != float64(rune(code.num)) || !utf8.ValidRune(rune(code.num)) {
			return value{}, false
		}
		out.WriteRune(rune(code.num))
	}
	return textOf(out.String()), true
}
