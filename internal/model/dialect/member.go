package dialect

import (
	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/strictjson"
)

// MaxName is how long a name or id may be, in bytes.
const MaxName = call.MaxName

// OptionalText is a member that names a call, or something on the way to one: a string where it is there at all.
func OptionalText(v strictjson.Value, name string) (string, error) {
	m, err := v.Member(name)
	if err == nil && !Present(m) {
		return "", nil
	}
	return RequiredText(v, name)
}

// RequiredText is a member that names a call, or something on the way to one, and must be there.
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

// Present says whether a value is there and not null.
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

// MemberText is a member that is a text; "": there is none that all read alike.
func MemberText(v strictjson.Value, name string) string {
	m, _ := v.Member(name)
	text, _ := m.Text()
	return text
}

// Count reads a number of tokens. What is no such number leaves n as it is.
func Count(v strictjson.Value, name string, n *int64) {
	if m, err := v.Member(name); err == nil {
		if value, ok := m.Int64(); ok && value >= 0 {
			*n = value
		}
	}
}

// Quote is s as a JSON string.
func Quote(s string) string { return string(strictjson.AppendString(nil, s)) }
