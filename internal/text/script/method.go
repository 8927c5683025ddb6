package script

import (
	"slices"
	"strings"

	"github.com/tdewolff/parse/v2/js"
)

// callMember interprets base.key(args).
func (r *reader) callMember(base, key value, args js.Args, p place) value {
	name, ok := key.string()
	switch {
	case base.kind == global && ok && r.top.names[name] == nil && !r.reserved(name) && !harmless[name]:
		return r.callOutside(name, r.given(args, p))
	case base.kind == tool && ok && rebinders[name]:
		return r.rebindTool(base.str, name, r.given(args, p))
	case base.kind == local && ok && rebinders[name]:
		r.release(base)
		r.releaseAll(r.given(args, p))
		return value{}
	case base.kind == wild && (!ok || rebinders[name] || name == "valueOf"):
		opaque("a member with a computed name is called")
	case !ok || forbidden[name]:
		return r.callComputed(base, key, args, p)
	}
	switch base.kind {
	case object:
		if member, own := base.member(name); own {
			r.exposes(base, member)
			return r.invoke(member, r.given(args, p), p)
		}
		return r.callMethod(base, name, r.given(args, p), p)
	case tools, tool, global, receiver, builtin, local:
		member := r.member(base, key, p)
		// A function that only the global object can have may use it as this: then the global object is released. In functions of the
		// text, this is not followed anyway.
		if member.kind == unknown && (base.kind != receiver || harmless[name] || r.top.names[name] != nil) {
			r.release(base)
		}
		return r.invoke(member, r.given(args, p), p)
	}
	return r.callMethod(base, name, r.given(args, p), p)
}

// callComputed interprets the call of a member whose name is not known.
func (r *reader) callComputed(base, key value, args js.Args, p place) value {
	member := r.member(base, key, p)
	r.exposes(base, member)
	g := r.given(args, p)
	r.changeBy(base, g, false)
	return r.invoke(member, g, p)
}

// changeBy notes that a method that may change base gets arguments.
func (r *reader) changeBy(base value, g given, named bool) {
	switch base.kind {
	case data, thing, unknown:
		r.change(base, g.whole(), named)
	}
}

// rebindTool interprets calls such as tools.name.call(…).
func (r *reader) rebindTool(tool, method string, g given) value {
	r.hand(g)
	switch {
	case method == "call" && !g.unknown:
		return r.callTool(tool, given{args: g.args[min(1, len(g.args)):]})
	case method == "bind":
		r.repeats++
		defer func() { r.repeats-- }()
	}
	r.report(tool, value{}, false)
	return value{}
}

// callMethod interprets the call of a method of arrays, strings and similar values, on a value that could be one of these.
func (r *reader) callMethod(base value, name string, g given, p place) value {
	switch {
	case iterators[name] && !g.unknown && base.kind != object:
		return r.iterate(base, name, g, p)
	case (name == "then" || name == "catch" || name == "finally") && !g.unknown && base.kind != object:
		return r.chain(base, g, p)
	}
	if v, ok := r.fold(base, name, g); ok {
		return v
	}
	// A member with a computed name may be searched for, but not stored.
	refused := func(v value) bool { return !v.plain() && (v.kind != wild || keepers[name]) }
	if readers[name] && !r.poisoned() && !g.unknown && !slices.ContainsFunc(g.args, refused) {
		switch {
		case base.kind == wild:
			return value{}
		case base.plain(), base.mutable() && scalars[name]:
			if !scalars[name] && base.mutable() {
				r.releaseParts(base)
			}
			for _, arg := range g.args {
				if keepers[name] {
					r.release(arg)
				}
			}
			if steppers[name] {
				return value{kind: thing}
			}
			return value{kind: data}
		}
	}
	switch {
	case mutators[name]:
		r.changeBy(base, g, true)
	case (rebinders[name] || name == "assign") && base.kind == unknown:
		r.changeBy(base, g, false)
	}
	r.releaseAll(g)
	if base.kind != wild {
		r.release(base)
	}
	return value{}
}

// iterate interprets a method that calls its argument for each element.
func (r *reader) iterate(base value, name string, g given, p place) value {
	callback := g.at(0)
	for _, v := range g.args[min(1, len(g.args)):] {
		r.release(v)
	}
	if base.kind == array && !r.poisoned() && len(base.items) > 0 && len(base.items) <= maxLoop && r.inlined < maxCalls {
		return r.iterateItems(base, name, callback, p)
	}
	args := []value{{}, {}, base} // also for a method that the text defines
	if base.kind != wild {
		r.release(base)
	}
	if base.kind == array || base.kind == wild {
		args[2] = value{}
	}
	if base.plain() && !r.poisoned() {
		args[0], args[1] = r.part(), value{kind: anyNumber}
	}
	r.repeats++
	result := r.keep(r.invoke(callback, given{args: args}, p))
	r.repeats--
	r.release(result)
	switch {
	case !base.plain() || r.poisoned():
		return value{}
	case name != "map" && name != "flatMap" || result.plain():
		return r.part()
	}
	return value{kind: thing}
}

// iterateItems follows the callback for each element of a constant.
func (r *reader) iterateItems(base value, name string, callback value, p place) value {
	results := value{kind: array}
	for i, item := range base.items {
		result := r.keep(r.invoke(callback, given{args: []value{item, numberOf(float64(i)), base}}, p))
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
	switch name {
	case "forEach":
		return value{kind: undefined}
	case "some", "every", "findIndex", "findLastIndex":
		return value{kind: data}
	case "map", "flatMap":
		if results.plain() {
			return r.part()
		}
		return value{kind: thing}
	}
	r.releaseParts(base) // some of its parts are returned
	if base.plain() {
		return r.part()
	}
	return value{}
}

// chain interprets then, catch and finally. A promise gives what the tool returned, or an error.
func (r *reader) chain(base value, g given, p place) value {
	if base.kind != wild {
		r.release(base)
	}
	if base.kind != data { // it may be no promise
		r.repeats++
		defer func() { r.repeats-- }()
	}
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
	if r.poisoned() || g.unknown {
		return value{}, false
	}
	first := g.at(0)
	r.spend(len(base.items) + len(base.str)/64)
	switch {
	case base.kind == array && name == "join" && len(g.args) <= 1:
		return joined(base, first)
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

// joined is the result of array.join(separator).
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

// pairs is an array of [index, element] for an array, or of [name, member] for an object.
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
