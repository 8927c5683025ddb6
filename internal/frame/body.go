package frame

import (
	"bytes"
	"io"
	"slices"

	"github.com/weir-gate/weir/internal/intake/budget"
)

// firstBodySize is the first size of the buffer for a body, whose size is not known.
const firstBodySize = 4 << 10

// A Body reads a whole body as one frame. It is plain unless it begins with U+FEFF, which is left out of Data.
type Body struct {
	src  io.Reader
	max  int
	err  error         // what Next returns after the frame
	room *budget.Share // pays for the bytes of the body; nil: it has no bound
}

// Charge makes the body take memory from a share. If there is no room, Next returns the share's error.
func (b *Body) Charge(s *budget.Share) { b.room = s }

// NewBody returns a Body that reads src and refuses more than maxFrame bytes. 0 means 16 MiB.
func NewBody(src io.Reader, maxFrame int) *Body {
	if maxFrame <= 0 {
		maxFrame = defaultMaxFrame
	}
	return &Body{src: src, max: maxFrame}
}

// Next reads to the end of the source and returns the body. An empty body has no frame.
func (b *Body) Next() (Frame, error) {
	if b.err != nil {
		return Frame{}, b.err
	}
	var raw []byte
	raw, b.err = b.readAll()
	if b.err != io.EOF || len(raw) == 0 { // readSome does not wrap io.EOF at a clean end
		return Frame{}, b.err
	}
	raw = slices.Clip(raw)
	data, marked := bytes.CutPrefix(raw, bom)
	return Frame{Raw: raw, Data: data, Plain: !marked}, nil
}

// readAll reads until an error, which is io.EOF for a whole body within the bound.
func (b *Body) readAll() ([]byte, error) {
	raw := make([]byte, 0, min(firstBodySize, b.max+1))
	for {
		n, err := readSome(b.src, raw[len(raw):cap(raw)])
		raw = raw[:len(raw)+n]
		if len(raw) > b.max {
			return nil, ErrOversize
		}
		if err != nil {
			return raw, err
		}
		if len(raw) == cap(raw) {
			size := min(2*cap(raw), b.max+1)
			if err := b.room.Set(size); err != nil {
				return nil, err
			}
			grown := make([]byte, len(raw), size)
			copy(grown, raw)
			raw = grown
		}
	}
}

// AppendEnd appends nothing: a body ends with its own last byte.
func (b *Body) AppendEnd(dst []byte) []byte { return dst }

// Append appends f: Raw if it is plain, else its data.
func (b *Body) Append(dst []byte, f Frame) []byte {
	if f.Plain {
		return append(dst, f.Raw...)
	}
	return append(dst, f.Data...)
}
