package redact

import (
	"encoding/base64"
	"strings"
	"unicode"
	"unicode/utf8"
)

// credentialChars are the characters that HTTP allows in the token of a header.
var credentialChars = newCharset("A-Za-z0-9._~+/=-")

// These are the least lengths of a token: after the name of the header, where a token must follow, and after the word Bearer alone,
// which is also an English word.
const (
	minHeaderToken = 6
	minBareToken   = 16
)

// schemes are the authentication schemes followed by a plain token.
var schemes = []string{"bearer", "token", "apikey", "api-key", "key"}

// findBearerToken finds the token of an Authorization header: after the word Bearer anywhere, or after the header's own name, whose
// Z is at i, with any scheme or none. Only the token is a finding, so that the rest of a command stays unchanged.
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
	return authorization(text, value)
}

// authorization returns the token in the value of an Authorization header that begins at i.
func authorization(text string, i int) (span, bool) {
	if hasFoldPrefix(text[i:], "basic") {
		return basicCredential(text, i+len("basic"))
	}
	for _, scheme := range schemes {
		if end := i + len(scheme); hasFoldPrefix(text[i:], scheme) && end < len(text) && isBlank(text[end]) {
			return credential(text, end, minHeaderToken)
		}
	}
	end, ok := keyAt(text, i, credentialChars, minBareToken)
	return span{i, trimDots(text, end)}, ok
}

// sweepHeaderValue finds the token in a text whose member is named like the header.
func sweepHeaderValue(v view, found func(span)) {
	if !strings.HasSuffix(strings.ToLower(v.about), "authorization") {
		return
	}
	start, end := trimmed(v.text)
	if at, ok := authorization(v.text, start); ok {
		found(at)
		return
	}
	value := v.text[start:end]
	if isKey(value, minHeaderToken) && credentialChars.runEnd(value, 0) == len(value) && !isPlaceholder(value) {
		found(span{start, end})
	}
}

// headerValue returns the start of the value of a header whose name ends at i: after a colon or equals sign, perhaps with quotes
// around name and value.
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
	if len(body) < least || isPlaceholder(body) {
		return span{}, false
	}
	// If the header ends here, anything but a placeholder is a token. Elsewhere an English word may follow.
	alone := least == minHeaderToken && (near == len(text) || strings.IndexByte("\"'`\\\r\n", text[near]) >= 0)
	if !alone && !strings.ContainsAny(body, decimals) && !isCapitalMix(body) {
		return span{}, false
	}
	return span{start, trimDots(text, credentialChars.runEnd(text, near))}, true
}

// isCapitalMix reports whether capitals come after small letters, not only at the beginning, as in base64.
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
