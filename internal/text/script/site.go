package script

import (
	"slices"
	"strings"

	"github.com/tdewolff/parse/v2/js"
)

// A site is a position in the text where arrays or objects are created. A value created there is a constant as long as every use of
// it, under any name, is followed and changes nothing. The order in which a text runs is not known. So one use that is not
// followed, anywhere, is enough to make all values of the site unknown.
type site struct {
	loose bool // a value of this site is used in a way that is not followed
}

// made sets the site of an array or object that the text creates at n. If the site is loose, nothing in the value is followed.
func (r *reader) made(n js.INode, v value) value {
	if !v.mutable() || v.site != nil {
		return v
	}
	s := r.sites[n]
	if s == nil {
		s = &site{}
		r.sites[n] = s
	}
	v.site = s
	for i, item := range v.items {
		if item.mutable() && item.site == nil { // created together with v
			v.items[i] = r.made(n, item)
		}
	}
	if !s.loose {
		return v
	}
	r.release(v)
	if v.plain() {
		return r.part()
	}
	return value{kind: thing}
}

// release ends the following of a value: it flows to code that is not followed, where it may be called and changed.
func (r *reader) release(v value) {
	switch v.kind {
	case tools:
		opaque("the object through which tools are called is passed on")
	case global, receiver:
		opaque("the global object is passed on")
	case wild:
		opaque("a member with a computed name is passed on")
	case tool:
		opaque("a tool is passed on") // it may be a group of tools
	case local:
		v.fn.escaped = true
	case builtin:
		r.poison(harmOf(v.str))
		if !r.leaked && v.str != settle {
			r.leaked, r.changed = true, true
		}
	case array, object:
		if v.site != nil && !v.site.loose {
			v.site.loose = true
			r.changed = true
		}
		r.releaseParts(v)
	}
}

// releaseParts releases the parts of an array or object.
func (r *reader) releaseParts(v value) {
	r.spend(len(v.items))
	for _, item := range v.items {
		r.release(item)
	}
}

// A harm says what may have happened to the objects that all others inherit from.
type harm uint8

const (
	noHarm  harm = iota
	untidy       // they got data: an object may have members that nobody gave it
	harmful      // they got functions: methods may not be those of the language, and data may have functions in it
	fatal        // they got functions with any name: even the functions of JSON may be replaced
)

// poison notes what may have happened to the objects that all others inherit from, or to data.
func (r *reader) poison(h harm) {
	if h > r.harm {
		r.harm, r.changed = h, true
	}
}

// poisoned reports whether methods may not be those of the language.
func (r *reader) poisoned() bool { return r.harm >= harmful }

// replaced reports whether a function of the language may be another one.
func (r *reader) replaced(name string) bool {
	holder, _, member := strings.Cut(name, ".")
	return member && r.poisoned() && (r.leaked || !sealed[holder])
}

// harmOf is the harm that a function of the language could do if it is given the objects that all others inherit from.
func harmOf(name string) harm {
	path := strings.Split(name, ".")
	if len(path) > 1 && rebinders[path[len(path)-1]] {
		path = path[:len(path)-1]
	}
	last := path[len(path)-1]
	switch {
	case slices.Contains(path, "prototype"):
		switch {
		case readers[last] || iterators[last]:
			return noHarm
		case mutators[last]:
			return harmful
		}
		return fatal
	case path[0] == "Object" && !inspectors[last]:
		return fatal
	}
	return noHarm
}

// change notes that a member of base is given a value. named: the name of the member is known or a number, and is not forbidden.
func (r *reader) change(base, v value, named bool) {
	switch base.kind {
	case tools, tool, global, receiver, builtin:
		opaque("the text changes what it does not declare")
	case array, object:
		r.release(base)
	case data, thing:
		if !v.plain() {
			r.poison(harmful)
		}
	case wild, unknown:
		switch {
		case v.plain():
			r.poison(untidy)
		case named || !v.callable():
			r.poison(harmful)
		default:
			r.poison(fatal)
		}
	}
}
