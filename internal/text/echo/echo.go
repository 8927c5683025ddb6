// Package echo keeps credentials that weir adds to requests out of what comes back.
package echo

import (
	"net/http"
	"slices"
	"strings"
)

// Shortest is how long a credential must be to be looked for: a shorter one stands in other texts by chance.
const Shortest = 8

// Redacted stands in the place of a credential. It means the same in JSON, in a header and in a query.
const Redacted = "[redacted]"

// A Mask knows credentials. It finds them as they are, in the escapes of JSON (also of JSON inside JSON) and in those of URLs, in any
// mixture. A nil Mask knows none.
type Mask struct{ secrets []string }

// New returns a Mask for credentials; nil if none is long enough.
func New(secrets ...string) *Mask {
	var m *Mask
	return m.And(secrets...)
}

// And returns a Mask that knows more credentials.
func (m *Mask) And(secrets ...string) *Mask {
	var known []string
	if m != nil {
		known = slices.Clone(m.secrets)
	}
	for _, s := range secrets {
		if len(s) >= Shortest && !slices.Contains(known, s) {
			known = append(known, s)
		}
	}
	if len(known) == 0 {
		return nil
	}
	// Of two that begin alike, the longer is looked for first.
	slices.SortStableFunc(known, func(a, b string) int { return len(b) - len(a) })
	return &Mask{secrets: known}
}

// Text returns a text without credentials.
func (m *Mask) Text(s string) string {
	if m == nil || !m.In(s) {
		return s
	}
	clean, _, _ := m.split(nil, []byte(s), true)
	return string(clean)
}

// In says whether a credential stands in a text.
func (m *Mask) In(s string) bool {
	if m == nil {
		return false
	}
	_, _, found := m.split(nil, []byte(s), true)
	return found > 0
}

// Open returns the end of a text that may be the beginning of a credential, and says whether the text has a whole one in it.
func (m *Mask) Open(text []byte) (rest []byte, found bool) {
	for i := 0; i < len(text); {
		end, open := m.at(text, i, false)
		switch {
		case end > 0:
			i, found = end, true
		case open:
			return text[i:], found
		default:
			i++
		}
	}
	return nil, found
}

// Header takes the credentials out of a header: values lose them, and what has one in its name goes. It returns how many there were.
func (m *Mask) Header(h http.Header) (found int) {
	if m == nil {
		return 0
	}
	for name, values := range h {
		if m.In(strings.ToLower(name)) || m.In(name) {
			delete(h, name)
			found++
			continue
		}
		for i, v := range values {
			clean, _, n := m.split(nil, []byte(v), true)
			if found += n; n > 0 {
				values[i] = string(clean)
			}
		}
	}
	return found
}

// split appends to dst what of b may go out, with credentials replaced, and returns the rest, which may be the beginning of one. If
// last says that nothing follows, there is no rest.
func (m *Mask) split(dst, b []byte, last bool) (clean, rest []byte, found int) {
	from := 0 // what was not appended yet
	for i := 0; i < len(b); {
		end, open := m.at(b, i, last)
		switch {
		case end > 0:
			dst = append(append(dst, b[from:i]...), Redacted...)
			i, from = end, end
			found++
		case open:
			return append(dst, b[from:i]...), b[i:], found
		default:
			i++
		}
	}
	return append(dst, b[from:]...), nil, found
}

// at says where a credential ends that begins at i; 0: none does. open says that one may begin there, if more than b follows.
func (m *Mask) at(b []byte, i int, last bool) (end int, open bool) {
	for _, s := range m.secrets {
		if c := b[i]; c != s[0] && c != '\\' && c != '%' {
			continue
		}
		switch n, more := spelled(b[i:], s); {
		case more:
			open = !last
		case n > 0 && !open:
			return i + n, false
		}
	}
	return 0, open
}

// spelled returns how many bytes of b spell out a credential; 0: b begins with something else. more says that b ends before that is
// clear.
func spelled(b []byte, secret string) (n int, more bool) {
	for i := range len(secret) {
		size, more := letter(b[n:], secret[i])
		if more || size == 0 {
			return 0, more
		}
		n += size
	}
	return n, false
}

// maxBackslashes is how many backslashes may stand ahead of an escaped character: JSON may stand in JSON.
const maxBackslashes = 8

// letter returns how many bytes of b spell out one character; 0: b begins with another. more is that of spelled.
func letter(b []byte, c byte) (n int, more bool) {
	switch {
	case len(b) == 0:
		return 0, true
	case b[0] == c:
		return 1, false
	case b[0] == '%':
		return percent(b, c)
	case b[0] != '\\':
		return 0, false
	}
	n = 1
	for n < len(b) && b[n] == '\\' && n < maxBackslashes {
		n++
	}
	switch {
	case n == len(b):
		return 0, true
	case b[n] == 'u':
		// An escape, as far as it can be one: \\u0075 and \\u are both a u to some reader.
		if end, more := hex(b, n+1, 4, c); end > 0 || more {
			return end, more
		}
	}
	if b[n] == c {
		return n + 1, false
	}
	return 0, false
}

// percent is letter for the escapes of URLs, which may be escaped once more.
func percent(b []byte, c byte) (n int, more bool) {
	n, more = hex(b, 1, 2, c)
	if n > 0 || c == '%' {
		return n, more
	}
	twice, open := hex(b, 1, 2, '%')
	if twice == 0 {
		return 0, more || open
	}
	if n, more = hex(b, twice, 2, c); n == 0 {
		return 0, more
	}
	return n, false
}

// hex says where a number ends that begins at i, has so many digits and stands for c; 0: there is another, or none. more is that of
// spelled.
func hex(b []byte, i, digits int, c byte) (end int, more bool) {
	const table = "0123456789abcdef"
	for d := range digits {
		if i+d == len(b) {
			return 0, true
		}
		want := byte('0')
		if left := digits - 1 - d; left < 2 {
			want = table[c>>(4*left)&15]
		}
		if got := b[i+d]; got != want && got|0x20 != want {
			return 0, false
		}
	}
	return i + digits, false
}
