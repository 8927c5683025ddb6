package strictjson

import (
	"iter"
	"strconv"
)

// A Kind is the kind of a value.
type Kind uint8

// The kinds. The zero Kind is that of the zero Value.
const (
	Missing Kind = iota
	Null
	Bool
	Number
	String
	Object
	Array
)

// A Value is a value of a document, or the name of a member, which is a string. The zero Value is missing: it has
// no bytes, no members and no elements. A Value is valid until its Doc parses again.
type Value struct {
	doc   *Doc
	index uint32
}

// missing is the node of the zero Value. Nothing writes to it.
var missing node

// node returns the value's node on the tape.
func (v Value) node() *node {
	if v.doc == nil {
		return &missing
	}
	return &v.doc.nodes[v.index]
}

// Kind returns the kind of the value.
func (v Value) Kind() Kind { return v.node().kind }

// Span returns the position of the value in the document.
func (v Value) Span() (start, end int) {
	n := v.node()
	return int(n.start), int(n.end)
}

// Raw returns the exact bytes of the value. They are the document's own: do not write to them.
func (v Value) Raw() []byte {
	if v.doc == nil {
		return nil
	}
	n := v.node()
	return v.doc.data[n.start:n.end:n.end]
}

// Len returns the number of elements or members, 0 for other values.
func (v Value) Len() int { return int(v.node().count) }

// Member returns the member of an object with that name, and a missing Value if the object has none or v is not an object. Decoded
// names are compared.
//
// Of two members with one name, some parsers use the first, some the last; and some ignore case. So Member fails with ErrAmbiguous
// if more than one name of the object equals name when case is ignored, or if only one does but in another case. Case is ignored as
// in [strings.EqualFold].
func (v Value) Member(name string) (Value, error) {
	n := v.node()
	if n.kind != Object {
		return Value{}, nil
	}
	target := newFoldTarget(name)
	var found Value
	nodes := v.doc.nodes
	for i := v.index + 1; i < n.next; i = nodes[i+1].next {
		candidate := Value{v.doc, i}
		if target.excludes(&nodes[i]) || !target.matches(candidate) {
			continue
		}
		if found.doc != nil || !candidate.Is(name) {
			return Value{}, located(int(nodes[i].start), ErrAmbiguous)
		}
		found = Value{v.doc, i + 1}
	}
	return found, nil
}

// Elems iterates over the elements of an array.
func (v Value) Elems() iter.Seq[Value] {
	return func(yield func(Value) bool) {
		n := v.node()
		if n.kind != Array {
			return
		}
		for i := v.index + 1; i < n.next; i = v.doc.nodes[i].next {
			if !yield(Value{v.doc, i}) {
				return
			}
		}
	}
}

// Members iterates over the names and values of an object, in order, including names that occur twice. A name is a string Value.
func (v Value) Members() iter.Seq2[Value, Value] {
	return func(yield func(name, value Value) bool) {
		n := v.node()
		if n.kind != Object {
			return
		}
		for i := v.index + 1; i < n.next; i = v.doc.nodes[i+1].next {
			if !yield(Value{v.doc, i}, Value{v.doc, i + 1}) {
				return
			}
		}
	}
}

// Walk calls visit for every member of every object in v, at any depth, outer before inner, until visit returns false.
func (v Value) Walk(visit func(name, value Value) bool) {
	if v.doc == nil {
		return
	}
	for i, end := v.index+1, v.node().next; i < end; i++ {
		if v.doc.nodes[i].traits&isName != 0 && !visit(Value{v.doc, i}, Value{v.doc, i + 1}) {
			return
		}
	}
}

// Bool returns the value of true or false. It is not ok for any other value.
func (v Value) Bool() (value, ok bool) {
	if v.Kind() != Bool {
		return false, false
	}
	return v.Raw()[0] == 't', true
}

// Uint returns the value of an integer literal that is not negative and fits in 32 bits with a sign: an index that every parser
// reads as the same number. A sign, a fraction or an exponent is not ok, not even in -0 or 1e0.
func (v Value) Uint() (value int, ok bool) {
	if !v.isShortNumber() {
		return 0, false
	}
	i, err := strconv.ParseUint(string(v.Raw()), 10, 31)
	return int(i), err == nil
}

// Int64 returns the value of an integer literal, which has no fraction and no exponent.
func (v Value) Int64() (value int64, ok bool) {
	if !v.isShortNumber() {
		return 0, false
	}
	i, err := strconv.ParseInt(string(v.Raw()), 10, 64)
	return i, err == nil
}

// isShortNumber reports whether the value is a number that might fit in 64 bits as an integer. A literal may be as long as the
// document; a long one is not worth copying.
func (v Value) isShortNumber() bool {
	const longest = len("-9223372036854775808")
	return v.Kind() == Number && len(v.Raw()) <= longest
}
