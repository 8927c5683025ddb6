package dialect

import (
	"bytes"
	"slices"
	"strings"
	"unicode"

	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/strictjson"
)

// Documented are the members that a provider documents for a call, for a piece of a call, or for a frame about a call.
type Documented []string

// Has says whether name is one of them, in exactly this spelling.
func (d Documented) Has(name strictjson.Value) bool { return isOneOf(name, d) }

// A Sieve collects the members that are left out of a frame when it is sent. Weir judges the members of a call that it knows. But
// SDKs pass all members to the program, and programs read some that no provider sends, such as parsed_arguments, which an SDK adds
// itself. So weir leaves out a member of a call that is not documented and could hold arguments. The zero Sieve is ready to use.
type Sieve struct {
	edits []strictjson.Edit
}

// Begin is called before a frame is parsed.
func (s *Sieve) Begin() { s.edits = s.edits[:0] }

// Sift leaves out the members of v that known does not have and that hold an object, an array or JSON text. It adds their names to
// the slot, for the record.
func (s *Sieve) Sift(v strictjson.Value, slot *Slot, known Documented) {
	for name, value := range v.Members() {
		if known.lacks(name, value) {
			s.leaveOut(v, slot, known.lacks)
			return
		}
	}
}

// lacks says whether a member is not documented and holds JSON.
func (d Documented) lacks(name, value strictjson.Value) bool { return !d.Has(name) && HoldsJSON(value) }

// SiftAround is Sift for a value that has a call among other things: it leaves out only members whose names have a word of
// nearCall.
func (s *Sieve) SiftAround(v strictjson.Value, slot *Slot, known Documented) {
	s.siftNamed(v, slot, known, nearCall)
}

// SiftParsed is SiftAround for a piece of such a value that has no call itself, but that clients join with pieces that do. It
// leaves out only members whose names have a word of parsed. There may be no slot yet.
func (s *Sieve) SiftParsed(v strictjson.Value, slot *Slot, known Documented) {
	s.siftNamed(v, slot, known, parsed)
}

// HasParsed says whether SiftParsed would leave something out.
func (d Documented) HasParsed(v strictjson.Value) bool {
	for name, value := range v.Members() {
		if d.lacksNamed(name, value, parsed) {
			return true
		}
	}
	return false
}

func (s *Sieve) siftNamed(v strictjson.Value, slot *Slot, known Documented, words []string) {
	for name, value := range v.Members() {
		if known.lacksNamed(name, value, words) {
			s.leaveOut(v, slot, func(name, value strictjson.Value) bool { return known.lacksNamed(name, value, words) })
			return
		}
	}
}

// lacksNamed says whether a member is not documented, holds JSON, and has one of words in its name.
func (d Documented) lacksNamed(name, value strictjson.Value, words []string) bool {
	return !d.Has(name) && HoldsJSON(value) && hasWord(name, words)
}

// leaveOut leaves out the members for which picks returns true.
func (s *Sieve) leaveOut(v strictjson.Value, slot *Slot, picks func(name, value strictjson.Value) bool) {
	s.edits = append(s.edits, v.RemoveMembers(func(name, value strictjson.Value) bool {
		picked := picks(name, value)
		if picked {
			slot.leaveOut(name)
		}
		return picked
	})...)
}

// Finish is called with the reading of the frame, and adds the result to it.
func (s *Sieve) Finish(f frame.Frame, r Reading) Reading {
	if len(s.edits) == 0 {
		return r
	}
	r.Pass, r.Overtakes = false, false
	r.Instead = strictjson.Splice(f.Data, s.edits...)
	return r
}

// Sifted returns a value of the frame as it is sent.
func (s *Sieve) Sifted(v strictjson.Value) []byte {
	start, end := v.Span()
	var inside []strictjson.Edit
	for _, e := range s.edits {
		if start <= e.Start && e.End <= end {
			inside = append(inside, strictjson.Edit{Start: e.Start - start, End: e.End - start})
		}
	}
	return strictjson.Splice(v.Raw(), inside...)
}

// Frame returns the frame that Rewrite must use for f: without the members that are left out.
func (r Reading) Frame(f frame.Frame) frame.Frame {
	if r.Instead == nil {
		return f
	}
	return frame.Frame{Type: f.Type, Data: r.Instead, Failure: f.Failure}
}

// maxLeftOut is the largest number of names in Slot.LeftOut.
const maxLeftOut = 16

// leaveOut notes the name of a member that is left out of the call. On a nil Slot it does nothing.
func (s *Slot) leaveOut(name strictjson.Value) {
	if s == nil || len(s.LeftOut) == maxLeftOut {
		return
	}
	text := string(name.AppendText(nil))
	text = strings.ToValidUTF8(text[:min(len(text), maxLeftOutName)], "")
	if !slices.Contains(s.LeftOut, text) {
		s.LeftOut = append(s.LeftOut, text)
	}
}

// maxLeftOutName is the largest length of such a name, in bytes.
const maxLeftOutName = 64

// nearCall are words in the names of members that SDKs and programs take for a part of a call next to them. parsed are words in the
// names of members that they take for a part of a call wherever it is.
var (
	nearCall = []string{"call", "tool", "func", "parse", "args", "argument", "input", "param"}
	parsed   = []string{"parse", "args", "argument"}
)

func hasWord(name strictjson.Value, words []string) bool {
	text := bytes.ToLower(name.AppendText(nil))
	return slices.ContainsFunc(words, func(word string) bool { return bytes.Contains(text, []byte(word)) })
}

// HoldsJSON says whether a value is an object, an array or a text that a program could parse as one, encoded once or several times.
// A text that only begins like JSON counts, too: some parsers are lenient.
func HoldsJSON(v strictjson.Value) bool {
	switch v.Kind() {
	case strictjson.Object, strictjson.Array:
		return true
	case strictjson.String:
		return isJSONText(v.AppendText(nil), maxEncoded)
	}
	return false
}

// maxEncoded is how many times a text may be encoded as JSON text again. No program decodes so often.
const maxEncoded = 8

func isJSONText(text []byte, depth int) bool {
	text = bytes.TrimLeftFunc(text, isBlank)
	if len(text) == 0 {
		return false
	}
	switch text[0] {
	case '{', '[':
		return true
	case '"':
		var doc strictjson.Doc
		if doc.Parse(bytes.TrimRightFunc(text, isBlank)) != nil {
			return false // a text that begins with a quotation
		}
		return depth == 0 || isJSONText(doc.Root().AppendText(nil), depth-1)
	}
	return false
}

// isBlank says whether a reader may skip a character ahead of JSON: white space, marks and invisible characters.
func isBlank(r rune) bool { return unicode.IsSpace(r) || !unicode.IsGraphic(r) }
