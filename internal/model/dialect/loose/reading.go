package loose

// A kind says how one kind of readers splits a file into texts.
type kind struct {
	ends string // the bytes at which a text ends
	next bool   // it ends at U+0085, too
	wide bool   // it ends at U+2028 and U+2029, too
	// piecemeal says that some of these readers deliver a value before all of it was read.
	piecemeal bool
}

// lineEnd represents U+0085, U+2028 and U+2029 in texts with one byte per character. In Latin-1 it is U+0085.
const lineEnd = 0x85

// controls are the characters, except LF and CR, at which some reader ends a text.
const controls = "\x00\x01\x02\x03\x04\x05\x06\a\b\v\f\x0e\x0f\x10\x11\x12\x13\x14\x15\x16\x17\x18\x19\x1a\x1b\x1c\x1d\x1e\x1f"

// kinds are all kinds of readers except those of events. A text is a part of the file in which they read consecutive values.
var kinds = []kind{
	{piecemeal: true},                   // decoders of JSON
	{ends: "\x00\x1e", piecemeal: true}, // records: RFC 7464, and records that end in NUL
	{ends: "\n"},                        // lines, for most readers
	{ends: "\n\r"},                      // universal newlines
	{ends: "\n\r", wide: true},          // lines of ECMAScript
	{ends: "\n\r" + controls, next: true, wide: true}, // str.splitlines
	{ends: "\n\r" + controls + "\x85"},                // the same, with one byte per character
}

// A reading is the state of one kind of readers of a file.
type reading struct {
	kind  kind
	ends  [256]bool
	run   run
	last  [2]byte // the two bytes before the next one
	found bool
}

func newReading(k kind) *reading {
	r := &reading{kind: k}
	for i := range len(k.ends) {
		r.ends[k.ends[i]] = true
	}
	r.run.reset()
	return r
}

// read reads more bytes, and returns the position from which on bytes must be held.
func (r *reading) read(p []byte, at int64) int64 {
	for i, c := range p {
		switch {
		case r.ends[c], r.endsWide(c):
			if r.end() {
				return r.run.from
			}
			r.run.reset()
		case !r.run.dead:
			from := r.run.from
			done := r.run.step(c, at+int64(i))
			if r.run.found && (done || r.run.dead && r.kind.piecemeal) {
				r.found = true
				return from
			}
		case r.kind.ends == "":
			return none // no reader continues
		}
		r.last[0], r.last[1] = r.last[1], c
	}
	return r.run.from
}

// endsWide says whether a byte ends a character of several bytes at which a text ends.
func (r *reading) endsWide(c byte) bool {
	switch c {
	case lineEnd:
		return r.kind.next && r.last[1] == 0xc2
	case 0xa8, 0xa9:
		return r.kind.wide && r.last == [2]byte{0xe2, 0x80}
	}
	return false
}

// end says whether a text that ends here has an unfinished value with a call that some reader delivers.
func (r *reading) end() bool {
	if r.kind.piecemeal && !r.run.dead && r.run.found && r.run.depth > 0 {
		r.found = true
	}
	return r.found
}

// events reads a file as server-sent events: the data of one event may have several lines.
type events struct {
	run     run
	matched int  // matched bytes of the field's name; -1: the line has another field
	cr      bool // the byte before was a CR
	found   bool
}

// field is the beginning of lines with data.
const field = "data:"

func newEvents() *events {
	e := &events{}
	e.run.reset()
	return e
}

// read reads more bytes, and returns the position from which on bytes must be held.
func (e *events) read(p []byte, at int64) int64 {
	for i, c := range p {
		after := e.cr
		e.cr = c == '\r'
		switch {
		case c == '\n' && after:
		case c == '\n' || c == '\r':
			if e.matched == 0 {
				e.run.reset()
			}
			if e.step('\n', at+int64(i)) {
				return e.run.from
			}
			e.matched = 0
		case e.matched == len(field):
			if from := e.run.from; e.step(c, at+int64(i)) {
				return from
			}
		case e.matched >= 0 && c == field[e.matched]:
			e.matched++
		case e.matched == 0 && c >= 0x80: // a byte order mark
		default:
			e.matched = -1
		}
	}
	return e.run.from
}

// step reads one byte of data. It returns true if a call was found.
func (e *events) step(c byte, at int64) bool {
	if !e.run.dead && e.run.step(c, at) && e.run.found {
		e.found = true
	}
	return e.found
}
