package recordlog

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/weir-gate/weir/internal/record/recordlog/packed"
)

// A content is what is in a segment: a header, and frames. It has the same bytes at the same offsets in both forms.
type content interface {
	// read returns n bytes at an offset, or fewer where the segment ends, or where a block of a packed one ends: no frame is in two of
	// them. They are valid until the next call. The error for a block that cannot be read is *badBlock.
	read(offset int64, n int) ([]byte, error)
	path() string
	close()
}

const (
	readAhead  = 256 << 10 // how much is read at once
	usualFrame = 4 << 10   // more than most frames take
)

// A rawContent is that of a segment as it was written. It may still be growing.
type rawContent struct {
	file   *os.File
	size   int64  // of the file, when it was last looked at
	window []byte // what was read ahead
	begins int64  // the offset of the window
	ahead  int    // how much is read at once; 0: as much as the file has, up to readAhead
}

func (c *rawContent) path() string { return c.file.Name() }
func (c *rawContent) close()       { c.file.Close() } // nothing was written

func (c *rawContent) read(offset int64, n int) ([]byte, error) {
	if skip := offset - c.begins; skip >= 0 && skip+int64(n) <= int64(len(c.window)) {
		return c.window[skip : skip+int64(n)], nil
	}
	if c.ahead == 0 || n > c.ahead && offset+int64(n) > c.size {
		info, err := c.file.Stat()
		if err != nil {
			return nil, fmt.Errorf("record log: read %s: %w", c.path(), err)
		}
		c.size = info.Size()
		if c.ahead == 0 {
			c.ahead = int(min(max(c.size, usualFrame), readAhead))
		}
	}
	if n > c.ahead {
		n = int(min(int64(n), max(c.size-offset, 0)))
	}
	if size := max(n, c.ahead); cap(c.window) < size || cap(c.window) > 4*size {
		c.window = make([]byte, size)
	}
	c.window = c.window[:cap(c.window)]
	got, err := c.file.ReadAt(c.window, offset)
	c.window, c.begins = c.window[:got], offset
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("record log: read %s: %w", c.path(), err)
	}
	return c.window[:min(n, got)], nil
}

// forget has the file read again.
func (c *rawContent) forget() { c.window = c.window[:0] }

// zeros returns how many zeros were read ahead from an offset on.
func (c *rawContent) zeros(offset int64) int {
	rest := c.window[min(max(offset-c.begins, 0), int64(len(c.window))):]
	n := 0
	// A segment is mostly room that nothing was written to yet: look at much of it at once.
	for len(rest)-n >= len(nothing) && bytes.Equal(rest[n:n+len(nothing)], nothing[:]) {
		n += len(nothing)
	}
	for n < len(rest) && rest[n] == 0 {
		n++
	}
	return n
}

// nothing is what a part of a segment has that was not written yet.
var nothing [1 << 10]byte

// A packedContent is that of a packed segment.
type packedContent struct {
	file  *os.File
	table packed.Table
	block packed.Block // the one that was unpacked last
	bytes []byte       // what is in it
}

func (c *packedContent) path() string { return c.file.Name() }
func (c *packedContent) close()       { c.file.Close() } // nothing was written

func (c *packedContent) read(offset int64, n int) ([]byte, error) {
	if offset < c.block.Begins || offset >= c.block.Ends() {
		b, found := c.table.Find(offset)
		if !found {
			return nil, nil
		}
		bytes, err := b.Read(c.file, c.bytes)
		if err != nil {
			c.block = packed.Block{}
			return nil, unreadable(c.file, b, err)
		}
		c.block, c.bytes = b, bytes
	}
	rest := c.bytes[offset-c.block.Begins:]
	return rest[:min(n, len(rest))], nil
}

// unreadable is the error for a block.
func unreadable(f *os.File, b packed.Block, err error) error {
	if errors.Is(err, packed.ErrDamaged) {
		return &badBlock{b}
	}
	return fmt.Errorf("record log: read %s: %w", f.Name(), err)
}

// badBlock is the error for a block of a packed segment that is not as it was written.
type badBlock struct{ block packed.Block }

func (*badBlock) Error() string { return packed.ErrDamaged.Error() }
