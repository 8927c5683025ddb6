package gemini

import (
	"iter"
	"slices"
	"strings"
	"unicode"

	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/strictjson"
)

// The API accepts the members of a request in two spellings, such as functionDeclarations and function_declarations. It might also
// accept names that differ from both only in case and underscores.

// key returns a name without case and underscores, which is the same for all its spellings.
func key(name string) string { return strings.ToLower(camel(name)) }

// snake returns the spelling with underscores.
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

// otherSpellings returns the spellings of a member, given the one without underscores, except for one of them.
func otherSpellings(name, except string) []string {
	return slices.DeleteFunc([]string{name, snake(name)}, func(s string) bool { return s == except })
}

// isMember says whether a member's name could be read as name.
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

// requestMember returns a member on the path to a tool, given its spelling without underscores; null counts as missing.
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

// membersLike iterates over the members whose names could be read as name.
func membersLike(v strictjson.Value, name string) iter.Seq[strictjson.Value] {
	return func(yield func(strictjson.Value) bool) {
		for n, value := range v.Members() {
			if isMember(n, name) && !yield(value) {
				return
			}
		}
	}
}

// elems iterates over a list. The API accepts a single value as a list of one.
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
