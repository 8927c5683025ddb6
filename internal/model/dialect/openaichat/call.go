package openaichat

import (
	"bytes"
	"crypto/rand"
	"slices"
	"unicode/utf8"

	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/strictjson"
)

// A callKind says how a call is written.
type callKind uint8

const (
	function callKind = iota // tool_calls[].function: arguments are JSON in a string
	custom                   // tool_calls[].custom: free text
	legacy                   // function_call
	unknown                  // an unknown type: the entry itself is the arguments
)

// A toolCall is one call of a choice.
//
// It begins with its first entry and collects pieces until its arguments are one complete object or the choice is finished. From
// then on its slot is done, and nothing is added to it. It is regular as long as every client would join the pieces in the same
// way. An irregular call, and one whose arguments are replaced, is sent as one entry.
type toolCall struct {
	slot   *dialect.Slot
	choice *choice
	kind   callKind

	id        string
	typ       string   // of an entry, if it does not match the kind
	pieces    []string // different pieces of the name
	joined    []byte   // all pieces of the name
	sentAs    int      // the index that the upstream gave it; -1: none, or an invalid one
	irregular bool
	opened    bool // the gate knows it
	settled   bool // it was done after a whole frame was read
	inMessage bool // it came in a whole message and not in deltas
	told      bool // its notice was sent

	args   dialect.Collector // text of the arguments, or free text
	object []byte            // arguments that came as an object instead of text
	extras []extra           // unknown members of its entries
	beside int               // bytes of the names and extras

	out     int  // its index for the client; -1: none yet
	written bool // of a restated call: its one entry was sent
}

// An extra is an unknown member of an entry: thought signatures and the like must be sent back unchanged.
type extra struct {
	name       string
	raw, value []byte
}

// bare says whether only unknown members of the call have arrived.
func (c *toolCall) bare() bool {
	return c.kind == function && c.id == "" && len(c.pieces) == 0 && len(c.args.Text) == 0 && c.object == nil && c.slot.Fault == nil
}

// weigh sets the number of bytes that are held for the call.
func (c *toolCall) weigh() {
	c.slot.Held = len(c.args.Text) + len(c.object) + c.beside
	if c.kind == unknown || len(c.args.Text) == 0 && c.object == nil {
		c.slot.Held += len(c.slot.Args)
	}
}

// maxPieces is how many different pieces a name may have.
const maxPieces = 32

// addName adds a name or a piece of one.
func (c *toolCall) addName(piece string, limit int) {
	if len(c.joined) > 0 {
		// Clients disagree: the last piece wins, or the pieces are joined, or each is a separate call.
		c.irregular = true
	}
	if len(c.joined)+len(piece) > dialect.MaxName {
		c.slot.Fault = nameless()
		return
	}
	if piece == "" || !c.hasRoom(len(piece), limit) {
		return
	}
	c.joined = append(c.joined, piece...)
	if slices.Contains(c.pieces, piece) {
		return
	}
	if len(c.pieces) == maxPieces {
		c.slot.Fault = nameless()
		return
	}
	c.pieces = append(c.pieces, piece)
}

// hasRoom says whether the call may have n more bytes beside its arguments. If not, it sets the fault of the call.
func (c *toolCall) hasRoom(n, limit int) bool {
	if c.beside+n > limit {
		c.slot.Fault = dialect.Oversize()
		return false
	}
	c.beside += n
	return true
}

// name is the name with which the call is sent: its pieces joined, unless each piece repeats the whole name.
func (c *toolCall) name() string {
	if len(c.pieces) == 1 {
		return c.pieces[0]
	}
	return string(c.joined)
}

// readings are all names that clients could read in the call.
func (c *toolCall) readings() []string {
	names := []string{c.name()}
	for _, n := range append([]string{string(c.joined), c.typ}, c.pieces...) {
		if n != "" && !slices.Contains(names, n) {
			names = append(names, n)
		}
	}
	return names
}

// addText adds a piece of arguments or input. The text of a call that can no longer pass is stored for the record.
func (c *toolCall) addText(piece strictjson.Value, limit int) {
	s := c.slot
	if len(c.args.Text) >= limit && s.Fault != nil {
		return
	}
	fits := c.args.Add(piece, limit)
	c.irregular = c.irregular || c.args.Split
	switch state := c.args.State(); {
	case !fits:
		s.Fault = dialect.Oversize()
	case s.Fault != nil || c.kind == custom:
	case state == strictjson.Broken:
		s.Fault = dialect.NotObject()
	case state == strictjson.Complete:
		c.complete()
	}
}

// complete closes a call that has all its arguments.
func (c *toolCall) complete() {
	s := c.slot
	if s.Done {
		return
	}
	c.collect()
	if s.Fault == nil && len(blank(s.Args)) == 0 {
		// Some clients cannot parse empty arguments, others wait for more.
		s.Args = []byte("{}")
		c.irregular = true
	}
	switch {
	case s.Fault != nil:
	case len(c.pieces) == 0:
		s.Fault = nameless()
	case strictjson.CheckArguments(s.Args) != nil, !utf8.Valid(c.args.Text):
		s.Fault = dialect.NotObject()
	case c.id == "" && (c.kind == function || c.kind == custom):
		c.id = "call_weir_" + rand.Text()
	}
	s.Names, s.WireID, s.Done = c.readings(), c.id, true
}

// collect sets the slot's arguments to what has arrived.
func (c *toolCall) collect() {
	s := c.slot
	switch {
	case c.kind == unknown:
	case c.object != nil:
		s.Args = c.object
	case c.kind == custom:
		s.Args = dialect.FreeTextArguments(c.args.Text)
	default:
		s.Args = c.args.Text
	}
}

// finish ends a call whose choice has ended. cut says that the choice was cut off.
func (c *toolCall) finish(cut bool) {
	if c.bare() {
		return
	}
	if s := c.slot; cut && !s.Done && s.Fault == nil {
		s.Fault = dialect.CutShort()
	}
	c.complete()
}

// giveUp ends a call that will never be complete, or that has a piece in a frame that cannot be delivered. It returns false for any
// other call.
func (c *toolCall) giveUp(silent bool) bool {
	s := c.slot
	if s.Done && c.settled || c.bare() {
		return false
	}
	s.GiveUp(silent)
	c.collect()
	s.Names, s.WireID, c.settled = c.readings(), c.id, true
	return true
}

// released says whether the agent may have the call.
func (c *toolCall) released() bool { return c.slot.Ruling != nil && c.slot.Ruling.Released }

// restated says whether the call is not sent in its original pieces.
func (c *toolCall) restated() bool { return c.irregular || c.slot.Replaced() }

// sentText is the text of the arguments, or the free text, with which the call is sent.
func (c *toolCall) sentText() string {
	if c.kind == custom {
		return c.slot.SentText()
	}
	return string(c.slot.Sent())
}

// refused says whether the agent must not have the call.
func (c *toolCall) refused() bool { return c.slot.Ruling != nil && !c.slot.Ruling.Released }

// blank returns text without the white space of JSON around it. TrimSpace would remove more.
func blank(text []byte) []byte { return bytes.Trim(text, " \t\r\n") }
