package egress

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
)

var (
	// anyVersion is a version of HTTP in any case, with any numbers.
	anyVersion = regexp.MustCompile(`^(?i:HTTP)/[0-9.]+$`)
	// oldHeader begins a header, or something that some servers skip before a header.
	oldHeader = regexp.MustCompile(`^(?:[\t ]|From |[^\t\r\n :]*[\t ]*:)`)
)

// isGap says that a character is not printable ASCII. Each such character is a blank for some server: control characters, and bytes
// of Latin-1 and of longer characters that a language treats as blanks. Other servers skip byte order marks and zeros.
func isGap(r rune) bool { return r <= ' ' || r >= 0x7f }

// lookLoosely parses what strict servers do not accept as an HTTP request. If lenient servers, which accept other blanks, may
// accept it, there is doubt; otherwise it is another protocol. undecided is the stage of bytes that may still become a request.
func lookLoosely(text []byte, full bool, undecided stage) (glimpse, stage) {
	line, rest, ended := bytes.Cut(text, []byte("\n"))
	words := bytes.FieldsFunc(line, isGap)
	switch {
	case isLooseRequest(words, ended), full && !ended && len(words) > 1 && len(words) < 4 && httpTarget.Match(words[1]):
		if !ended && !full {
			return doubted(fromHTTP), begun
		}
		return doubted(fromHTTP), settled
	case !ended && !full:
		return glimpse{}, undecided
	case ended && len(words) > 1 && string(words[0]) != "CONNECT" && methods[string(words[0])]:
		return lookOld(rest, full, undecided)
	}
	return glimpse{}, settled
}

// isLooseRequest says that some server accepts the words of a first line as a request. For a line that has not ended, it must be
// true whatever follows.
func isLooseRequest(words [][]byte, ended bool) bool {
	if len(words) < 2 {
		return false
	}
	method, target := string(words[0]), words[1]
	switch {
	case methods[strings.ToUpper(method)] && httpScheme.Match(target):
		return true
	case method == "CONNECT":
		if connectTarget.Match(target) {
			return true
		}
	case methods[method] && httpTarget.Match(target):
		return true
	}
	if len(words) < 3 {
		return false
	}
	if isVersion(string(words[2]), "HTTP/") && !strings.ContainsFunc(method, notInMethod) {
		return true
	}
	// Servers that accept any word as a method still require a version.
	return ended && slices.ContainsFunc([][]byte{words[2], words[len(words)-1]}, anyVersion.Match)
}

// lookOld parses what follows a line such as GET key, which is a command of another protocol, or a request of HTTP/0.9. If headers
// follow, it may be HTTP: some servers read them there.
func lookOld(rest []byte, full bool, undecided stage) (glimpse, stage) {
	switch {
	case oldHeader.Match(rest), full && bytes.IndexByte(rest, '\n') < 0:
		return doubted(fromHTTP), settled
	case bytes.IndexByte(rest, '\n') < 0:
		return glimpse{}, undecided
	}
	return glimpse{}, settled
}
