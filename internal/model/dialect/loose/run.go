package loose

import (
	"math"
	"strings"

	"github.com/weir-gate/weir/internal/model/dialect"
)

// maxDepth is how deep values are followed: deeper than readers of JSON go.
const maxDepth = 10_000

// maxToken is how much of a string is kept to see what it says. A longer one is no name of a call's member, and as a type could say
// anything.
const maxToken = 4 << 10

// none is the place of no byte.
const none = math.MaxInt64

// A run reads a text as JSON values in a row, one byte after the other. It takes everything for JSON that some reader does: bytes that
// are no UTF-8, control characters in strings, NaN, missing commas. It is dead once no reader reads on.
type run struct {
	dead  bool
	from  int64 // where the open object or array begins; none: none is open
	found bool  // the open value has the shape of a call, as far as it was read

	depth   int
	arrays  [maxDepth/64 + 1]uint64 // one bit for each open container: it is an array
	within  within
	token   []byte // the string or word that is read, or its beginning
	cut     bool   // token is not all of it
	named   bool   // the token before was a string in the place of a name
	valued  bool   // in an object: the colon of a member was read, and not all of its value
	meaning meaning
}

// within is what the next byte stands in.
type within uint8

const (
	betweenTokens within = iota
	inString
	inEscape
	inWord
)

// A meaning is what the name of a member says of its value.
type meaning uint8

const (
	noMeaning meaning = iota
	holdsCall         // it is a call if it is more than a number
	isType            // it may say that the object is a call
)

// reset begins a new text.
func (r *run) reset() {
	r.dead, r.from, r.found = false, none, false
	r.depth, r.within, r.named, r.valued, r.meaning = 0, betweenTokens, false, false, noMeaning
}

// step reads the byte c at a place. done says that it ended an object or array that was not inside another: whether that had the
// shape of a call, found says.
func (r *run) step(c byte, at int64) (done bool) {
	switch r.within {
	case inString:
		switch c {
		case '"':
			r.within = betweenTokens
			r.endString()
		case '\\':
			r.within = inEscape
			r.keep(c)
		default:
			r.keep(c)
		}
		return false
	case inEscape:
		r.within = inString
		r.keep(c)
		return false
	case inWord:
		if isWord(c) {
			r.keep(c)
			return false
		}
		r.within = betweenTokens
		if !r.knowsWord() {
			r.die()
			return false
		}
		r.valued = false
	}
	return r.stepBetween(c, at)
}

// stepBetween is step between tokens.
func (r *run) stepBetween(c byte, at int64) (done bool) {
	switch {
	case c <= ' ':
		return false
	case c == ':':
		if !r.named {
			r.die()
		}
		r.named, r.valued = false, true
		return false
	}
	r.named = false
	switch {
	case c == '"':
		r.within, r.token, r.cut = inString, r.token[:0], false
		r.found = r.found || r.meaning == holdsCall
	case c == '{' || c == '[':
		r.open(c == '[', at)
	case (c == '}' || c == ']') && r.depth > 0:
		r.depth--
		r.valued, r.meaning = false, noMeaning
		if r.depth == 0 {
			r.from = none
			return true
		}
	case c == ',':
		r.valued, r.meaning = false, noMeaning
	case isWord(c):
		r.within, r.token, r.cut, r.meaning = inWord, append(r.token[:0], c), false, noMeaning
	case c >= 0x80 && r.depth == 0 || c == 0x7f:
		// Readers take many characters away from the beginning of a line: marks, blanks of all kinds.
	default:
		r.die()
	}
	return false
}

// open begins an object or array.
func (r *run) open(array bool, at int64) {
	if r.depth == 0 {
		r.from, r.found = at, false
	}
	r.found = r.found || r.meaning == holdsCall || r.depth == maxDepth
	if r.depth < maxDepth {
		r.depth++
	}
	i := r.depth - 1
	if r.arrays[i/64] &^= 1 << (i % 64); array {
		r.arrays[i/64] |= 1 << (i % 64)
	}
	r.valued, r.meaning = false, noMeaning
}

// inObject says whether the innermost container is an object.
func (r *run) inObject() bool {
	i := r.depth - 1
	return r.depth > 0 && r.arrays[i/64]>>(i%64)&1 == 0
}

// endString takes in a string that ended.
func (r *run) endString() {
	switch {
	case !r.inObject():
	case r.valued:
		r.found = r.found || r.meaning == isType && (r.cut || dialect.TypesCall(unescaped(r.token)))
		r.valued, r.meaning = false, noMeaning
	default:
		r.named, r.meaning = true, r.meaningOfName()
	}
}

// meaningOfName is what the token says as the name of a member.
func (r *run) meaningOfName() meaning {
	name := unescaped(r.token)
	switch {
	case r.cut:
		return noMeaning
	case dialect.NamesCall(name):
		return holdsCall
	case dialect.NamesType(name):
		return isType
	}
	return noMeaning
}

func (r *run) keep(c byte) {
	if len(r.token) < maxToken {
		r.token = append(r.token, c)
	} else {
		r.cut = true
	}
}

// die ends the run. What it found stays, for those who read a value piece by piece.
func (r *run) die() { r.dead, r.from = true, none }

func isWord(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '+' || c == '-' || c == '.' || c == '_'
}

// knowsWord says whether some reader takes the word for a value.
func (r *run) knowsWord() bool {
	if c := r.token[0]; c < 'A' {
		return true // a number, or what one of the readers takes for one
	}
	switch strings.ToLower(string(r.token)) {
	case "true", "false", "null", "none", "undefined", "nan", "inf", "infinity":
		return true
	}
	return false
}
