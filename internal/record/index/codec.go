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

// An unpacking reads what was packed. After an error it reads zeros.
type unpacking struct {
	b   []byte
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
	u.b = nil
	if u.err == nil {
		u.err = errGarbled
	}
}

func (u *unpacking) number() uint64 {
	if len(u.b) > 0 && u.b[0] < 0x80 { // most are short
		n := u.b[0]
		u.b = u.b[1:]
		return uint64(n)
	}
	n, size := binary.Uvarint(u.b)
	if size <= 0 {
		u.fail()
		return 0
	}
	u.b = u.b[size:]
	return n
}

func (u *unpacking) signed() int64 {
	n := u.number()
	return int64(n>>1) ^ -int64(n&1)
}

// count is a number of things that take at least a byte each.
func (u *unpacking) count() int {
	n := u.number()
	if n > uint64(len(u.b)) {
		u.fail()
		return 0
	}
	return int(n)
}

func (u *unpacking) text() string {
	n := u.count()
	s := string(u.b[:n])
	u.b = u.b[n:]
	return s
}

// fixed reads 8 bytes.
func (u *unpacking) fixed() uint64 {
	if len(u.b) < 8 {
		u.fail()
		return 0
	}
	n := binary.LittleEndian.Uint64(u.b)
	u.b = u.b[8:]
	return n
}

func (p *packing) fixed(n uint64) { *p = binary.LittleEndian.AppendUint64(*p, n) }

// end reports that something could not be read, or is left over.
func (u *unpacking) end() error {
	if u.err == nil && len(u.b) > 0 {
		u.fail()
	}
	return u.err
}
