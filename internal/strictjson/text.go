package strictjson

import (
	"bytes"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// body returns the bytes between the quotes of a string, still escaped; nil if the value is not a string.
func (v Value) body() []byte {
	n := v.node()
	if n.kind != String {
		return nil
	}
	return v.doc.data[n.start+1 : n.end-1]
}

// Is reports whether the value is a string whose decoded text equals s.
func (v Value) Is(s string) bool {
	n := v.node()
	if n.kind != String {
		return false
	}
	body := v.body()
	if n.traits&escaped == 0 {
		return string(body) == s
	}
	for len(body) > 0 && s != "" {
		r, size := decode(body)
		want, wantSize := utf8.DecodeRuneInString(s)
		if r != want || want == utf8.RuneError && wantSize == 1 {
			return false
		}
		body, s = body[size:], s[wantSize:]
	}
	return len(body) == 0 && s == ""
}

// Folds reports whether the value is a string whose decoded text equals s when case is ignored, as in [strings.EqualFold].
func (v Value) Folds(s string) bool {
	return v.node().kind == String && newFoldTarget(s).matches(v)
}

// Text returns the decoded text of a string. It is not ok if the value is not a string, or if the string has a lone surrogate,
// which is not valid text.
func (v Value) Text() (text string, ok bool) {
	n := v.node()
	if n.kind != String || n.traits&lone != 0 {
		return "", false
	}
	if n.traits&escaped == 0 {
		return string(v.body()), true
	}
	return string(v.AppendText(nil)), true
}

// AppendText appends the decoded text of a string to dst, and nothing for other values.
//
// A lone surrogate is appended in its three byte form (WTF-8), which is not valid UTF-8. If dst ends in a first half and the text
// begins with a second half, the two become one character. So text that was split into several strings is joined as in a program
// that uses UTF-16.
func (v Value) AppendText(dst []byte) []byte {
	body := v.body()
	if v.node().traits&escaped == 0 {
		return append(dst, body...)
	}
	if v.node().traits&lone != 0 {
		low, size := decode(body)
		if high, ok := highHalfAtEnd(dst); ok && isPair(high, low) {
			dst = utf8.AppendRune(dst[:len(dst)-3], utf16.DecodeRune(high, low))
			body = body[size:]
		}
	}
	for {
		plain := bytes.IndexByte(body, '\\')
		if plain < 0 {
			return append(dst, body...)
		}
		dst = append(dst, body[:plain]...)
		r, size := decode(body[plain:])
		dst = appendWTF8(dst, r)
		body = body[plain+size:]
	}
}

// decode returns the character that body, the inside of a checked string, begins with, and its length there. A pair of surrogate
// escapes is one character; a lone surrogate is returned unchanged.
func decode(body []byte) (r rune, size int) {
	if body[0] != '\\' {
		return utf8.DecodeRune(body)
	}
	if body[1] != 'u' {
		return rune(unescaped(body[1])), 2
	}
	r, _ = hexEscape(body)
	if isHigh(r) {
		if low, ok := hexEscape(body[6:]); ok && isPair(r, low) {
			return utf16.DecodeRune(r, low), 12
		}
	}
	return r, 6
}

// appendWTF8 appends r in UTF-8, and a surrogate in the three bytes that UTF-8 would use if it had surrogates.
func appendWTF8(dst []byte, r rune) []byte {
	if !utf16.IsSurrogate(r) {
		return utf8.AppendRune(dst, r)
	}
	return append(dst, 0xE0|byte(r>>12), 0x80|byte(r>>6)&0x3F, 0x80|byte(r)&0x3F)
}

// highHalfAtEnd returns the first half of a surrogate pair that text ends in.
func highHalfAtEnd(text []byte) (rune, bool) {
	n := len(text)
	if n < 3 || text[n-3] != 0xED || text[n-2]&0xF0 != 0xA0 || text[n-1]&0xC0 != 0x80 {
		return 0, false
	}
	return 0xD000 | rune(text[n-2]&0x3F)<<6 | rune(text[n-1]&0x3F), true
}

// A foldTarget is a name to compare others with, ignoring case.
type foldTarget struct {
	name  string
	ascii bool
}

// newFoldTarget returns the target for a name.
func newFoldTarget(name string) foldTarget {
	for i := range len(name) {
		if name[i] >= utf8.RuneSelf {
			return foldTarget{name, false}
		}
	}
	return foldTarget{name, true}
}

// excludes reports whether a name cannot match because of its length. This holds for most names. Names with non-ASCII characters
// are not excluded: when case is ignored, such characters may equal ones of another length.
func (t foldTarget) excludes(n *node) bool {
	return t.ascii && n.traits&(escaped|wide) == 0 && int(n.end-n.start) != len(t.name)+len(`""`)
}

// matches reports whether v, a string, equals the target when case is ignored.
func (t foldTarget) matches(v Value) bool {
	body := v.body()
	if !t.ascii || v.node().traits&(escaped|wide) != 0 {
		return t.matchesRunes(body)
	}
	if len(body) != len(t.name) {
		return false
	}
	for i, c := range body {
		if c != t.name[i] && upper(c) != upper(t.name[i]) {
			return false
		}
	}
	return true
}

// matchesRunes does the work of matches for any body. It decodes character by character.
func (t foldTarget) matchesRunes(body []byte) bool {
	s := t.name
	for len(body) > 0 && s != "" {
		r, size := decode(body)
		want, wantSize := utf8.DecodeRuneInString(s)
		if fold(r) != fold(want) {
			return false
		}
		body, s = body[size:], s[wantSize:]
	}
	return len(body) == 0 && s == ""
}

// fold returns the least of the characters that equal r when case is ignored: two characters are equal then if and only if fold
// returns the same for both.
func fold(r rune) rune {
	if r < utf8.RuneSelf {
		return rune(upper(byte(r)))
	}
	least := r
	for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
		least = min(least, f)
	}
	return least
}

// upper returns c, or its capital letter if c is a small ASCII letter.
func upper(c byte) byte {
	if 'a' <= c && c <= 'z' {
		c -= 'a' - 'A'
	}
	return c
}
