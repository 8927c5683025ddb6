package egress

import (
	"bytes"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// plainHeader is a header line that all servers parse alike.
var plainHeader = regexp.MustCompile("^[!#$%&'*+.^_`|~0-9A-Za-z-]+:[\\t\\x20-\\x7e\\x80-\\xff]*$")

// hostInside finds a host after a character whose bytes some servers treat as a line end: byte 85 is one in Latin-1.
var hostInside = regexp.MustCompile(`(?i)[^\x00-\x7f][\t ]*host[\t ]*:`)

// withBody are the methods whose bodies servers read. With other methods, some servers read the body as the next request.
var withBody = []string{"POST", "PUT", "PATCH"}

// A reading is a request that is being parsed.
type reading struct {
	g       glimpse
	kind    lineKind
	lines   lineEnd // how its first line ends
	full    bool    // no more bytes of it will be read
	old     bool    // it is not HTTP/1.1
	connect bool
	// lengths and codings count its headers for the length and the coding of its body.
	lengths, codings int
}

// read parses a request whose first line is complete, or will never be.
func (r *reading) read(head, line, headers []byte) (glimpse, stage) {
	method, rest := firstWord(line)
	target, version := lastWord(rest)
	r.old = !strings.EqualFold(version, "HTTP/1.1")
	r.connect = strings.EqualFold(method, "CONNECT")
	r.g.then.ignored = !slices.Contains(withBody, method)
	switch {
	case r.lines == notYet, r.lines == byCR, r.kind == request && !isVersion(version, "HTTP/1."):
		// It is too long, or HTTP/2 without TLS: then the hosts come later, in another form, and each request has its own host.
		return r.g, settled
	case r.connect:
		r.g.from = fromConnect
		r.g.say(authorityHost(target))
	case httpScheme.MatchString(target):
		r.g.say(absoluteHost(target[strings.Index(target, "://")+3:]))
	case isVersion(version, "HTTP/") && target != "*" && !strings.HasPrefix(target, "/"):
		r.g.doubt = true
	}
	after, whole := r.headers(headers)
	switch {
	case !whole && r.full:
		r.g.doubt = true // more hosts may follow
		return r.g, settled
	case !whole:
		r.g.doubt = true
		return r.g, begun
	}
	return r.finished(len(head) - len(after)), settled
}

// finished returns the glimpse of a request with a complete head.
func (r *reading) finished(end int) glimpse {
	r.g.doubt = r.g.doubt || r.lengths+r.codings > 1 || r.codings > 0 && r.old || r.lengths+r.codings > 0 && r.connect
	if len(r.g.names) == 0 && !r.g.doubt {
		r.g.from = "" // HTTP/1.0 without a host
	}
	switch {
	case r.g.doubt:
		r.g.then = follow{}
	case r.connect:
		r.g.end, r.g.then = end, follow{kind: afterProxy}
	default:
		r.g.end, r.g.then.kind = end, afterHTTP
	}
	return r.g
}

// headers parses the lines of the head. It says whether the head is complete, and returns the bytes after it.
func (r *reading) headers(rest []byte) (after []byte, whole bool) {
	for {
		line, after, complete := bytes.Cut(rest, []byte("\n"))
		if !complete {
			return nil, false
		}
		line, cr := bytes.CutSuffix(line, []byte("\r"))
		if cr != (r.lines == byCRLF) {
			r.g.doubt = true // some servers do not accept one of the two as a line end, and join the next line to this one
		}
		if len(bytes.TrimRight(line, "\r")) == 0 {
			r.g.doubt = r.g.doubt || len(line) > 0
			return after, true
		}
		r.header(line)
		rest = after
	}
}

// header parses one line. Some servers treat a line that begins with a blank as part of the line before; others do not.
func (r *reading) header(line []byte) {
	r.g.doubt = r.g.doubt || !plainHeader.Match(line) || hostInside.Match(line)
	name, text, _ := strings.Cut(string(line), ":")
	value := strings.Trim(text, " \t")
	switch strings.ToLower(strings.Trim(name, blanks)) {
	case "host":
		r.g.say(authorityHost(value))
	case "content-length":
		r.lengths++
		n, err := strconv.ParseUint(value, 10, 62)
		r.g.doubt = r.g.doubt || err != nil
		r.g.then.length = int64(n)
	case "transfer-encoding":
		r.codings++
		r.g.doubt = r.g.doubt || !strings.EqualFold(value, "chunked")
		r.g.then.chunked = true
	case "http2-settings":
		r.g.doubt = true
	case "upgrade":
		// After an upgrade to h2c the hosts come in another form, and each request has its own host.
		r.g.doubt = r.g.doubt || strings.Contains(strings.ToLower(value), "h2c")
	}
}
