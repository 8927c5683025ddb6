package openairesponses

import (
	"strconv"

	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/strictjson"
)

// sent is what was sent of the response.
type sent struct {
	begun    bool // a frame, or a body
	ended    bool // a terminal frame, an error, or a body
	next     int  // the output_index of the next item
	counted  bool // next is known
	shifted  bool // the client's indexes are not the upstream's
	saidSize int  // stored bytes of items that are not calls
	// free is the first number after those of weir's own frames; 0: weir's frames have only used numbers of frames that they replaced.
	free int64
}

// sentItem is what was sent of an item.
type sentItem struct {
	added, done bool
	replaced    bool   // by a notice
	told        string // the text of the notice; "": none yet
	out         int    // its output_index for the client
}

// asItCame says whether frames about an item that is not a call need no change.
func (it *item) asItCame() bool {
	return it.sent.added && len(it.waits) == 0 && (it.index < 0 || it.sent.out == it.index)
}

// Rewrite implements dialect.Dialect. The frames it returns are valid until it is called again.
func (d *editor) Rewrite(f frame.Frame, r dialect.Reading) ([]frame.Frame, error) {
	f = d.BeginFrame(f, r)
	d.sent.begun = true
	switch plan := r.Plan.(type) {
	case *item: // a frame with text that was queued behind a call
		d.Emit(d.restate(f, string(f.Type), plan))
	case *pass:
		d.rewritePassing(f, plan)
	case *step:
		d.rewriteStep(f, plan)
	}
	d.number(f)
	return d.Out, nil
}

// rewritePassing rewrites a frame that is sent unless its item is not sent.
func (d *editor) rewritePassing(f frame.Frame, p *pass) {
	if p.item != nil && (p.item.refusal() != nil || p.item.isRestated() && p.item.kind != ran) {
		return
	}
	if p.typ == typeKeepAlive && d.sent.ended {
		return
	}
	d.Emit(d.restate(f, p.typ, p.item))
}

func (d *editor) rewriteStep(f frame.Frame, s *step) {
	switch s.typ {
	case "":
		// The client does not need this piece.
	case done:
		d.closeReplaced(f)
		d.sent.ended = true
		d.Emit(f)
	case typeCreated, typeQueued, typeInProgress:
		d.Emit(d.withoutOutput(d.restate(f, s.typ, nil)))
	case typeItemAdded:
		d.rewriteAdded(f, s.item)
	case typeItemDone:
		d.rewriteDone(f, s.item)
	case typeError:
		d.sent.ended = true
		d.Emit(d.restate(f, s.typ, nil))
	case "item":
		d.sent.ended = true
		d.Emit(d.editItem(f, s.item))
	default:
		if !d.Options.Whole {
			d.closeReplaced(f)
		}
		d.sent.ended = true
		d.Emit(d.editItems(d.restate(f, s.typ, nil), s))
	}
}

// place gives an item its index for the client.
func (d *editor) place(it *item) {
	if !d.sent.counted {
		// A resumed stream also continues counting.
		d.sent.counted = true
		if d.resumed && it.index > 0 {
			d.sent.next = it.index
		}
	}
	it.sent.added, it.sent.out = true, d.sent.next
	d.sent.next++
	d.sent.shifted = d.sent.shifted || it.index >= 0 && it.sent.out != it.index
}

func (d *editor) rewriteAdded(f frame.Frame, it *item) {
	if it.refusal() != nil {
		d.replace(f, it)
		return
	}
	d.place(it)
	f = d.restate(f, typeItemAdded, it)
	if it.isRestated() && len(it.raw) > 0 {
		f = d.withItem(f, typeItemAdded, it.beginning())
	}
	d.Emit(f)
}

// replace replaces an item by a notice, or by nothing. f is the replaced frame.
func (d *editor) replace(f frame.Frame, it *item) {
	text, ok := d.noticeFor(it)
	if !ok {
		d.sent.shifted = true
		return
	}
	d.place(it)
	it.sent.replaced, it.sent.told = true, text
	d.Out = append(d.Out, d.noticeFrames(numberOf(d, f), it.sent.out, it.slot.Notice, text)...)
}

// noticeFor returns the text for the model in place of a refused item; false: the item is removed without a notice. After reasoning
// there is always a notice: the API does not accept reasoning that is followed by nothing.
func (d *editor) noticeFor(it *item) (string, bool) {
	if it.sent.told != "" {
		return it.sent.told, true // the call may have another name since then
	}
	ruling := it.refusal()
	if it.slot == nil || ruling.Silent || d.Options.Drop && !it.reasoned {
		return "", false
	}
	return ruling.Notice(it.slot.Names[0]), true
}

func (d *editor) rewriteDone(f frame.Frame, it *item) {
	if it.refusal() != nil {
		if !it.begun && !d.resumed {
			d.replace(f, it)
		}
		d.finishNotice(f, it)
		return
	}
	d.beginLate(f, it)
	it.sent.done = true
	if it.isRestated() && it.inText() && it.kind == asked && (it.begun || !d.resumed) {
		// A client that resumes has some of the arguments already.
		d.Out = append(d.Out, d.argumentFrames(numberOf(d, f), it)...)
	}
	f = d.restate(f, typeItemDone, it)
	switch {
	case it.slot.Replaced():
		f = d.withArguments(f, typeItemDone, it)
	case it.empty && it.kind == asked:
		f = d.withItem(f, typeItemDone, it.raw)
	}
	d.Emit(f)
}

// beginLate adds an item that the upstream did not add: clients count items by the frames that add them.
func (d *editor) beginLate(f frame.Frame, it *item) {
	switch {
	case it.begun:
	case d.resumed:
		d.place(it)
	default:
		d.place(it)
		it.restated = true
		d.Emit(d.itemFrame(numberOf(d, f), typeItemAdded, it.sent.out, it.beginning()))
	}
}

// finishNotice ends a notice. A client that resumes has its beginning.
func (d *editor) finishNotice(f frame.Frame, it *item) {
	text, ok := d.noticeFor(it)
	if !ok || it.sent.done {
		return
	}
	if !it.sent.replaced {
		d.place(it)
	}
	it.sent.replaced, it.sent.done = true, true
	d.Emit(d.itemFrame(numberOf(d, f), typeItemDone, it.sent.out, noticeItem(it.slot.Notice, text)))
}

// closeReplaced ends the notices of calls that were never done.
func (d *editor) closeReplaced(f frame.Frame) {
	for _, it := range d.items {
		if it.sent.replaced && !it.sent.done {
			d.finishNotice(f, it)
		}
	}
}

// restate returns f in a form that all clients read the same: unchanged if it is regular, else with the right event name, type and
// index of its item, if it has one.
func (d *editor) restate(f frame.Frame, typ string, it *item) frame.Frame {
	if d.Doc.Parse(f.Data) != nil {
		return frame.Frame{} // it was parsed before, so it can be parsed
	}
	if d.Options.Whole {
		return f
	}
	root := d.Doc.Root()
	var edits []strictjson.Edit
	if v, _ := root.Member("type"); v.Kind() == strictjson.Missing && typ != typeError {
		if edit, err := root.SetMember("type", []byte(dialect.Quote(typ))); err == nil {
			edits = append(edits, edit)
		}
	}
	if it != nil && it.sent.added && (it.index >= 0 && it.sent.out != it.index || it.index < 0 && it.slot != nil) {
		// Every client must recognise the call, whether it uses the index or the id.
		if edit, err := root.SetMember("output_index", strconv.AppendInt(nil, int64(it.sent.out), 10)); err == nil {
			edits = append(edits, edit)
		}
	}
	if f.Plain && len(edits) == 0 && (string(f.Type) == typ || len(f.Type) == 0 && typ == typeError) {
		return f
	}
	return frame.Frame{Type: []byte(typ), Data: strictjson.Splice(f.Data, edits...)}
}

// withItem returns a frame with its item replaced.
func (d *editor) withItem(f frame.Frame, typ string, raw []byte) frame.Frame {
	if d.Doc.Parse(f.Data) != nil {
		return f
	}
	v, _ := d.Doc.Root().Member("item")
	return frame.Frame{Type: []byte(typ), Data: strictjson.Splice(f.Data, v.Replace(raw))}
}

// withoutOutput returns a frame about a response under way without items: they come in separate frames.
func (d *editor) withoutOutput(f frame.Frame) frame.Frame {
	if d.Doc.Parse(f.Data) != nil {
		return f
	}
	response, _ := d.Doc.Root().Member("response")
	output, err := response.Member("output")
	if err != nil || output.Kind() == strictjson.Missing || output.Kind() == strictjson.Array && output.Len() == 0 {
		return f
	}
	return frame.Frame{Type: f.Type, Data: strictjson.Splice(f.Data, output.Replace([]byte("[]")))}
}

// editItems returns a response or a list with its refused items replaced, and with the arguments with which its calls are sent.
func (d *editor) editItems(f frame.Frame, s *step) frame.Frame {
	if d.Doc.Parse(f.Data) != nil {
		return f
	}
	holder, member := d.Doc.Root(), "output"
	switch {
	case s.typ == objectList:
		member = "data"
	case !d.Options.Whole:
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
			edits = append(edits, v.Replace(it.whole()))
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

// noticeInPlaceOf returns the notice that replaces an item; false: none does.
func (d *editor) noticeInPlaceOf(it *item) (string, bool) {
	if it.left || it.refusal() == nil {
		return "", false
	}
	return d.noticeFor(it)
}

// editItem returns a body that is one item, or the notice that replaces it.
func (d *editor) editItem(f frame.Frame, it *item) frame.Frame {
	ruling := it.refusal()
	switch {
	case ruling == nil && (it.empty && it.kind == asked || it.slot.Replaced()):
		return frame.Frame{Data: it.whole()}
	case ruling == nil:
		return f
	}
	return frame.Frame{Data: noticeItem(it.slot.Notice, ruling.Notice(it.slot.Names[0]))}
}
