package gemini

import (
	"iter"
	"slices"
	"strings"
	"unicode"

	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/strictjson"
)

// The API takes the members of a request in two spellings, functionDeclarations and function_declarations. Whatever differs
// from both only in case and underscores might be taken for one of them, too.

// key is a name without what tells its spellings apart.
func key(name string) string { return strings.ToLower(camel(name)) }

// snake is the spelling with underscores.
func snake(name string) string {
	var b strings.Builder
	for _, r := range name {
		if unicode.IsUpper(r) {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

// otherSpellings are the ways to write a member, given its spelling without underscores, except for one.
func otherSpellings(name, except string) []string {
	return slices.DeleteFunc([]string{name, snake(name)}, func(s string) bool { return s == except })
}

// isMember says whether a member's name could be taken for that one.
func isMember(n strictjson.Value, name string) bool {
	if n.Is(name) {
		return true
	}
	if len(n.Raw())-len(`""`) < len(name) {
		return false
	}
	text, ok := n.Text()
	return ok && strings.EqualFold(camel(text), camel(name))
}

// requestMember is a member on the way to a tool, given its spelling without underscores; missing where it is null.
func requestMember(l *dialect.Lookup, v strictjson.Value, name string) strictjson.Value {
	var found strictjson.Value
	for n, value := range v.Members() {
		if !isMember(n, name) {
			continue
		}
		if found.Kind() != strictjson.Missing || !n.Is(name) && !n.Is(snake(name)) {
			l.Fail(dialect.ErrTwoReadings)
		}
		found = value
	}
	if found.Kind() == strictjson.Null || l.Err != nil {
		return strictjson.Value{}
	}
	return found
}

// membersLike iterates over the members that could be taken for that one.
func membersLike(v strictjson.Value, name string) iter.Seq[strictjson.Value] {
	return func(yield func(strictjson.Value) bool) {
		for n, value := range v.Members() {
			if isMember(n, name) && !yield(value) {
				return
			}
		}
	}
}

// elems iterates over a list. The API takes one thing alone for a list of one.
func elems(v strictjson.Value) iter.Seq[strictjson.Value] {
	if v.Kind() == strictjson.Array {
		return v.Elems()
	}
	return func(yield func(strictjson.Value) bool) {
		if dialect.Present(v) {
			yield(v)
		}
	}
}
