package dialect

import (
	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/strictjson"
)

// A Slot is one call under way in a response: shared by the dialect, which fills it, and the gate, which has it ruled. What is not in
// Progress is for the judge and the record: see Call.
type Slot struct {
	Progress
	Naming
	Arguments
	// Ran says that the provider runs this call itself. Only a refusal by name hides it; it is held until it is recorded.
	Ran bool
	// With is a call without which this one must not be delivered: if that one is refused, so is this; nil: none.
	With *Slot
	AtProvider
}

// NewSlot is a call with an id, which may be "", and the names that it could have.
func NewSlot(id string, names ...string) *Slot {
	return &Slot{Naming: Naming{WireID: id, Names: names}}
}

// Progress is how far a call has come.
type Progress struct {
	// Held is how many bytes the dialect holds for the call, arguments included.
	Held int
	// Done says that the wire has closed the call. Nothing is added to it any more.
	Done bool
	// Fault says what is wrong with the call itself (its arguments, its end); nil if nothing is.
	Fault *Refused
	// Silent says that the response broke off inside the call: it is dropped without a notice.
	Silent bool
	// Ruling is nil while the call is held.
	Ruling *call.Ruling
}

// GiveUp completes a call that will never be whole. silent says that the response broke off inside it.
func (p *Progress) GiveUp(silent bool) {
	if p.Fault == nil || silent {
		p.Fault = CutShort()
	}
	p.Done, p.Silent = true, silent
}

// Naming is which call it is, and of which tool.
type Naming struct {
	WireID string
	Server string   // MCP server, where the wire names one
	Names  []string // every reading a client could take of the name; all are judged, one refusal refuses
	// Spellings are other ways to write the first of Names; a rule that matches any of them matches.
	Spellings []string
}

// Arguments are what a call is made with.
type Arguments struct {
	Args []byte // as accumulated; one JSON object once Done, unless Fault says otherwise
	// Fixed says that the dialect cannot put other arguments in the place of these. Nor can it if the provider runs the call.
	Fixed bool
	// FreeText says that the call takes a text: its arguments are FreeTextArguments, and so must be those that replace them.
	FreeText bool
	// Inner are the calls that some clients find in the arguments and run instead; known once Done.
	Inner []call.Inner
	// LeftOut are the names of members that the call goes out without: see Sieve.
	LeftOut []string
}

// AtProvider is what is known of a call because its provider stores it, or the response that it is in.
type AtProvider struct {
	// The agent hears of a refusal of a stored call only when it is durable: the provider will ask for the call's output later.
	call.Stored
	// From is what the response that the call is in says of itself, where a body holds several; nil: what Dialect.Meta says.
	From *Meta
}

// IsFixed says whether no other arguments can stand in the place of the call's own.
func (s *Slot) IsFixed() bool { return s.Fixed || s.Ran }

// Call is what the judge is asked about, as far as the wire tells: a call of an exchange, in the response to a request with that menu.
// One that is not complete has no arguments.
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
		c.Menu = nil // it is of another request
	}
	if s.Done {
		c.Args, c.Inner = s.readable(), s.Inner
	}
	return c
}

// readable are the arguments of a complete call; of one that cannot be read, its text as a JSON string.
func (s *Slot) readable() jsontext.Value {
	if s.Fault == nil || strictjson.CheckArguments(s.Args) == nil {
		return s.Args
	}
	return strictjson.AppendString(nil, string(s.Args))
}
