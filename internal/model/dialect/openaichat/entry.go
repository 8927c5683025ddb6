package openaichat

import (
	"bytes"
	"strconv"

	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/strictjson"
)

// A piece is one parsed entry of tool_calls, or a function_call.
type piece struct {
	index int  // -1: none, or an invalid one
	odd   bool // clients could read the index differently
	id    string
	typ   string
	kind  callKind
	body  strictjson.Value // function, custom or the function_call itself; missing: the entry has only extras
	name  strictjson.Value
	text  strictjson.Value // arguments or input
	entry strictjson.Value
}

// scanEntries reads the elements of tool_calls.
func (d *editor) scanEntries(ch *choice, calls strictjson.Value, whole bool) ([]entry, error) {
	if !dialect.Present(calls) {
		return nil, nil
	}
	if calls.Kind() != strictjson.Array {
		return nil, dialect.Malformed("the tool calls are not an array")
	}
	var entries []entry
	for v := range calls.Elems() {
		p, err := readPiece(v)
		if err != nil {
			return nil, err
		}
		var c *toolCall
		if !whole {
			c = ch.find(p, len(entries))
		}
		e, err := d.take(ch, c, p, whole)
		if err != nil {
			return nil, err
		}
		entries = append(entries, e)
	}
	return entries, nil
}

// scanLegacy reads a function_call. A choice has at most one, unless a message repeats it.
func (d *editor) scanLegacy(ch *choice, v strictjson.Value, whole bool) (*entry, error) {
	if v.Kind() != strictjson.Object {
		return nil, dialect.Malformed("a function call is not an object")
	}
	p := piece{index: -1, kind: legacy, body: v}
	if err := p.readBody("arguments"); err != nil {
		return nil, err
	}
	var c *toolCall
	for _, other := range ch.calls {
		if other.kind == legacy && !whole && !other.inMessage {
			c = other
		}
	}
	e, err := d.take(ch, c, p, whole)
	return &e, err
}

// interrupt notes which call had the last piece. A call that another one interrupts is irregular: some clients take a call for
// complete as soon as they see a piece of another.
func (ch *choice) interrupt(by *toolCall) {
	if last := ch.last; last != nil && last != by && !last.slot.Done {
		last.irregular = true
	}
	ch.last = by
}

// take adds a piece to its call; nil: the piece opens a new call.
func (d *editor) take(ch *choice, c *toolCall, p piece, whole bool) (entry, error) {
	first := c == nil
	if first {
		if d.calls == maxCalls {
			return entry{}, dialect.Malformed("the response has too many calls")
		}
		d.calls++
		c = &toolCall{choice: ch, kind: p.kind, sentAs: p.index, inMessage: whole, out: -1}
		c.slot = &dialect.Slot{Arguments: dialect.Arguments{Fixed: p.kind == unknown, FreeText: p.kind == custom}}
		c.irregular = !whole && p.kind != legacy && p.kind != unknown && ch.uses(p.index)
		ch.calls = append(ch.calls, c)
	}
	d.sift(c, p)
	again := p.id != "" || p.typ != "" || dialect.Present(p.name) || dialect.Present(p.body) && p.text.Kind() != strictjson.String
	e := entry{call: c, late: c.slot.Done, again: again || p.odd}
	if !whole && !e.late {
		// Clients that only read the first choice of each chunk would mix up the pieces of several choices.
		c.irregular = c.irregular || p.odd || !first && len(d.choices) > 1
		d.mixed = d.mixed || c.kind == custom || c.kind == unknown
		ch.interrupt(c)
	}
	defer c.weigh()
	switch {
	case e.late:
		return e, c.addLate(p)
	case ch.finished:
		c.addAfterEnd(p, d.Options.MaxArguments)
		return e, nil
	case c.kind == unknown:
		c.addUnknown(p, d.Options.MaxArguments)
		return e, nil
	}
	return e, d.add(c, p, first)
}

// maxCalls is how many calls a response may have.
const maxCalls = 1024

// readPiece reads an entry of tool_calls.
func readPiece(v strictjson.Value) (piece, error) {
	p := piece{entry: v}
	if v.Kind() != strictjson.Object {
		return p, dialect.Malformed("a tool call is not an object")
	}
	var err error
	if p.index, p.odd, err = readIndex(v); err != nil {
		return p, err
	}
	if p.id, err = dialect.OptionalText(v, "id"); err != nil {
		return p, err
	}
	if p.typ, err = dialect.OptionalText(v, "type"); err != nil {
		return p, err
	}
	fn, err := v.Member("function")
	if err != nil {
		return p, dialect.Ambiguous()
	}
	free, err := v.Member("custom")
	if err != nil {
		return p, dialect.Ambiguous()
	}
	switch {
	case dialect.Present(fn) && dialect.Present(free):
		return p, dialect.Malformed("a tool call is of two kinds at once")
	case dialect.Present(fn):
		// The type is ignored, as by most clients.
		p.kind, p.body = function, fn
		return p, p.readBody("arguments")
	case dialect.Present(free):
		p.kind, p.body = custom, free
		return p, p.readBody("input")
	case p.typ == "custom":
		p.kind = custom
	case p.typ != "" && p.typ != "function":
		p.kind = unknown
	}
	return p, nil
}

// readIndex reads the index of an entry. Some clients accept a string as index, so it counts, but is odd.
func readIndex(v strictjson.Value) (index int, odd bool, err error) {
	m, err := v.Member("index")
	if err != nil {
		return -1, false, dialect.Ambiguous()
	}
	if n, ok := m.Uint(); ok {
		return n, false, nil
	}
	text, _ := m.Text()
	if n, err := strconv.ParseUint(text, 10, 31); err == nil {
		return int(n), true, nil
	}
	return -1, true, nil
}

// readBody reads name and text of a function or custom call.
func (p *piece) readBody(text string) error {
	if p.body.Kind() != strictjson.Object {
		return dialect.Malformed("a tool call's function is not an object")
	}
	var err error
	if p.name, err = p.body.Member("name"); err != nil {
		return dialect.Ambiguous()
	}
	if p.text, err = p.body.Member(text); err != nil {
		return dialect.Ambiguous()
	}
	if dialect.WrittenTwice(p.entry, "function", "custom") || dialect.WrittenTwice(p.body, "name", text) {
		return dialect.Malformed("a tool call is written in two ways at once")
	}
	if _, ok := p.name.Text(); dialect.Present(p.name) && !ok {
		return dialect.Malformed("a tool's name is not text")
	}
	return nil
}

// names says whether the piece gives a name that is not empty.
func (p *piece) names() bool { return p.name.Kind() == strictjson.String && !p.name.Is("") }

// find returns the call that a piece belongs to; nil: it opens a new call. Calls are identified by their index, else by their id,
// else by their position in the array.
func (ch *choice) find(p piece, position int) *toolCall {
	var c, bare *toolCall
	place := 0
	for _, other := range ch.calls {
		if other.kind == legacy || other.inMessage {
			continue
		}
		switch {
		case p.index >= 0 && other.sentAs == p.index,
			p.index < 0 && p.id != "" && other.id == p.id,
			p.index < 0 && p.id == "" && !p.names() && place == position:
			c = other // the last match counts
		case other.sentAs < 0 && other.bare():
			bare = other
		}
		place++
	}
	switch {
	case c == nil:
		return bare
	case p.names() && p.id != "" && p.id != c.id && (c.id != "" || c.slot.Done):
		return nil // a new call on a used index
	}
	return c
}

func (ch *choice) uses(index int) bool {
	for _, c := range ch.calls {
		if c.sentAs == index && !c.inMessage && c.kind != legacy {
			return true
		}
	}
	return false
}

// add adds the contents of a piece to a call.
func (d *editor) add(c *toolCall, p piece, first bool) error {
	if !first {
		if p.body.Kind() == strictjson.Missing && p.typ == "" {
			p.kind = c.kind
		}
		if p.kind != c.kind {
			return dialect.Malformed("a tool call changes its kind")
		}
		// Some clients use only the last piece of a custom call.
		c.irregular = c.irregular || c.kind == custom && dialect.Present(p.body)
	}
	c.addIdentity(p, first)
	c.addExtras(p, d.Options.MaxArguments)
	if dialect.Present(p.name) {
		text, _ := p.name.Text()
		c.addName(text, d.Options.MaxArguments)
	}
	return d.addArguments(c, p)
}

// addIdentity adds index, id and type. If they are repeated, some clients join them, and for others the last one wins. If they or
// the text are not in the first piece, clients that begin with that piece miss them.
func (c *toolCall) addIdentity(p piece, first bool) {
	complete := p.names() && p.text.Kind() == strictjson.String
	if c.kind == legacy {
		c.irregular = c.irregular || first && !complete
		return
	}
	if first {
		c.irregular = c.irregular || p.id == "" || p.typ == "" || !complete
	} else {
		c.irregular = c.irregular || p.id != "" || p.typ != ""
	}
	if c.sentAs < 0 {
		c.sentAs = p.index
	}
	if c.id == "" {
		c.id = p.id
	}
	switch {
	case p.typ == "function" || p.typ == "custom":
		c.irregular = c.irregular || (p.typ == "custom") != (c.kind == custom)
	case p.typ != "" && c.typ == "":
		c.typ = p.typ
	}
}

func (d *editor) addArguments(c *toolCall, p piece) error {
	switch p.text.Kind() {
	case strictjson.Missing, strictjson.Null:
		// Some programs turn a missing value into text.
		c.irregular = c.irregular || dialect.Present(p.body)
	case strictjson.String:
		c.addText(p.text, d.Options.MaxArguments)
	case strictjson.Object:
		if len(c.args.Text) > 0 || c.kind == custom {
			return dialect.Malformed("arguments come as text and as an object")
		}
		c.irregular = true
		c.object = bytes.Clone(p.text.Raw())
		if len(c.object) > d.Options.MaxArguments {
			c.object = c.object[:d.Options.MaxArguments]
			c.slot.Fault = dialect.Oversize()
		}
		c.complete()
	default:
		return dialect.Malformed("arguments are neither text nor an object")
	}
	return nil
}

// addUnknown adds a call of an unknown type. It is one entry, and everything except its index is its arguments.
func (c *toolCall) addUnknown(p piece, limit int) {
	c.id = p.id
	c.addName(p.typ, limit)
	c.slot.Args = p.unit()
	if len(c.slot.Args) > limit {
		c.slot.Args = c.slot.Args[:limit]
		c.slot.Fault = dialect.Oversize()
	}
	c.complete()
}

// unit returns an entry without its index, which is only its position.
func (p *piece) unit() []byte {
	b := []byte{'{'}
	for name, value := range p.entry.Members() {
		if !name.Is("index") {
			b = appendMember(b, name.Raw(), value.Raw())
		}
	}
	return append(b, '}')
}

// addLate checks a piece of a call that is already complete: only white space, extras, and the same id and name may follow.
func (c *toolCall) addLate(p piece) error {
	text, _ := p.name.Text()
	more := blank(p.text.AppendText(nil))
	if c.kind == custom {
		more = p.text.AppendText(nil)
	}
	odd := dialect.Present(p.text) && p.text.Kind() != strictjson.String
	switch {
	case c.kind == unknown, p.kind == unknown, len(more) > 0, odd,
		p.names() && (c.kind == legacy || text != c.name()),
		p.id != "" && p.id != c.id,
		dialect.Present(p.body) && p.kind != c.kind:
		return dialect.Malformed("a tool call goes on after its end")
	}
	return nil
}

// addAfterEnd adds a call that comes after its choice has ended. It is refused without a notice: the turn is over.
func (c *toolCall) addAfterEnd(p piece, limit int) {
	if p.id == "" && p.kind == function && !dialect.Present(p.body) {
		return // extras without a call
	}
	c.id = p.id
	name, _ := p.name.Text()
	c.slot.Args = p.text.AppendText(nil)
	switch {
	case p.kind == unknown:
		name, c.slot.Args = p.typ, p.unit()
	case p.text.Kind() == strictjson.Object:
		c.slot.Args = bytes.Clone(p.text.Raw())
	}
	c.addName(name, limit)
	c.slot.Args = c.slot.Args[:min(len(c.slot.Args), limit)]
	c.slot.Fault, c.slot.Silent, c.slot.Done = late(), true, true
}
