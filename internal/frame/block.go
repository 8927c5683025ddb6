package frame

import "bytes"

// A span is a part of the window.
type span struct{ from, to int }

func (s span) of(w []byte) []byte { return w[s.from:s.to:s.to] }

// A block collects the fields of one event, up to the blank line that ends it.
//
// It holds offsets instead of slices, because the window moves while a block is being read.
type block struct {
	lines, events, datas int    // all lines, event lines, data lines
	name                 span   // value of the last event line
	data                 span   // value of the first data line
	joined               []byte // all data, once there are two data lines
	// odd says that some line is not in the form of plain framing.
	odd bool
}

// reset prepares b for the next event. The memory of joined is reused, unless a large event has made it grow.
func (b *block) reset() {
	joined := b.joined[:0]
	if cap(joined) > readSize {
		joined = nil
	}
	*b = block{joined: joined}
}

// add adds the line w[from:to], which is not empty and from which U+FEFF was removed.
func (b *block) add(w []byte, from, to int) {
	b.lines++
	if w[from] == ':' {
		return
	}
	field, value := w[from:to], span{to, to}
	if i := bytes.IndexByte(field, ':'); i >= 0 {
		field, value.from = field[:i], from+i+1
		if value.from < to && w[value.from] == ' ' {
			value.from++
		}
	}
	spaced := value.from-from == len(field)+len(": ")
	switch string(field) {
	case "data":
		b.addData(w, value)
		b.odd = b.odd || !spaced || value.from == to || b.datas > 1
	case "event":
		b.name = value
		b.events++
		b.odd = b.odd || !spaced || b.events > 1 || b.datas > 0 || !isName(value.of(w))
	default:
		// This includes id and retry: for these alone, some clients dispatch an empty event.
		b.odd = true
	}
}

// addData adds one data line. It copies nothing before the second line.
func (b *block) addData(w []byte, value span) {
	b.datas++
	switch b.datas {
	case 1:
		b.data = value
		return
	case 2:
		b.joined = append(b.joined[:0], b.data.of(w)...)
	}
	b.joined = append(b.joined, '\n')
	b.joined = append(b.joined, value.of(w)...)
}

// frame returns the frame of the block, given its bytes.
func (b *block) frame(raw []byte) Frame {
	f := Frame{Raw: raw}
	if b.events > 0 {
		f.Type = b.name.of(raw)
	}
	switch {
	case b.datas == 1:
		f.Data = b.data.of(raw)
	case b.datas > 1:
		f.Data = b.joined[:len(b.joined):len(b.joined)]
	}
	f.Plain = !b.odd && b.plainShape() && b.plainText(raw)
	return f
}

// plainShape says that the block, not odd, is one event with its data, or only comments, or only the blank line.
func (b *block) plainShape() bool {
	if b.datas == 0 {
		return b.events == 0
	}
	return b.lines == b.events+b.datas
}

// plainText says that all clients decode the same characters. The field names and the event's name are already known to be ASCII.
func (b *block) plainText(raw []byte) bool {
	if b.datas > 0 {
		return readAlike(b.data.of(raw))
	}
	for line := range bytes.Lines(raw) {
		line = bytes.TrimRight(line, "\r\n")
		if firstOdd(line) < len(line) {
			return false
		}
	}
	return true
}
