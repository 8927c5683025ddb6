package frame

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"

	"github.com/weir-gate/weir/internal/strictjson"
)

// Messages reads application/vnd.amazon.eventstream: binary messages, each with headers, a payload and two checksums. A
// frame is one message. Its Type is the type of the event or exception, or the code of the error; exceptions and errors are
// Failures. Its Data is the payload, which is JSON. An error has no payload: its Data is the text of its headers as
// {"message":"…"}. A message without a payload has the data {}, because clients read it as that.
//
// In the framing Chunks the payload of every event named chunk is {"bytes":"…"} with JSON in base64: then Data is that JSON, and
// there is no Type. A chunk without bytes has no data.
//
// Every byte of the source is in the Raw of exactly one frame. The frames do not depend on how the bytes arrive.
//
// A frame is plain if it has exactly the headers that the service sends, each once, in any order, and its content type is JSON. A
// chunk must also have only the bytes, written without escapes, and padding. Other headers are left out when a frame is written
// anew. What clients could parse differently is ErrCorrupt: a wrong checksum or length, a header of the framing that occurs twice,
// in another case or not as a string, an unknown type of message, bytes that are not strict base64.
type Messages struct {
	window
	chunks bool
	doc    strictjson.Doc
	text   []byte // the base64 text of the last chunk
	data   []byte // the data of the last frame, if it is not in the window
}

// NewMessages returns Messages that read src in the framing Binary or Chunks, and refuse messages of more than maxFrame
// bytes. 0 means 16 MiB.
func NewMessages(src io.Reader, framing Framing, maxFrame int) *Messages {
	return &Messages{window: newWindow(src, maxFrame), chunks: framing == Chunks}
}

const (
	preludeSize  = 12 // the length of the message, that of its headers, and the checksum of both
	checksumSize = 4
)

// preludeHolds says whether the checksum of a prelude is correct.
func preludeHolds(b []byte) bool {
	return crc32.ChecksumIEEE(b[:8]) == binary.BigEndian.Uint32(b[8:])
}

// corrupt returns an error that wraps ErrCorrupt.
func corrupt(what string) error { return fmt.Errorf("read message: %w: %s", ErrCorrupt, what) }

// Next returns the next message.
func (m *Messages) Next() (Frame, error) {
	for m.err == nil {
		unread := m.unread()
		size, err := m.size(unread)
		switch {
		case err != nil:
			return Frame{}, m.fail(err)
		case size > 0 && size <= len(unread):
			f, err := m.read(m.take(size))
			if err == nil {
				err = m.setAside(cap(m.text) + cap(m.data))
			}
			if err != nil {
				return Frame{}, m.fail(err)
			}
			return f, nil
		case m.srcErr == nil:
			m.fill()
		case m.atEnd() && len(unread) > 0:
			return Frame{}, m.fail(fmt.Errorf("read source: %w: a message is not whole", io.ErrUnexpectedEOF))
		default:
			return Frame{}, m.fail(m.srcErr)
		}
	}
	return Frame{}, m.err
}

// size returns the size of the message at the beginning of b; 0: b is too short to say.
func (m *Messages) size(b []byte) (int, error) {
	if len(b) < preludeSize {
		return 0, nil
	}
	// The lengths can be used only if their checksum is correct.
	if !preludeHolds(b) {
		return 0, corrupt("the checksum of a prelude is wrong")
	}
	total, headers := uint64(binary.BigEndian.Uint32(b)), uint64(binary.BigEndian.Uint32(b[4:]))
	switch {
	case total > uint64(m.max):
		return 0, ErrOversize
	case total < headers+preludeSize+checksumSize:
		return 0, corrupt("the lengths of a message do not fit")
	}
	return int(total), nil
}

// read parses a whole message, whose prelude is already checked.
func (m *Messages) read(raw []byte) (Frame, error) {
	end := len(raw) - checksumSize
	if crc32.ChecksumIEEE(raw[:end]) != binary.BigEndian.Uint32(raw[end:]) {
		return Frame{}, corrupt("the checksum of a message is wrong")
	}
	split := preludeSize + int(binary.BigEndian.Uint32(raw[4:]))
	h, err := readHeaders(raw[preludeSize:split])
	if err != nil {
		return Frame{}, err
	}
	f := Frame{Raw: raw, Data: raw[split:end:end]}
	switch string(h.values[messageType]) {
	case "event":
		f.Type, f.Plain = h.values[eventType], h.has(messageType, eventType, contentType)
	case "exception":
		f.Type, f.Plain, f.Failure = h.values[exceptionType], h.has(messageType, exceptionType, contentType), true
	case "error":
		f.Type, f.Failure = h.values[errorCode], true
		f.Plain = h.has(messageType, errorCode, errorMessage) && len(f.Data) == 0
		m.data = append(m.data[:0], `{"message":`...)
		m.data = strictjson.AppendString(m.data, string(h.values[errorMessage]))
		m.data = append(m.data, '}')
		f.Data = m.data
	default:
		return Frame{}, corrupt("a message is of no known type")
	}
	if !isName(f.Type) || len(f.Type) > maxType {
		return Frame{}, corrupt("a message does not say what it is")
	}
	if len(f.Data) == 0 {
		f.Data, f.Plain = []byte("{}"), false
	}
	if m.chunks && !f.Failure {
		return m.unwrap(f)
	}
	return f, nil
}

// Append appends f: Raw if it is plain; nothing if it has no data; else a message with the three headers that the service sends. A
// failure becomes an exception. In the framing Chunks everything else is a chunk, whatever its Type says.
func (m *Messages) Append(dst []byte, f Frame) []byte {
	switch {
	case f.Plain:
		return append(dst, f.Raw...)
	case len(f.Data) == 0:
		return dst
	}
	start := len(dst)
	dst = append(dst, make([]byte, preludeSize)...)
	named, typ, kind := headerNames[eventType], f.Type, "event"
	switch {
	case f.Failure:
		named, kind = headerNames[exceptionType], "exception"
	case m.chunks:
		typ = chunkType
	}
	dst = appendHeader(dst, named, typ[:min(len(typ), maxType)])
	dst = appendHeader(dst, headerNames[contentType], jsonType)
	dst = appendHeader(dst, headerNames[messageType], []byte(kind))
	headers := len(dst) - start - preludeSize
	if m.chunks && !f.Failure {
		dst = appendChunk(dst, f.Data)
	} else {
		dst = append(dst, f.Data...)
	}
	msg := dst[start:]
	binary.BigEndian.PutUint32(msg, uint32(len(msg)+checksumSize))
	binary.BigEndian.PutUint32(msg[4:], uint32(headers))
	binary.BigEndian.PutUint32(msg[8:], crc32.ChecksumIEEE(msg[:8]))
	return binary.BigEndian.AppendUint32(dst, crc32.ChecksumIEEE(msg))
}

// AppendEnd appends nothing: each message has its own end.
func (m *Messages) AppendEnd(dst []byte) []byte { return dst }
