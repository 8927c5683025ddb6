package script

import (
	"math"
	"slices"
	"strconv"
	"strings"
)

// A kind is how much is known of a value.
type kind uint8

const (
	unknown   kind = iota // anything that cannot call a tool
	data                  // made of strings, numbers, booleans, null, arrays and objects: no function in it
	anyString             // a string
	anyNumber             // a number
	undefined
	null
	boolean
	number
	text
	thing    // an array or object with any contents
	array    // elements in items
	object   // members in items, their names in keys
	local    // a function of this text: fn, created in frame
	builtin  // what the language or the runtime defines under name
	tools    // the object through which tools are called
	tool     // the function that calls the tool name
	global   // the global object
	receiver // this, which may be the global object
	wild     // a member with a computed name, of anything: possibly a function that compiles text
)

// A value is the value of an expression.
type value struct {
	kind  kind
	truth bool
	num   float64
	str   string // of text; the name of tool and builtin
	keys  []string
	items []value
	fn    *function
	frame *frame
	site  *site // of an array or object; nil: it is still being built
	// extra is the number of values inside, at any depth. Constants may share parts, so this bounds how much is walked.
	extra int
}

const (
	// maxText is the length of the longest string that is built.
	maxText = 1 << 20
	// maxItems is the length of the longest array or object that is built.
	maxItems = 1_024
	// maxExtra is how many values may be inside a constant, at any depth.
	maxExtra = 10_000
	// maxNesting bounds the depth of a constant.
	maxNesting = 100
)

func textOf(s string) value {
	if len(s) > maxText {
		return value{kind: anyString}
	}
	return value{kind: text, str: s}
}

func numberOf(f float64) value { return value{kind: number, num: f} }

// plain reports whether v is data: it has no function in it.
func (v value) plain() bool {
	switch v.kind {
	case data, anyString, anyNumber, undefined, null, boolean, number, text:
		return true
	case array, object:
		for _, item := range v.items {
			if !item.plain() {
				return false
			}
		}
		return true
	}
	return false
}

// callable reports whether v may be a function.
func (v value) callable() bool {
	return v.kind != array && v.kind != object && v.kind != thing && !v.plain()
}

// mutable reports whether v has parts that can be changed.
func (v value) mutable() bool { return v.kind == array || v.kind == object }

// numeric reports whether v as the name of a member is a number.
func (v value) numeric() bool { return v.kind == number || v.kind == anyNumber }

// member is the value of the member name of an object.
func (v value) member(name string) (value, bool) {
	for i, key := range v.keys {
		if key == name {
			return v.items[i], true
		}
	}
	return value{}, false
}

// set gives an object a member. Members whose names are indexes come first, in numerical order, as in JavaScript.
func (v *value) set(name string, item value) {
	v.extra += 1 + item.extra
	at := len(v.keys)
	index, isIndex := arrayIndex(name)
	for i, key := range v.keys {
		if key == name {
			v.items[i] = item
			return
		}
		if !isIndex || at < len(v.keys) {
			continue
		}
		if other, ok := arrayIndex(key); !ok || other > index {
			at = i
		}
	}
	v.keys, v.items = slices.Insert(v.keys, at, name), slices.Insert(v.items, at, item)
}

// arrayIndex is the array index that the name of a member means.
func arrayIndex(name string) (index uint32, ok bool) {
	n, err := strconv.ParseUint(name, 10, 32)
	return uint32(n), err == nil && n < math.MaxUint32 && strconv.FormatUint(n, 10) == name
}

// arrayOf is an array of items. If there are too many, it is a value that is not known.
func (r *reader) arrayOf(items []value) value {
	out := value{kind: array}
	for _, item := range items {
		if !out.add(item) {
			for _, item := range items {
				r.release(item)
			}
			return value{kind: thing}
		}
	}
	return out
}

// add adds a value to an array. It reports whether there is room.
func (v *value) add(item value) bool {
	if len(v.items) == maxItems || v.extra+item.extra >= maxExtra {
		return false
	}
	v.extra += 1 + item.extra
	v.items = append(v.items, item)
	return true
}

// string is v converted to a string.
func (v value) string() (s string, ok bool) {
	switch v.kind {
	case text:
		return v.str, true
	case number:
		return formatNumber(v.num), true
	case boolean:
		return strconv.FormatBool(v.truth), true
	case null:
		return "null", true
	case undefined:
		return "undefined", true
	}
	return "", false
}

// condition is v converted to a boolean.
func (v value) condition() (truth, ok bool) {
	switch v.kind {
	case text:
		return v.str != "", true
	case number:
		return v.num != 0 && !math.IsNaN(v.num), true
	case boolean:
		return v.truth, true
	case null, undefined:
		return false, true
	case array, object, local:
		return true, true
	}
	return false, false
}

// formatNumber formats a number as JavaScript does.
func formatNumber(f float64) string {
	switch {
	case math.IsNaN(f):
		return "NaN"
	case math.IsInf(f, 1):
		return "Infinity"
	case math.IsInf(f, -1):
		return "-Infinity"
	case f == 0:
		return "0"
	}
	if abs := math.Abs(f); abs >= 1e-6 && abs < 1e21 {
		return strconv.FormatFloat(f, 'f', -1, 64)
	}
	s := strconv.FormatFloat(f, 'e', -1, 64)
	mantissa, exponent, _ := strings.Cut(s, "e")
	sign := exponent[:1]
	return mantissa + "e" + sign + strings.TrimLeft(exponent[1:], "0")
}
