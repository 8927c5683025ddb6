package httpdoor

import (
	"net/http"
	"slices"
	"strings"
)

// hopByHop are the headers that concern one connection only.
var hopByHop = []string{
	"Connection", "Keep-Alive", "Proxy-Connection", "Proxy-Authenticate", "Proxy-Authorization", "Te", "Trailer",
	"Transfer-Encoding", "Upgrade", "Http2-Settings",
}

// ownPrefix begins the names of headers that are between weir and its clients.
const ownPrefix = "X-Weir-"

// IsHopByHop says whether a header, by its canonical name, concerns one connection only, or is between weir and its clients.
func IsHopByHop(name string) bool {
	return slices.Contains(hopByHop, name) || strings.HasPrefix(name, ownPrefix)
}

// RemoveHopByHop removes the headers that are so, and those that Connection declares to be.
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
