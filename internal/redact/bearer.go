package redact

import (
	"encoding/base64"
	"strings"
	"unicode"
	"unicode/utf8"
)

// credentialChars are those that HTTP allows in the token of a header.
var credentialChars = newCharset("A-Za-z0-9._~+/=-")

// The least length of a token: after the name of the header, where a token is due, and after the word Bearer alone, which is
// also an English word.
const (
	minHeaderToken = 8
	minBareToken   = 16
)

// findBearerToken finds the token of an Authorization header: after the word Bearer anywhere, and after the header's own name,
// which has its Z at i, with any scheme or none. Only the token is found, so that the rest of a command stays what it was.
func findBearerToken(v view, i int) (span, bool) {
	text := v.text
	if text[i]|0x20 == 'b' {
		if !hasFoldPrefix(text[i:], "bearer") || wordBefore(text, i) {
			return span{}, false
		}
		return credential(text, i+len("bearer"), minBareToken)
	}
	const name, before = "authorization", len("authori")
	if i < before || !hasFoldPrefix(text[i-before:], name) {
		return span{}, false
	}
	value, ok := headerValue(text, i-before+len(name))
	if !ok {
		return span{}, false
	}
	if hasFoldPrefix(text[value:], "basic") {
		return basicCredential(text, value+len("basic"))
	}
	for _, scheme := range []string{"bearer", "token", "apikey", "api-key", "key"} {
		if hasFoldPrefix(text[value:], scheme) && len(text) > value+len(scheme) && isBlank(text[value+len(scheme)]) {
			return credential(text, value+len(scheme), minHeaderToken)
		}
	}
	end, ok := keyAt(text, value, credentialChars, minBareToken)
	return span{value, trimDots(text, end)}, ok
}

// headerValue returns where the value of a header begins whose name ends at i: after a colon or equals sign, with quotes
// around either.
func headerValue(text string, i int) (at int, ok bool) {
	const most = 16
	separated := false
	for at = i; at < len(text) && at < i+most; at++ {
		switch c := text[at]; {
		case c == ':' || c == '=':
			separated = true
		case isBlank(c) || strings.IndexByte("\"'`\\>,([{", c) >= 0:
		default:
			return at, separated
		}
	}
	return at, false
}

// credential returns the token after the scheme that ends at i.
func credential(text string, i, least int) (span, bool) {
	const most = 8
	start := i
	for start < len(text) && start < i+most && (isBlank(text[start]) || text[start] == ':') {
		start++
	}
	if strings.HasPrefix(text[start:], "%20") {
		start += len("%20")
	}
	if start == i {
		return span{}, false
	}
	near := credentialChars.runEnd(text[:min(len(text), start+maxLooked)], start)
	body := text[start:near]
	if len(body) < least || strings.Trim(body, "xX*.-_") == "" || !strings.ContainsAny(body, decimals) && !isCapitalMix(body) {
		return span{}, false
	}
	return span{start, trimDots(text, credentialChars.runEnd(text, near))}, true
}

// isCapitalMix reports whether capitals stand among small letters and not only at the beginning, as in base64.
func isCapitalMix(word string) bool {
	small := strings.IndexFunc(word, unicode.IsLower)
	return small >= 0 && strings.IndexFunc(word[small:], unicode.IsUpper) >= 0
}

// basicCredential returns the user and password, in base64, after the scheme Basic.
func basicCredential(text string, i int) (span, bool) {
	start := i
	for start < len(text) && isBlank(text[start]) {
		start++
	}
	if start == i {
		return span{}, false
	}
	end := base64Chars.runEnd(text, start)
	decoded, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(text[start:end], "="))
	if err != nil || !utf8.Valid(decoded) || !strings.Contains(string(decoded), ":") {
		return span{}, false
	}
	return span{start, end}, true
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }
