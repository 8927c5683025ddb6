package dialect

import (
	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/strictjson"
)

// MaxName is how long a name or id may be, in bytes.
const MaxName = call.MaxName

// OptionalText returns a member that names a call or part of the path to a call. It must be a string if it is present.
func OptionalText(v strictjson.Value, name string) (string, error) {
	m, err := v.Member(name)
	if err == nil && !Present(m) {
		return "", nil
	}
	return RequiredText(v, name)
}

// RequiredText returns a member that names a call or part of the path to a call. It must be present.
func RequiredText(v strictjson.Value, name string) (string, error) {
	m, err := v.Member(name)
	if err != nil {
		return "", Ambiguous()
	}
	text, ok := m.Text()
	if !ok || len(text) > MaxName {
		return "", Malformed("a member that names a call or its kind is not a string, or too long")
	}
	return text, nil
}

// Present says whether a value is neither missing nor null.
func Present(v strictjson.Value) bool { return v.Kind() > strictjson.Null }

// HasMember says whether an object has a member of one of these names, in whatever case.
func HasMember(v strictjson.Value, names ...string) bool {
	for member := range v.Members() {
		for _, name := range names {
			if member.Folds(name) {
				return true
			}
		}
	}
	return false
}

// MemberText returns a member that is a text; "": there is none, or readers could read it differently.
func MemberText(v strictjson.Value, name string) string {
	m, _ := v.Member(name)
	text, _ := m.Text()
	return text
}

// Count reads a number of tokens into n. If the member is not such a number, n is unchanged.
func Count(v strictjson.Value, name string, n *int64) {
	if m, err := v.Member(name); err == nil {
		if value, ok := m.Int64(); ok && value >= 0 {
			*n = value
		}
	}
}

// Quote returns s as a JSON string.
func Quote(s string) string { return string(strictjson.AppendString(nil, s)) }
