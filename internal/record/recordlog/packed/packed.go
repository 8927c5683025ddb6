// Package packed has files that are compressed in blocks, so that any part of them can be read without the rest.
//
// A packed file is one that zstd unpacks to the bytes that were packed:
//
//	blocks    each is a frame of zstd, with its length and a checksum of its content
//	trailer   a frame that zstd skips:
//	            0  the magic number of such frames
//	            4  the length of what follows
//	            8  for each block, its length as it is stored, and unpacked: 4 bytes each
//	            .  notes of whoever wrote the file
//	            .  the number of blocks: 4 bytes
//	            .  the length of the notes: 4 bytes
//	            .  a checksum of the trailer up to here: 4 bytes
//	            .  a magic word: 8 bytes
//
// Numbers are little endian. A file without a whole trailer was cut off or changed.
package packed

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"sort"

	"github.com/klauspost/compress/zstd"
)

const (
	skippable = 0x184D2A57 // the frames that begin with it are skipped
	headSize  = 8          // of a frame that is skipped
	magic     = "weirpack"
	footSize  = 4 + 4 + 4 + len(magic)
	entrySize = 8 // of a block, in the table
	// MaxBlock bounds a block, in bytes.
	MaxBlock   = 1<<30 + 1<<20
	maxInFrame = 128 << 10 // how much a block of a frame of zstd can have
	// maxTrailer bounds the trailer: enough for a file of many thousand blocks.
	maxTrailer = 64 << 20
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// ErrNoTrailer says that a file does not end with a trailer as it was written.
var ErrNoTrailer = errors.New("the end of the file is missing or damaged")

// A Block is a part of a file.
type Block struct {
	Offset int64 // in the packed file
	Packed int64 // its length there
	Begins int64 // in what was packed
	Size   int64 // its length there
}

// Ends is where the block ends in what was packed.
func (b Block) Ends() int64 { return b.Begins + b.Size }

// A Table says where the blocks of a file are.
type Table struct {
	Blocks []Block
	Notes  []byte
}

// Size is the length of what was packed.
func (t Table) Size() int64 {
	if len(t.Blocks) == 0 {
		return 0
	}
	return t.Blocks[len(t.Blocks)-1].Ends()
}

// Find returns the block that has an offset of what was packed, and false if none has it.
func (t Table) Find(offset int64) (Block, bool) {
	i := sort.Search(len(t.Blocks), func(i int) bool { return t.Blocks[i].Ends() > offset })
	if offset < 0 || i == len(t.Blocks) {
		return Block{}, false
	}
	return t.Blocks[i], true
}

func (t *Table) add(stored, size int64) {
	b := Block{Packed: stored, Begins: t.Size(), Size: size}
	if n := len(t.Blocks); n > 0 {
		b.Offset = t.Blocks[n-1].Offset + t.Blocks[n-1].Packed
	}
	t.Blocks = append(t.Blocks, b)
}

func (t Table) trailer() []byte {
	n := headSize + entrySize*len(t.Blocks) + len(t.Notes) + footSize
	b := make([]byte, 0, n)
	b = binary.LittleEndian.AppendUint32(b, skippable)
	b = binary.LittleEndian.AppendUint32(b, uint32(n-headSize))
	for _, block := range t.Blocks {
		b = binary.LittleEndian.AppendUint32(b, uint32(block.Packed))
		b = binary.LittleEndian.AppendUint32(b, uint32(block.Size))
	}
	b = append(b, t.Notes...)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(t.Blocks)))
	b = binary.LittleEndian.AppendUint32(b, uint32(len(t.Notes)))
	b = binary.LittleEndian.AppendUint32(b, crc32.Checksum(b, castagnoli))
	return append(b, magic...)
}

// ReadTable reads the trailer of a file of some size.
func ReadTable(f io.ReaderAt, size int64) (Table, error) {
	foot := make([]byte, footSize)
	if size < int64(footSize) {
		return Table{}, ErrNoTrailer
	}
	if err := readFull(f, foot, size-int64(footSize)); err != nil {
		return Table{}, err
	}
	blocks, notes := int64(binary.LittleEndian.Uint32(foot)), int64(binary.LittleEndian.Uint32(foot[4:]))
	n := headSize + entrySize*blocks + notes + int64(footSize)
	if string(foot[12:]) != magic || n > maxTrailer || n > size {
		return Table{}, ErrNoTrailer
	}
	b := make([]byte, n)
	if err := readFull(f, b, size-n); err != nil {
		return Table{}, err
	}
	sum := len(b) - len(magic) - 4
	if crc32.Checksum(b[:sum], castagnoli) != binary.LittleEndian.Uint32(b[sum:]) {
		return Table{}, ErrNoTrailer
	}
	t := Table{Blocks: make([]Block, 0, blocks), Notes: b[headSize+entrySize*blocks:][:notes]}
	end := int64(0)
	for i := range blocks {
		e := b[headSize+entrySize*i:]
		stored := int64(binary.LittleEndian.Uint32(e))
		end += stored
		t.add(stored, int64(binary.LittleEndian.Uint32(e[4:])))
	}
	if end != size-n {
		return Table{}, ErrNoTrailer
	}
	return t, nil
}

// readFull reads len(b) bytes at an offset.
func readFull(f io.ReaderAt, b []byte, at int64) error {
	n, err := f.ReadAt(b, at)
	if n == len(b) {
		return nil
	}
	if errors.Is(err, io.EOF) {
		return ErrNoTrailer // meanwhile it was cut
	}
	return fmt.Errorf("read at %d: %w", at, err)
}

// Rebuild finds the blocks of a file without its trailer, as far as one follows the other. The table has no notes.
func Rebuild(f io.ReaderAt, size int64) (Table, error) {
	var t Table
	for at := int64(0); at < size; {
		stored, unpacked, ok, err := frameAt(f, at)
		if err != nil || !ok || at+stored > size {
			return t, err
		}
		t.add(stored, unpacked)
		at += stored
	}
	return t, nil
}

// frameAt returns the length of a frame of zstd, and of what is in it.
func frameAt(f io.ReaderAt, at int64) (stored, unpacked int64, ok bool, err error) {
	b := make([]byte, zstd.HeaderMaxSize)
	n, err := f.ReadAt(b, at)
	if err != nil && !errors.Is(err, io.EOF) {
		return 0, 0, false, err
	}
	var h zstd.Header
	if h.Decode(b[:n]) != nil || h.Skippable || !h.HasFCS || h.FrameContentSize > MaxBlock {
		return 0, 0, false, nil
	}
	end, most := at+int64(h.HeaderSize), uint64(0)
	for last := false; !last; {
		// A block of a frame has a head of 3 bytes: whether it is the last, its kind, and its length.
		const repeated = 1 // the kind of block that has one byte, however long it is
		head := b[:3]
		if n, err := f.ReadAt(head, end); n < len(head) {
			if errors.Is(err, io.EOF) {
				err = nil
			}
			return 0, 0, false, err
		}
		v := uint32(head[0]) | uint32(head[1])<<8 | uint32(head[2])<<16
		length := int64(v >> 3)
		if v>>1&3 == repeated {
			length = 1
		}
		last, end, most = v&1 == 1, end+3+length, most+maxInFrame
	}
	if h.FrameContentSize > most {
		return 0, 0, false, nil // it cannot have so much
	}
	if h.HasCheckSum {
		end += 4
	}
	return end - at, int64(h.FrameContentSize), true, nil
}
