package shell

import (
	"regexp"
	"strings"
)

// OneWord is the wildcard of one word.
const OneWord = "<word>"

// In a compiled pattern OneWord is two bytes that no pattern has otherwise: the first character of the word, and the others.
const (
	wordFirst = "\xc0" // never part of valid UTF-8
	wordRest  = "\x01"
)

// withWords replaces OneWord in a word of a pattern.
func withWords(text string) string {
	text = strings.ReplaceAll(text, wordRest, "\uFFFD")
	return strings.ReplaceAll(text, OneWord, wordFirst+wordRest)
}

// hasWildcard says whether a part of a compiled pattern matches more than itself.
func hasWildcard(text string) bool {
	return strings.Contains(text, "*") || strings.Contains(text, wordFirst)
}

// fitsWord says whether a byte of a command can be at a position of OneWord. A plain name has no blank and no control character, so it
// stays one word. It does not begin as an option does, and is no refspec, which could name another branch than it seems: +main,
// bot/x:main.
func fitsWord(want, c byte) bool {
	plain := c > ' ' && c != 0x7f && c != ':'
	switch want {
	case wordFirst[0]:
		return plain && c != '-' && c != '+'
	case wordRest[0]:
		return plain
	default:
		return false
	}
}

// leavesFolder reports that a byte of a text is one of two dots that stand for the folder above: src/../x. A plain name stays below the
// folder that the pattern writes before it.
func leavesFolder(text string, i int) bool {
	if text[i] != '.' {
		return false
	}
	ends := func(at int) bool { return at < 0 || at >= len(text) || strings.IndexByte(`/\ =`, text[at]) >= 0 }
	if i > 0 && text[i-1] == '.' {
		i--
	}
	return i+1 < len(text) && text[i+1] == '.' && ends(i-1) && ends(i+2)
}

// placeholder matches what looks like OneWord.
var placeholder = regexp.MustCompile(`<[A-Za-z_-]*>`)

// Placeholder returns what a pattern has that looks like OneWord but is not; "": nothing.
func Placeholder(glob string) string {
	for _, found := range placeholder.FindAllString(glob, -1) {
		if found != OneWord {
			return found
		}
	}
	return ""
}
