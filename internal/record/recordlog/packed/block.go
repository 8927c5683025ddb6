package packed

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/klauspost/compress/zstd"
)

// unpacker unpacks blocks, for all goroutines.
var unpacker = sync.OnceValues(func() (*zstd.Decoder, error) {
	return zstd.NewReader(nil, zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxMemory(MaxBlock), zstd.WithDecodeAllCapLimit(true))
})

// ErrDamaged says that a block is not as it was written.
var ErrDamaged = errors.New("a packed block is damaged")

// Read returns what is in a block. It uses the memory of dst, if that is large enough, and otherwise takes new.
func (b Block) Read(f io.ReaderAt, dst []byte) ([]byte, error) {
	if b.Size > MaxBlock || b.Packed > MaxBlock {
		return nil, ErrDamaged
	}
	stored := make([]byte, b.Packed)
	if n, err := f.ReadAt(stored, b.Offset); n < len(stored) {
		if errors.Is(err, io.EOF) {
			err = ErrDamaged
		}
		return nil, err
	}
	return unpack(stored, b.Size, dst)
}

func unpack(stored []byte, size int64, dst []byte) ([]byte, error) {
	decoder, err := unpacker()
	if err != nil {
		return nil, fmt.Errorf("set up zstd: %w", err)
	}
	if int64(cap(dst)) < size {
		dst = make([]byte, 0, size)
	}
	dst, err = decoder.DecodeAll(stored, dst[:0])
	if err != nil || int64(len(dst)) != size {
		return nil, ErrDamaged
	}
	return dst, nil
}

// A Writer packs a file.
type Writer struct {
	to      io.Writer
	encoder *zstd.Encoder
	table   Table
	packed  []byte
	checked []byte
}

// NewWriter begins a file.
func NewWriter(to io.Writer) (*Writer, error) {
	encoder, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithLowerEncoderMem(true), zstd.WithWindowSize(window),
		zstd.WithEncoderLevel(zstd.SpeedDefault), zstd.WithEncoderCRC(true), zstd.WithSingleSegment(true))
	if err != nil {
		return nil, fmt.Errorf("set up zstd: %w", err)
	}
	return &Writer{to: to, encoder: encoder}, nil
}

// window is how far back a block refers to itself. Blocks are mostly smaller.
const window = 512 << 10

// Block packs a block. It is unpacked again, and compared: what is packed is often all there is.
func (w *Writer) Block(b []byte) error {
	if len(b) == 0 || len(b) > MaxBlock {
		return fmt.Errorf("pack a block of %d bytes: it may have %d", len(b), MaxBlock)
	}
	w.packed = w.encoder.EncodeAll(b, w.packed[:0])
	back, err := unpack(w.packed, int64(len(b)), w.checked)
	if err != nil || !bytes.Equal(back, b) {
		return errors.New("a block that was packed does not unpack to what it was")
	}
	if w.checked = back; cap(back) > MaxBlock>>6 {
		w.checked = nil
	}
	if _, err := w.to.Write(w.packed); err != nil {
		return err
	}
	w.table.add(int64(len(w.packed)), int64(len(b)))
	if cap(w.packed) > MaxBlock>>6 {
		w.packed = nil
	}
	return nil
}

// Finish writes the trailer, with notes for whoever reads the file.
func (w *Writer) Finish(notes []byte) error {
	w.table.Notes = notes
	b := w.table.trailer()
	if len(b) > maxTrailer {
		return fmt.Errorf("the trailer of a packed file has %d bytes, and may have %d", len(b), maxTrailer)
	}
	_, err := w.to.Write(b)
	return err
}
