package proxy

import (
	"github.com/weir-gate/weir/internal/frame"
)

// out is what the gate writes to. The header goes with the first bytes.
type out struct {
	a       *answering
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
	h := o.a.W.Header()
	o.a.copyHeader(o.a.resp.Header)
	removeByteHeaders(h)
	switch {
	case o.ours:
		h["Content-Type"] = []string{o.framing.ContentType()}
	case o.file:
		correctCharset(h)
	default:
		correctContentType(h, o.framing)
	}
	o.a.SendStatus(o.a.resp.StatusCode)
}

func (o *out) Write(p []byte) (int, error) {
	o.begin()
	return o.a.Write(p)
}

func (o *out) Flush() error {
	o.begin()
	return o.a.Flush()
}

// discard takes what no client is to get.
type discard struct{}

func (discard) Write(p []byte) (int, error) { return len(p), nil }
func (discard) Flush() error                { return nil }
