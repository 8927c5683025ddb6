package loose

// A kind is how a sort of readers cuts a file into texts.
type kind struct {
	ends string // the bytes at which a text ends
	next bool   // it ends at U+0085, too
	wide bool   // it ends at U+2028 and U+2029, too
	// piecemeal says that some of the readers hand out a value before all of it was read.
	piecemeal bool
}

// lineEnd stands for U+0085, U+2028 and U+2029 where every character has one byte. In Latin-1 it is U+0085.
const lineEnd = 0x85

// controls are the characters at which some reader ends a text, but for LF and CR.
const controls = "\x00\x01\x02\x03\x04\x05\x06\a\b\v\f\x0e\x0f\x10\x11\x12\x13\x14\x15\x16\x17\x18\x19\x1a\x1b\x1c\x1d\x1e\x1f"

// kinds are all sorts of readers but those of events. A text is a part of the file in which they read values in a row.
var kinds = []kind{
	{piecemeal: true},                   // decoders of JSON
	{ends: "\x00\x1e", piecemeal: true}, // records: RFC 7464, and what ends in NUL
	{ends: "\n"},                        // lines, as most have them
	{ends: "\n\r"},                      // universal newlines
	{ends: "\n\r", wide: true},          // lines as ECMAScript has them
	{ends: "\n\r" + controls, next: true, wide: true}, // str.splitlines
	{ends: "\n\r" + controls + "\x85"},                // the same, where every character has one byte
}

// A reading is how one kind of readers sees a file.
type reading struct {
	kind  kind
	ends  [256]bool
	run   run
	last  [2]byte // the bytes ahead of the next
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

// read reads on, and returns from where on bytes must be held.
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
			return none // nobody reads on
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

// end says whether a text that ends here has an unfinished value that counts.
func (r *reading) end() bool {
	if r.kind.piecemeal && !r.run.dead && r.run.found && r.run.depth > 0 {
		r.found = true
	}
	return r.found
}

// events reads a file as server-sent events: the data of one may stand in several lines.
type events struct {
	run     run
	matched int  // of the field's name in the line; -1: another line
	cr      bool // the byte before was a CR
	found   bool
}

// field begins the lines with data.
const field = "data:"

func newEvents() *events {
	e := &events{}
	e.run.reset()
	return e
}

// read reads on, and returns from where on bytes must be held.
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
		case e.matched == 0 && c >= 0x80: // a mark at the beginning of the file
		default:
			e.matched = -1
		}
	}
	return e.run.from
}

// step reads one byte of data. It says whether a call was found.
func (e *events) step(c byte, at int64) bool {
	if !e.run.dead && e.run.step(c, at) && e.run.found {
		e.found = true
	}
	return e.found
}
