package openairesponses

import (
	"strconv"

	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/strictjson"
)

// client is what the agent has of the response.
type client struct {
	begun    bool // a frame, or a body
	ended    bool // a terminal frame, an error, or a body
	next     int  // the output_index of the next item
	counted  bool // next is known
	shifted  bool // the client's indexes are not the upstream's
	saidSize int  // bytes kept of items that are no calls
	// free is past the numbers that frames of weir's own have taken; 0: they took none but those of frames that they replace.
	free int64
}

// clientItem is what the client has of an item.
type clientItem struct {
	added, done bool
	replaced    bool   // by a notice
	told        string // what the notice says; "": nothing yet
	out         int    // its output_index there
}

// asItCame says whether frames about an item that is no call need no change.
func (it *item) asItCame() bool {
	return it.client.added && len(it.waits) == 0 && (it.index < 0 || it.client.out == it.index)
}

// Rewrite implements dialect.Dialect. The frames it returns are valid until it is called again.
func (d *response) Rewrite(f frame.Frame, r dialect.Reading) ([]frame.Frame, error) {
	d.out = d.out[:0]
	f = r.Frame(f)
	d.client.begun = true
	switch plan := r.Plan.(type) {
	case *item: // of a frame with text that was queued behind a call
		d.emit(d.restate(f, string(f.Type), plan))
	case *pass:
		d.rewritePassing(f, plan)
	case *step:
		d.rewriteStep(f, plan)
	}
	d.number(f)
	return d.out, nil
}

func (d *response) emit(f frame.Frame) { d.out = append(d.out, f) }

// rewritePassing rewrites a frame that goes out unless its item does not.
func (d *response) rewritePassing(f frame.Frame, p *pass) {
	if p.item != nil && (p.item.refusal() != nil || p.item.isRestated() && p.item.kind != ran) {
		return
	}
	if p.typ == typeKeepAlive && d.client.ended {
		return
	}
	d.emit(d.restate(f, p.typ, p.item))
}

func (d *response) rewriteStep(f frame.Frame, s *step) {
	switch s.typ {
	case "":
		// A piece that the client can do without.
	case done:
		d.closeReplaced(f)
		d.client.ended = true
		d.emit(f)
	case typeCreated, typeQueued, typeInProgress:
		d.emit(d.withoutOutput(d.restate(f, s.typ, nil)))
	case typeItemAdded:
		d.rewriteAdded(f, s.item)
	case typeItemDone:
		d.rewriteDone(f, s.item)
	case typeError:
		d.client.ended = true
		d.emit(d.restate(f, s.typ, nil))
	case "item":
		d.client.ended = true
		d.emit(d.editItem(f, s.item))
	default:
		if !d.opts.Whole {
			d.closeReplaced(f)
		}
		d.client.ended = true
		d.emit(d.editItems(d.restate(f, s.typ, nil), s))
	}
}

// place gives an item its index in what the client has.
func (d *response) place(it *item) {
	if !d.client.counted {
		// A stream that goes on in the middle goes on counting, too.
		d.client.counted = true
		if d.resumed && it.index > 0 {
			d.client.next = it.index
		}
	}
	it.client.added, it.client.out = true, d.client.next
	d.client.next++
	d.client.shifted = d.client.shifted || it.index >= 0 && it.client.out != it.index
}

func (d *response) rewriteAdded(f frame.Frame, it *item) {
	if it.refusal() != nil {
		d.replace(f, it)
		return
	}
	d.place(it)
	f = d.restate(f, typeItemAdded, it)
	if it.isRestated() && len(it.raw) > 0 {
		f = d.withItem(f, typeItemAdded, it.beginning())
	}
	d.emit(f)
}

// replace puts a notice where an item was, or nothing. f is the frame in whose place it goes.
func (d *response) replace(f frame.Frame, it *item) {
	text, ok := d.noticeFor(it)
	if !ok {
		d.client.shifted = true
		return
	}
	d.place(it)
	it.client.replaced, it.client.told = true, text
	d.out = append(d.out, d.noticeFrames(numberOf(d, f), it.client.out, it.slot.Notice, text)...)
}

// noticeFor is what the model reads in place of a refused item; false if it is to vanish. Where reasoning led to the call
// nothing vanishes: the API does not take reasoning back that led to nothing.
func (d *response) noticeFor(it *item) (string, bool) {
	if it.client.told != "" {
		return it.client.told, true // the call may have got another name since
	}
	ruling := it.refusal()
	if it.slot == nil || ruling.Silent || d.opts.Drop && !it.reasoned {
		return "", false
	}
	return ruling.Notice(it.slot.Names[0]), true
}

func (d *response) rewriteDone(f frame.Frame, it *item) {
	if it.refusal() != nil {
		if !it.begun && !d.resumed {
			d.replace(f, it)
		}
		d.finishNotice(f, it)
		return
	}
	d.beginLate(f, it)
	it.client.done = true
	if it.isRestated() && it.inText() && it.kind == asked && (it.begun || !d.resumed) {
		// Who goes on in the middle has some of the arguments already.
		d.out = append(d.out, d.argumentFrames(numberOf(d, f), it)...)
	}
	f = d.restate(f, typeItemDone, it)
	switch {
	case it.slot.Replaced():
		f = d.withArguments(f, typeItemDone, it)
	case it.empty && it.kind == asked:
		f = d.withItem(f, typeItemDone, it.raw)
	}
	d.emit(f)
}

// beginLate adds an item that the upstream did not: clients count items by the frames that add them.
func (d *response) beginLate(f frame.Frame, it *item) {
	switch {
	case it.begun:
	case d.resumed:
		d.place(it)
	default:
		d.place(it)
		it.restated = true
		d.emit(d.itemFrame(numberOf(d, f), typeItemAdded, it.client.out, it.beginning()))
	}
}

// finishNotice ends a notice. A client that goes on in the middle has its beginning.
func (d *response) finishNotice(f frame.Frame, it *item) {
	text, ok := d.noticeFor(it)
	if !ok || it.client.done {
		return
	}
	if !it.client.replaced {
		d.place(it)
	}
	it.client.replaced, it.client.done = true, true
	d.emit(d.itemFrame(numberOf(d, f), typeItemDone, it.client.out, noticeItem(it.slot.Notice, text)))
}

// closeReplaced ends the notices of calls that were never done.
func (d *response) closeReplaced(f frame.Frame) {
	for _, it := range d.items {
		if it.client.replaced && !it.client.done {
			d.finishNotice(f, it)
		}
	}
}

// restate is f as every client reads it alike: as it came if it is regular, else with the right event name, type and
// index of the item that it speaks of, if any.
func (d *response) restate(f frame.Frame, typ string, it *item) frame.Frame {
	if d.doc.Parse(f.Data) != nil {
		return frame.Frame{} // it was read before, so it can be read
	}
	if d.opts.Whole {
		return f
	}
	root := d.doc.Root()
	var edits []strictjson.Edit
	if v, _ := root.Member("type"); v.Kind() == strictjson.Missing && typ != typeError {
		if edit, err := root.SetMember("type", []byte(dialect.Quote(typ))); err == nil {
			edits = append(edits, edit)
		}
	}
	if it != nil && it.client.added && (it.index >= 0 && it.client.out != it.index || it.index < 0 && it.slot != nil) {
		// Of a call every client must know which one it is, by whatever it goes.
		if edit, err := root.SetMember("output_index", strconv.AppendInt(nil, int64(it.client.out), 10)); err == nil {
			edits = append(edits, edit)
		}
	}
	if f.Plain && len(edits) == 0 && (string(f.Type) == typ || len(f.Type) == 0 && typ == typeError) {
		return f
	}
	return frame.Frame{Type: []byte(typ), Data: strictjson.Splice(f.Data, edits...)}
}

// withItem is a frame with another item.
func (d *response) withItem(f frame.Frame, typ string, raw []byte) frame.Frame {
	if d.doc.Parse(f.Data) != nil {
		return f
	}
	v, _ := d.doc.Root().Member("item")
	return frame.Frame{Type: []byte(typ), Data: strictjson.Splice(f.Data, v.Replace(raw))}
}

// withoutOutput is a frame about a response that is under way, without items: they come in frames of their own.
func (d *response) withoutOutput(f frame.Frame) frame.Frame {
	if d.doc.Parse(f.Data) != nil {
		return f
	}
	response, _ := d.doc.Root().Member("response")
	output, err := response.Member("output")
	if err != nil || output.Kind() == strictjson.Missing || output.Kind() == strictjson.Array && output.Len() == 0 {
		return f
	}
	return frame.Frame{Type: f.Type, Data: strictjson.Splice(f.Data, output.Replace([]byte("[]")))}
}

// editItems is a response or a list with its refused items replaced, and with the arguments that its calls go out with.
func (d *response) editItems(f frame.Frame, s *step) frame.Frame {
	if d.doc.Parse(f.Data) != nil {
		return f
	}
	holder, member := d.doc.Root(), "output"
	switch {
	case s.typ == objectList:
		member = "data"
	case !d.opts.Whole:
		holder, _ = holder.Member("response")
	}
	output, _ := holder.Member(member)
	var edits []strictjson.Edit
	gone := map[int]bool{}
	i := 0
	for v := range output.Elems() {
		it := s.items[i]
		switch text, ok := d.noticeInPlaceOf(it); {
		case it.left, it.refusal() != nil && !ok:
			gone[i] = true
		case ok:
			edits = append(edits, v.Replace(noticeItem(it.slot.Notice, text)))
		case it.empty && it.kind == asked || it.renamed:
			edits = append(edits, v.Replace(it.sent()))
		case it.slot.Replaced():
			edits = append(edits, it.argumentEdit(v))
		}
		i++
	}
	edits = append(edits, output.RemoveElems(func(i int, _ strictjson.Value) bool { return gone[i] })...)
	if len(edits) == 0 {
		return f
	}
	return frame.Frame{Type: f.Type, Data: strictjson.Splice(f.Data, edits...)}
}

// noticeInPlaceOf is what stands in an item's place; false if nothing does.
func (d *response) noticeInPlaceOf(it *item) (string, bool) {
	if it.left || it.refusal() == nil {
		return "", false
	}
	return d.noticeFor(it)
}

// editItem is a body that is one item, or the notice that stands in its place.
func (d *response) editItem(f frame.Frame, it *item) frame.Frame {
	ruling := it.refusal()
	switch {
	case ruling == nil && (it.empty && it.kind == asked || it.slot.Replaced()):
		return frame.Frame{Data: it.sent()}
	case ruling == nil:
		return f
	}
	return frame.Frame{Data: noticeItem(it.slot.Notice, ruling.Notice(it.slot.Names[0]))}
}
