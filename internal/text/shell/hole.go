package shell

import (
	"strings"
	"unicode/utf8"
)

// Holes represent unknown text. They are bytes that are never part of valid UTF-8, so no text can contain them.
const (
	anyWords  = "\xff" // any text; in a command, any number of words
	oneWord   = "\xfe" // any text that stays one word
	oneChar   = "\xfd" // one character
	moreWords = "\xfc" // zero or more words, with the blank before them; only in joined commands
	fileRun   = "\xfb" // part of a file name that the shell fills in

	// These holes are partly known. In a command they count as anyWords or, quoted, as oneWord.
	homeWords  = "\xfa" // the user's folder
	homeWord   = "\xf9"
	unsetWords = "\xf8" // a variable that the text never sets, so it may be empty
	unsetWord  = "\xf7"
	hereWords  = "\xf6" // the folder where the text runs
	hereWord   = "\xf5"
	treeRun    = "\xc1" // any path below a folder; one word
	secretWord = "\xc0" // what a variable of the environment holds whose name says that it is a secret; one word

	firstHole = 0xf5
)

func isHole(b byte) bool { return b >= firstHole || b == treeRun[0] || b == secretWord[0] }

func hasHole(s string) bool {
	for i := range len(s) {
		if isHole(s[i]) {
			return true
		}
	}
	return false
}

// allHole reports whether nothing of s is known.
func allHole(s string) bool { return len(s) == 1 && isHole(s[0]) && s != oneChar }

// anyNumber reports whether s could be any number of words.
func anyNumber(s string) bool {
	return s == anyWords || s == unsetWords || s == homeWords || s == hereWords
}

// joinHoles merges consecutive holes of the same kind if they mean no more than one.
func joinHoles(s string) string {
	same := func(i int) bool {
		switch s[i] {
		case anyWords[0], oneWord[0], unsetWords[0], unsetWord[0], fileRun[0]:
			return s[i] == s[i-1]
		}
		return false
	}
	out := make([]byte, 0, len(s))
	for i := range len(s) {
		if i == 0 || !same(i) {
			out = append(out, s[i])
		}
	}
	return string(out)
}

// clean removes holes from text that comes from outside.
func clean(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	return strings.ToValidUTF8(s, "\uFFFD")
}

var (
	quoteHoles   = strings.NewReplacer(anyWords, oneWord, homeWords, homeWord, unsetWords, unsetWord, hereWords, hereWord)
	unquoteHoles = strings.NewReplacer(oneWord, anyWords, homeWord, homeWords, unsetWord, unsetWords, hereWord, hereWords)
	// What is below a folder may be the folder itself, and a name below it may be in the folder.
	plainHoles = strings.NewReplacer("/"+treeRun+"/", "/"+oneWord, "/"+treeRun, oneWord,
		homeWords, anyWords, homeWord, oneWord, unsetWords, anyWords, unsetWord, oneWord,
		hereWords, anyWords, hereWord, oneWord, treeRun, oneWord, secretWord, oneWord)
	givenHoles   = strings.NewReplacer(unsetWords, anyWords, unsetWord, oneWord)
	displayHoles = strings.NewReplacer(anyWords, "…", oneWord, "…", oneChar, "?", fileRun, "*", secretWord, "…")
	codeHoles    = strings.NewReplacer(anyWords, unknownCode, oneWord, unknownCode, oneChar, unknownCode, fileRun, unknownCode,
		homeWords, "${HOME}", homeWord, "${HOME}", unsetWords, unknownCode, unsetWord, unknownCode,
		hereWords, "${PWD}", hereWord, "${PWD}", treeRun, unknownCode, secretWord, unknownCode)
)

// unknownCode is how a hole is written in a text that is parsed again.
const unknownCode = "${_}"

func showHoles(s string) string { return displayHoles.Replace(s) }

// fold lowers the case of a text but leaves its holes as they are.
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
			end := classEnd(s, i)
			if end > 0 && strings.Count(s[i:end], ":") > 1 && strings.Trim(s[i+1:end], "0123456789abcdefABCDEF:.") == "" {
				end = 0 // an address of IPv6, as in a URL: there hardly is a file of that name
			}
			if end > 0 {
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

// maxClass bounds the search for the end of a character class, so that a text of many brackets takes linear time.
const maxClass = 128

// classEnd returns the offset of the bracket that closes the class opened at i, or 0.
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
