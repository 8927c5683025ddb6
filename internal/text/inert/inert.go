// Package inert writes untrusted text so that a reader sees all of it, and a terminal or a web page executes none of it.
package inert

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// blanks are letters and symbols that show nothing, although their Unicode class is visible.
var blanks = map[rune]bool{
	'\u2800':     true, // the Braille pattern without dots
	'\ufffc':     true, // represents an object that is missing
	'\U00013441': true, // a blank among the hieroglyphs
	'\U00013442': true,
	'\U00016fe4': true, // the filler of the Khitan script
	'\U0001d159': true, // a note without its head
}

// Visible says that a reader sees a character as it is: it takes up space, is visible, and does not change the text around it. The
// only blank that counts is the ordinary space.
func Visible(r rune) bool {
	if r < utf8.RuneSelf {
		return ' ' <= r && r <= '~'
	}
	return r != utf8.RuneError && unicode.IsPrint(r) && !blanks[r] &&
		!unicode.In(r, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point)
}

// Text is s on one line, at most limit characters of it, with invisible characters as escapes.
func Text(s string, limit int) string {
	var b strings.Builder
	n := 0
	for _, r := range s {
		if n == limit {
			b.WriteString("…")
			break
		}
		n++
		writeRune(&b, r)
	}
	return b.String()
}

// Name is a name among other words on a line. A name that could be read as several words, as none, or as a text with escapes is
// quoted.
func Name(s string, limit int) string {
	if s != "" && !strings.ContainsFunc(s, unplain) {
		return Text(s, limit)
	}
	var b strings.Builder
	b.WriteByte('"')
	n := 0
	for _, r := range s {
		if n == limit {
			return b.String() + `"…`
		}
		n++
		if r == '"' || r == '\\' {
			b.WriteByte('\\')
		}
		writeRune(&b, r)
	}
	return b.String() + `"`
}

// WriteLines writes s with invisible characters as escapes. Line breaks and tabs stay.
func WriteLines(w io.Writer, s string) error {
	out := bufio.NewWriter(w) // it remembers its first error
	for _, r := range s {
		if r == '\n' || r == '\t' {
			_, _ = out.WriteRune(r)
			continue
		}
		writeRune(out, r)
	}
	return out.Flush()
}

// unplain says that a name with this character in it needs quotes.
func unplain(r rune) bool { return r == ' ' || r == '"' || r == '\\' || !Visible(r) }

// A runeWriter is the target of a text.
type runeWriter interface {
	io.StringWriter
	WriteRune(r rune) (int, error)
}

func writeRune(w runeWriter, r rune) {
	if Visible(r) {
		_, _ = w.WriteRune(r) // a builder has no errors, and the writer of lines remembers its own
		return
	}
	quoted := strconv.QuoteRuneToASCII(r)
	_, _ = w.WriteString(quoted[1 : len(quoted)-1]) // see above
}

// JSON returns a line of JSON with escapes for invisible characters and for those that begin markup. Its meaning stays the same,
// because such characters occur only in strings.
func JSON(line string) string {
	return string(AppendJSON(make([]byte, 0, len(line)), line, "<>&"))
}

// AppendJSON appends s, with invisible characters and those in special as JSON escapes.
func AppendJSON(b []byte, s, special string) []byte {
	for _, r := range s {
		if Visible(r) && !strings.ContainsRune(special, r) {
			b = utf8.AppendRune(b, r)
			continue
		}
		for _, unit := range utf16.Encode([]rune{r}) {
			b = fmt.Appendf(b, `\u%04x`, unit)
		}
	}
	return b
}

// Part is a part of a stranger's text, to stand between double quotes in a sentence: on one line, at most limit characters long, with
// invisible characters as escapes. Signs that could end the quote or begin markup are replaced by others that look alike.
func Part(s string, limit int) string {
	var b strings.Builder
	for _, r := range s {
		if b.Len() > utf8.UTFMax*limit {
			break // the rest is cut anyway
		}
		if plain, ok := unmarked[r]; ok {
			r = plain
		}
		writeRune(&b, r)
	}
	runes := []rune(strings.TrimSpace(b.String()))
	if len(runes) > limit {
		return strings.TrimRight(string(runes[:limit-1]), " ") + "…"
	}
	return string(runes)
}

// unmarked are the signs of markup and of quotes, and what replaces them. Line breaks and tabs are blanks.
var unmarked = map[rune]rune{'<': '‹', '>': '›', '`': '\'', '"': '\'', '[': '(', ']': ')', '\n': ' ', '\t': ' ', '\r': ' '}
