package dialect

import (
	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/strictjson"
)

// A Slot is one call in a response. It is shared by the dialect, which fills it, and the gate, which submits it to the judge.
// Everything beside Progress is for the judge and the record: see Call.
type Slot struct {
	Progress
	Naming
	Arguments
	// Ran says that the provider runs this call itself. Only a refusal by name hides it; the call is held until it is recorded.
	Ran bool
	// With is a call that this call needs: if it is refused, so is this call; nil: none.
	With *Slot
	AtProvider
}

// NewSlot returns a call with an id, which may be "", and the names that it could have.
func NewSlot(id string, names ...string) *Slot {
	return &Slot{Naming: Naming{WireID: id, Names: names}}
}

// Progress is the state of a call in its response.
type Progress struct {
	// Held is how many bytes the dialect holds for the call, arguments included.
	Held int
	// Done says that the call is complete: the response adds nothing to it any more.
	Done bool
	// Fault says why the call itself is invalid (its arguments, its end); nil: it is valid.
	Fault *Refused
	// Silent says that the response broke off inside the call: it is dropped without a notice.
	Silent bool
	// Ruling is nil while the call is held.
	Ruling *call.Ruling
}

// GiveUp closes a call that will never be complete. silent says that the response broke off inside it.
func (p *Progress) GiveUp(silent bool) {
	if p.Fault == nil || silent {
		p.Fault = CutShort()
	}
	p.Done, p.Silent = true, silent
}

// Naming identifies a call and its tool.
type Naming struct {
	WireID string
	Server string   // MCP server, if the response names one
	Names  []string // every way in which a client could read the name; all are judged, and one refusal refuses the call
	// Spellings are other ways to write the first of Names; a rule that matches any of them matches.
	Spellings []string
}

// Arguments are the arguments of a call, and what can be done with them.
type Arguments struct {
	Args []byte // so far; one JSON object once Done, unless Fault is set
	// Fixed says that the dialect cannot replace the arguments. Nor can it if the provider runs the call: see IsFixed.
	Fixed bool
	// FreeText says that the call takes a text: its arguments, and those that replace them, must be FreeTextArguments.
	FreeText bool
	// Inner are calls in the arguments that some clients run instead of this call; set once Done.
	Inner []call.Inner
	// LeftOut are the names of members that are left out of the call when it is sent: see Sieve.
	LeftOut []string
}

// AtProvider is what is known about a call because its provider stores it or its response.
type AtProvider struct {
	// The agent gets the refusal of a stored call only when the refusal is durable: the provider will ask for the call's output later.
	call.Stored
	// From describes the response of the call, if a body holds several responses; nil: Dialect.Meta describes it.
	From *Meta
}

// IsFixed says whether the arguments of the call cannot be replaced.
func (s *Slot) IsFixed() bool { return s.Fixed || s.Ran }

// Call returns the call for the judge, as far as the response shows it. in is its exchange, and menu the menu of the request. An
// incomplete call has no arguments.
func (s *Slot) Call(in call.Exchange, menu call.Menu) call.Call {
	c := call.Call{
		Surface: call.Response, Exchange: in, Menu: menu,
		WireID: s.WireID, Server: s.Server, Tool: s.Names[0],
		Readings: call.Readings{Aliases: s.Names[1:], Spellings: s.Spellings},
		Delivery: call.Delivery{Fixed: s.IsFixed(), Ran: s.Ran, LeftOut: s.LeftOut}, Stored: s.Stored,
	}
	if from := s.From; from != nil {
		c.Exchange.Dialect, c.Exchange.Model = from.Dialect, from.Model
		c.Exchange.ResponseID, c.Exchange.Conversation = from.ResponseID, from.Conversation
		c.Menu = nil // the menu belongs to another request
	}
	if s.Done {
		c.Args, c.Inner = s.readable(), s.Inner
	}
	return c
}

// readable returns the arguments of a complete call. If they cannot be parsed, it returns their text as a JSON string.
func (s *Slot) readable() jsontext.Value {
	if s.Fault == nil || strictjson.CheckArguments(s.Args) == nil {
		return s.Args
	}
	return strictjson.AppendString(nil, string(s.Args))
}
