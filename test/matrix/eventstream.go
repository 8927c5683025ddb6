package main

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
)

// A messageHeader is one of a binary message; all values are strings.
type messageHeader struct{ name, value string }

// The headers that say what a message is.
const (
	messageKind    = ":message-type"
	messageEvents  = ":event-type"
	messageContent = ":content-type"
)

// usualHeaders are those that the service sends.
func usualHeaders(p piece) []messageHeader {
	return []messageHeader{{messageEvents, p.name}, {messageContent, "application/json"}, {messageKind, "event"}}
}

// message writes a piece as a message of Amazon's event streams.
func message(headers []messageHeader, data string) string {
	var head []byte
	for _, h := range headers {
		head = append(append(head, byte(len(h.name))), h.name...)
		head = append(head, 7) // a string
		head = binary.BigEndian.AppendUint16(head, uint16(len(h.value)))
		head = append(head, h.value...)
	}
	b := binary.BigEndian.AppendUint32(nil, uint32(16+len(head)+len(data)))
	b = binary.BigEndian.AppendUint32(b, uint32(len(head)))
	b = binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(b))
	b = append(append(b, head...), data...)
	return string(binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(b)))
}

// readMessages reads a stream of messages to its end, and fails where a client would.
func readMessages(b []byte) ([]piece, error) {
	var list []piece
	for len(b) > 0 {
		if len(b) < 16 {
			return nil, errors.New("the last message is cut off")
		}
		total, head := uint64(binary.BigEndian.Uint32(b)), uint64(binary.BigEndian.Uint32(b[4:]))
		switch {
		case crc32.ChecksumIEEE(b[:8]) != binary.BigEndian.Uint32(b[8:]):
			return nil, errors.New("the checksum of a prelude is wrong")
		case total > uint64(len(b)) || total < 16+head:
			return nil, errors.New("the lengths of a message do not fit")
		case crc32.ChecksumIEEE(b[:total-4]) != binary.BigEndian.Uint32(b[total-4:]):
			return nil, errors.New("the checksum of a message is wrong")
		}
		values, err := readHeaders(b[12 : 12+head])
		switch {
		case err != nil:
			return nil, err
		case values[messageKind] != "event" || values[messageContent] != "application/json":
			return nil, fmt.Errorf("a message has the headers %q", values)
		}
		list = append(list, piece{name: values[messageEvents], data: string(b[12+head : total-4])})
		b = b[total:]
	}
	return list, nil
}

// readHeaders reads headers whose values are strings.
func readHeaders(b []byte) (map[string]string, error) {
	values := map[string]string{}
	for len(b) > 0 {
		n := int(b[0])
		if len(b) < n+4 || b[n+1] != 7 {
			return nil, errors.New("a header is no string")
		}
		name, size := string(b[1:n+1]), int(binary.BigEndian.Uint16(b[n+2:]))
		if b = b[n+4:]; len(b) < size {
			return nil, errors.New("a header is cut off")
		}
		if _, twice := values[name]; twice {
			return nil, fmt.Errorf("the header %s is there twice", name)
		}
		values[name] = string(b[:size])
		b = b[size:]
	}
	return values, nil
}
