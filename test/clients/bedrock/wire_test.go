package bedrock

import (
	"encoding/base64"
	"encoding/binary"
	"hash/crc32"
	"net/http"

	"github.com/weir-gate/weir/internal/weirtest/scripted"
)

// event is a message of a binary event stream, as the service sends it.
func event(name, payload string) string {
	return message([][2]string{{":event-type", name}, {":content-type", "application/json"}, {":message-type", "event"}}, payload)
}

// exception is the message that ends a stream that fails.
func exception(name, payload string) string {
	return message([][2]string{{":exception-type", name}, {":content-type", "application/json"}, {":message-type", "exception"}}, payload)
}

// chunk is an event with a frame of the model's own format in it, and padding beside it.
func chunk(data string) string {
	return event("chunk", `{"bytes":"`+base64.StdEncoding.EncodeToString([]byte(data))+`","p":"abcdefghijklmno"}`)
}

func message(headers [][2]string, payload string) string {
	var h []byte
	for _, x := range headers {
		h = append(append(h, byte(len(x[0]))), x[0]...)
		h = binary.BigEndian.AppendUint16(append(h, 7), uint16(len(x[1])))
		h = append(h, x[1]...)
	}
	b := binary.BigEndian.AppendUint32(nil, uint32(16+len(h)+len(payload)))
	b = binary.BigEndian.AppendUint32(b, uint32(len(h)))
	b = binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(b))
	b = append(append(b, h...), payload...)
	return string(binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(b)))
}

// spoilt is a message whose checksum is wrong.
func spoilt(message string) string {
	b := []byte(message)
	b[len(b)-1] ^= 1
	return string(b)
}

// sending is a binary event stream.
func sending(messages []string, then ...scripted.Step) scripted.Answer {
	a := scripted.Answer{Header: http.Header{"Content-Type": {"application/vnd.amazon.eventstream"}}}
	for _, m := range messages {
		a.Steps = append(a.Steps, scripted.Write([]byte(m)))
	}
	a.Steps = append(a.Steps, then...)
	return a
}
