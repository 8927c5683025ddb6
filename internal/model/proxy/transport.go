package proxy

import (
	"net"
	"net/http"
	"time"
)

// NewTransport returns a transport for upstreams. It adds no compression, follows no redirects, uses HTTP/2 where the upstream does
// over TLS, and uses no proxy: whoever wants one sets it. It has no timeout for responses: models think for minutes, and the door has
// its own timeout.
func NewTransport() *http.Transport {
	dialer := &net.Dialer{Timeout: 15 * time.Second, KeepAlive: 30 * time.Second}
	return &http.Transport{
		DialContext:            dialer.DialContext,
		ForceAttemptHTTP2:      true,
		DisableCompression:     true,
		TLSHandshakeTimeout:    15 * time.Second,
		IdleConnTimeout:        90 * time.Second,
		MaxIdleConnsPerHost:    64,
		MaxResponseHeaderBytes: 256 << 10,
		ReadBufferSize:         32 << 10, // frames that arrive together are read together
	}
}
