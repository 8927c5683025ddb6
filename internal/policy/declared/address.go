package declared

import (
	"errors"
	"net/netip"
	"net/url"
	"slices"
	"strings"
)

// checkURL says what is wrong with the URL of a server, without repeating the URL. An error ends with how to fix it, after a
// semicolon.
func checkURL(text string) error {
	u, err := url.Parse(text)
	switch {
	case err != nil, u.Scheme != "http" && u.Scheme != "https", u.Hostname() == "", u.Opaque != "":
		return errors.New("this is not an absolute http or https URL; write one such as https://mcp.example.com/mcp")
	case u.User != nil:
		return errors.New("a URL with a user would show a password in the record; use auth: {type: basic, …}")
	case u.Fragment != "" || strings.Contains(text, "#"):
		return errors.New("a fragment is never sent to a server; remove it")
	case !clean(text):
		return errors.New("a URL has no blanks and control characters; write them as %20 and the like")
	}
	for name := range u.Query() {
		if holdsSecret(name) {
			return errors.New("the query seems to hold a credential; use auth: {type: api_key, in: query, …}")
		}
	}
	return nil
}

// secretNames are parts of the names of credentials in queries.
var secretNames = []string{"key", "token", "secret", "passw", "signature", "credential", "auth"}

func holdsSecret(name string) bool {
	name = strings.ToLower(name)
	return name == "sig" || slices.ContainsFunc(secretNames, func(part string) bool { return strings.Contains(name, part) })
}

// isPlain says that a URL uses plain HTTP.
func isPlain(text string) bool {
	u, err := url.Parse(text)
	return err == nil && u.Scheme == "http"
}

// inTheClear says whether requests to a URL cross a network unencrypted.
func inTheClear(text string) bool {
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "http" {
		return false
	}
	host := u.Hostname()
	if strings.EqualFold(host, "localhost") {
		return false
	}
	addr, err := netip.ParseAddr(host)
	return err != nil || !addr.Unmap().IsLoopback()
}

// withoutQuery removes the query.
func withoutQuery(text string) string {
	text, _, _ = strings.Cut(text, "?")
	return text
}

// clean says that a text has no blanks and no control characters.
func clean(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return r <= ' ' || r == 0x7f })
}

// printable says that a text has no control characters, so it is valid in a header.
func printable(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r == 0x7f })
}
