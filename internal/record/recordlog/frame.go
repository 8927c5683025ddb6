package recordlog

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
)

// A Position is where a frame begins in a log: how many bytes of frames are before it, in all segments. A log begins at 0.
type Position = int64

// An instance names a log. It is random, so that no frame of one log can pass for a frame of another.
type instance [16]byte

// A segment begins with a header: a magic word, the version of the format, the instance, the position of the first frame, and a
// checksum of all that. The header is the same in all versions.
//
// Version 1 has only events. Version 2 also has marks, and an end: a segment that begins where the log ends, and whose only frame says
// that nothing follows.
const (
	magic      = "weirlog\x00"
	version    = 2
	headerSize = int64(8 + 4 + len(instance{}) + 8 + 4)
)

// castagnoli is the polynomial for which processors have an instruction.
var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func segmentHeader(id instance, base Position) []byte {
	b := make([]byte, 0, headerSize)
	b = append(b, magic...)
	b = binary.LittleEndian.AppendUint32(b, version)
	b = append(b, id[:]...)
	b = binary.LittleEndian.AppendUint64(b, uint64(base))
	return binary.LittleEndian.AppendUint32(b, crc32.Checksum(b, castagnoli))
}

// errNoHeader says that a file does not begin with the header of a segment.
var errNoHeader = errors.New("this is not the beginning of a segment")

// errNewer says that a newer weir wrote a segment.
var errNewer = errors.New("a newer version of weir wrote this segment; use that version")

// readHeader reads the header of a segment. Of one that is damaged, it returns what stands in the place of the instance.
func readHeader(b []byte) (id instance, base Position, err error) {
	if int64(len(b)) < headerSize || string(b[:len(magic)]) != magic {
		return id, 0, errNoHeader
	}
	copy(id[:], b[12:])
	end := headerSize - 4
	if crc32.Checksum(b[:end], castagnoli) != binary.LittleEndian.Uint32(b[end:]) {
		return id, 0, errNoHeader
	}
	if v := binary.LittleEndian.Uint32(b[8:]); v < 1 || v > version {
		return id, 0, errNewer
	}
	return id, Position(binary.LittleEndian.Uint64(b[28:])), nil
}

// A frame is an event or a mark: its head, the text, and what belongs to it beside the text.
//
//	0  length of text and side
//	4  checksum of the rest of the head, text, side, position and instance
//	8  how many bytes before this frame its batch begins
//	12 the number of the batch
//	16 kind
//	17 flags
//	18 zero
//	20 length of side
const frameHead = 24

// A Kind says what a frame of a log is.
type Kind byte

const (
	Event   Kind = 1 // the text of an event
	Mark    Kind = 2 // a signed statement about events
	kindEnd Kind = 3 // nothing follows
)

const flagCommit = 1 // the last frame of a batch: with it, the batch is complete

// maxFrame bounds text and side of a frame. The recorder lets less than that wait.
const maxFrame = 1 << 30

// A frame as it was read. Its slices are valid until the next one is read.
type frame struct {
	kind       Kind
	at         Position
	back       uint32 // how many bytes before the frame its batch begins
	batch      uint32
	commit     bool
	text, side []byte
}

func (f frame) size() int64 { return int64(frameHead + len(f.text) + len(f.side)) }

// appendFrame writes a frame that begins at a position. b holds the batch so far, from start on.
func appendFrame(b []byte, start int, id *instance, at Position, f frame) []byte {
	begin := len(b)
	var flags byte
	if f.commit {
		flags = flagCommit
	}
	b = binary.LittleEndian.AppendUint32(b, uint32(len(f.text)+len(f.side)))
	b = append(b, 0, 0, 0, 0)
	b = binary.LittleEndian.AppendUint32(b, uint32(begin-start))
	b = binary.LittleEndian.AppendUint32(b, f.batch)
	b = append(b, byte(f.kind), flags, 0, 0)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(f.side)))
	b = append(b, f.text...)
	b = append(b, f.side...)
	binary.LittleEndian.PutUint32(b[begin+4:], checksum(b[begin+8:], id, at))
	return b
}

// checksum is over the frame from its ninth byte on, its position and its log: what stood here before, or elsewhere, never fits.
func checksum(rest []byte, id *instance, at Position) uint32 {
	var where [8 + len(instance{})]byte
	binary.LittleEndian.PutUint64(where[:], uint64(at))
	copy(where[8:], id[:])
	return crc32.Update(crc32.Checksum(where[:], castagnoli), castagnoli, rest)
}

// bodyLength returns the length of what follows the head of a frame, and false if this is no head of a frame.
func bodyLength(head []byte) (int, bool) {
	n, side := binary.LittleEndian.Uint32(head), binary.LittleEndian.Uint32(head[20:])
	kind := Kind(head[16])
	ok := n <= maxFrame && side <= n && (kind == Event || kind == Mark || kind == kindEnd) && (n > side) == (kind != kindEnd) &&
		head[17]&^flagCommit == 0 && head[18] == 0 && head[19] == 0
	return int(n), ok
}

// parseFrame reads a whole frame, and returns false if it is not as it was written.
func parseFrame(b []byte, id *instance, at Position) (frame, bool) {
	if binary.LittleEndian.Uint32(b[4:]) != checksum(b[8:], id, at) {
		return frame{}, false
	}
	text := len(b) - int(binary.LittleEndian.Uint32(b[20:]))
	f := frame{
		kind: Kind(b[16]), at: at, back: binary.LittleEndian.Uint32(b[8:]), batch: binary.LittleEndian.Uint32(b[12:]),
		commit: b[17]&flagCommit != 0, text: b[frameHead:text], side: b[text:],
	}
	return f, Position(f.back) <= at
}

// isZero says whether a segment was never written from here on, as far as b shows.
func isZero(b []byte) bool { return len(bytes.TrimLeft(b, "\x00")) == 0 }
