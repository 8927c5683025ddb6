package redact

import (
	"encoding/base64"
	"strings"

	"github.com/weir-gate/weir/internal/strictjson"
)

// These bound the header of a JWT, and how many positions are tried as its beginning.
const (
	minJWTHeader = 12
	maxJWTHeader = 4096
	maxJWTTries  = 16
)

// findJWT finds a JSON Web Token whose first dot is at i: a header that names an algorithm, a body and a signature, or the five
// parts of an encrypted token. The signature may be missing.
func findJWT(v view, i int) (span, bool) {
	text := v.text
	run := keyChars.runStart(text, i, maxJWTHeader)
	start, encrypted, ok := jwtHeader(text[run:i])
	if !ok {
		return span{}, false
	}
	parts := 3
	if encrypted {
		parts = 5
	}
	end := keyChars.runEnd(text, i+1)
	if end == i+1 && !encrypted {
		return span{}, false
	}
	for n := 2; n < parts && end < len(text) && text[end] == '.'; n++ {
		end = keyChars.runEnd(text, end+1)
	}
	return span{run + start, trimDots(text, end)}, true
}

// jwtHeader finds the header of a JWT at the end of a run of base64url. Other text may come directly before it.
func jwtHeader(run string) (start int, encrypted, ok bool) {
	for tries := 0; len(run)-start >= minJWTHeader && tries < maxJWTTries; start, tries = start+1, tries+1 {
		// An object begins with a brace, and its second byte is a quote or white space.
		next := strings.IndexByte(run[start:], 'e')
		if next < 0 {
			break
		}
		start += next
		if rest := run[start:]; !strings.HasPrefix(rest, "ey") && !strings.HasPrefix(rest, "ew") {
			tries--
			continue
		}
		if encrypted, ok = readJWTHeader(run[start:]); ok {
			return start, encrypted, true
		}
	}
	return 0, false, false
}

// readJWTHeader reports whether a text is the header of a JWT.
func readJWTHeader(text string) (encrypted, ok bool) {
	decoded, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil {
		return false, false
	}
	var doc strictjson.Doc
	if doc.Parse(decoded) != nil {
		return false, false
	}
	for name := range doc.Root().Members() {
		ok = ok || name.Is("alg")
		encrypted = encrypted || name.Is("enc")
	}
	return encrypted, ok
}
