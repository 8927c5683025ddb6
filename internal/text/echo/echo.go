// Package echo removes credentials that weir adds to requests from the responses.
package echo

import (
	"net/http"
	"slices"
	"strings"
)

// Shortest is the least length of a credential to search for: a shorter one occurs in other texts by chance.
const Shortest = 8

// Redacted replaces a credential. It is valid, and means the same, in JSON, in a header and in a query.
const Redacted = "[redacted]"

// A Mask has credentials to remove. It finds them as they are, in the escapes of JSON (also of JSON inside JSON) and in those of
// URLs, in any mixture. A nil Mask has none.
type Mask struct{ secrets []string }

// New returns a Mask for credentials; nil if none is long enough.
func New(secrets ...string) *Mask {
	var m *Mask
	return m.And(secrets...)
}

// And returns a Mask with more credentials.
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
	// If two begin alike, the longer one is searched first.
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

// In says whether a text contains a credential.
func (m *Mask) In(s string) bool {
	if m == nil {
		return false
	}
	_, _, found := m.split(nil, []byte(s), true)
	return found > 0
}

// Open returns the end of a text that may be the beginning of a credential. found says whether the text contains a whole one.
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

// Header removes the credentials from a header: they are replaced in values, and a field with one in its name is deleted. It
// returns how many there were.
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

// split appends to dst the part of b that may be sent, with credentials replaced. It returns the rest, which may be the beginning
// of a credential. If last is true, nothing follows and there is no rest.
func (m *Mask) split(dst, b []byte, last bool) (clean, rest []byte, found int) {
	from := 0 // the start of what was not appended yet
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

// at returns the end of a credential that begins at i; 0: there is none. open says that one may begin there, depending on what
// follows b.
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

// spelled returns how many bytes of b spell a credential; 0: b begins with something else. more says that b ends before that is
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

// maxBackslashes is how many backslashes may come before an escaped character: JSON may be inside JSON.
const maxBackslashes = 8

// letter returns how many bytes of b spell one character; 0: b begins with another. more is as in spelled.
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
		// This may be an escape: some readers take both \\u0075 and \\u for a u.
		if end, more := hex(b, n+1, 4, c); end > 0 || more {
			return end, more
		}
	}
	if b[n] == c {
		return n + 1, false
	}
	return 0, false
}

// percent is letter for the escapes of URLs, which may themselves be escaped.
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

// hex returns the end of a hex number that begins at i, has so many digits and means c; 0: there is another number, or none. more
// is as in spelled.
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
