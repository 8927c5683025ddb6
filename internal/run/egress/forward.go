package egress

import (
	"context"
	"io"
	"net"
	"net/http"
	"strings"
)

// forward forwards a request for an http address over its own connection, and returns the response.
func forward(w http.ResponseWriter, r *http.Request, server net.Conn) {
	transport := &http.Transport{
		DialContext:        func(context.Context, string, string) (net.Conn, error) { return server, nil },
		DisableKeepAlives:  true, // each request is judged separately, and so has its own connection
		DisableCompression: true,
	}
	out := r.Clone(r.Context())
	out.RequestURI = ""
	out.URL.User = nil
	out.Close = false
	dropHops(out.Header)
	if r.ContentLength == 0 {
		out.Body = nil // else an empty body is announced with unknown length
	}
	if _, ok := out.Header["User-Agent"]; !ok {
		out.Header["User-Agent"] = nil // nothing is added that the client did not send
	}
	answer, err := transport.RoundTrip(out)
	if err != nil {
		refuse(w, http.StatusBadGateway, "", "the host gave no response")
		return
	}
	defer answer.Body.Close() // it was read as far as possible
	if answer.StatusCode == http.StatusSwitchingProtocols {
		refuse(w, http.StatusBadGateway, "", "the host changed to another protocol, which nobody asked for")
		return
	}
	dropHops(answer.Header)
	for name, values := range answer.Header {
		w.Header()[name] = values
	}
	w.WriteHeader(answer.StatusCode)
	if !stream(w, answer.Body) {
		panic(http.ErrAbortHandler) // the connection is aborted: the response must not look complete
	}
}

// stream copies a body piece by piece as it arrives. It says whether the whole body was copied.
func stream(w http.ResponseWriter, body io.Reader) bool {
	control := http.NewResponseController(w)
	buf := make([]byte, 32<<10)
	for {
		n, err := body.Read(buf)
		if n > 0 {
			if _, werr := w.Write(buf[:n]); werr != nil {
				return false
			}
			if control.Flush() != nil {
				return false
			}
		}
		if err != nil {
			return err == io.EOF
		}
	}
}

// hops are headers that are only for one connection, in addition to those that Connection names (RFC 9110, section 7.6.1).
var hops = []string{
	"Connection", "Keep-Alive", "Proxy-Authenticate", "Proxy-Authorization", "Proxy-Connection", "Te", "Trailer", "Transfer-Encoding",
	"Upgrade",
}

// dropHops removes such headers.
func dropHops(h http.Header) {
	for _, line := range h["Connection"] {
		for name := range strings.SplitSeq(line, ",") {
			h.Del(strings.TrimSpace(name))
		}
	}
	for _, name := range hops {
		h.Del(name)
	}
}
