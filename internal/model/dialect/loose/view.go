package loose

import (
	"encoding/binary"
	"slices"
	"unicode/utf8"
)

// An encoding is the character encoding of a file.
type encoding struct {
	size int // bytes of a unit
	big  bool
}

// narrow is UTF-8, and every other encoding that contains ASCII.
var narrow = encoding{size: 1}

// wideOf returns the encoding with wider units in which some reader would read a file that begins with head; narrow: none. It is
// found by a mark, or by the positions of zeros: a text is assumed to begin with ASCII.
func wideOf(head []byte) encoding {
	if len(head) < 2 {
		return narrow
	}
	a, b, rest := head[0], head[1], head[2:]
	zeros, mark := len(rest) >= 2 && rest[0] == 0 && rest[1] == 0, len(rest) >= 2 && rest[0] == 0xfe && rest[1] == 0xff
	switch {
	case a == 0 && b == 0 && (mark || len(rest) >= 2 && rest[0] == 0 && rest[1] != 0):
		return encoding{4, true}
	case zeros && (a == 0xff && b == 0xfe || a != 0 && b == 0):
		return encoding{4, false}
	case a == 0xfe && b == 0xff || a == 0 && b != 0:
		return encoding{2, true}
	case a == 0xff && b == 0xfe || a != 0 && b == 0:
		return encoding{2, false}
	}
	return narrow
}

// A view is the state of all kinds of readers of a file in one encoding.
type view struct {
	encoding encoding
	readings []*reading
	events   *events
	lines    []*wideLines // of a narrow file: each line in its own encoding
	unit     []byte       // the beginning of a unit
	text     []byte       // units, one byte for each
}

func newView(e encoding) *view {
	v := &view{encoding: e, events: newEvents()}
	for _, k := range kinds {
		v.readings = append(v.readings, newReading(k))
	}
	if e == narrow {
		v.lines = []*wideLines{newWideLines(false), newWideLines(true)}
	}
	return v
}

// clone returns an independent copy.
func (v *view) clone() *view {
	c := &view{encoding: v.encoding, unit: slices.Clone(v.unit)}
	for _, w := range v.lines {
		c.lines = append(c.lines, w.clone())
	}
	e := *v.events
	e.run.token = slices.Clone(e.run.token)
	c.events = &e
	for _, r := range v.readings {
		own := *r
		own.run.token = slices.Clone(own.run.token)
		c.readings = append(c.readings, &own)
	}
	return c
}

// read reads bytes at a position of the file, and returns the position from which on bytes must be held.
func (v *view) read(p []byte, at int64) int64 {
	if v.encoding == narrow {
		from := v.readText(p, at)
		for _, w := range v.lines {
			from = min(from, w.read(p, at))
		}
		return from
	}
	size := int64(v.encoding.size)
	first := (at - int64(len(v.unit))) / size
	v.text = v.text[:0]
	for _, c := range p {
		if v.unit = append(v.unit, c); len(v.unit) == v.encoding.size {
			v.text = append(v.text, v.encoding.ascii(v.unit))
			v.unit = v.unit[:0]
		}
	}
	from := v.readText(v.text, first)
	if from != none {
		from *= size
	}
	return from
}

// readText reads text. Its position is counted in units.
func (v *view) readText(text []byte, at int64) int64 {
	from := v.events.read(text, at)
	for _, r := range v.readings {
		from = min(from, r.read(text, at))
	}
	return from
}

// other represents a character that is not ASCII, in a text with one byte per character.
const other = 0xff

// ascii returns a unit as one byte. A character that is not ASCII becomes other, unless some reader treats it like an ASCII
// character.
func (e encoding) ascii(unit []byte) byte {
	var order binary.ByteOrder = binary.LittleEndian
	if e.big {
		order = binary.BigEndian
	}
	var r uint32
	if e.size == 2 {
		r = uint32(order.Uint16(unit))
	} else {
		r = order.Uint32(unit)
	}
	switch r {
	case 'ſ':
		return 's' // they are the same if case is ignored
	case 'K':
		return 'k'
	case '\u0085', '\u2028', '\u2029':
		return lineEnd
	}
	if r < utf8.RuneSelf {
		return byte(r)
	}
	return other
}

// found says whether some reader finds a call in what was read.
func (v *view) found() bool {
	found := v.events.found
	for _, r := range v.readings {
		found = found || r.found
	}
	for _, w := range v.lines {
		found = found || w.found
	}
	return found
}

// end says whether some reader finds a call in a file that ends here.
func (v *view) end() bool {
	found := v.found()
	for _, r := range v.readings {
		found = r.end() || found
	}
	return found
}
