package redact

import (
	"regexp"
	"strings"
)

// The line that begins a private key, and what is at its end.
var (
	keyBegin = regexp.MustCompile(`-{2,5} ?BEGIN [A-Z0-9 ]{0,40}$`)
	keyEnd   = regexp.MustCompile(`-{2,5} ?END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)? ?-{2,5}`)
)

// What a private key has at least of base64 in a row, and how far after its first line. Texts that only speak of keys, such as
// a search for their first line, have none.
const (
	minKeyRun    = 24
	maxKeyHeader = 1024
)

var base64Chars = newCharset("A-Za-z0-9+/=")

// findPrivateKey finds a private key in PEM or PGP armour whose first line has its V at i. A key without a last line goes to
// the end of the text.
func findPrivateKey(v view, i int) (span, bool) {
	const word, maxBegin = "PRIVATE KEY", 64
	text, at := v.text, i-len("PRI")
	if at < 0 || !strings.HasPrefix(text[at:], word) {
		return span{}, false
	}
	from := max(0, at-maxBegin)
	begin := keyBegin.FindStringIndex(text[from:at])
	if begin == nil || !hasKeyBody(text[at+len(word):]) {
		return span{}, false
	}
	start := from + begin[0]
	// A run of hyphens longer than the expression looks at belongs to the key too.
	for start > 0 && text[start-1] == '-' {
		start--
	}
	if end := keyEnd.FindStringIndex(text[at:]); end != nil {
		return span{start, at + end[1]}, true
	}
	return span{start, len(text)}, true
}

// hasKeyBody reports whether base64 follows the first line of a key, before its last line and not too far away.
func hasKeyBody(rest string) bool {
	rest = rest[:min(len(rest), maxKeyHeader)]
	if end := strings.Index(rest, "-END "); end >= 0 {
		rest = rest[:end]
	}
	for i := 0; i < len(rest); i++ {
		end := base64Chars.runEnd(rest, i)
		body := rest[i:end]
		if i > 0 && rest[i-1] == '\\' && body != "" {
			body = body[1:] // the letter of an escape
		}
		if len(body) >= minKeyRun && distinct(body) >= minDistinct {
			return true
		}
		i = end
	}
	return false
}
