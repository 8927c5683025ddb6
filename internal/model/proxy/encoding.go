package proxy

import (
	"bufio"
	"errors"
	"io"
	"net/http"
	"strings"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zlib"
	"github.com/klauspost/compress/zstd"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/intake/budget"
	"github.com/weir-gate/weir/internal/model/dialect"
)

const (
	// maxEncodings is how many encodings one body may have. One is usual; more are suspicious.
	maxEncodings = 3
	// zstdWindow bounds the memory of a zstd decoder: the largest window that its HTTP content encoding allows.
	zstdWindow = 8 << 20
)

// errUndecodable says that a body's encoding is unknown, or that the body is not in that encoding.
var errUndecodable error = &dialect.Refused{
	Code: call.CodeUndecodable, Reason: "the response is compressed in a way that weir cannot read",
}

// decoders open the known encodings. Each delivers what it has decoded before it reads on.
var decoders = map[string]func(io.Reader, *budget.Share) (io.Reader, error){
	"gzip":    openGzip,
	"x-gzip":  openGzip,
	"deflate": openDeflate,
	"br":      openBrotli,
	"zstd":    openZstd,
}

// Rough memory of decoders, beside their windows.
const (
	flateCost  = 64 << 10 // with the window
	brotliCost = 512 << 10
	zstdCost   = 512 << 10
)

func openGzip(src io.Reader, room *budget.Share) (io.Reader, error) {
	if err := room.Add(flateCost); err != nil {
		return nil, err
	}
	return gzip.NewReader(src)
}

// openBrotli takes room for the window, whose size is in the first byte.
func openBrotli(src io.Reader, room *budget.Share) (io.Reader, error) {
	r := bufio.NewReaderSize(src, 16)
	head, err := r.Peek(1)
	if err != nil {
		return nil, err
	}
	if err := room.Add(brotliCost + 1<<brotliWindow(head[0])); err != nil {
		return nil, err
	}
	return brotli.NewReader(r), nil
}

// brotliWindow is the number of bits of the window size, by the first byte of a stream.
func brotliWindow(first byte) int {
	switch n, m := first>>1&7, first>>4&7; {
	case first&1 == 0:
		return 16
	case n != 0:
		return 17 + int(n)
	case m > 1:
		return 8 + int(m)
	}
	return 17 // or a window that is too large for the decoder
}

// openZstd takes room for the window, whose size is in the first frame. Later frames must not have a larger one.
func openZstd(src io.Reader, room *budget.Share) (io.Reader, error) {
	r := bufio.NewReaderSize(src, 2*zstd.HeaderMaxSize)
	window, err := zstdWindowOf(r)
	if err != nil {
		return nil, err
	}
	if err := room.Add(zstdCost + window); err != nil {
		return nil, err
	}
	// One decoder, so that it works in the reader's goroutine and leaves none behind.
	return zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true),
		zstd.WithDecoderMaxWindow(uint64(max(window, zstd.MinWindowSize))))
}

// zstdWindowOf is the window size of the next frame, at most zstdWindow.
func zstdWindowOf(r *bufio.Reader) (int, error) {
	for n := 1; n <= zstd.HeaderMaxSize; n++ {
		head, err := r.Peek(n) // no more than is needed: more may take long to arrive
		if err != nil {
			return 0, err
		}
		var h zstd.Header
		switch err := h.Decode(head); {
		case errors.Is(err, io.ErrUnexpectedEOF):
		case err != nil || h.Skippable:
			return zstdWindow, nil // the decoder will fail, or skip it
		default:
			return int(min(max(h.WindowSize, singleSegment(h)), zstdWindow)), nil
		}
	}
	return zstdWindow, nil
}

// singleSegment is the size of the content, if the content is the window; else 0.
func singleSegment(h zstd.Header) uint64 {
	if h.SingleSegment {
		return h.FrameContentSize
	}
	return 0
}

// encodings lists the encodings of a body, in the order in which they were applied.
func encodings(h http.Header) []string {
	var list []string
	for _, value := range h["Content-Encoding"] {
		for name := range strings.SplitSeq(value, ",") {
			name = strings.ToLower(strings.TrimSpace(name))
			if name != "" && name != "identity" {
				list = append(list, name)
			}
		}
	}
	return list
}

// decode returns a reader of the decoded body. The error is errUndecodable if an encoding is unknown. The reader's errors are
// errUndecodable if the body is not in its encoding, io.ErrUnexpectedEOF if it ends too early, a *budget.Exceeded if there is no
// room to decode it, and else the errors of body.
func decode(body io.Reader, encodings []string, room *budget.Share) (io.Reader, error) {
	if len(encodings) == 0 {
		return body, nil
	}
	if len(encodings) > maxEncodings {
		return nil, errUndecodable
	}
	src := &remembering{r: body}
	var r io.Reader = src
	for i := len(encodings) - 1; i >= 0; i-- {
		open := decoders[encodings[i]]
		if open == nil {
			return nil, errUndecodable
		}
		r = &lazy{src: r, open: open, room: room}
	}
	return &decoded{r: r, src: src}, nil
}

// openDeflate opens the encoding named deflate: that is zlib by the standard, but bare deflate for some servers.
func openDeflate(src io.Reader, room *budget.Share) (io.Reader, error) {
	if err := room.Add(flateCost); err != nil {
		return nil, err
	}
	r := bufio.NewReader(src)
	head, err := r.Peek(2)
	if err != nil {
		return nil, err
	}
	if head[0]&0x0f != 8 || (uint(head[0])<<8|uint(head[1]))%31 != 0 {
		return &last{r: flate.NewReader(r), src: r}, nil
	}
	z, err := zlib.NewReader(r)
	if err != nil {
		return nil, err
	}
	return &last{r: z, src: r}, nil
}

// last refuses bytes after the end of the encoded data. The other decoders do so themselves.
type last struct {
	r   io.Reader
	src io.ByteReader
}

func (l *last) Read(p []byte) (int, error) {
	n, err := l.r.Read(p)
	if err == io.EOF { // only io.EOF itself is a clean end
		if _, more := l.src.ReadByte(); more == nil {
			err = errUndecodable
		}
	}
	return n, err
}

// lazy opens a decoder when it is first read from: opening reads, and reading may block.
type lazy struct {
	src  io.Reader
	open func(io.Reader, *budget.Share) (io.Reader, error)
	room *budget.Share
	r    io.Reader
}

func (l *lazy) Read(p []byte) (int, error) {
	if l.r == nil {
		r, err := l.open(l.src, l.room)
		if err != nil {
			return 0, err
		}
		l.r = r
	}
	return l.r.Read(p)
}

// remembering remembers the error of its reader, and whether there was anything to read.
type remembering struct {
	r    io.Reader
	some bool
	err  error
}

func (m *remembering) Read(p []byte) (int, error) {
	if m.err != nil {
		return 0, m.err
	}
	n, err := m.r.Read(p)
	m.some = m.some || n > 0
	m.err = err
	return n, err
}

// decoded finds out why a decoder failed. A body of no bytes is empty in every encoding.
type decoded struct {
	r   io.Reader
	src *remembering
	err error
}

func (d *decoded) Read(p []byte) (int, error) {
	if d.err != nil {
		return 0, d.err
	}
	n, err := d.r.Read(p)
	if err != nil {
		d.err = d.explain(err)
	}
	return n, d.err
}

func (d *decoded) explain(err error) error {
	var over *budget.Exceeded
	switch {
	case errors.As(err, &over):
		return over
	case d.src.err != nil && d.src.err != io.EOF: // only io.EOF itself is a clean end
		return d.src.err
	case err == io.EOF || d.src.err == io.EOF && !d.src.some: // as above
		return io.EOF
	case errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF):
		return io.ErrUnexpectedEOF
	}
	return errUndecodable
}
