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
	unknown                  // a type we do not know: the entry itself is the arguments
)

// A toolCall is one call of a choice.
//
// It begins with its first entry and collects pieces until its arguments are one complete object or the choice is
// finished; from then on its slot is done and nothing is added to it. It is regular as long as every client would put the
// pieces together alike; else, and when its arguments are replaced, it goes out as one entry.
type toolCall struct {
	slot   *dialect.Slot
	choice *choice
	kind   callKind

	id        string
	typ       string   // of an entry, where it is not what its kind asks for
	pieces    []string // of the name, each once
	joined    []byte   // all pieces of the name
	sentAs    int      // the index that the upstream gave it; -1: none that counts
	irregular bool
	opened    bool // the gate knows it
	settled   bool // it was done when a frame had been read to its end
	inMessage bool // it came in a whole message and not in deltas
	told      bool // its notice is out

	args   dialect.Collector // text of the arguments, or free text
	object []byte            // arguments that came as an object instead of text
	extras []extra           // unknown members of its entries
	beside int               // bytes of names and extras

	out     int  // its index among those that the client has; -1: not yet
	written bool // of a restated call: its one entry is out
}

// An extra is a member of an entry that we do not know: thought signatures and the like must come back unchanged.
type extra struct {
	name       string
	raw, value []byte
}

// bare says whether nothing has come of the call but members that we do not know.
func (c *toolCall) bare() bool {
	return c.kind == function && c.id == "" && len(c.pieces) == 0 && len(c.args.Text) == 0 && c.object == nil && c.slot.Fault == nil
}

// weigh tells how much is kept for the call.
func (c *toolCall) weigh() {
	c.slot.Held = len(c.args.Text) + len(c.object) + c.beside
	if c.kind == unknown || len(c.args.Text) == 0 && c.object == nil {
		c.slot.Held += len(c.slot.Args)
	}
}

// maxPieces is in how many different pieces a name may come.
const maxPieces = 32

// addName takes a name or a piece of one.
func (c *toolCall) addName(piece string, limit int) {
	if len(c.joined) > 0 {
		// Clients disagree: the last wins, or they are joined, or each is a call of its own.
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

// hasRoom says whether the call may have n more bytes beside its arguments. If not, it cannot pass.
func (c *toolCall) hasRoom(n, limit int) bool {
	if c.beside+n > limit {
		c.slot.Fault = dialect.Oversize()
		return false
	}
	c.beside += n
	return true
}

// name is what the call is sent on as: its pieces joined, unless each is the whole name again.
func (c *toolCall) name() string {
	if len(c.pieces) == 1 {
		return c.pieces[0]
	}
	return string(c.joined)
}

// readings are every name that a client could take the call to have.
func (c *toolCall) readings() []string {
	names := []string{c.name()}
	for _, n := range append([]string{string(c.joined), c.typ}, c.pieces...) {
		if n != "" && !slices.Contains(names, n) {
			names = append(names, n)
		}
	}
	return names
}

// addText takes a piece of arguments or input. Of a call that cannot pass any more it is kept for the record.
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

// complete says that the call has all its arguments.
func (c *toolCall) complete() {
	s := c.slot
	if s.Done {
		return
	}
	c.collect()
	if s.Fault == nil && len(blank(s.Args)) == 0 {
		// Some clients cannot read arguments that are empty, others wait for more.
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

// collect fills the slot's arguments with what has come.
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

// finish ends a call whose choice has ended. cut says that it did not end of its own accord.
func (c *toolCall) finish(cut bool) {
	if c.bare() {
		return
	}
	if s := c.slot; cut && !s.Done && s.Fault == nil {
		s.Fault = dialect.CutShort()
	}
	c.complete()
}

// giveUp ends a call that will never be whole, or of which a frame that cannot be delivered has a piece. It says whether
// the call was one.
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

// restated says whether the call does not go out in the pieces in which it came.
func (c *toolCall) restated() bool { return c.irregular || c.slot.Replaced() }

// sentText is the text of the arguments, or the free text, that the call goes out with.
func (c *toolCall) sentText() string {
	if c.kind == custom {
		return c.slot.SentText()
	}
	return string(c.slot.Sent())
}

// refused says whether the agent must not have the call.
func (c *toolCall) refused() bool { return c.slot.Ruling != nil && !c.slot.Ruling.Released }

// blank is text without the white space around it that JSON allows. TrimSpace would take more away.
func blank(text []byte) []byte { return bytes.Trim(text, " \t\r\n") }
