package proxy

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/model/endpoint"
	"github.com/weir-gate/weir/internal/record/bodies"
)

// kept is what is kept of an exchange's bodies. The exchange takes them down and hands them over when it ends; the record of its
// response, which may be made before or after, waits until it is known what became of them.
type kept struct {
	request, response *bodies.Capture

	mu      sync.Mutex
	known   bool
	became  call.Bodies
	waiting []func(call.Bodies)
}

// keep begins to take down the bodies of an exchange with a model. Lists, token counts and files are not kept.
func (x *exchange) keep() {
	a := x.door.cfg.Bodies
	if a == nil || x.isContent() || x.changesModels() || x.known && x.endpoint.Treatment == endpoint.Passes {
		return
	}
	x.kept = &kept{request: a.Capture(x.Account.Open()), response: a.Capture(x.Account.Open())}
	x.W = &copied{ResponseWriter: x.W, to: x.kept.response, discards: x.R.Method == http.MethodHead}
}

// keepRequest takes down the body of a request that is sent.
func (x *exchange) keepRequest(body []byte) {
	if x.kept != nil {
		_, _ = x.kept.request.Write(body) // a capture takes everything
	}
}

// handOver gives the bodies to the archive.
func (x *exchange) handOver() {
	if x.kept == nil {
		return
	}
	if x.door.cfg.Observe {
		x.kept.request.Read = x.textReader(x.R.Header) // it was sent as it came
	}
	x.kept.response.Read = x.textReader(x.W.Header())
	x.door.cfg.Bodies.Put(bodies.Exchange{
		RequestID: x.id, Time: x.Start, Request: x.kept.request, Response: x.kept.response, Done: x.kept.settle,
	})
}

// settle notes what became of the bodies, and tells those who wait for it.
func (k *kept) settle(became call.Bodies) {
	k.mu.Lock()
	k.known, k.became = true, became
	waiting := k.waiting
	k.waiting = nil
	k.mu.Unlock()
	for _, tell := range waiting {
		tell(became)
	}
}

// whenKnown tells what became of the bodies, now or when it is known.
func (k *kept) whenKnown(tell func(call.Bodies)) {
	k.mu.Lock()
	if !k.known {
		k.waiting = append(k.waiting, tell)
		k.mu.Unlock()
		return
	}
	k.mu.Unlock()
	tell(k.became)
}

// copied takes down what a client gets.
type copied struct {
	http.ResponseWriter
	to       *bodies.Capture
	discards bool // nothing of what is written is sent
}

// Write implements http.ResponseWriter.
func (c *copied) Write(p []byte) (int, error) {
	n, err := c.ResponseWriter.Write(p)
	if !c.discards {
		_, _ = c.to.Write(p[:n]) // a capture takes everything
	}
	return n, err
}

// textReader makes text of a body with this header, which may be compressed or in binary messages; nil: it is text.
func (x *exchange) textReader(h http.Header) func([]byte) ([]byte, error) {
	codes, limit := encodings(h), 2*x.door.cfg.Bounds.Frame
	messages, framing := strings.EqualFold(mediaType(h.Get("Content-Type")), frame.Binary.ContentType()), frame.Binary
	if dialect.PathEnds(x.path, "/invoke-with-response-stream") {
		framing = frame.Chunks
	}
	if len(codes) == 0 && !messages {
		return nil
	}
	return func(captured []byte) ([]byte, error) {
		plain, err := decode(bytes.NewReader(captured), codes, nil) // one at a time
		if err != nil {
			return nil, err
		}
		if messages {
			return messageLines(frame.NewMessages(plain, framing, limit))
		}
		return io.ReadAll(io.LimitReader(plain, int64(limit)))
	}
}

// messageLines are the payloads of binary messages, a line for each.
func messageLines(in *frame.Messages) (lines []byte, err error) {
	defer in.Release()
	for {
		f, err := in.Next()
		if errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
			return lines, nil
		}
		if err != nil {
			return lines, err
		}
		lines = append(append(lines, f.Data...), '\n')
	}
}
