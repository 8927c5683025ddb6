package proxy

import (
	"net/http"

	"github.com/weir-gate/weir/internal/frame"
)

// out is what the gate writes to. The header goes with the first bytes.
type out struct {
	x       *exchange
	resp    *http.Response
	framing frame.Framing // of what is written
	ours    bool          // nothing of the upstream's body is in it
	file    bool          // it is a file that no format knows, byte for byte
	begun   bool
}

// begin sends the status and header, once.
func (o *out) begin() {
	if o.begun {
		return
	}
	o.begun = true
	h := o.x.W.Header()
	o.x.copyHeader(o.resp.Header)
	removeByteHeaders(h)
	switch {
	case o.ours:
		h["Content-Type"] = []string{o.framing.ContentType()}
	case o.file:
		correctCharset(h)
	default:
		correctContentType(h, o.framing)
	}
	o.x.SendStatus(o.resp.StatusCode)
}

func (o *out) Write(p []byte) (int, error) {
	o.begin()
	return o.x.Write(p)
}

func (o *out) Flush() error {
	o.begin()
	return o.x.Flush()
}

// discard takes what no client is to get.
type discard struct{}

func (discard) Write(p []byte) (int, error) { return len(p), nil }
func (discard) Flush() error                { return nil }
