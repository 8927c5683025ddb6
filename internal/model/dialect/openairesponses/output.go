package openairesponses

import (
	"bytes"
	"strings"

	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/strictjson"
)

// ownOfResponse are members of a response object with values that look like calls but are not: parts of the request, and
// definitions of tools.
var ownOfResponse = []string{"output", "tools", "tool_choice", "instructions", "input", "prompt", "text", "metadata"}

// scanBegin reads the description of a response that is under way. Its items come in separate frames.
func (d *editor) scanBegin(root strictjson.Value, typ string) (dialect.Reading, error) {
	response, err := d.responseOf(root)
	if err != nil {
		return dialect.Reading{}, err
	}
	if output, err := response.Member("output"); err != nil || dialect.CarriesCall(output) {
		// Some clients take this output for the result. Its calls would come again, or never.
		return dialect.Reading{}, dialect.Malformed("a response has calls before its first item")
	}
	d.keepObject(response)
	return dialect.Reading{Plan: &step{typ: typ}}, nil
}

// responseOf returns the response that a frame describes.
func (d *editor) responseOf(root strictjson.Value) (strictjson.Value, error) {
	response, err := root.Member("response")
	if err != nil {
		return strictjson.Value{}, dialect.Ambiguous()
	}
	return response, d.checkResponse(response)
}

// checkResponse reads what a response object says about itself.
func (d *editor) checkResponse(response strictjson.Value) error {
	if response.Kind() != strictjson.Object {
		return dialect.Malformed("a response is not an object")
	}
	if dialect.HidesCall(response, ownOfResponse...) || bringsCall(response, "output") {
		return dialect.Malformed("a response has a call where none belongs")
	}
	d.readMeta(response)
	return nil
}

// scanTerminal reads the final response, which repeats all its items.
func (d *editor) scanTerminal(root strictjson.Value, typ string) (dialect.Reading, error) {
	response, err := d.responseOf(root)
	if err != nil {
		return dialect.Reading{}, err
	}
	reading, err := d.scanItems(response, "output", typ)
	if err != nil {
		return dialect.Reading{}, err
	}
	d.keepObject(response)
	d.terminal, d.meta.Failed = true, typ == typeFailed || typ == typeCancelled
	d.giveUp(d.meta.Failed)
	d.ended = true
	reading.Waits = d.unruled()
	return reading, nil
}

// scanBody reads a whole body: a response, a list of items, an item, or an error.
func (d *editor) scanBody(root strictjson.Value) (dialect.Reading, error) {
	d.ended = true
	typ, err := dialect.OptionalText(root, "type")
	if err != nil {
		return dialect.Reading{}, err
	}
	object, err := dialect.OptionalText(root, "object")
	if err != nil {
		return dialect.Reading{}, err
	}
	_, isItem := units[typ]
	switch {
	case strings.HasPrefix(typ, eventPrefix) || typ == typeKeepAlive:
		return dialect.Reading{}, dialect.Malformed("a body is an event of a stream")
	case object == objectList:
		d.shape = aList
		if dialect.HidesCall(root, "data") || bringsCall(root, "data") {
			return dialect.Reading{}, dialect.Malformed("a list has a call where none belongs")
		}
		return d.scanItems(root, "data", objectList)
	case object != "":
		d.shape = aResponse
		if err := d.checkResponse(root); err != nil {
			return dialect.Reading{}, err
		}
		status, err := root.Member("status")
		d.meta.Failed = err == nil && isOneOf(status, "failed", "cancelled")
		return d.scanItems(root, "output", objectResponse)
	case isItem || typ != "" && typ != typeError && !dialect.HasMember(root, "error"):
		d.shape = anItem
		return d.scanBareItem(root)
	}
	d.shape, d.meta.Failed = anError, true
	switch {
	case typ != typeError && !dialect.HasMember(root, "error"):
		return dialect.Reading{}, dialect.Malformed("a body does not say what it is")
	case dialect.CarriesCall(root) || dialect.HasMember(root, "output") || bringsCall(root, ""):
		return dialect.Reading{}, dialect.Malformed("an error has the shape of a call")
	}
	return dialect.Reading{Plan: &step{typ: typeError}}, nil
}

// scanBareItem reads a body that is one item. A client that takes it for a response would look for other items in it.
func (d *editor) scanBareItem(root strictjson.Value) (dialect.Reading, error) {
	own := ""
	if typ, _ := dialect.OptionalText(root, "type"); unitOf(typ).kind == result {
		own = "output" // the output of a call; its parts are not items
	}
	if dialect.HidesCall(root, "tools") || bringsCall(root, own) {
		return dialect.Reading{}, dialect.Malformed("an item has a call where none belongs")
	}
	it, opens, err := d.wholeItem(root, 0, true)
	if err != nil {
		return dialect.Reading{}, err
	}
	return dialect.Reading{Opens: opens, Waits: it.waits, Plan: &step{typ: "item", item: it}}, nil
}

// scanItems reads the items of a response or a list. Items that earlier frames had must be the same.
func (d *editor) scanItems(v strictjson.Value, member, typ string) (dialect.Reading, error) {
	output, err := v.Member(member)
	if err != nil {
		return dialect.Reading{}, dialect.Ambiguous()
	}
	if dialect.Present(output) && output.Kind() != strictjson.Array {
		return dialect.Reading{}, dialect.Malformed("the items of a response are not an array")
	}
	status, err := dialect.OptionalText(v, "status")
	if err != nil {
		return dialect.Reading{}, err
	}
	final := status != "queued" && status != "in_progress"
	s := &step{typ: typ}
	r := dialect.Reading{Plan: s}
	i := 0
	for elem := range output.Elems() {
		it, opens, err := d.wholeItem(elem, i, final)
		if err != nil {
			return dialect.Reading{}, err
		}
		s.items, r.Opens = append(s.items, it), append(r.Opens, opens...)
		i++
	}
	for _, it := range s.items {
		if call := d.byCall[it.callID]; it.kind == result && call != nil {
			it.waits = call.waits // in a list the result may come before its call
		}
		r.Waits = append(r.Waits, it.waits...)
	}
	return r, nil
}

// wholeItem reads the element at i of a response's items. final says that the response will no longer change.
func (d *editor) wholeItem(v strictjson.Value, i int, final bool) (*item, []*dialect.Slot, error) {
	r, err := readItem(v)
	if err != nil {
		return nil, nil, err
	}
	if (r.kind == asked || r.kind == unknown) && !final && !r.complete() {
		return &item{reading: r, left: true}, nil, nil
	}
	it := d.seenBefore(r, i)
	if it != nil {
		d.siftItem(v, it)
		it.repeated = true
		switch {
		case it.kind != r.kind || it.hosted != r.hosted:
			return nil, nil, dialect.Malformed("an item changes its type")
		case !it.closed:
			d.close(it, r, v)
		case it.slot != nil && !it.repeats(r):
			return nil, nil, dialect.Malformed("a call is repeated as another one")
		case it.slot != nil && it.kind != ran && it.wireID() != r.wireID():
			it.renamed = true
		}
		return it, nil, nil
	}
	if it, err = d.newItem(r, -1); err != nil {
		return nil, nil, err
	}
	it.repeated = true
	d.siftItem(v, it)
	d.close(it, r, v)
	if it.slot == nil {
		return it, nil, nil
	}
	return it, []*dialect.Slot{it.slot}, nil
}

// seenBefore returns the item that the element at i repeats; nil: no earlier frame had it.
func (d *editor) seenBefore(r reading, i int) *item {
	if it := d.byCall[r.callID]; r.callID != "" && it != nil && !it.repeated && it.typ == r.typ {
		return it
	}
	if it := d.byID[r.id]; it != nil && !it.repeated && it.typ == r.typ {
		return it
	}
	it := d.byIndex[i]
	if it == nil && !d.resumed && i < len(d.items) {
		it = d.items[i]
	}
	if it != nil && !it.repeated && it.typ == r.typ {
		return it
	}
	return nil
}

// giveUp closes the calls that will never be complete.
func (d *editor) giveUp(silent bool) []*dialect.Slot {
	var given []*dialect.Slot
	for _, it := range d.items {
		s := it.slot
		if s == nil || s.Done {
			continue
		}
		it.closed = true
		if s.Args = it.pieces.Text; len(s.Args) == 0 {
			s.Args = bytes.Clone(it.first)
		}
		if d.terminal && !it.repeated {
			s.Unit = "" // the provider has not stored it
		}
		s.GiveUp(silent)
		given = append(given, s)
	}
	return given
}

// unruled returns the calls that are not ruled yet.
func (d *editor) unruled() []*dialect.Slot {
	var slots []*dialect.Slot
	for _, it := range d.items {
		if it.slot != nil && it.slot.Ruling == nil {
			slots = append(slots, it.slot)
		}
	}
	return slots
}

// keptSaid is how many bytes of texts and descriptions are stored, in case weir must end the response itself.
const keptSaid = 256 << 10

// keepBeginning stores an item that is not a call as it was added, for Stop.
func (d *editor) keepBeginning(it *item, v strictjson.Value) {
	if size := len(v.Raw()); d.sent.saidSize+size <= keptSaid {
		d.sent.saidSize += size
		it.begins = bytes.Clone(v.Raw())
	}
}

// keepSaid stores an item that is not a call, for Stop.
func (d *editor) keepSaid(it *item, v strictjson.Value) {
	it.speech = speech{}
	if size := len(v.Raw()); !d.Options.Whole && d.sent.saidSize+size <= keptSaid {
		d.sent.saidSize += size
		it.raw = bytes.Clone(v.Raw())
	}
}

// keepObject stores a description of the response, for Stop.
func (d *editor) keepObject(response strictjson.Value) {
	if len(response.Raw()) <= keptSaid && len(d.object) == 0 {
		d.object = bytes.Clone(response.Raw())
	}
}
