package dialecttest

import (
	"encoding/base64"
	"encoding/binary"
	"hash/crc32"
	"strings"
)

// A Message is one of a binary event stream: its headers that are strings, by name and in order, and its payload.
type Message struct {
	Headers [][2]string
	Payload string
}

// EventMessage is a message as the service sends it.
func EventMessage(event, payload string) Message {
	return Message{Payload: payload, Headers: [][2]string{
		{":event-type", event}, {":content-type", "application/json"}, {":message-type", "event"},
	}}
}

// ExceptionMessage is a message that says that the response failed.
func ExceptionMessage(typ, payload string) Message {
	return Message{Payload: payload, Headers: [][2]string{
		{":exception-type", typ}, {":content-type", "application/json"}, {":message-type", "exception"},
	}}
}

// ChunkMessage is a message with the JSON of another format in it.
func ChunkMessage(data string) Message {
	return EventMessage("chunk", `{"bytes":"`+base64.StdEncoding.EncodeToString([]byte(data))+`"}`)
}

// Append appends the message to a stream.
func (m Message) Append(dst []byte) []byte {
	var headers []byte
	for _, h := range m.Headers {
		headers = append(headers, byte(len(h[0])))
		headers = append(headers, h[0]...)
		headers = append(headers, 7)
		headers = binary.BigEndian.AppendUint16(headers, uint16(len(h[1])))
		headers = append(headers, h[1]...)
	}
	start := len(dst)
	dst = binary.BigEndian.AppendUint32(dst, uint32(16+len(headers)+len(m.Payload)))
	dst = binary.BigEndian.AppendUint32(dst, uint32(len(headers)))
	dst = binary.BigEndian.AppendUint32(dst, crc32.ChecksumIEEE(dst[start:]))
	dst = append(append(dst, headers...), m.Payload...)
	return binary.BigEndian.AppendUint32(dst, crc32.ChecksumIEEE(dst[start:]))
}

// messages reads a binary event stream by its lengths, without checking checksums, until it breaks off. The name of an event is any
// header that some client uses as its name.
func messages(b []byte) []LooseEvent {
	var events []LooseEvent
	for len(b) >= 16 {
		total, headers := int(binary.BigEndian.Uint32(b)), int(binary.BigEndian.Uint32(b[4:]))
		if total > len(b) || headers > total-16 {
			return events
		}
		names, kind := typesOf(b[12 : 12+headers])
		payload := b[12+headers : total-4]
		for _, name := range names {
			events = append(events, LooseEvent{Name: kind + name, Data: text(payload)})
		}
		b = b[total:]
	}
	return events
}

// FailureName is the prefix of the name of every event that is a failure.
const FailureName = "failure "

// typesOf reads what the headers of a message say that it is.
func typesOf(headers []byte) (names []string, kind string) {
	for len(headers) > 0 {
		n := int(headers[0])
		if len(headers) < n+4 || headers[n+1] != 7 {
			break // only strings are read
		}
		name, size := string(headers[1:n+1]), int(binary.BigEndian.Uint16(headers[n+2:]))
		if headers = headers[n+4:]; len(headers) < size {
			break
		}
		value := string(headers[:size])
		headers = headers[size:]
		switch strings.ToLower(name) {
		case ":event-type", ":exception-type", ":error-code":
			names = append(names, value)
		case ":message-type":
			if value != "event" {
				kind = FailureName
			}
		}
	}
	if len(names) == 0 {
		names = []string{""}
	}
	return names, kind
}

// chunksOf reads a binary event stream whose chunks hold events of another format.
func chunksOf(b []byte) []LooseEvent {
	var events []LooseEvent
	for _, e := range messages(b) {
		tree, err := ParseTree([]byte(e.Data))
		if err != nil || e.Name != "chunk" {
			events = append(events, e)
			continue
		}
		for _, v := range tree.All("bytes") {
			if data, err := base64.StdEncoding.DecodeString(v.Text); err == nil {
				events = append(events, LooseEvent{Data: text(data)})
			}
		}
	}
	return events
}

// Spell is a binary stream as its frames: each is a type and a payload, and a failure has a mark of exclamation ahead.
func Spell(stream []byte) []string {
	var all []string
	for _, e := range messages(stream) {
		name, failed := strings.CutPrefix(e.Name, FailureName)
		if failed {
			name = "!" + name
		}
		all = append(all, name+" "+e.Data)
	}
	return all
}

// Spelled encodes such frames as a binary stream.
func Spelled(frames ...string) []byte {
	var out []byte
	for _, f := range frames {
		typ, payload, _ := strings.Cut(f, " ")
		if name, failed := strings.CutPrefix(typ, "!"); failed {
			out = ExceptionMessage(name, payload).Append(out)
			continue
		}
		out = EventMessage(typ, payload).Append(out)
	}
	return out
}
