package script

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/tdewolff/parse/v2/js"
)

// callMember interprets base.key(args).
func (r *reader) callMember(base, key value, args js.Args, p place) value {
	name, ok := key.string()
	rebound := slices.Contains([]string{"call", "apply", "bind"}, name)
	switch base.kind {
	case global:
		if ok && r.top.names[name] == nil && !r.reserved(name) && !harmless[name] {
			return r.callOutside(name, r.given(args, p))
		}
	case tool:
		if ok && rebound {
			g := r.given(args, p)
			known := name == "call" && !g.unknown
			r.releaseAll(g)
			r.report(base.str, g.at(1), known)
			return value{}
		}
	case wild:
		if !ok || rebound {
			opaque("a member with a computed name is called")
		}
	case local:
		r.release(base)
	}
	if ok && !forbidden[name] && base.kind != object && base.kind != builtin && !base.callable() {
		return r.callMethod(base, name, r.given(args, p), p)
	}
	if ok && !forbidden[name] && (base.kind == unknown || base.kind == wild) {
		return r.callMethod(base, name, r.given(args, p), p)
	}
	member := r.member(base, key, p)
	if member.kind == unknown {
		r.release(base)
	}
	return r.invoke(member, r.given(args, p), p)
}

// callMethod interprets the call of a method that arrays, strings and the like have, on a value that could be one.
func (r *reader) callMethod(base value, name string, g given, p place) value {
	switch {
	case iterators[name] && !g.unknown:
		return r.iterate(base, name, g, p)
	case (name == "then" || name == "catch" || name == "finally") && !g.unknown:
		return r.chain(base, g, p)
	}
	if v, ok := r.fold(base, name, g); ok {
		return v
	}
	keeps := name == "concat" || name == "with" || name == "toSpliced"
	refused := func(v value) bool { return !v.plain() && (v.kind != wild || keeps) }
	if !readers[name] || !base.plain() && base.kind != wild || slices.ContainsFunc(g.args, refused) {
		r.releaseAll(g)
		if base.kind != wild {
			r.release(base)
		}
		return value{}
	}
	if base.kind == wild {
		return value{}
	}
	return r.part()
}

// iterate interprets a method that calls its argument for each element.
func (r *reader) iterate(base value, name string, g given, p place) value {
	callback := g.at(0)
	for _, v := range g.args[min(1, len(g.args)):] {
		r.release(v)
	}
	if base.kind == array && !r.poisoned && len(base.items) > 0 && len(base.items) <= maxLoop && r.inlined < maxCalls {
		results := value{kind: array}
		for i, item := range base.items {
			result := r.keep(r.invoke(callback, given{args: []value{item, numberOf(float64(i)), {kind: thing}}}, p))
			if !results.add(result) {
				r.release(result)
				results.kind = thing
			}
		}
		if name == "map" && results.kind == array {
			return results
		}
		results.kind = array
		r.release(results)
	} else {
		if base.kind != wild {
			r.release(base)
		}
		args := []value{{}, {}, {}} // of a method that the text defines, too
		if (base.plain() || base.kind == array) && !r.poisoned {
			args[1], args[2] = value{kind: anyNumber}, value{kind: thing}
		}
		if base.plain() {
			args[0] = r.part()
		}
		result := r.keep(r.invoke(callback, given{args: args}, p))
		r.release(result)
		if name == "map" && base.plain() {
			if result.plain() {
				return r.part()
			}
			return value{kind: thing}
		}
	}
	if base.plain() {
		return r.part()
	}
	r.release(base)
	return value{}
}

// chain interprets then, catch and finally. What a promise gives is what the tool gave, or an error.
func (r *reader) chain(base value, g given, p place) value {
	r.release(base)
	plain := base.plain()
	for _, callback := range g.args {
		item := value{}
		if base.plain() {
			item = r.part()
		}
		result := r.keep(r.invoke(callback, given{args: []value{item}}, p))
		r.release(result)
		plain = plain && result.plain()
	}
	if plain {
		return r.part()
	}
	return value{}
}

// fold computes methods of constants.
func (r *reader) fold(base value, name string, g given) (v value, ok bool) {
	if r.poisoned || g.unknown {
		return value{}, false
	}
	first := g.at(0)
	r.spend(len(base.items) + len(base.str)/64)
	switch {
	case base.kind == array && name == "join" && len(g.args) <= 1:
		return joined(base, first)
	case base.kind == array && name == "entries":
		return pairs(base), true
	case base.kind == text && name == "trim":
		return textOf(strings.TrimFunc(base.str, space)), true
	case base.kind == text && name == "split" && len(g.args) == 1 && first.kind == text && first.str != "":
		parts := strings.Split(base.str, first.str)
		if len(parts) > maxItems {
			return value{}, false
		}
		var items []value
		for _, part := range parts {
			items = append(items, textOf(part))
		}
		return r.arrayOf(items), true
	}
	return value{}, false
}

// joined is what array.join(separator) gives.
func joined(v, separator value) (value, bool) {
	sep := ","
	if separator.kind == text {
		sep = separator.str
	} else if separator.kind != undefined {
		return value{}, false
	}
	var out strings.Builder
	for i, item := range v.items {
		if i > 0 {
			out.WriteString(sep)
		}
		if item.kind == null || item.kind == undefined {
			continue
		}
		s, ok := item.string()
		if !ok || out.Len()+len(s) > maxText {
			return value{}, false
		}
		out.WriteString(s)
	}
	return textOf(out.String()), true
}

// pairs is an array of the indexes and elements of another, or of the names and members of an object.
func pairs(v value) value {
	out := value{kind: array}
	for i, item := range v.items {
		key := numberOf(float64(i))
		if v.kind == object {
			key = textOf(v.keys[i])
		}
		out.extra += 3 + item.extra
		out.items = append(out.items, value{kind: array, items: []value{key, item}, extra: 2 + item.extra})
	}
	return out
}

// space reports whether trim removes a character.
func space(c rune) bool {
	switch {
	case c >= '\t' && c <= '\r', c == ' ', c == 0xA0, c == 0x1680, c >= 0x2000 && c <= 0x200A:
		return true
	case c == 0x2028, c == 0x2029, c == 0x202F, c == 0x205F, c == 0x3000, c == 0xFEFF:
		return true
	}
	return false
}

// callBuiltin interprets the call of what the language or the runtime has.
func (r *reader) callBuiltin(name string, g given, p place) value {
	if timers[name] {
		return r.timer(g, p)
	}
	if v, ok := r.foldBuiltin(name, g); ok {
		return v
	}
	switch {
	case !printers[name]:
		r.releaseAll(g)
	case name == "JSON.stringify" || name == "JSON.parse":
		r.releaseAll(given{args: g.args[min(1, len(g.args)):]}) // called for each member
	}
	if name == "Array.from" && g.at(1).kind == local {
		r.inline(g.at(1), given{args: []value{{}, {kind: anyNumber}}})
	}
	switch {
	case r.poisoned: // it may have been replaced
		return value{}
	case stringResults[name]:
		return value{kind: anyString}
	case numberResults[name]:
		return value{kind: anyNumber}
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

// timer interprets what is called later. A string would be compiled.
func (r *reader) timer(g given, p place) value {
	callback := g.at(0)
	if callback.kind != local && callback.kind != builtin && callback.kind != tool {
		opaque("a timer may compile text")
	}
	r.releaseAll(given{args: g.args[1:]})
	r.release(r.invoke(callback, given{args: g.args[min(2, len(g.args)):]}, p))
	return value{}
}

// foldBuiltin computes functions of constants.
func (r *reader) foldBuiltin(name string, g given) (v value, ok bool) {
	first := g.at(0)
	if r.poisoned || r.prototypes || g.unknown || len(g.args) == 0 {
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
		b, ok := appendJSON(nil, first, 0)
		r.spend(len(b) / 64)
		return textOf(string(b)), ok && !strings.ContainsRune(string(b), 0x7F)
	case "String.fromCharCode", "String.fromCodePoint":
		return fromCodes(g)
	case "Object.freeze":
		return first, true
	case "Promise.all":
		return first, first.kind == array
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

// fromCodes is a string made of character codes; halves of surrogate pairs are left alone.
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
