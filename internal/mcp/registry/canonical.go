package registry

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/weir-gate/weir/internal/strictjson"
)

// Canonical JSON follows RFC 8785, except that numbers have all their digits. In RFC 8785 two numbers with the same binary floating
// point value are equal, so a bound in a schema could change without a change of its hash.

// A member is a member of an object, with its name decoded.
type member struct {
	name  string
	value strictjson.Value
}

// appendCanonical appends the canonical form of a value. Values without such a form are errors: a name that is given twice, a lone
// surrogate, an extremely large or small number. The recursion is as deep as the document, whose depth was limited when it was
// parsed.
func appendCanonical(dst []byte, v strictjson.Value) ([]byte, error) {
	switch v.Kind() {
	case strictjson.Object:
		members := make([]member, 0, v.Len())
		for name, value := range v.Members() {
			text, ok := name.Text()
			if !ok {
				return nil, strictjson.ErrSurrogate
			}
			members = append(members, member{text, value})
		}
		return appendMembers(dst, members)
	case strictjson.Array:
		return appendElements(dst, v)
	case strictjson.String:
		text, ok := v.Text()
		if !ok {
			return nil, strictjson.ErrSurrogate
		}
		return appendString(dst, text), nil
	case strictjson.Number:
		return appendNumber(dst, v.Raw())
	default: // true, false and null have only one spelling
		return append(dst, v.Raw()...), nil
	}
}

// appendMembers appends an object. It sorts members.
func appendMembers(dst []byte, members []member) ([]byte, error) {
	slices.SortFunc(members, func(a, b member) int { return compareUTF16(a.name, b.name) })
	dst = append(dst, '{')
	for i, m := range members {
		if i > 0 {
			if members[i-1].name == m.name {
				return nil, strictjson.ErrAmbiguous
			}
			dst = append(dst, ',')
		}
		dst = append(appendString(dst, m.name), ':')
		var err error
		if dst, err = appendCanonical(dst, m.value); err != nil {
			return nil, err
		}
	}
	return append(dst, '}'), nil
}

func appendElements(dst []byte, array strictjson.Value) ([]byte, error) {
	dst = append(dst, '[')
	first := true
	for e := range array.Elems() {
		if !first {
			dst = append(dst, ',')
		}
		first = false
		var err error
		if dst, err = appendCanonical(dst, e); err != nil {
			return nil, err
		}
	}
	return append(dst, ']'), nil
}

// appendString appends a string literal with only the necessary escapes.
func appendString(dst []byte, text string) []byte {
	const short = "\b\t\n\f\r" // these have one-letter escapes
	const letters = "btnfr"
	dst = append(dst, '"')
	for i := range len(text) {
		c := text[i]
		switch at := strings.IndexByte(short, c); {
		case c == '"' || c == '\\':
			dst = append(dst, '\\', c)
		case at >= 0:
			dst = append(dst, '\\', letters[at])
		case c < ' ':
			dst = fmt.Appendf(dst, `\u%04x`, c)
		default:
			dst = append(dst, c)
		}
	}
	return append(dst, '"')
}

// compareUTF16 compares two texts by their UTF-16 code units.
func compareUTF16(a, b string) int {
	for a != "" && b != "" {
		r, n := utf8.DecodeRuneInString(a)
		s, m := utf8.DecodeRuneInString(b)
		if r != s {
			return cmp.Compare(rank(r), rank(s))
		}
		a, b = a[n:], b[m:]
	}
	return cmp.Compare(len(a), len(b))
}

// rank sorts the characters from U+E000 to U+FFFF, which have one code unit, after the characters with two.
func rank(r rune) rune {
	if 0xE000 <= r && r <= 0xFFFF {
		return r + utf8.MaxRune
	}
	return r
}
