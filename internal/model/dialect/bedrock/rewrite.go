package bedrock

import (
	"slices"
	"strconv"

	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/strictjson"
)

// client is what the agent has of the response.
type client struct {
	started bool // messageStart, or a whole message
	ended   bool // messageStop, a failure or a whole message
	blocks  int  // content blocks it has, notices included
	content bool // something is in them
}

// Rewrite implements dialect.Dialect. The frames it returns are valid until it is called again.
func (d *response) Rewrite(f frame.Frame, r dialect.Reading) ([]frame.Frame, error) {
	d.out = d.out[:0]
	f = r.Frame(f)
	switch plan := r.Plan.(type) {
	case *block:
		d.rewriteDelta(f, plan)
	case *structure:
		d.rewriteStructure(f, plan)
	}
	return d.out, nil
}

func (d *response) rewriteStructure(f frame.Frame, s *structure) {
	switch {
	case f.Failure:
		d.client.started, d.client.ended = true, true
		d.emit(f)
	case d.opts.Whole:
		d.client.started, d.client.ended = true, true
		d.emit(d.editBody(f, s))
	case s.typ == typeMessageStart:
		d.client.started = true
		d.emit(f)
	case s.typ == typeBlockStart, s.typ == typeBlockDelta:
		d.rewriteStart(f, s.block)
	case s.typ == typeBlockStop:
		d.rewriteStop(f, s.block)
	case s.typ == typeMessageStop:
		d.closeReplaced()
		d.ensureContent()
		d.client.ended = true
		d.emit(d.editEnd(f, s))
	case s.typ == typeMetadata:
		d.emit(d.editEnd(f, s))
	default:
		d.emit(f)
	}
}

func (d *response) emit(f frame.Frame) { d.out = append(d.out, f) }

// begin gives a block its place in what the agent has.
func (d *response) begin(b *block) {
	b.client.started, b.client.out = true, d.client.blocks
	d.client.blocks++
	d.client.content = d.client.content || b.unit != ""
}

// rewriteStart is for the frame that opens a block.
func (d *response) rewriteStart(f frame.Frame, b *block) {
	if b.refused() {
		d.replace(b)
		return
	}
	d.begin(b)
	d.emit(d.atPlace(f, b))
	if b.restated() {
		d.emit(argumentsFrame(b))
	}
}

// replace puts a notice where a block was, or nothing.
func (d *response) replace(b *block) {
	text, ok := d.noticeFor(b)
	if !ok {
		return
	}
	d.begin(b)
	b.client.replaced = true
	d.emit(textDelta(b.client.out, text))
}

// noticeFor is what the model reads in place of a refused block; false if it is to vanish.
func (d *response) noticeFor(b *block) (string, bool) {
	ruling := b.refusal()
	switch {
	case d.opts.Drop || ruling.Silent:
		return "", false
	case b.slot == nil:
		return "[weir] The result of a refused call was removed.", true
	}
	return ruling.Notice(b.slot.Names[0]), true
}

// rewriteDelta is for the deltas of a block that has begun.
func (d *response) rewriteDelta(f frame.Frame, b *block) {
	if b.refused() || b.restated() {
		return
	}
	d.emit(d.atPlace(f, b))
}

func (d *response) rewriteStop(f frame.Frame, b *block) {
	if b.refused() && !b.client.started {
		return
	}
	if !b.client.started {
		d.begin(b)
	}
	b.client.stopped = true
	if b.client.replaced {
		d.emit(stopFrame(b.client.out))
		return
	}
	d.emit(d.atPlace(f, b))
}

// closeReplaced ends the notices of calls that were never closed.
func (d *response) closeReplaced() {
	for _, b := range d.blocks {
		if b.client.replaced && !b.client.stopped {
			b.client.stopped = true
			d.emit(stopFrame(b.client.out))
		}
	}
}

// ensureContent sees to it that the message is not empty: the API would not take it back as history.
func (d *response) ensureContent() {
	if text := d.refusals(); !d.client.content && text != "" {
		d.out = append(d.out, d.textBlock(text)...)
	}
}

// refusals are the notices of all refused calls.
func (d *response) refusals() string {
	var text string
	for _, b := range d.blocks {
		if b.slot == nil || !b.refused() {
			continue
		}
		if text != "" {
			text += "\n"
		}
		text += b.slot.Ruling.Notice(b.slot.Names[0])
	}
	return text
}

// withholds says whether something of a call, as the model made it, is not the agent's to have.
func (d *response) withholds() bool {
	return slices.ContainsFunc(d.blocks, func(b *block) bool { return b.slot.Withheld() })
}

// released says whether the agent has been given a call to run.
func (d *response) released() bool {
	for _, b := range d.blocks {
		if (b.kind == asked || b.kind == unknown) && b.client.started && !b.refused() {
			return true
		}
	}
	return false
}

// atPlace is a frame of a block with the index that the block has for the agent.
func (d *response) atPlace(f frame.Frame, b *block) frame.Frame {
	if b.client.out == b.index || d.doc.Parse(f.Data) != nil {
		return f
	}
	index, _ := d.doc.Root().Member("contentBlockIndex")
	return edited(f, index.Replace(strconv.AppendInt(nil, int64(b.client.out), 10)))
}

// edited is f with these edits made; as it came if there are none.
func edited(f frame.Frame, edits ...strictjson.Edit) frame.Frame {
	if len(edits) == 0 {
		return f
	}
	return frame.Frame{Type: f.Type, Data: strictjson.Splice(f.Data, edits...)}
}

// editEnd is a frame of the end of a response whose stop reason is true, and which quotes no call that is withheld.
func (d *response) editEnd(f frame.Frame, s *structure) frame.Frame {
	if d.doc.Parse(f.Data) != nil {
		return f // it was read before, so it can be read
	}
	root := d.doc.Root()
	return edited(f, append(d.stopReasonEdit(root), d.quoteEdits(root, s.early)...)...)
}

// stopReasonEdit changes a stop reason if the calls that it speaks of are gone.
func (d *response) stopReasonEdit(root strictjson.Value) []strictjson.Edit {
	reason, err := root.Member("stopReason")
	if err != nil || !reason.Is("tool_use") || d.released() || d.refusals() == "" {
		return nil
	}
	return []strictjson.Edit{reason.Replace([]byte(`"end_turn"`))}
}

// quoteEdits remove what may say again what the agent must not have, or has a call in it that was never judged.
func (d *response) quoteEdits(root strictjson.Value, early bool) []strictjson.Edit {
	gone := map[int]bool{}
	for _, name := range quoting {
		v, err := root.Member(name)
		if err == nil && v.Kind() > strictjson.Null && (early || d.withholds() || dialect.CarriesCall(v)) {
			start, _ := v.Span()
			gone[start] = true
		}
	}
	if len(gone) == 0 {
		return nil
	}
	return root.Prune(func(v strictjson.Value) ([]byte, bool) {
		start, _ := v.Span()
		return nil, gone[start]
	})
}

// editBody is a whole response with its refused blocks replaced.
func (d *response) editBody(f frame.Frame, s *structure) frame.Frame {
	if d.doc.Parse(f.Data) != nil {
		return f // it was read before, so it can be read
	}
	root := d.doc.Root()
	content, err := contentOf(root)
	if err != nil {
		return f
	}
	edits := d.contentEdits(content, s.whole)
	edits = append(edits, d.stopReasonEdit(root)...)
	return edited(f, append(edits, d.quoteEdits(root, false)...)...)
}

// contentEdits replace the refused among the blocks of a message, and the arguments of those that get others.
func (d *response) contentEdits(content strictjson.Value, blocks []*block) []strictjson.Edit {
	var edits []strictjson.Edit
	gone := map[int]bool{}
	i := 0
	for v := range content.Elems() {
		b := blocks[i]
		b.client = clientBlock{started: true, stopped: true, out: i - len(gone)}
		if b.refused() {
			if text, ok := d.noticeFor(b); ok {
				edits = append(edits, v.Replace(textJSON(text)))
			} else {
				gone[i] = true
			}
		} else if b.slot.Replaced() {
			edits = append(edits, inputEdit(v, b))
		}
		i++
	}
	if len(gone) == i && i > 0 {
		return []strictjson.Edit{content.Replace([]byte("[" + string(textJSON(d.refusals())) + "]"))}
	}
	return append(edits, content.RemoveElems(func(i int, _ strictjson.Value) bool { return gone[i] })...)
}

// inputEdit gives a whole call the arguments that it goes out with.
func inputEdit(content strictjson.Value, b *block) strictjson.Edit {
	call, _ := content.Member(unitCall)
	edit, _ := call.SetMember("input", b.slot.Sent()) // it was read before, so there is one at most
	return edit
}
