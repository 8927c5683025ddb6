package redact

import (
	"bytes"
	"strings"
)

// maxUserInfo bounds the user and password of an address.
const maxUserInfo = 512

// findURLPassword finds the password in a URL whose colon after the scheme is at i, or a key in the position of the user.
func findURLPassword(v view, i int) (span, bool) {
	const mark, minToken = "://", 20
	text := v.text
	if !strings.HasPrefix(text[i:], mark) || i == 0 || !alnumChars[text[i-1]] {
		return span{}, false
	}
	start := i + len(mark)
	near := text[start:min(len(text), start+maxUserInfo)]
	if end := strings.IndexAny(near, "/?#\\\"'`<> \t\r\n"); end >= 0 {
		near = near[:end]
	}
	// A password may have an at sign: only the last one ends it.
	at := strings.LastIndexByte(near, '@')
	if at < 0 {
		return span{}, false
	}
	user, password, ok := strings.Cut(near[:at], ":")
	if !ok || password == "" || password == "x-oauth-basic" {
		if isPlaceholder(user) || isWords(user) || !isKey(user, minToken) {
			return span{}, false
		}
		return span{start, start + len(user)}, true
	}
	return span{start + len(user) + 1, start + at}, !isPlaceholder(password) && !(password == user && isThisHost(near[at+1:]))
}

// isThisHost reports the names of this machine: there, a password that is the user's name protects nothing.
func isThisHost(host string) bool {
	name, _, _ := strings.Cut(host, ":")
	return name == "127.0.0.1" || name == "localhost"
}

// placeholders are words that are written instead of a secret, in lower case and without marks.
var placeholders = func() map[string]bool {
	const words = "password passwd pass pwd passphrase secret token apikey key string str text none null nil undefined true false bool " +
		"required optional " +
		"example placeholder redacted hidden removed changeme yourpassword mypassword yourtoken mytoken yourkey yoursecret mysecret " +
		"bearertoken accesstoken authtoken authentication auth authorization bearer basic credentials env unset empty todo xxx any number object"
	set := map[string]bool{}
	for _, w := range strings.Fields(words) {
		set[w] = true
	}
	return set
}()

// isPlaceholder reports whether a text is written instead of a secret: a variable, a form to fill in, a word for it.
func isPlaceholder(text string) bool {
	if text == "" || strings.IndexByte("$<[{(", text[0]) >= 0 || text[0] == '%' && (len(text) == 2 || text[len(text)-1] == '%') {
		return true
	}
	for _, part := range [...]string{"${", "$(", "{{", "...", "…", "***"} {
		if strings.Contains(text, part) {
			return true
		}
	}
	if strings.Trim(text, "xX*.-_") == "" {
		return true
	}
	var buffer [maxPlain]byte
	plain := appendPlain(buffer[:0], text)
	return placeholders[string(plain)] || bytes.HasPrefix(plain, []byte("your"))
}

// maxPlain bounds how many bytes at the end of a name are used.
const maxPlain = 64

// appendPlain appends a name in lower case and without marks, so that api_key, api-key and apiKey are equal. Of a longer name it
// appends only the end.
func appendPlain(dst []byte, name string) []byte {
	for i := max(0, len(name)-maxPlain); i < len(name); i++ {
		if c := name[i]; alnumChars[c] {
			if letterClass(c) == capital {
				c |= 0x20
			}
			dst = append(dst, c)
		}
	}
	return dst
}
