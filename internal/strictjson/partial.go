package strictjson

import "unicode/utf8"

// A State says whether a text is one JSON object, or can still become one.
type State uint8

// The states. Open is that of an empty text.
const (
	Open     State = iota // not yet an object; more text may make it one
	Complete              // one whole object, perhaps with white space around it
	Broken                // no object, whatever follows
)

// A Partial checks a text that arrives in pieces and should become one JSON object. It says when the object is complete. It looks
// at every byte once and stores none. The zero Partial is ready to use.
//
// It agrees with Parse, default bounds included: after pieces that make up the text T the state is Complete if and
// only if Parse accepts T and finds an object. CheckArguments says whether all parsers would read that object alike.
type Partial struct {
	state  lexState
	inName bool // the string being read is a name
	values int
	depth  int
	arrays [defaultDepth / 64]uint64 // one bit for each open container: it is an array
	word   string                    // the rest of true, false or null that is due
	hex    uint8                     // digits of a \u escape that are still due
	tail   uint8                     // bytes of a non-ASCII character that are still due
	lo, hi byte                      // the bounds of the next of these bytes
}

// A lexState says what the next byte may be. Its name says what is due, or what the byte is inside of.
type lexState uint8

const (
	dueObject      lexState = iota // white space or the opening brace of the text
	dueValue                       // a value, after a colon or a comma
	dueValueOrEnd                  // a value, or the end of the array that was just opened
	dueName                        // a name, after a comma
	dueNameOrEnd                   // a name, or the end of the object that was just opened
	dueColon                       // the colon after a name
	dueCommaOrEnd                  // what follows a value in a container
	dueNothing                     // white space after the object: the only state that is Complete
	inString                       // inside a string, between characters
	inEscape                       // after a backslash
	inHex                          // among the digits of a \u escape
	inCharacter                    // inside a non-ASCII character
	inWord                         // inside true, false or null
	inMinus                        // after the sign: a digit is due
	inZero                         // after a leading zero
	inInteger                      // among the digits of the integer
	inPoint                        // after the point: a digit is due
	inFraction                     // among the digits of the fraction
	inExponentMark                 // after the e: a sign or a digit is due
	inExponentSign                 // after the sign of the exponent: a digit is due
	inExponent                     // among the digits of the exponent
	broken                         // Broken, permanently
)

// Write takes the next piece of the text, and returns the state of the whole text so far.
func (p *Partial) Write(piece []byte) State {
	for i := 0; i < len(piece) && p.state != broken; i++ {
		if p.state == inString {
			if i = plainRun(piece, i); i == len(piece) {
				break
			}
		}
		p.state = p.next(piece[i])
	}
	switch p.state {
	case dueNothing:
		return Complete
	case broken:
		return Broken
	}
	return Open
}

// next returns the state after the byte c.
func (p *Partial) next(c byte) lexState {
	switch {
	case p.state >= inMinus && p.state <= inExponent:
		after, ended := p.nextInNumber(c)
		if !ended {
			return after
		}
		// A number has no closing byte of its own: c belongs to what follows.
		p.state = dueCommaOrEnd
		return p.nextBetween(c)
	case p.state >= inString && p.state <= inCharacter:
		return p.nextInString(c)
	case p.state == inWord:
		if c != p.word[0] {
			return broken
		}
		if p.word = p.word[1:]; p.word == "" {
			return dueCommaOrEnd
		}
		return inWord
	}
	return p.nextBetween(c)
}

// nextBetween does the work of next outside of strings, numbers and words.
func (p *Partial) nextBetween(c byte) lexState {
	if isSpace(c) {
		return p.state
	}
	switch p.state {
	case dueObject:
		if c == '{' {
			return p.enter(false)
		}
	case dueValueOrEnd:
		if c == ']' {
			return p.leave()
		}
		return p.beginValue(c)
	case dueValue:
		return p.beginValue(c)
	case dueNameOrEnd, dueName:
		switch {
		case c == '"':
			p.inName = true
			return inString
		case c == '}' && p.state == dueNameOrEnd:
			return p.leave()
		}
	case dueColon:
		if c == ':' {
			return dueValue
		}
	case dueCommaOrEnd:
		switch array := p.inArray(); {
		case c == ',' && array:
			return dueValue
		case c == ',':
			return dueName
		case c == ']' && array, c == '}' && !array:
			return p.leave()
		}
	}
	return broken
}

// beginValue returns the state after the first byte of a value.
func (p *Partial) beginValue(c byte) lexState {
	switch {
	case c == '{':
		return p.enter(false)
	case c == '[':
		return p.enter(true)
	}
	if p.values++; p.values > defaultValues {
		return broken
	}
	switch {
	case c == '"':
		p.inName = false
		return inString
	case c == '-':
		return inMinus
	case c == '0':
		return inZero
	case isDigit(c):
		return inInteger
	case c == 't':
		p.word = "rue"
		return inWord
	case c == 'f':
		p.word = "alse"
		return inWord
	case c == 'n':
		p.word = "ull"
		return inWord
	}
	return broken
}

// enter opens a container.
func (p *Partial) enter(array bool) lexState {
	p.values++
	if p.values > defaultValues || p.depth == defaultDepth {
		return broken
	}
	word, bit := &p.arrays[p.depth/64], uint64(1)<<(p.depth%64)
	p.depth++
	if array {
		*word |= bit
		return dueValueOrEnd
	}
	*word &^= bit
	return dueNameOrEnd
}

// leave closes the innermost container.
func (p *Partial) leave() lexState {
	if p.depth--; p.depth == 0 {
		return dueNothing
	}
	return dueCommaOrEnd
}

// inArray reports whether the innermost container is an array.
func (p *Partial) inArray() bool {
	innermost := p.depth - 1
	return p.arrays[innermost/64]>>(innermost%64)&1 != 0
}

// nextInString does the work of next inside a string.
func (p *Partial) nextInString(c byte) lexState {
	switch p.state {
	case inEscape:
		switch {
		case c == 'u':
			p.hex = 4
			return inHex
		case unescaped(c) != 0:
			return inString
		}
		return broken
	case inHex:
		if _, ok := hexDigit(c); !ok {
			return broken
		}
		if p.hex--; p.hex == 0 {
			return inString
		}
		return inHex
	case inCharacter:
		if c < p.lo || c > p.hi {
			return broken
		}
		if p.tail--; p.tail == 0 {
			return inString
		}
		p.lo, p.hi = 0x80, 0xBF
		return inCharacter
	}
	switch {
	case c == '"' && p.inName:
		return dueColon
	case c == '"':
		return dueCommaOrEnd
	case c == '\\':
		return inEscape
	case c < utf8.RuneSelf:
		return broken // a control character: Write skips all other ASCII characters
	}
	return p.beginCharacter(c)
}

// beginCharacter returns the state after the first byte of a non-ASCII character. The bounds of the second byte exclude overlong
// forms, surrogates and values beyond Unicode.
func (p *Partial) beginCharacter(c byte) lexState {
	p.lo, p.hi = 0x80, 0xBF
	switch {
	case c < 0xC2 || c > 0xF4:
		return broken
	case c < 0xE0:
		p.tail = 1
	case c < 0xF0:
		p.tail = 2
	default:
		p.tail = 3
	}
	switch c {
	case 0xE0:
		p.lo = 0xA0
	case 0xED:
		p.hi = 0x9F
	case 0xF0:
		p.lo = 0x90
	case 0xF4:
		p.hi = 0x8F
	}
	return inCharacter
}

// nextInNumber does the work of next inside a number. It reports whether the number ended before c.
func (p *Partial) nextInNumber(c byte) (after lexState, ended bool) {
	digit, mark := isDigit(c), c == 'e' || c == 'E'
	switch p.state {
	case inMinus:
		switch {
		case c == '0':
			return inZero, false
		case digit:
			return inInteger, false
		}
	case inZero, inInteger:
		switch {
		case digit && p.state == inInteger:
			return inInteger, false
		case c == '.':
			return inPoint, false
		case mark:
			return inExponentMark, false
		}
		return 0, true
	case inPoint, inFraction:
		switch {
		case digit:
			return inFraction, false
		case p.state == inPoint:
			return broken, false
		case mark:
			return inExponentMark, false
		}
		return 0, true
	case inExponentMark, inExponentSign, inExponent:
		switch {
		case digit:
			return inExponent, false
		case p.state == inExponent:
			return 0, true
		case p.state == inExponentMark && (c == '+' || c == '-'):
			return inExponentSign, false
		}
	}
	return broken, false
}
