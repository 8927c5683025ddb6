package outgoing

import (
	"net/http"
	"net/textproto"
	"strings"

	"github.com/weir-gate/weir/internal/intake/httpdoor"
)

// notForwarded are headers of a client's request that the server must not see, or that the sender of the next request sets. Headers
// of one connection are also not forwarded.
var notForwarded = map[string]bool{
	"Expect": true,
	// Headers of the body, which may have changed.
	"Content-Length": true, "Content-Type": true, "Content-Encoding": true, "Content-Language": true, "Content-Location": true,
	"Content-Md5": true, "Content-Range": true, "Content-Disposition": true, "Digest": true, "Content-Digest": true,
	"Repr-Digest": true,
	// Headers that weir sets, or that describe the client's address or the address that it used.
	"Host": true, "Accept": true, "Accept-Encoding": true, "Origin": true, "Referer": true, "Forwarded": true, "Via": true,
	"X-Real-Ip": true,
}

// notForwardedPrefixes are prefixes of such names.
var notForwardedPrefixes = []string{"Proxy-", "Sec-Fetch-", "X-Forwarded-"}

// credentials are headers that are forwarded only with passthrough.
var credentials = map[string]bool{"Authorization": true, "Cookie": true}

// ForwardHeaders copies the headers of a client's request that a server may see to dst. Not copied are headers of the connection
// and of the body, Host, Accept, Accept-Encoding, those with addresses of the client, and weir's own; Authorization and Cookie only
// with passthrough. Headers of MCP itself are copied: a caller that uses another session or version with the server must set them
// again. Headers in dst of the same name are replaced.
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

// setHeader sets a header, and removes all other spellings of its name.
func setHeader(h http.Header, canonical, value string) {
	for name := range h {
		if strings.EqualFold(name, canonical) {
			delete(h, name)
		}
	}
	h[canonical] = []string{value}
}
