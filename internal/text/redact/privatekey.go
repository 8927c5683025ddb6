package redact

import (
	"regexp"
	"strings"
)

// keyEnd is the last line of a private key.
var keyEnd = regexp.MustCompile(`-{2,5} ?END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)? ?-{2,5}`)

// These say how much base64 in a row a private key has at least, and how far after its first line it may begin. Texts that only
// mention keys, such as a search for their first line, have none.
const (
	minKeyRun    = 24
	minKeyRuns   = 48 // all its runs together
	maxKeyHeader = 1024
)

var base64Chars = newCharset("A-Za-z0-9+/=")

// findPrivateKey finds a private key in PEM or PGP armour whose first line has its V at i. A key without a last line ends with the
// last line that looks like part of a key.
func findPrivateKey(v view, i int) (span, bool) {
	const word = "PRIVATE KEY"
	text, at := v.text, i-len("PRI")
	if at < 0 || !strings.HasPrefix(text[at:], word) {
		return span{}, false
	}
	start, ok := keyStart(text, at)
	if !ok || !hasKeyBody(text[at+len(word):]) {
		return span{}, false
	}
	if end := keyEnd.FindStringIndex(text[at:]); end != nil {
		return span{start, at + end[1]}, true
	}
	return span{start, lastKeyLine(text, at+len(word))}, true
}

// keyKindChars are the characters of the words that name the kind of key.
var keyKindChars = newCharset("A-Z0-9 ")

// keyStart returns the start of the first line of a key that has the words PRIVATE KEY at a position: hyphens, BEGIN, and the kind.
func keyStart(text string, at int) (start int, ok bool) {
	const word, maxKind, minHyphens = "BEGIN ", 40, 2
	from := keyKindChars.runStart(text, at, maxKind+len(word)+1)
	begin := strings.Index(text[from:at], word)
	if begin < 0 {
		return 0, false
	}
	start = from + begin
	if start > 0 && text[start-1] == ' ' {
		start--
	}
	hyphens := start
	for start > 0 && text[start-1] == '-' {
		start--
	}
	return start, hyphens-start >= minHyphens
}

// lastKeyLine returns the end of the last line, from a position on, that has a part of a key.
func lastKeyLine(text string, from int) int {
	const least = 16
	for end := len(text); end > from; {
		line := strings.LastIndexByte(text[from:end], '\n') + 1 + from
		for i := line; i < end; i++ {
			next := keyBodyChars.runEnd(text[:end], i)
			if next-i >= least && isKeyBody(text[i:next]) {
				return end
			}
			i = next
		}
		end = line - 1
	}
	return len(text)
}

// hasKeyBody reports whether base64 follows the first line of a key, before its last line and not too far away. It must be one long
// run or, if there is a last line, short runs with blanks, quotes and commas between them.
func hasKeyBody(rest string) bool {
	rest = rest[:min(len(rest), maxKeyHeader)]
	ended := false
	if end := strings.Index(rest, "-END "); end >= 0 {
		rest, ended = rest[:end], true
	}
	if next := strings.Index(rest, "-BEGIN "); next >= 0 {
		rest, ended = rest[:next], false
	}
	var all strings.Builder
	for i := 0; i < len(rest); i++ {
		end := keyBodyChars.runEnd(rest, i)
		body := rest[i:end]
		if i > 0 && rest[i-1] == '\\' && body != "" {
			body = body[1:] // the letter of an escape
		}
		if len(body) >= minKeyRun && isKeyBody(body) || startsKey(body, rest[end:]) {
			return true
		}
		all.WriteString(body)
		i = end
	}
	return ended && all.Len() >= minKeyRuns && isKeyBody(all.String())
}

// keyHeads are what the base64 of keys begins with, whoever they belong to.
var keyHeads = []string{
	"MIIEvQIBADANBgkqhkiG9w0B", "MIIEpAIBAAKCAQEA", "MIIEowIBAAKCAQEA", "MIIEogIBAAKCAQEA", "MIIJKAIBAAKCAgEA", "MIIJKQIBAAKCAgEA",
	"b3BlbnNzaC1rZXktdjEA", "MHcCAQEEI", "MIGHAgEAMBMG", "MC4CAQAwBQYDK2VwBCIEI",
}

// startsKey reports the beginning of a key of which little follows, but more than the beginning that every key has. An ellipsis
// instead says that the text only speaks of a key.
func startsKey(body, rest string) bool {
	const least = 2
	for _, head := range keyHeads {
		if tail, ok := strings.CutPrefix(body, head); ok {
			return len(tail) >= least && !strings.HasPrefix(rest, ".") && !strings.HasPrefix(rest, "…") && !strings.HasPrefix(rest, "*")
		}
	}
	return false
}

// keyBodyChars are the base64 characters without the slash: paths have slashes, and keys are long enough to have runs without
// slashes.
var keyBodyChars = newCharset("A-Za-z0-9+=")

// isKeyBody reports whether a run of base64 has capitals, small letters and digits, and no words.
func isKeyBody(body string) bool {
	const maxWord = 9
	body = body[:min(len(body), 2*minKeyRuns)]
	var seen [4]bool
	for i := range len(body) {
		seen[letterClass(body[i])] = true
	}
	return seen[capital] && seen[smallLetter] && seen[digit] && distinct(body) >= minDistinct && longestWord(body) <= maxWord
}
