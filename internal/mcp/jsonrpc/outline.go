package jsonrpc

import "github.com/weir-gate/weir/internal/strictjson"

// An outlineState says which bytes may come next in an outline.
type outlineState uint8

const (
	dueOpening    outlineState = iota // the opening bracket
	dueValue                          // a value, after a colon or a comma
	dueValueOrEnd                     // a value, or the end of the array that was just opened
	dueName                           // a name, after a comma
	dueNameOrEnd                      // a name, or the end of the object that was just opened
	dueColon                          // the colon after a name
	dueCommaOrEnd                     // what follows a value
	inString                          // inside a string
	inEscape                          // after a backslash in a string
	inScalar                          // inside a number or a word
	inDeep                            // too deep to distinguish arrays from objects
	outlineClosed                     // after the closing bracket
	outlineBroken                     // the text does not have the shape of JSON
)

const (
	// outlineDepth is how deep an outline distinguishes arrays from objects. The strict parser refuses deeper texts.
	outlineDepth = 256
	// maxQuoted is how many bytes of a name or an id are remembered as they are written: each byte may be written as an escape of six.
	maxQuoted = 6*maxIDLength + 2
)

// An outline finds the end of an object or array in a stream of bytes, and the kind and id of the message, as far as possible. It
// does not store the text, so that it can go through a text that is too large. It checks only the shape; the strict parser checks
// strings, numbers and words. A line end in a string breaks the shape: no message has one, and a quote in other text would swallow
// all messages after it. The zero outline is ready to use.
type outline struct {
	state  outlineState
	isName bool // the current string is a name
	depth  int
	arrays [outlineDepth / 64]uint64 // one bit for each open container: whether it is an array

	quoted []byte // the current name, or the value of the id, as written; cut at maxQuoted
	member string // the member of the message that the current value belongs to, in lower case; "": another
	id     ID
	badID  bool // readers could disagree on it
	seen   map[string]bool
}

// write goes through p, and returns how many bytes of p belong to the text: fewer than all if the text closed or broke before the
// end of p. The byte at which it broke does not belong to it.
func (o *outline) write(p []byte) int {
	for i, c := range p {
		if o.state >= outlineClosed {
			return i
		}
		o.next(c)
		if o.state == outlineBroken {
			return i
		}
	}
	return len(p)
}

// next takes one byte.
func (o *outline) next(c byte) {
	switch o.state {
	case inString, inEscape:
		o.inString(c)
		return
	case inScalar:
		if isWordByte(c) {
			o.quote(c)
			return
		}
		o.endValue()
	case inDeep:
		o.deep(c)
		return
	}
	if c == ' ' || c == '\t' || c == '\r' || c == '\n' {
		return
	}
	switch {
	case o.state == dueOpening && (c == '{' || c == '['):
		o.open(c)
	case o.state == dueValue, o.state == dueValueOrEnd && c != ']':
		o.beginValue(c)
	case (o.state == dueName || o.state == dueNameOrEnd) && c == '"':
		o.beginString(true)
	case o.state == dueColon && c == ':':
		o.state = dueValue
	case o.state == dueCommaOrEnd && c == ',':
		o.member = ""
		o.state = dueName
		if o.inArray() {
			o.state = dueValue
		}
	case o.closes(c):
		o.close()
	default:
		o.state = outlineBroken
	}
}

// closes says whether c closes the innermost container here.
func (o *outline) closes(c byte) bool {
	switch o.state {
	case dueNameOrEnd:
		return c == '}'
	case dueValueOrEnd:
		return c == ']'
	case dueCommaOrEnd:
		return c == ']' && o.inArray() || c == '}' && !o.inArray()
	}
	return false
}

// beginValue takes the first byte of a value.
func (o *outline) beginValue(c byte) {
	switch {
	case c == '"':
		o.beginString(false)
	case c == '{' || c == '[':
		o.open(c)
	case isWordByte(c):
		o.isName, o.state = false, inScalar
		o.quoted = o.quoted[:0]
		o.quote(c)
	default:
		o.state = outlineBroken
	}
}

// isWordByte says whether c may be in a number, or in true, false or null.
func isWordByte(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '+' || c == '-' || c == '.'
}

// open enters a container.
func (o *outline) open(c byte) {
	if o.depth++; o.depth > outlineDepth {
		o.state = inDeep
		return
	}
	word, bit := (o.depth-1)/64, uint64(1)<<((o.depth-1)%64)
	o.arrays[word] &^= bit
	o.state = dueNameOrEnd
	if c == '[' {
		o.arrays[word] |= bit
		o.state = dueValueOrEnd
	}
}

// inArray says whether the innermost open container is an array.
func (o *outline) inArray() bool {
	return o.arrays[(o.depth-1)/64]&(1<<((o.depth-1)%64)) != 0
}

// close leaves the innermost container.
func (o *outline) close() {
	o.depth--
	o.state = dueCommaOrEnd
	if o.depth == 0 {
		o.state = outlineClosed
	}
}

// deep takes a byte at a depth where only brackets and strings are distinguished.
func (o *outline) deep(c byte) {
	switch c {
	case '"':
		o.beginString(false)
	case '{', '[':
		o.depth++
	case '}', ']':
		if o.depth--; o.depth == outlineDepth {
			o.state = dueCommaOrEnd
		}
	}
}

// beginString takes the opening quote of a string.
func (o *outline) beginString(isName bool) {
	o.isName, o.state = isName, inString
	o.quoted = o.quoted[:0]
	o.quote('"')
}

// inString takes a byte inside a string.
func (o *outline) inString(c byte) {
	if c == '\n' {
		o.state = outlineBroken
		return
	}
	o.quote(c)
	switch {
	case o.state == inEscape:
		o.state = inString
	case c == '\\':
		o.state = inEscape
	case c != '"':
	case o.depth > outlineDepth:
		o.state = inDeep
	case o.isName:
		o.noteName()
		o.state = dueColon
	default:
		o.endValue()
	}
}

// endValue ends a string, number or word that is a value.
func (o *outline) endValue() {
	o.noteScalar()
	o.state = dueCommaOrEnd
}

// atTop says whether the current member is a member of the message itself.
func (o *outline) atTop() bool { return o.depth == 1 && !o.inArray() }

// quote remembers a byte of a name of the message, or of its id.
func (o *outline) quote(c byte) {
	if len(o.quoted) <= maxQuoted && o.atTop() && (o.isName || o.member == nameID) {
		o.quoted = append(o.quoted, c)
	}
}

// value parses the remembered bytes. It is missing if they are not JSON, or were cut.
func (o *outline) value() strictjson.Value {
	var doc strictjson.Doc
	if len(o.quoted) > maxQuoted || doc.Parse(o.quoted) != nil {
		return strictjson.Value{}
	}
	return doc.Root()
}

// noteName notes that the message has a member of that name.
func (o *outline) noteName() {
	if !o.atTop() {
		return
	}
	name := o.value()
	for _, known := range []string{nameVersion, nameID, nameMethod, nameResult, nameError} {
		if !name.Folds(known) {
			continue
		}
		if known == nameID && (o.seen[nameID] || !name.Is(nameID)) {
			o.id, o.badID = ID{}, true
		}
		if o.seen == nil {
			o.seen = map[string]bool{}
		}
		o.seen[known], o.member = true, known
	}
}

// noteScalar notes the id of the message, if the current value is a valid one.
func (o *outline) noteScalar() {
	if o.member != nameID || o.badID || !o.atTop() {
		return
	}
	if id, err := ReadID(o.value()); err == nil {
		o.id = id
	}
}

// speaks says whether the text has a member of a message.
func (o *outline) speaks() bool {
	return o.seen[nameVersion] || o.seen[nameMethod] || o.seen[nameResult] || o.seen[nameError]
}

// kind returns the kind of the message, if its members are unambiguous.
func (o *outline) kind() Kind {
	asks, answers := o.seen[nameMethod], o.seen[nameResult] || o.seen[nameError]
	switch {
	case asks == answers, o.state != outlineClosed:
		return Unknown
	case answers:
		return Response
	case o.seen[nameID]:
		return Request
	}
	return Notification
}
