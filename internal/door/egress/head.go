package egress

import (
	"bytes"
	"strings"
)

// maxMethod is longer than any method of HTTP.
const maxMethod = 24

// blanks are what servers take for a blank in a request line.
const blanks = " \t\v\f\r"

// lookHead reads the beginning of a request of HTTP. The host is looked for as lenient servers would: empty lines first, any line
// ending, any blank in the request line, blanks before the colon, a header twice.
func lookHead(head []byte) (glimpse, stage) {
	full := len(head) >= maxHead
	head = bytes.TrimLeft(head[:min(len(head), maxHead)], "\r\n")
	line, headers, complete := bytes.Cut(head, []byte("\n"))
	method, rest := firstWord(line)
	switch {
	case len(head) > 0 && (method == "" || len(method) > maxMethod || strings.ContainsFunc(method, notInMethod)):
		return glimpse{}, settled
	case !complete && full:
		return glimpse{from: fromHTTP, doubt: true}, settled // a host may follow
	case !complete:
		return glimpse{}, open
	}
	target, version := lastWord(rest)
	switch {
	case !isVersion(version, "HTTP/"):
		return glimpse{}, settled
	case !isVersion(version, "HTTP/1."):
		// HTTP/2 without TLS: the hosts come later, in another form, and each request has its own.
		return glimpse{from: fromHTTP, doubt: true}, settled
	case strings.EqualFold(method, "CONNECT"):
		g := glimpse{from: fromConnect}
		g.say(authorityHost(target))
		return g, settled
	}
	return lookHosts(target, headers, full)
}

// lookHosts reads the hosts of a request of HTTP/1. full: no more of its headers is read than this.
func lookHosts(target string, headers []byte, full bool) (glimpse, stage) {
	g := glimpse{from: fromHTTP}
	if scheme, rest, ok := strings.Cut(target, "://"); ok && !strings.ContainsAny(scheme, "/?#") {
		g.say(absoluteHost(rest))
	}
	whole := hostLines(&g, headers)
	if len(g.names) == 0 && !g.doubt && whole {
		return glimpse{}, settled // HTTP/1.0 without a host
	}
	if whole {
		return g, settled
	}
	g.doubt = true // more hosts may follow
	if full {
		return g, settled
	}
	return g, begun
}

// firstWord is the method of a request line, and what follows it.
func firstWord(line []byte) (word, rest string) {
	if i := bytes.IndexAny(line, blanks); i >= 0 {
		return string(line[:i]), string(line[i:])
	}
	return string(line), ""
}

// lastWord is what follows the method: the target and the version. Without a target there is no version.
func lastWord(rest string) (target, version string) {
	rest = strings.TrimRight(rest, blanks)
	i := strings.LastIndexAny(rest, blanks)
	if i <= 0 {
		return "", ""
	}
	return strings.Trim(rest[:i], blanks), rest[i+1:]
}

// notInMethod says that a character is in no method. Servers take more words for methods than there are.
func notInMethod(r rune) bool {
	return !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || strings.ContainsRune("!#$%&'*+-.^_`|~", r))
}

// isVersion says that a word is a version that begins so.
func isVersion(word, beginning string) bool {
	return len(word) >= len(beginning) && strings.EqualFold(word[:len(beginning)], beginning)
}

// absoluteHost reads the host of an address after its scheme.
func absoluteHost(rest string) (string, bool) {
	if i := strings.IndexAny(rest, "/?#\\"); i >= 0 {
		rest = rest[:i]
	}
	if i := strings.LastIndexByte(rest, '@'); i >= 0 {
		rest = rest[i+1:]
	}
	return authorityHost(rest)
}

// hostLines reads the headers for hosts. It says whether the head is complete.
func hostLines(g *glimpse, rest []byte) (whole bool) {
	for {
		line, after, complete := bytes.Cut(rest, []byte("\n"))
		if !complete {
			return false
		}
		line = bytes.TrimRight(line, "\r")
		if len(line) == 0 {
			return true
		}
		if line[0] == ' ' || line[0] == '\t' || bytes.ContainsAny(line, "\r\x00") {
			g.doubt = true // some servers take the line for a part of the one before, others for two
		}
		name, value, found := bytes.Cut(line, []byte(":"))
		if found && strings.EqualFold(strings.Trim(string(name), " \t"), "host") {
			g.say(authorityHost(string(bytes.Trim(value, " \t"))))
		}
		rest = after
	}
}
