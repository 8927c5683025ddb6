package loose

import "slices"

// wideLines reads a file line by line, and each line in the encoding that its own first bytes show: some readers split a file at
// bytes, and their JSON parser then detects the encoding of each line.
type wideLines struct {
	cr       bool     // CR ends a line, too
	start    int64    // the position of the line
	head     []byte   // its first bytes, while its encoding is not known
	encoding encoding // narrow: all readers read the line like the file
	unit     []byte   // the beginning of a unit
	units    int64    // how many of the line were read
	told     bool     // encoding is known
	run      run
	found    bool
	call     int64 // the position of the value with the found call
}

func newWideLines(cr bool) *wideLines {
	w := &wideLines{cr: cr}
	w.begin(0)
	return w
}

// clone returns an independent copy.
func (w *wideLines) clone() *wideLines {
	c := *w
	c.head, c.unit, c.run.token = slices.Clone(w.head), slices.Clone(w.unit), slices.Clone(w.run.token)
	return &c
}

// begin begins a line.
func (w *wideLines) begin(at int64) {
	w.start, w.head, w.unit, w.units, w.told, w.encoding = at, w.head[:0], w.unit[:0], 0, false, narrow
	w.run.reset()
}

// read reads more bytes, and returns the position from which on bytes must be held.
func (w *wideLines) read(p []byte, at int64) int64 {
	for i, c := range p {
		switch {
		case c == '\n' || w.cr && c == '\r':
			w.begin(at + int64(i) + 1)
		case !w.told:
			w.head = append(w.head, c)
			if len(w.head) == HeadSize || !mayBeWide(w.head) {
				w.tell()
			}
		case w.encoding != narrow:
			w.step(c)
		}
		if w.found {
			return w.call
		}
	}
	if !w.told && len(w.head) > 0 {
		return w.start
	}
	return w.run.from
}

// mayBeWide says whether a line that begins like this may be a value in wider units: it begins with a mark, with a zero, or with an
// ASCII byte with which values begin and a zero after it.
func mayBeWide(head []byte) bool {
	switch a := head[0]; {
	case a == 0, a == 0xff, a == 0xfe:
		return true
	case a == '{' || a == '[' || a == '"' || a <= ' ':
		return len(head) == 1 || head[1] == 0
	}
	return false
}

// tell finds the encoding of a line by its first bytes, and reads them.
func (w *wideLines) tell() {
	w.told, w.encoding = true, wideOf(w.head)
	if w.encoding == narrow {
		return
	}
	for _, c := range w.head {
		w.step(c)
	}
}

// step reads one byte of a line in wider units.
func (w *wideLines) step(c byte) {
	if w.unit = append(w.unit, c); len(w.unit) < w.encoding.size {
		return
	}
	w.call = w.run.from
	place := w.start + w.units*int64(w.encoding.size)
	done := w.run.step(w.encoding.ascii(w.unit), place)
	w.unit = w.unit[:0]
	w.units++
	switch {
	case done && w.run.found:
		w.found = true
	case w.run.dead:
		w.encoding = narrow // no reader continues
	}
}
