package redact

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// A charset is a set of bytes.
type charset [256]bool

// newCharset returns the set of the bytes and ranges in a text, written as between the brackets of a regular expression. A hyphen
// at the end means itself.
func newCharset(text string) *charset {
	var set charset
	for i := 0; i < len(text); i++ {
		low, high := text[i], text[i]
		if i+2 < len(text) && text[i+1] == '-' {
			high = text[i+2]
			i += 2
		}
		for c := int(low); c <= int(high); c++ {
			set[c] = true
		}
	}
	return &set
}

var (
	alnumChars = newCharset("A-Za-z0-9")
	keyChars   = newCharset("A-Za-z0-9_-")
)

// runEnd returns the end of the run of bytes of the set that begins at i.
func (c *charset) runEnd(text string, i int) int {
	for i < len(text) && c[text[i]] {
		i++
	}
	return i
}

// runStart returns the begin of the run of bytes of the set that ends at i, at most so many bytes before.
func (c *charset) runStart(text string, i, most int) int {
	for least := max(0, i-most); i > least && c[text[i-1]]; {
		i--
	}
	return i
}

func isDigit(c byte) bool  { return '0' <= c && c <= '9' }
func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }
func isHex(c byte) bool    { return isDigit(c) || 'a' <= c|0x20 && c|0x20 <= 'f' }

// isWordRune reports whether a character belongs to the word next to it. Letters without case do not count: most of their scripts
// use no blanks, so a key in a Chinese sentence has letters right next to it.
func isWordRune(r rune) bool {
	return unicode.IsUpper(r) || unicode.IsLower(r) || unicode.IsTitle(r) || unicode.IsDigit(r)
}

// wordBefore reports whether a letter or digit is right before i. The letter of an escape such as \n or %3D does not count.
func wordBefore(text string, i int) bool {
	if i == 0 {
		return false
	}
	c := text[i-1]
	if c >= utf8.RuneSelf {
		r, _ := utf8.DecodeLastRuneInString(text[:i])
		return isWordRune(r)
	}
	if !alnumChars[c] {
		return false
	}
	if i >= 2 && text[i-2] == '\\' && strings.IndexByte("nrtbf", c) >= 0 {
		return false
	}
	return i < 3 || text[i-3] != '%' || !isHex(text[i-2]) || !isHex(c)
}

// wordAfter reports whether a letter or digit is at i.
func wordAfter(text string, i int) bool {
	r, _ := utf8.DecodeRuneInString(text[i:])
	return isWordRune(r)
}

// hasFoldPrefix reports whether a text begins with a word of ASCII letters in any case.
func hasFoldPrefix(text, word string) bool {
	return len(text) >= len(word) && strings.EqualFold(text[:len(word)], word)
}

// endsWith reports whether the text before i ends with a word.
func endsWith(text string, i int, word string) bool {
	return strings.HasSuffix(text[:i], word)
}

// maxLooked bounds how many bytes of a key are examined to distinguish it from a placeholder. A text may have the beginning of a
// key every few bytes, and in random text fewer bytes than these show all kinds of characters.
const maxLooked = 64

// minDistinct is the least number of different bytes in a key. Sixteen random letters and digits have fewer once in a million
// million.
const minDistinct = 7

// isKey reports whether a text could be random like a key, and no placeholder: it is long enough, has letters and digits, and does
// not repeat a few characters.
func isKey(body string, least int) bool {
	if len(body) < least {
		return false
	}
	digit, letter := false, false
	for _, c := range []byte(body[:min(len(body), maxLooked)]) {
		digit, letter = digit || isDigit(c), letter || isLetter(c)
	}
	return digit && letter && distinct(body) >= minDistinct
}

// distinct returns how many different bytes a key has.
func distinct(body string) (n int) {
	var seen charset
	for _, c := range []byte(body[:min(len(body), maxLooked)]) {
		if !seen[c] {
			seen[c] = true
			n++
		}
	}
	return n
}

// keyAt returns the end of the key whose body begins at i and has only bytes of the set, if it could be a key.
func keyAt(text string, i int, chars *charset, least int) (end int, ok bool) {
	// A run that cannot be a key is not read to its end, because a text may have as many beginnings as bytes.
	near := chars.runEnd(text[:min(len(text), i+maxLooked)], i)
	if !isKey(text[i:near], least) {
		return 0, false
	}
	return chars.runEnd(text, near), true
}
