package openairesponses

import (
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/strictjson"
)

// An item is one output item of the response.
//
// In a stream it opens with the frame that adds it and closes with the frame that says it is done. That last frame has the whole
// item, which is judged. Pieces in between must agree with it. What the client has got is stored separately, because it is sent
// later.
type item struct {
	reading
	index  int // its output_index; -1: the upstream gives none
	closed bool

	slot *dialect.Slot // of a call
	// waits are the slots that decide whether the item is sent: for a call its own slot, for a result the slot of its call.
	waits []*dialect.Slot

	begun  bool   // a separate frame added it
	first  []byte // its arguments in that frame
	pieces dialect.Collector
	all    []byte // its whole arguments, from a separate frame
	said   bool   // there was such a frame
	// addressed says that a piece has come, and by how the piece named this item.
	addressed bool
	by        address
	// restated says that its frames are rewritten: not all clients would read the same call in the original ones.
	restated bool
	begins   []byte // of an item that is not a call: as it was added
	speech   speech // and its text since then
	raw      []byte // the item when it was done
	reasoned bool   // it follows reasoning, which must not be sent without it
	left     bool   // it is incomplete but may still be completed: it is left out, and nothing is recorded
	repeated bool   // the response has repeated it
	renamed  bool   // and then it had another id
	channel  int    // of its texts, if they are asked for

	sent sentItem
}

// maxItems is how many items a response may have.
const maxItems = 100_000

// newItem adds an item that has appeared.
func (d *editor) newItem(r reading, index int) (*item, error) {
	if len(d.items) == maxItems {
		return nil, dialect.Malformed("a response has more items than weir's bound")
	}
	it := &item{reading: r, index: index, sent: sentItem{out: -1}}
	it.reasoned = len(d.items) > 0 && d.items[len(d.items)-1].typ == "reasoning"
	if d.Options.Texts {
		d.giveChannel(it)
	}
	d.items = append(d.items, it)
	if index >= 0 {
		d.byIndex[index] = it
	}
	twin := d.byID[it.id]
	if it.id != "" {
		d.byID[it.id] = it
	}
	switch {
	case it.isCall():
		it.slot = &dialect.Slot{
			Naming:    dialect.Naming{WireID: it.wireID(), Server: it.server, Names: it.names, Spellings: it.spellings},
			Arguments: dialect.Arguments{Fixed: it.fixed(), FreeText: it.form == freeText}, Ran: it.kind == ran,
		}
		it.waits = []*dialect.Slot{it.slot}
		if d.kept {
			it.slot.Unit = it.kept()
		}
		it.slot.Notice = noticeID(it.wireID())
		if it.wireID() == "" {
			it.slot.Notice = noticeID(d.meta.ResponseID, strconv.Itoa(len(d.items)))
		}
		if d.shape == aList {
			d.byCall[it.callID] = it // a list may be of several responses
			break
		}
		if twin != nil && twin.isCall() && (!twin.closed || it.callID == "" && twin.callID == "") {
			it.slot.Fault = dialect.Malformed("Another call of the response has the same id.")
			it.slot.Notice = noticeID(it.wireID(), strconv.Itoa(len(d.items)))
		}
		if it.callID != "" && d.byCall[it.callID] != nil {
			it.slot.Fault = dialect.Malformed("Another call of the response has the same id.")
			it.slot.Notice = noticeID(it.wireID(), strconv.Itoa(len(d.items)))
		} else if it.callID != "" {
			d.byCall[it.callID] = it
		}
	case it.kind == result && d.byCall[it.callID] != nil:
		it.waits = d.byCall[it.callID].waits
	}
	return it, nil
}

// hostedPrefix is the prefix of the unit of a call whose output the provider has itself.
const hostedPrefix = "hosted_"

// kept is the unit under which the ruling of a call is remembered.
func (r *reading) kept() string {
	if r.hosted {
		return hostedPrefix + r.typ
	}
	return r.typ
}

// wireID is the id that the provider expects in the output of the call.
func (r *reading) wireID() string {
	if r.callID != "" {
		return r.callID
	}
	return r.id
}

// refusal returns the ruling that refuses the item; nil: none does.
func (it *item) refusal() *call.Ruling {
	for _, s := range it.waits {
		if s.Ruling != nil && !s.Ruling.Released {
			return s.Ruling
		}
	}
	return nil
}

func (d *editor) scanAdded(root strictjson.Value) (dialect.Reading, error) {
	v, err := root.Member("item")
	if err != nil {
		return dialect.Reading{}, dialect.Ambiguous()
	}
	r, err := readItem(v)
	if err != nil {
		return dialect.Reading{}, err
	}
	index, err := indexOf(root)
	if err != nil {
		return dialect.Reading{}, err
	}
	if old := d.byIndex[index]; old != nil && !old.closed {
		return dialect.Reading{}, dialect.Malformed("an item is added where another one is not done")
	}
	it, err := d.newItem(r, index)
	if err != nil {
		return dialect.Reading{}, err
	}
	it.begun = true
	reading := dialect.Reading{Waits: it.waits, Plan: &step{typ: typeItemAdded, item: it}}
	if it.slot == nil {
		d.keepBeginning(it, v)
	} else {
		d.siftFrame(root, it)
		d.siftItem(v, it)
		// The arguments in this frame are not final.
		it.first, it.args, it.wrong = it.args, nil, nil
		if it.empty {
			it.first = nil
		}
		it.slot.Held = len(it.first)
		reading.Opens = it.waits
	}
	return reading, nil
}

// indexOf is the output_index of a frame; -1 if it has none.
func indexOf(root strictjson.Value) (int, error) {
	v, err := root.Member("output_index")
	if err != nil {
		return 0, dialect.Ambiguous()
	}
	if v.Kind() == strictjson.Missing {
		return -1, nil
	}
	index, ok := v.Uint()
	if !ok {
		return 0, dialect.Malformed("an item has an impossible index")
	}
	return index, nil
}

// scanPiece reads a frame with text of a call's arguments.
func (d *editor) scanPiece(root strictjson.Value, typ string) (dialect.Reading, error) {
	it, err := d.itemOf(root)
	if err != nil {
		return dialect.Reading{}, err
	}
	p := pieceEvents[typ]
	switch {
	case it == nil && d.resumed:
		// The client has the beginning. The final item decides.
		return dialect.Reading{Plan: &step{}}, nil
	case it == nil || it.typ != p.typ || it.closed:
		return dialect.Reading{}, dialect.Malformed("a piece of a call belongs to no call that is open")
	}
	d.siftFrame(root, it)
	text, err := root.Member(p.member)
	if err != nil {
		return dialect.Reading{}, dialect.Ambiguous()
	}
	if text.Kind() != strictjson.String {
		return dialect.Reading{}, dialect.Malformed("a piece of arguments is not a string")
	}
	another, err := d.address(root, it)
	if err != nil {
		return dialect.Reading{}, err
	}
	switch {
	case another, it.said:
		it.slot.Fault = disagreement()
	case p.all:
		it.said, it.all = true, orEmpty(text.AppendText(nil), it.form)
		if name, err := dialect.OptionalText(root, "name"); err != nil {
			return dialect.Reading{}, err
		} else if name != "" && name != it.name && !slices.Contains(it.names, name) {
			it.slot.Fault = disagreement()
		}
	case !it.pieces.Add(text, d.Options.MaxArguments):
		it.slot.Fault = dialect.Oversize()
	}
	it.slot.Held = len(it.first) + len(it.pieces.Text) + len(it.all)
	return dialect.Reading{Waits: it.waits, Plan: &pass{typ, it}}, nil
}

// address notes how a piece names its item. Some clients join pieces by index, others by id: if pieces name the item in different
// ways, clients get different texts. It returns true if the piece also names another item.
func (d *editor) address(root strictjson.Value, it *item) (another bool, err error) {
	index, _ := root.Member("output_index")
	v, _ := root.Member("item_id")
	id, _ := v.Text()
	how := address{id, index.Kind() != strictjson.Missing}
	if it.addressed && how != it.by {
		it.restated = true
	}
	it.addressed, it.by = true, how
	return d.namesAnother(root, it)
}

// An address is how a frame names its item.
type address struct {
	id      string
	indexed bool
}

// namesAnother says whether a frame names one item by index and another by id: clients use either.
func (d *editor) namesAnother(root strictjson.Value, it *item) (bool, error) {
	id, err := root.Member("item_id")
	if err != nil {
		return false, dialect.Ambiguous()
	}
	text, _ := id.Text()
	other := d.byID[text]
	return other != nil && other != it && other.isCall(), nil
}

// disagreement is the fault of a call whose frames do not agree.
func disagreement() *dialect.Refused {
	return dialect.Malformed("Its pieces and its whole do not agree.")
}

func (d *editor) scanDone(root strictjson.Value) (dialect.Reading, error) {
	v, err := root.Member("item")
	if err != nil {
		return dialect.Reading{}, dialect.Ambiguous()
	}
	r, err := readItem(v)
	if err != nil {
		return dialect.Reading{}, err
	}
	it, err := d.openItem(root, r)
	if err != nil {
		return dialect.Reading{}, err
	}
	reading := dialect.Reading{Plan: &step{typ: typeItemDone, item: it}}
	if it == nil {
		index, err := indexOf(root)
		if err != nil {
			return dialect.Reading{}, err
		}
		if it, err = d.newItem(r, index); err != nil {
			return dialect.Reading{}, err
		}
		reading.Plan = &step{typ: typeItemDone, item: it}
		if it.slot != nil {
			reading.Opens = it.waits
		}
	}
	if it.typ != r.typ || it.kind != r.kind || it.hosted != r.hosted {
		return dialect.Reading{}, dialect.Malformed("an item changes its type")
	}
	d.siftFrame(root, it)
	d.siftItem(v, it)
	d.close(it, r, v)
	reading.Waits = it.waits
	return reading, nil
}

// openItem returns the item that a frame says is done; nil: it was never added.
func (d *editor) openItem(root strictjson.Value, r reading) (*item, error) {
	it, err := d.itemOf(root)
	if err != nil || it != nil && !it.closed {
		return it, err
	}
	for _, open := range []*item{d.byID[r.id], d.byCall[r.callID]} {
		if open != nil && !open.closed && open.index < 0 && open.typ == r.typ {
			return open, nil
		}
	}
	if it != nil && it.isCall() {
		return nil, dialect.Malformed("an item is done twice")
	}
	return nil, nil
}

// written returns an item, read from v, as it is sent: empty arguments become an empty JSON object.
func (d *editor) written(r reading, v strictjson.Value) []byte {
	raw := d.Sieve.Sifted(v)
	if !r.empty || r.kind != asked {
		return raw
	}
	var doc strictjson.Doc
	if doc.Parse(raw) != nil {
		return raw
	}
	arguments, err := doc.Root().Member(r.from[0])
	if err != nil {
		return raw
	}
	return strictjson.Splice(raw, arguments.Replace([]byte(`"{}"`)))
}

// close completes an item: r, read from v, is its final state.
func (d *editor) close(it *item, r reading, v strictjson.Value) {
	it.closed = true
	if it.slot == nil {
		d.keepSaid(it, v)
		return
	}
	it.raw = d.written(r, v)
	s := it.slot
	if it.begun {
		it.compare(r)
	}
	if id := r.wireID(); it.wireID() != id && !it.sent.replaced {
		// The provider stores the call with its final id, or without one.
		s.WireID = id
		if id != "" {
			s.Notice = noticeID(id)
		}
		if r.callID != "" {
			d.byCall[r.callID] = it
		}
	}
	it.reading = r
	it.restated = it.restated || r.empty && it.kind == asked
	s.Names, s.Spellings, s.Server = r.names, r.spellings, r.server
	if s.Fault == nil {
		s.Fault = r.wrong
	}
	s.Args = r.args
	if r.form == freeText {
		if !utf8.Valid(r.args) && s.Fault == nil {
			s.Fault = dialect.NotObject() // it has half a character in it
		}
		s.Args = dialect.FreeTextArguments(r.args)
	}
	if len(s.Args) == 0 {
		s.Args = []byte("{}")
	}
	s.Held = len(it.raw) + len(s.Args) + len(it.pieces.Text) + len(it.all)
	d.checkArguments(it)
	s.Inner = it.innerCalls()
	s.Done = true
}

func (d *editor) checkArguments(it *item) {
	s := it.slot
	switch {
	case s.Fault != nil:
	case len(s.Args) > d.Options.MaxArguments:
		s.Fault = dialect.Oversize()
	case it.kind != ran && !it.complete():
		s.Fault = dialect.CutShort()
	case strictjson.CheckArguments(s.Args) != nil && it.kind != ran:
		s.Fault = dialect.NotObject()
	}
	if len(s.Args) > d.Options.MaxArguments {
		s.Args = s.Args[:d.Options.MaxArguments]
	}
	if it.kind == ran && strictjson.CheckArguments(s.Args) != nil {
		// It has already run; its arguments are only for the record.
		s.Args = append(append([]byte(`{"arguments":`), strictjson.AppendString(nil, string(s.Args))...), '}')
	}
}
