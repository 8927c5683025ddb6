// Package frame cuts the bytes of a response into frames and writes frames as bytes. It does not depend on any vendor.
package frame

import (
	"bytes"
	"errors"
)

// ErrOversize says that a frame is larger than the bound of the stream. Nothing of the frame is returned.
var ErrOversize = errors.New("frame exceeds the size bound")

// ErrCorrupt says that the framing itself is broken, or that not every client understands it. Errors wrap it.
var ErrCorrupt = errors.New("framing is corrupt")

// A Frame is one unit of a response: an SSE event, a line, an element of an array, a message, or a whole body.
//
// A Frame that a Stream returned aliases the stream's buffer and is valid until the next call of Next; use Clone to hold it longer.
type Frame struct {
	Raw  []byte // exact bytes; nil for a frame that weir made
	Type []byte // its name in the framing, if any: the SSE event field, a message's type
	Data []byte // the payload; empty for a frame that only says "still here" (comments, blank lines)
	// Plain says that the framing is ordinary: every client parses the same frame from Raw, so Raw may be sent.
	Plain bool
	// Cut says that the stream ended before this frame did.
	Cut bool
	// Failure says that the framing, not only the data, marks the response as failed: nothing comes after it.
	Failure bool
}

// Clone returns a copy that shares no memory with f.
func (f Frame) Clone() Frame {
	f.Raw, f.Type, f.Data = bytes.Clone(f.Raw), bytes.Clone(f.Type), bytes.Clone(f.Data)
	return f
}

// A Framing says how a body is cut into frames.
type Framing uint8

// The framings.
const (
	Whole    Framing = iota // the body is one frame
	Events                  // server-sent events
	Elements                // elements of a JSON array that grows
	Rows                    // lines of JSON
	Binary                  // messages of an event stream, each with JSON in it
	Chunks                  // the same, with the JSON wrapped once more: see Messages
)

// A Stream reads the frames of one response and writes frames in the same framing.
type Stream interface {
	// Next returns the next frame. The error is io.EOF at a clean end, wraps io.ErrUnexpectedEOF when
	// the source broke off, and is ErrOversize when a frame is larger than the bound.
	Next() (Frame, error)
	// Append appends f as it is sent: Raw if f is plain, else written anew in a form that every client parses alike.
	Append(dst []byte, f Frame) []byte
	// AppendEnd appends the bytes that end the stream. It is called once, after the last frame, but not if the stream breaks off.
	AppendEnd(dst []byte) []byte
}
