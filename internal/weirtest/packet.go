package weirtest

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"hash/crc32"
	"slices"
	"strings"
)

// A packet is one message of a binary event stream, as the service writes it. A scenario has it on one line: its name, a
// space, its payload.
type packet struct {
	kind    packetKind
	name    string // of the event or exception; of an error, its code
	payload []byte // of a chunk, what is wrapped in it; of an error, its text
	padding string // of a chunk
}

type packetKind uint8

const (
	eventPacket     packetKind = iota // "name {…}"
	chunkPacket                       // "chunk {…}", or with padding "chunk+abc {…}": the payload is what is wrapped
	exceptionPacket                   // "!name {…}"
	errorPacket                       // "!!code text"
)

const (
	chunkName     = "chunk"
	paddingMark   = "+"
	unwrappedMark = "=" // "chunk= {…}": an event of that name with just this payload
	exceptionMark = "!"
	errorMark     = "!!"
)

// parsePacket reads the line of a packet.
func parsePacket(line string) packet {
	name, rest, _ := strings.Cut(line, " ")
	p := packet{name: name, payload: fromText([]byte(rest))}
	before, padding, _ := strings.Cut(name, paddingMark)
	switch {
	case strings.HasPrefix(name, errorMark):
		p.kind, p.name = errorPacket, name[len(errorMark):]
	case strings.HasPrefix(name, exceptionMark):
		p.kind, p.name = exceptionPacket, name[len(exceptionMark):]
	case before == chunkName:
		p.kind, p.name, p.padding = chunkPacket, chunkName, padding
	case name == chunkName+unwrappedMark:
		p.name = chunkName
	}
	return p
}

// line is the inverse of parsePacket.
func (p packet) line() string {
	name := p.name
	switch {
	case p.kind == errorPacket:
		name = errorMark + name
	case p.kind == exceptionPacket:
		name = exceptionMark + name
	case p.kind == chunkPacket && p.padding != "":
		name += paddingMark + p.padding
	case p.kind == eventPacket && name == chunkName:
		name += unwrappedMark
	}
	text := bytes.TrimSuffix(toText(p.payload), []byte(noLineEnd))
	return name + " " + strings.ReplaceAll(string(text), "\n", "«0A»")
}

// bytes is the packet on the wire. more are headers behind those that the service sends.
func (p packet) bytes(more ...header) []byte {
	headers := []header{{":event-type", p.name}, {":content-type", "application/json"}, {":message-type", "event"}}
	payload := p.payload
	switch p.kind {
	case chunkPacket:
		payload = chunkPayload(p.payload, p.padding)
	case exceptionPacket:
		headers[0].name, headers[2].value = ":exception-type", "exception"
	case errorPacket:
		headers = []header{{":error-code", p.name}, {":error-message", string(p.payload)}, {":message-type", "error"}}
		payload = nil
	}
	return packed(slices.Concat(headers, more), payload)
}

// chunkPayload wraps what a chunk holds.
func chunkPayload(data []byte, padding string) []byte {
	text := `{"bytes":"` + base64.StdEncoding.EncodeToString(data) + `"`
	if padding != "" {
		text += `,"p":"` + padding + `"`
	}
	return []byte(text + "}")
}

const (
	stringHeader = 7 // the type of a header's value that is text
	preludeSize  = 12
	checksumSize = 4
)

// packed puts a message together: lengths, their checksum, headers, payload, the checksum of all.
func packed(headers []header, payload []byte) []byte {
	var h []byte
	for _, x := range headers {
		h = append(append(h, byte(len(x.name))), x.name...)
		h = binary.BigEndian.AppendUint16(append(h, stringHeader), uint16(len(x.value)))
		h = append(h, x.value...)
	}
	b := binary.BigEndian.AppendUint32(nil, uint32(preludeSize+len(h)+len(payload)+checksumSize))
	b = binary.BigEndian.AppendUint32(b, uint32(len(h)))
	b = binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(b))
	b = append(append(b, h...), payload...)
	return binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(b))
}
