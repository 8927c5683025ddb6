package run

import "encoding/binary"

// littleEndian says whether this machine is little-endian.
var littleEndian = binary.NativeEndian.Uint16([]byte{1, 0}) == 1
