package run

import "encoding/binary"

// littleEndian says in which order this machine has the bytes of a word.
var littleEndian = binary.NativeEndian.Uint16([]byte{1, 0}) == 1
