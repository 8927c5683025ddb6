package proxy

import (
	"github.com/weir-gate/weir/internal/frame"
)

// out is the gate's writer to the client. The header is sent with the first bytes.
type out struct {
	a       *answering
	framing frame.Framing // of the written body
	ours    bool          // weir wrote the whole body, and not the upstream
	file    bool          // it is a file, sent byte for byte
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

// discard is a writer that drops everything.
type discard struct{}

func (discard) Write(p []byte) (int, error) { return len(p), nil }
func (discard) Flush() error                { return nil }
