package httpdoor

import (
	"net/http"
	"slices"
	"strings"
)

// hopByHop are the headers that are only for one connection.
var hopByHop = []string{
	"Connection", "Keep-Alive", "Proxy-Connection", "Proxy-Authenticate", "Proxy-Authorization", "Te", "Trailer",
	"Transfer-Encoding", "Upgrade", "Http2-Settings",
}

// ownPrefix is the prefix of headers that are only between weir and its clients.
const ownPrefix = "X-Weir-"

// IsHopByHop says whether a header, by its canonical name, is only for one connection, or only between weir and its clients.
func IsHopByHop(name string) bool {
	return slices.Contains(hopByHop, name) || strings.HasPrefix(name, ownPrefix)
}

// RemoveHopByHop removes the headers that are hop-by-hop, and those that the header Connection names.
func RemoveHopByHop(h http.Header) {
	var declared []string
	for name, values := range h {
		if !strings.EqualFold(name, "Connection") {
			continue
		}
		for each := range strings.SplitSeq(strings.Join(values, ","), ",") {
			declared = append(declared, http.CanonicalHeaderKey(strings.TrimSpace(each)))
		}
	}
	for name := range h {
		if canonical := http.CanonicalHeaderKey(name); IsHopByHop(canonical) || slices.Contains(declared, canonical) {
			delete(h, name)
		}
	}
}
