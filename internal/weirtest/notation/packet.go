package notation

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"hash/crc32"
	"slices"
	"strings"
)

// A Packet is one message of a binary event stream, as the service writes it. A scenario has it on one line: its name, a
// space, its payload.
type Packet struct {
	Kind    PacketKind
	Name    string // of the event or exception; of an error, its code
	Payload []byte // of a chunk, what is wrapped in it; of an error, its text
	Padding string // of a chunk
}

// A PacketKind is what a packet is.
type PacketKind uint8

// The kinds of packets, and how scenarios write them.
const (
	Event     PacketKind = iota // "name {…}"
	Chunk                       // "chunk {…}", or with padding "chunk+abc {…}": the payload is what is wrapped
	Exception                   // "!name {…}"
	Error                       // "!!code text"
)

// A Header is one of a packet's. All values are texts.
type Header struct{ Name, Value string }

// EventHeaders are those that the service sends with an event.
func EventHeaders(name string) []Header {
	return []Header{{":event-type", name}, {":content-type", "application/json"}, {":message-type", "event"}}
}

const (
	chunkName     = "chunk"
	paddingMark   = "+"
	unwrappedMark = "=" // "chunk= {…}": an event of that name with just this payload
	exceptionMark = "!"
	errorMark     = "!!"
)

// parsePacket reads the line of a packet.
func parsePacket(line string) Packet {
	name, rest, _ := strings.Cut(line, " ")
	p := Packet{Name: name, Payload: Bytes([]byte(rest))}
	before, padding, _ := strings.Cut(name, paddingMark)
	switch {
	case strings.HasPrefix(name, errorMark):
		p.Kind, p.Name = Error, name[len(errorMark):]
	case strings.HasPrefix(name, exceptionMark):
		p.Kind, p.Name = Exception, name[len(exceptionMark):]
	case before == chunkName:
		p.Kind, p.Name, p.Padding = Chunk, chunkName, padding
	case name == chunkName+unwrappedMark:
		p.Name = chunkName
	}
	return p
}

// line is the inverse of parsePacket.
func (p Packet) line() string {
	name := p.Name
	switch {
	case p.Kind == Error:
		name = errorMark + name
	case p.Kind == Exception:
		name = exceptionMark + name
	case p.Kind == Chunk && p.Padding != "":
		name += paddingMark + p.Padding
	case p.Kind == Event && name == chunkName:
		name += unwrappedMark
	}
	text := bytes.TrimSuffix(Text(p.Payload), []byte(noLineEnd))
	return name + " " + strings.ReplaceAll(string(text), "\n", "«0A»")
}

// Bytes is the packet on the wire. more are headers behind those that the service sends.
func (p Packet) Bytes(more ...Header) []byte {
	headers := EventHeaders(p.Name)
	payload := p.Payload
	switch p.Kind {
	case Chunk:
		payload = chunkPayload(p.Payload, p.Padding)
	case Exception:
		headers[0].Name, headers[2].Value = ":exception-type", "exception"
	case Error:
		headers = []Header{{":error-code", p.Name}, {":error-message", string(p.Payload)}, {":message-type", "error"}}
		payload = nil
	}
	return Message(slices.Concat(headers, more), payload)
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

// Message puts a message together: lengths, their checksum, headers, payload, the checksum of all.
func Message(headers []Header, payload []byte) []byte {
	var h []byte
	for _, x := range headers {
		h = append(append(h, byte(len(x.Name))), x.Name...)
		h = binary.BigEndian.AppendUint16(append(h, stringHeader), uint16(len(x.Value)))
		h = append(h, x.Value...)
	}
	b := binary.BigEndian.AppendUint32(nil, uint32(preludeSize+len(h)+len(payload)+checksumSize))
	b = binary.BigEndian.AppendUint32(b, uint32(len(h)))
	b = binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(b))
	b = append(append(b, h...), payload...)
	return binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(b))
}
