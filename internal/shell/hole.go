package shell

import (
	"strings"
	"unicode/utf8"
)

// Holes stand for text that is not known. They are bytes that no valid UTF-8 holds, so no text can contain them.
const (
	anyWords  = "\xff" // any text; in a command, any number of words
	oneWord   = "\xfe" // any text that stays one word
	oneChar   = "\xfd" // one character
	moreWords = "\xfc" // no word or more words, with the blank in front; only in joined commands
	fileRun   = "\xfb" // part of a file name that the shell fills in

	firstHole = 0xfb
)

func isHole(b byte) bool { return b >= firstHole }

func hasHole(s string) bool {
	for i := range len(s) {
		if isHole(s[i]) {
			return true
		}
	}
	return false
}

// allHole reports whether nothing of s is known.
func allHole(s string) bool { return s == anyWords || s == oneWord || s == fileRun }

// clean makes text from outside free of holes.
func clean(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	return strings.ToValidUTF8(s, "\uFFFD")
}

var (
	quoteHoles   = strings.NewReplacer(anyWords, oneWord, fileRun, oneWord)
	unquoteHoles = strings.NewReplacer(oneWord, anyWords)
	displayHoles = strings.NewReplacer(anyWords, "…", oneWord, "…", oneChar, "?", fileRun, "*")
	codeHoles    = strings.NewReplacer(anyWords, "${_}", oneWord, "${_}", oneChar, "${_}", fileRun, "${_}")
)

func showHoles(s string) string { return displayHoles.Replace(s) }

// fold removes the case of a text and keeps its holes.
func fold(s string) string {
	if !hasHole(s) {
		return strings.ToLower(s)
	}
	out := []byte(s)
	for i, c := range out {
		if c >= 'A' && c <= 'Z' {
			out[i] = c + 'a' - 'A'
		}
	}
	return string(out)
}

// globHoles turns the wildcards of an unquoted text into holes.
func globHoles(s string) string {
	if !strings.ContainsAny(s, "*?[") {
		return s
	}
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		switch c := s[i]; c {
		case '*':
			out = append(out, fileRun...)
		case '?':
			out = append(out, oneChar...)
		case '[':
			if end := classEnd(s, i); end > 0 {
				out = append(out, oneChar...)
				i = end
				continue
			}
			out = append(out, c)
		default:
			out = append(out, c)
		}
	}
	return string(out)
}

// maxClass bounds the search for the end of a character class, so that a text of brackets stays linear.
const maxClass = 128

// classEnd returns the offset of the bracket that closes the class open at i, or 0.
func classEnd(s string, i int) int {
	j := i + 1
	if j < len(s) && (s[j] == '!' || s[j] == '^') {
		j++
	}
	if j < len(s) && s[j] == ']' {
		j++
	}
	for ; j < len(s) && j < i+maxClass; j++ {
		if s[j] == ']' {
			return j
		}
	}
	return 0
}
