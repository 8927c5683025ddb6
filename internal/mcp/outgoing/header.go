package outgoing

import (
	"net/http"
	"net/textproto"
	"strings"
)

// withheld are headers of a client's request that are not its server's business, or that whoever sends the next request sets.
var withheld = map[string]bool{
	// Those of one connection.
	"Connection": true, "Keep-Alive": true, "Te": true, "Trailer": true, "Transfer-Encoding": true, "Upgrade": true,
	"Http2-Settings": true, "Expect": true,
	// Those of the body, which may be another one.
	"Content-Length": true, "Content-Type": true, "Content-Encoding": true, "Content-Language": true, "Content-Location": true,
	"Content-Md5": true, "Content-Range": true, "Content-Disposition": true, "Digest": true, "Content-Digest": true,
	"Repr-Digest": true,
	// Those that weir sets, or that speak of where the client believes to be.
	"Host": true, "Accept": true, "Accept-Encoding": true, "Origin": true, "Referer": true, "Forwarded": true, "Via": true,
	"X-Real-Ip": true,
}

// withheldPrefixes are beginnings of such names.
var withheldPrefixes = []string{"Proxy-", "Sec-Fetch-", "X-Weir-", "X-Forwarded-"}

// credentials are headers that go on only with passthrough.
var credentials = map[string]bool{"Authorization": true, "Cookie": true}

// ForwardHeaders copies to dst what a server may see of the headers of a client's request. Not copied are headers of the
// connection and of the body, Host, Accept, Accept-Encoding, those that tell where the client is, and weir's own; Authorization
// and Cookie only with passthrough. Headers of MCP itself are copied: who speaks to the server in another session or version
// sets them anew. What dst has under a name that is copied is replaced.
func ForwardHeaders(dst, src http.Header, passthrough bool) {
	named := namedByConnection(src)
	for name, values := range src {
		canonical := textproto.CanonicalMIMEHeaderKey(name)
		if named[canonical] || !forwarded(canonical, passthrough) {
			continue
		}
		dst[canonical] = append([]string(nil), values...)
	}
}

func forwarded(canonical string, passthrough bool) bool {
	if withheld[canonical] || credentials[canonical] && !passthrough {
		return false
	}
	for _, prefix := range withheldPrefixes {
		if strings.HasPrefix(canonical, prefix) {
			return false
		}
	}
	return true
}

// namedByConnection are the headers that a client declares to be of this connection only.
func namedByConnection(src http.Header) map[string]bool {
	names := map[string]bool{}
	for key, values := range src {
		if !strings.EqualFold(key, "Connection") {
			continue
		}
		for _, value := range values {
			for name := range strings.SplitSeq(value, ",") {
				names[textproto.CanonicalMIMEHeaderKey(strings.TrimSpace(name))] = true
			}
		}
	}
	return names
}

// setHeader sets a header in place of all that readers take for the same.
func setHeader(h http.Header, canonical, value string) {
	for name := range h {
		if strings.EqualFold(name, canonical) {
			delete(h, name)
		}
	}
	h[canonical] = []string{value}
}
