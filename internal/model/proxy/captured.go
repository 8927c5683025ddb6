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

// captured holds copies of an exchange's bodies. They go to the archive when the exchange ends. The event of the response, which
// may come before or after that, waits until it is known what the archive did with them.
type captured struct {
	request, response *bodies.Capture

	mu      sync.Mutex
	known   bool
	became  call.Bodies
	waiting []func(call.Bodies)
}

// capture begins to copy the bodies of an exchange with a model. Lists, token counts and files are not stored.
func (q *asking) capture() {
	a := q.door.cfg.Bodies
	if a == nil || q.isContent() || q.changesModels() || q.known && q.endpoint.Treatment == endpoint.Passes {
		return
	}
	q.captured = &captured{request: a.Capture(q.Account.Open()), response: a.Capture(q.Account.Open())}
	q.W = &copied{ResponseWriter: q.W, to: q.captured.response, discards: q.R.Method == http.MethodHead}
}

// captureRequest copies the body that is sent to the upstream.
func (q *asking) captureRequest(body []byte) {
	if q.captured != nil {
		_, _ = q.captured.request.Write(body) // a capture takes everything
	}
}

// archive gives the bodies to the archive.
func (q *asking) archive() {
	if q.captured == nil {
		return
	}
	if q.door.cfg.Observe {
		q.captured.request.Read = q.textReader(q.R.Header) // it was sent as it came
	}
	q.captured.response.Read = q.textReader(q.W.Header())
	q.door.cfg.Bodies.Put(bodies.Exchange{
		RequestID: q.id, Time: q.Start, Request: q.captured.request, Response: q.captured.response, Done: q.captured.settle,
	})
}

// settle notes what the archive did with the bodies, and calls the functions that wait for it.
func (k *captured) settle(became call.Bodies) {
	k.mu.Lock()
	k.known, k.became = true, became
	waiting := k.waiting
	k.waiting = nil
	k.mu.Unlock()
	for _, tell := range waiting {
		tell(became)
	}
}

// whenKnown calls tell with what the archive did with the bodies, now or when it is known.
func (k *captured) whenKnown(tell func(call.Bodies)) {
	k.mu.Lock()
	if !k.known {
		k.waiting = append(k.waiting, tell)
		k.mu.Unlock()
		return
	}
	k.mu.Unlock()
	tell(k.became)
}

// copied is a response writer that also copies the body for the archive.
type copied struct {
	http.ResponseWriter
	to       *bodies.Capture
	discards bool // net/http sends no body
}

// Write implements http.ResponseWriter.
func (c *copied) Write(p []byte) (int, error) {
	n, err := c.ResponseWriter.Write(p)
	if !c.discards {
		_, _ = c.to.Write(p[:n]) // a capture takes everything
	}
	return n, err
}

// textReader returns a function that turns a body with this header into text: it may be compressed, or in binary messages. nil: it
// is text already.
func (q *asking) textReader(h http.Header) func([]byte) ([]byte, error) {
	codes, limit := encodings(h), 2*q.door.cfg.Bounds.Frame
	messages, framing := strings.EqualFold(mediaType(h.Get("Content-Type")), frame.Binary.ContentType()), frame.Binary
	if dialect.PathEnds(q.path, "/invoke-with-response-stream") {
		framing = frame.Chunks
	}
	if len(codes) == 0 && !messages {
		return nil
	}
	return func(captured []byte) ([]byte, error) {
		plain, err := decode(bytes.NewReader(captured), codes, nil) // no share: bodies are read one at a time
		if err != nil {
			return nil, err
		}
		if messages {
			return messageLines(frame.NewMessages(plain, framing, limit))
		}
		return io.ReadAll(io.LimitReader(plain, int64(limit)))
	}
}

// messageLines returns the payloads of binary messages, one per line.
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
