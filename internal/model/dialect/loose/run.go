package loose

import (
	"math"
	"strings"

	"github.com/weir-gate/weir/internal/model/dialect"
)

// maxDepth is how deep values are followed: deeper than JSON parsers go.
const maxDepth = 10_000

// maxToken is how many bytes of a string are stored. A longer string is not the name of a call's member; a longer type could be
// that of a call.
const maxToken = 4 << 10

// none is the position of no byte.
const none = math.MaxInt64

// A run reads a text as consecutive JSON values, byte by byte. It accepts everything that some reader accepts as JSON: invalid
// UTF-8, control characters in strings, NaN, missing commas. It is dead once no reader would continue.
type run struct {
	dead  bool
	from  int64 // the position of the open object or array; none: none is open
	found bool  // the open value has the shape of a call so far

	depth   int
	arrays  [maxDepth/64 + 1]uint64 // one bit for each open container: whether it is an array
	within  within
	token   []byte // the current string or word, or its beginning
	cut     bool   // token is only the beginning
	named   bool   // the previous token was a string at the position of a name
	valued  bool   // in an object: the colon of a member was read, but not its whole value
	meaning meaning
}

// within says in which kind of token the next byte is.
type within uint8

const (
	betweenTokens within = iota
	inString
	inEscape
	inWord
)

// A meaning is what the name of a member says about its value.
type meaning uint8

const (
	noMeaning meaning = iota
	holdsCall         // it is a call unless it is a number
	isType            // it may say that the object is a call
)

// reset begins a new text.
func (r *run) reset() {
	r.dead, r.from, r.found = false, none, false
	r.depth, r.within, r.named, r.valued, r.meaning = 0, betweenTokens, false, false, noMeaning
}

// step reads the byte c at a position. done says that it ended an object or array that is not inside of another. r.found then says
// whether that value had the shape of a call.
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
		// Readers skip many characters at the beginning of a line: marks, blanks of all kinds.
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

// endString evaluates a string that has ended.
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

// meaningOfName is the meaning of the token as the name of a member.
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

// die ends the run. found stays, for readers that deliver a value in pieces.
func (r *run) die() { r.dead, r.from = true, none }

func isWord(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '+' || c == '-' || c == '.' || c == '_'
}

// knowsWord says whether some reader accepts the word as a value.
func (r *run) knowsWord() bool {
	if c := r.token[0]; c < 'A' {
		return true // a number, or something that some reader takes for one
	}
	switch strings.ToLower(string(r.token)) {
	case "true", "false", "null", "none", "undefined", "nan", "inf", "infinity":
		return true
	}
	return false
}
