package egress

import (
	"bytes"
	"regexp"
	"strings"
)

// blanks are the characters that servers accept as a blank in a request line.
const blanks = " \t\v\f\r"

// proxySignature begins version 2 of the PROXY protocol, which some servers expect before HTTP or TLS.
const proxySignature = "\r\n\r\n\x00\r\nQUIT\n"

var (
	// plainLine is a request line that all servers parse alike. foreignLine is a request line of a protocol that looks like HTTP, such
	// as RTSP; some HTTP servers accept it, too.
	plainLine   = regexp.MustCompile("^([!#$%&'*+.^_`|~0-9A-Za-z-]+) ([\\x21-\\x7e\\x80-\\xff]+) HTTP/1\\.[0-9]$")
	foreignLine = regexp.MustCompile("^([!#$%&'*+.^_`|~0-9A-Za-z-]+) ([\\x21-\\x7e\\x80-\\xff]+) [A-Z]+/[0-9.]+$")
	// httpScheme begins the target of a request to a proxy.
	httpScheme = regexp.MustCompile(`^(?i:https?)://`)
	// httpTarget begins the target of an HTTP request without a version; connectTarget begins the target of CONNECT.
	httpTarget    = regexp.MustCompile(`^(?:[/*\\?]|[A-Za-z][A-Za-z0-9+.-]*:[/\\]|(?i:https?):)`)
	connectTarget = regexp.MustCompile(`^(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\]):`)
)

// methods are the methods that servers know. A line without a version at its end is a request only with one of these.
var methods = func() map[string]bool {
	known := map[string]bool{}
	for m := range strings.FieldsSeq(`GET HEAD POST PUT DELETE CONNECT OPTIONS TRACE PATCH PRI QUERY COPY LOCK MKCOL MOVE PROPFIND PROPPATCH
		SEARCH
		UNLOCK BIND REBIND UNBIND ACL REPORT MKACTIVITY CHECKOUT MERGE M-SEARCH NOTIFY SUBSCRIBE UNSUBSCRIBE PURGE MKCALENDAR LINK UNLINK
		SOURCE`) {
		known[m] = true
	}
	return known
}()

// A lineEnd says how a line ends.
type lineEnd int

// The ends of lines.
const (
	notYet lineEnd = iota
	byLF
	byCRLF
	byCR // only few servers accept this as an end
)

// cutLine cuts off the first line.
func cutLine(text []byte) (line, rest []byte, end lineEnd) {
	i := bytes.IndexAny(text, "\r\n")
	switch {
	case i < 0, text[i] == '\r' && i+1 == len(text):
		return text, nil, notYet
	case text[i] == '\n':
		return text[:i], text[i+1:], byLF
	case text[i+1] == '\n':
		return text[:i], text[i+2:], byCRLF
	default:
		return text[:i], text[i+1:], byCR
	}
}

// lookHead parses the beginning of an HTTP request. It searches for the host like lenient servers: it allows empty lines first, any
// line ending, any blank in the request line, blanks before the colon, and a header twice. It doubts what servers parse
// differently, and what only lenient servers accept as a request.
func lookHead(head []byte) (glimpse, stage) {
	full := len(head) >= maxHead
	head = head[:min(len(head), maxHead)]
	lines := bytes.TrimLeft(head, "\r\n")
	text := bytes.TrimLeft(lines, blanks+"\n")
	indented, inner := len(text) != len(lines), bytes.TrimLeftFunc(text, isGap)
	switch {
	case bytes.HasPrefix(head, []byte(proxySignature)):
		return doubted(fromHTTP), settled
	case len(inner) == 0 && full:
		return doubted(fromHTTP), settled // a request may follow
	case len(text) == 0, strings.HasPrefix(proxySignature, string(head)):
		return glimpse{}, open
	case len(inner) != len(text) || !mayBeMethod(text):
		return lookLoosely(inner, full, unlikely)
	}
	line, headers, end := cutLine(text)
	kind := kindOf(string(line), end)
	switch {
	case end == notYet && kind == request && !full:
		return doubted(fromHTTP), begun
	case kind == noRequest:
		return lookLoosely(text, full, open)
	}
	r := reading{g: glimpse{from: fromHTTP, doubt: indented || kind == request}, kind: kind, lines: end, full: full}
	return r.read(head, line, headers)
}

// mayBeMethod says that a text may begin with a method: a word of printable characters whose first is allowed in methods. Servers
// accept more words than the known methods.
func mayBeMethod(text []byte) bool {
	for i, c := range text {
		switch {
		case i == 0 && notInMethod(rune(c)):
			return false
		case bytes.IndexByte([]byte(blanks+"\n"), c) >= 0:
			return true
		case c < ' ' || c >= 0x7f:
			return false
		}
	}
	return true
}

// A lineKind is the kind of a first line.
type lineKind int

// The kinds of first lines.
const (
	noRequest lineKind = iota
	plain              // a request of HTTP/1 that all servers parse alike
	foreign            // a request of a protocol that looks like HTTP
	request            // a request of HTTP that servers parse differently, or not at all
)

// kindOf returns the kind that a first line has, or can still get.
func kindOf(line string, end lineEnd) lineKind {
	method, rest := firstWord([]byte(line))
	target := strings.TrimLeft(rest, blanks)
	word, _ := firstWord([]byte(target))
	switch {
	case end != byCR && end != notYet && plainLine.MatchString(line):
		return plain
	case strings.Contains(strings.ToUpper(line), "HTTP/"):
		return request
	case httpScheme.MatchString(target), method == "PROXY" && (word == "TCP4" || word == "TCP6" || word == "UNKNOWN"):
		return request
	case method == "CONNECT":
		if connectTarget.MatchString(target) {
			return request
		}
	case end != byCR && end != notYet && foreignLine.MatchString(line):
		return foreign
	case methods[method] && httpTarget.MatchString(target):
		return request
	}
	return noRequest
}

// firstWord returns the method of a request line, and the rest of the line.
func firstWord(line []byte) (word, rest string) {
	if i := bytes.IndexAny(line, blanks); i >= 0 {
		return string(line[:i]), string(line[i:])
	}
	return string(line), ""
}

// lastWord splits the rest after the method into the target and the version. Without a target there is no version.
func lastWord(rest string) (target, version string) {
	rest = strings.TrimRight(rest, blanks)
	i := strings.LastIndexAny(rest, blanks)
	if i <= 0 {
		return "", ""
	}
	return strings.Trim(rest[:i], blanks), rest[i+1:]
}

// notInMethod says that no method may have this character.
func notInMethod(r rune) bool {
	return !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || strings.ContainsRune("!#$%&'*+-.^_`|~", r))
}

// isVersion says that a word has this beginning, in any case.
func isVersion(word, beginning string) bool {
	return len(word) >= len(beginning) && strings.EqualFold(word[:len(beginning)], beginning)
}

// absoluteHost returns the host in the part of an address after its scheme.
func absoluteHost(rest string) (string, bool) {
	if i := strings.IndexAny(rest, "/?#"); i >= 0 {
		rest = rest[:i]
	}
	if i := strings.LastIndexByte(rest, '@'); i >= 0 {
		if strings.ContainsAny(rest[:i], "\\@") {
			return "", false // programs disagree about where the host is
		}
		rest = rest[i+1:]
	}
	return authorityHost(rest)
}
