package gemini

import (
	"bytes"

	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/strictjson"
)

// A partial is a call whose arguments come in pieces. It is sent as one part when it is complete.
type partial struct {
	candidate *candidate
	slot      *dialect.Slot
	args      tree
	name      string
	signature []byte
	size      int
}

// A callPiece is the function call in a part: a whole call, or a piece of one.
type callPiece struct {
	id, name string
	args     strictjson.Value
	pieces   strictjson.Value // missing: none
	goesOn   bool
}

// readCall reads a function call: a whole call, or a piece of one.
func (d *editor) readCall(c *candidate, p *part, member string, v strictjson.Value, signature []byte) error {
	if v.Kind() != strictjson.Object {
		return dialect.Malformed("a call is not an object")
	}
	read, err := readPiece(v)
	if err != nil {
		return err
	}
	if c.open != nil && read.name == "" {
		d.Sieve.Sift(v, c.open.slot, functionMembers)
		d.addPiece(c, p, member, read, signature)
		return nil
	}
	if c.closed != nil && v.Len() == 0 {
		// The call that came in pieces is already complete; this piece only says so.
		p.members = append(p.members, memberOf(member, c.closed))
		return nil
	}
	// A new call begins. A call that is still open will never be complete.
	p.before = c.giveUp(false)
	if read.goesOn || read.pieces.Kind() != strictjson.Missing {
		c.begin(p, read)
		d.Sieve.Sift(v, c.open.slot, functionMembers)
		d.addPiece(c, p, member, read, signature)
		return nil
	}
	s := newSlot(read)
	s.Done = true
	d.Sieve.Sift(v, s, functionMembers)
	restated := false
	switch {
	case !dialect.Present(read.args):
		s.Args = []byte("{}")
	case read.args.Kind() == strictjson.String:
		// One client parses the text as JSON.
		s.Args = read.args.AppendText(nil)
		restated = true
	default:
		s.Args = bytes.Clone(read.args.Raw())
	}
	s.CheckArguments(d.Options.MaxArguments)
	c.sign(s, signature)
	c.add(p, member, s)
	p.members[len(p.members)-1].restated = restated
	return nil
}

// The documented members of a call, and of a call that the provider ran. An undocumented member of a part counts as a separate
// call.
var (
	functionMembers = dialect.Documented{"id", "name", "args", "partialArgs", "partial_args", "willContinue", "will_continue"}
	ranMembers      = dialect.Documented{"id", "toolType", "tool_type", "args"}
)

// readPiece reads the members of a function call.
func readPiece(v strictjson.Value) (r callPiece, err error) {
	if r.name, err = dialect.OptionalText(v, "name"); err != nil {
		return r, err
	}
	if r.id, err = dialect.OptionalText(v, "id"); err != nil {
		return r, err
	}
	if r.args, err = v.Member("args"); err != nil {
		return r, dialect.Ambiguous()
	}
	if dialect.HasMember(v, "arguments", "input", "parameters") {
		return r, dialect.Malformed("a call has arguments in two places")
	}
	goesOn, ok := flag(v)
	if r.goesOn = goesOn; !ok {
		return r, dialect.Malformed("whether a call goes on is neither true nor false")
	}
	if r.pieces, err = anyOf(v, "partialArgs", "partial_args"); err != nil {
		return r, dialect.Ambiguous()
	}
	if r.pieces.Kind() == strictjson.Null {
		r.pieces = strictjson.Value{}
	}
	if k := r.pieces.Kind(); k != strictjson.Array && k != strictjson.Missing {
		return r, dialect.Malformed("pieces of arguments are not an array")
	}
	return r, nil
}

// memberOf returns a member that adds nothing to a call: it is left out.
func memberOf(name string, s *dialect.Slot) member { return member{name: name, slot: s, piece: true} }

// newSlot returns the slot of a new call.
func newSlot(r callPiece) *dialect.Slot {
	s := dialect.NewSlot(r.id, r.name)
	if r.name == "" {
		s.Names, s.Fault = []string{"functionCall"}, dialect.Malformed("It has no name.")
	}
	return s
}

// begin opens a call whose arguments come in pieces.
func (c *candidate) begin(p *part, r callPiece) {
	c.open = &partial{candidate: c, slot: newSlot(r), name: r.name}
	c.calls = append(c.calls, c.open.slot)
	c.open.slot.With = c.signed
	p.opens = append(p.opens, c.open.slot)
}

// addPiece adds a piece to the open call. The last piece completes the call, after its whole frame was read.
func (d *editor) addPiece(c *candidate, p *part, name string, r callPiece, signature []byte) {
	call := c.open
	if signature != nil {
		call.signature = bytes.Clone(signature)
		c.signed, call.slot.With = call.slot, nil
	}
	call.add(r, d.Options.MaxArguments)
	m := member{name: name, slot: call.slot, told: true, piece: r.goesOn}
	if !r.goesOn {
		m.call = call
		c.open, c.closed = nil, call.slot
		d.whole = append(d.whole, call)
	}
	p.members = append(p.members, m)
}

// add adds the arguments of a piece at their paths.
func (call *partial) add(r callPiece, limit int) {
	s := call.slot
	if call.size += len(r.pieces.Raw()); call.size > limit && s.Fault == nil {
		s.Fault = dialect.Oversize()
	}
	s.Held = call.size
	switch {
	case s.Fault != nil:
	case r.id != "" && r.id != s.WireID:
		s.Fault = dialect.Malformed("Its pieces are of two calls.")
	case dialect.Present(r.args) && (r.args.Kind() != strictjson.Object || r.args.Len() > 0):
		s.Fault = dialect.Malformed("Its arguments come whole and in pieces.")
	}
	for piece := range r.pieces.Elems() {
		if s.Fault != nil {
			return
		}
		if !call.args.add(piece) {
			s.Fault = misfit()
		}
	}
	s.Held = call.size + nodeSize*call.args.nodes
}

// complete closes the call.
func (call *partial) complete(d *editor) {
	s := call.slot
	if call.args.open != nil && s.Fault == nil {
		s.Fault = misfit()
	}
	s.Args, s.Done = call.args.json(), true
	s.CheckArguments(d.Options.MaxArguments)
}

// made returns a function call with its arguments, as it is sent.
func made(id, name string, args []byte) []byte {
	b := []byte{'{'}
	if id != "" {
		b = append(b, `"id":`+dialect.Quote(id)+`,`...)
	}
	b = append(b, `"name":`+dialect.Quote(name)+`,"args":`...)
	return append(append(b, args...), '}')
}
