package frame

import "bytes"

// A span is a part of the window.
type span struct{ from, to int }

func (s span) of(w []byte) []byte { return w[s.from:s.to:s.to] }

// A block collects what the lines of one event say, up to the blank line that ends it.
//
// It keeps offsets instead of slices, because the window moves while a block is under way.
type block struct {
	lines, events, datas int    // all lines, event lines, data lines
	name                 span   // value of the last event line
	data                 span   // value of the first data line
	joined               []byte // all data, once there are two data lines
	// odd says that some line is not as plain framing has it.
	odd bool
}

// reset prepares b for the next event. The memory of joined is kept, unless one large event has made it grow.
func (b *block) reset() {
	joined := b.joined[:0]
	if cap(joined) > readSize {
		joined = nil
	}
	*b = block{joined: joined}
}

// add takes the line w[from:to], which is not empty and has no U+FEFF before it any more.
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
		// id and retry among them: some clients dispatch an empty event for these alone.
		b.odd = true
	}
}

// addData adds one data line. Only from the second on is anything copied.
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

// frame returns what the block says, given its bytes.
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

// plainText says that all clients read the same characters. The field names and the event's name are known to be ASCII.
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
