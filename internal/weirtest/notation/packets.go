package notation

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/crc32"
	"strings"

	"github.com/go-json-experiment/json"
)

// faults are what can be wrong with a message; a line of a scenario ends with one.
var faults = map[string]func(p Packet) []byte{
	" «prelude»":  func(p Packet) []byte { return flipped(p.Bytes(), preludeSize-1) },
	" «checksum»": func(p Packet) []byte { b := p.Bytes(); return flipped(b, len(b)-1) },
	" «cut»":      func(p Packet) []byte { b := p.Bytes(); return b[:len(b)-checksumSize-1] },
	" «header»":   func(p Packet) []byte { return p.Bytes(Header{"odd", "header"}) },
	" «twice»":    func(p Packet) []byte { return p.Bytes(Header{":event-type", p.Name}) },
}

// flipped is b with one bit of the byte at i the other way.
func flipped(b []byte, i int) []byte {
	b[i] ^= 1
	return b
}

// Packets returns the bytes of a binary event stream, of which a text has one message a line. A line in the notation of
// bytes stands for these.
func Packets(text []byte) []byte {
	var out []byte
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSuffix(line, "\n")
		if strings.HasPrefix(line, "«") {
			out = append(out, Bytes([]byte(line))...)
			continue
		}
		write := func(p Packet) []byte { return p.Bytes() }
		for mark, spoilt := range faults {
			if rest, ok := strings.CutSuffix(line, mark); ok {
				line, write = rest, spoilt
			}
		}
		out = append(out, write(parsePacket(line))...)
	}
	return out
}

// PacketsText is the inverse of Packets. What the service would not have written is in the notation of bytes.
func PacketsText(body []byte) []byte {
	var out strings.Builder
	for len(body) > 0 {
		p, size, err := Unpack(body)
		if err != nil {
			size = len(body)
		}
		text := p.line()
		if raw := body[:size]; err != nil || !bytes.Equal(Packets([]byte(text)), raw) {
			text = "«" + strings.ToUpper(hex.EncodeToString(raw)) + "»"
		}
		out.WriteString(text + "\n")
		body = body[size:]
	}
	return []byte(out.String())
}

// Unpack reads the message that b begins with, as strictly as clients do, and says how many bytes it has.
func Unpack(b []byte) (p Packet, size int, err error) {
	if len(b) < preludeSize+checksumSize {
		return p, 0, errors.New("a message is cut off")
	}
	if crc32.ChecksumIEEE(b[:8]) != binary.BigEndian.Uint32(b[8:]) {
		return p, 0, errors.New("the checksum of a prelude is wrong")
	}
	size = int(binary.BigEndian.Uint32(b))
	split := preludeSize + int(binary.BigEndian.Uint32(b[4:]))
	end := size - checksumSize
	switch {
	case size > len(b):
		return p, 0, errors.New("a message is cut off")
	case split > end:
		return p, 0, errors.New("the headers of a message are longer than itself")
	case crc32.ChecksumIEEE(b[:end]) != binary.BigEndian.Uint32(b[end:]):
		return p, 0, errors.New("the checksum of a message is wrong")
	}
	headers, err := unpackHeaders(b[preludeSize:split])
	if err != nil {
		return p, 0, err
	}
	p, err = packetOf(headers, b[split:end])
	return p, size, err
}

// unpackHeaders reads headers, which must all be text.
func unpackHeaders(b []byte) (map[string]string, error) {
	headers := map[string]string{}
	for len(b) > 0 {
		n := int(b[0])
		if len(b) < n+4 || b[n+1] != stringHeader {
			return nil, errors.New("a header is not whole, or no text")
		}
		name, rest := string(b[1:n+1]), b[n+4:]
		size := int(binary.BigEndian.Uint16(b[n+2:]))
		if _, twice := headers[name]; twice || len(rest) < size {
			return nil, fmt.Errorf("the header %s is there twice, or not whole", name)
		}
		headers[name], b = string(rest[:size]), rest[size:]
	}
	return headers, nil
}

// packetOf reads what a message is by its headers.
func packetOf(headers map[string]string, payload []byte) (Packet, error) {
	switch kind := headers[":message-type"]; kind {
	case "event":
		name := headers[":event-type"]
		if kind := headers[":content-type"]; kind != "application/json" {
			return Packet{}, fmt.Errorf("an event whose payload is %q", kind)
		}
		if name != chunkName {
			return Packet{Name: name, Payload: payload}, nil
		}
		var chunk struct {
			Bytes string `json:"bytes"`
			P     string `json:"p"`
		}
		if json.Unmarshal(payload, &chunk) == nil {
			data, err := base64.StdEncoding.DecodeString(chunk.Bytes)
			if p := (Packet{Chunk, name, data, chunk.P}); err == nil && bytes.Equal(chunkPayload(data, chunk.P), payload) {
				return p, nil
			}
		}
		return Packet{Name: name, Payload: payload}, nil
	case "exception":
		return Packet{Kind: Exception, Name: headers[":exception-type"], Payload: payload}, nil
	case "error":
		return Packet{Kind: Error, Name: headers[":error-code"], Payload: []byte(headers[":error-message"])}, nil
	default:
		return Packet{}, fmt.Errorf("a message of the type %q", kind)
	}
}
