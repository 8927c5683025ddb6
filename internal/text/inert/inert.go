// Package inert writes text of strangers so that a reader sees all of it and a terminal or a web page obeys none of it.
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

// blanks are letters and symbols without ink. By their class they could be seen.
var blanks = map[rune]bool{
	'\u2800':     true, // the pattern of Braille without dots
	'\ufffc':     true, // stands for an object that is not there
	'\U00013441': true, // the blanks among the hieroglyphs
	'\U00013442': true,
	'\U00016fe4': true, // the filler of the Khitan script
	'\U0001d159': true, // a note without its head
}

// Visible says that a reader sees a character as what it is: it takes up room, has ink, and changes nothing about the text
// around it. Of the blanks only the ordinary one counts.
func Visible(r rune) bool {
	if r < utf8.RuneSelf {
		return ' ' <= r && r <= '~'
	}
	return r != utf8.RuneError && unicode.IsPrint(r) && !blanks[r] &&
		!unicode.In(r, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point)
}

// Text is s on one line, at most limit characters of it, with what is not visible as escapes.
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

// Name is a name among other words on a line. One that could pass for several words, for none, or for a text with escapes
// stands in quotes.
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

// WriteLines writes s with what is not visible as escapes. Lines stay lines, and tabs stay tabs.
func WriteLines(w io.Writer, s string) error {
	out := bufio.NewWriter(w) // it keeps its first error
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

// A runeWriter is what text is put together in.
type runeWriter interface {
	io.StringWriter
	WriteRune(r rune) (int, error)
}

func writeRune(w runeWriter, r rune) {
	if Visible(r) {
		_, _ = w.WriteRune(r) // a builder has no error, and the writer of lines keeps its own
		return
	}
	quoted := strconv.QuoteRuneToASCII(r)
	_, _ = w.WriteString(quoted[1 : len(quoted)-1]) // likewise
}

// JSON is one line of JSON that says the same: what is not visible, and what begins markup, stands in strings only, where it
// can be escaped.
func JSON(line string) string {
	return string(AppendJSON(make([]byte, 0, len(line)), line, "<>&"))
}

// AppendJSON appends s with what is not visible, and the characters of special, as escapes of JSON.
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
