package index

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
)

// A packing is bytes in the making. What is packed ends with a checksum: SQLite notices when its own structure is damaged, not when
// what it holds is.
type packing []byte

func (p *packing) number(n uint64) { *p = binary.AppendUvarint(*p, n) }
func (p *packing) signed(n int64)  { *p = binary.AppendVarint(*p, n) }

func (p *packing) text(s string) {
	p.number(uint64(len(s)))
	*p = append(*p, s...)
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// sealed is what was packed, with its checksum.
func (p packing) sealed() []byte {
	return binary.LittleEndian.AppendUint32(p, crc32.Checksum(p, castagnoli))
}

// errGarbled says that packed bytes are not as they were written.
var errGarbled = errors.New("its content is garbled")

// An unpacking reads what was packed. After an error it reads zeros. It counts instead of cutting what it has read off, which costs less.
type unpacking struct {
	b   []byte
	at  int // in b
	err error
}

// unpack begins to read sealed bytes.
func unpack(sealed []byte) *unpacking {
	end := len(sealed) - 4
	if end < 0 || crc32.Checksum(sealed[:end], castagnoli) != binary.LittleEndian.Uint32(sealed[end:]) {
		return &unpacking{err: errGarbled}
	}
	return &unpacking{b: sealed[:end]}
}

func (u *unpacking) fail() {
	u.b, u.at = nil, 0
	if u.err == nil {
		u.err = errGarbled
	}
}

// left is how many bytes are left.
func (u *unpacking) left() int { return len(u.b) - u.at }

func (u *unpacking) number() uint64 {
	if u.at < len(u.b) && u.b[u.at] < 0x80 { // most are short
		u.at++
		return uint64(u.b[u.at-1])
	}
	return u.long()
}

func (u *unpacking) long() uint64 {
	n, size := binary.Uvarint(u.b[u.at:])
	if size <= 0 {
		u.fail()
		return 0
	}
	u.at += size
	return n
}

func (u *unpacking) signed() int64 {
	n := u.number()
	return int64(n>>1) ^ -int64(n&1)
}

// count is a number of things that take at least a byte each.
func (u *unpacking) count() int {
	n := u.number()
	if n > uint64(u.left()) {
		u.fail()
		return 0
	}
	return int(n)
}

// bytes reads so many bytes.
func (u *unpacking) bytes(n int) []byte {
	if n > u.left() {
		u.fail()
		return nil
	}
	u.at += n
	return u.b[u.at-n : u.at]
}

func (u *unpacking) text() string { return string(u.bytes(u.count())) }

func (p *packing) fixed(n uint64) { *p = binary.LittleEndian.AppendUint64(*p, n) }

// fixed reads 8 bytes.
func (u *unpacking) fixed() uint64 {
	if b := u.bytes(8); b != nil {
		return binary.LittleEndian.Uint64(b)
	}
	return 0
}

// end reports that something could not be read, or is left over.
func (u *unpacking) end() error {
	if u.err == nil && u.left() > 0 {
		u.fail()
	}
	return u.err
}
