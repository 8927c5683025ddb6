package outgoing

import (
	"net/http"
	"net/textproto"
	"strings"

	"github.com/weir-gate/weir/internal/intake/httpdoor"
)

// notForwarded are headers of a client's request that are not its server's business, or that whoever sends the next request sets. Those of
// one connection are added to them.
var notForwarded = map[string]bool{
	"Expect": true,
	// Those of the body, which may be another one.
	"Content-Length": true, "Content-Type": true, "Content-Encoding": true, "Content-Language": true, "Content-Location": true,
	"Content-Md5": true, "Content-Range": true, "Content-Disposition": true, "Digest": true, "Content-Digest": true,
	"Repr-Digest": true,
	// Those that weir sets, or that speak of where the client believes to be.
	"Host": true, "Accept": true, "Accept-Encoding": true, "Origin": true, "Referer": true, "Forwarded": true, "Via": true,
	"X-Real-Ip": true,
}

// notForwardedPrefixes are beginnings of such names.
var notForwardedPrefixes = []string{"Proxy-", "Sec-Fetch-", "X-Forwarded-"}

// credentials are headers that go on only with passthrough.
var credentials = map[string]bool{"Authorization": true, "Cookie": true}

// ForwardHeaders copies to dst what a server may see of the headers of a client's request. Not copied are headers of the
// connection and of the body, Host, Accept, Accept-Encoding, those that tell where the client is, and weir's own; Authorization
// and Cookie only with passthrough. Headers of MCP itself are copied: who speaks to the server in another session or version
// sets them anew. What dst has under a name that is copied is replaced.
func ForwardHeaders(dst, src http.Header, passthrough bool) {
	src = src.Clone()
	httpdoor.RemoveHopByHop(src)
	for name, values := range src {
		if canonical := textproto.CanonicalMIMEHeaderKey(name); forwarded(canonical, passthrough) {
			dst[canonical] = values
		}
	}
}

func forwarded(canonical string, passthrough bool) bool {
	if notForwarded[canonical] || httpdoor.IsHopByHop(canonical) || credentials[canonical] && !passthrough {
		return false
	}
	for _, prefix := range notForwardedPrefixes {
		if strings.HasPrefix(canonical, prefix) {
			return false
		}
	}
	return true
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
