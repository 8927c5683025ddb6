package anthropic

import (
	"strconv"

	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/strictjson"
)

// client is what the agent has of the response.
type client struct {
	started bool // message_start, or a whole message
	closing bool // message_delta
	ended   bool // message_stop or an error
	blocks  int  // content blocks it has, notices included
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
	switch s.typ {
	case typeDone:
		// Nothing a client needs.
	case typeMessage, typeMessageStart:
		d.client.started, d.client.ended = true, s.typ == typeMessage
		d.emit(d.withoutTrace(d.editMessage(f, s)))
	case typeBlockStart:
		d.rewriteStart(f, s.block)
	case typeBlockStop:
		d.rewriteStop(f, s.block)
	case typeMessageDelta:
		d.closeReplaced()
		d.ensureContent()
		d.client.closing = true
		d.emit(d.withoutTrace(d.editStopReason(f)))
	case typeMessageStop:
		d.closeReplaced()
		d.client.ended = true
		d.emit(d.withoutTrace(d.restate(f, s.typ)))
	case typePing:
		if !d.client.ended {
			d.emit(d.restate(f, s.typ))
		}
	case typeError:
		d.client.started, d.client.ended = true, true
		d.emit(d.restate(f, s.typ))
	default:
		d.emit(d.restate(f, s.typ))
	}
}

func (d *response) emit(f frame.Frame) { d.out = append(d.out, f) }

// withoutTrace is a frame without what could quote a call that is withheld, if there is one.
func (d *response) withoutTrace(f frame.Frame) frame.Frame {
	for _, b := range d.blocks {
		if b.slot.Withheld() {
			return dialect.WithoutTrace(f)
		}
	}
	return f
}

func (d *response) rewriteStart(f frame.Frame, b *block) {
	if b.refused() {
		d.replace(b)
		return
	}
	b.client.started, b.client.out = true, d.client.blocks
	d.client.blocks++
	f = d.restate(f, typeBlockStart, b)
	switch {
	case b.restated() && b.inStart():
		d.emit(d.withInput(f, b))
	case b.restated():
		d.out = append(d.out, f, argumentsFrame(b))
	default:
		d.emit(f)
	}
}

// withInput is the start of a call with the arguments that it goes out with.
func (d *response) withInput(f frame.Frame, b *block) frame.Frame {
	if d.doc.Parse(f.Data) != nil {
		return frame.Frame{} // it was read before, so it can be read
	}
	content, _ := d.doc.Root().Member("content_block")
	return frame.Frame{Type: f.Type, Data: strictjson.Splice(f.Data, inputEdit(content, b))}
}

// inputEdit gives a whole call the arguments that it goes out with.
func inputEdit(content strictjson.Value, b *block) strictjson.Edit {
	edit, _ := content.SetMember("input", b.slot.Sent()) // it was read before, so there is one at most
	return edit
}

// replace puts a notice where a block was, or nothing.
func (d *response) replace(b *block) {
	text, ok := d.noticeFor(b)
	if !ok {
		return
	}
	b.client = clientBlock{started: true, replaced: true, out: d.client.blocks}
	d.client.blocks++
	d.out = append(d.out, textStart(b.client.out), textDelta(b.client.out, text))
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

func (d *response) rewriteDelta(f frame.Frame, b *block) {
	if b.refused() || b.restated() {
		return
	}
	d.emit(d.restate(f, typeBlockDelta, b))
}

func (d *response) rewriteStop(f frame.Frame, b *block) {
	if !b.client.started {
		return
	}
	b.client.stopped = true
	if b.client.replaced {
		d.emit(stopFrame(b.client.out))
		return
	}
	d.emit(d.restate(f, typeBlockStop, b))
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
	if text := d.refusals(); d.client.blocks == 0 && text != "" {
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

// endsTurn says whether a stop reason must change because the calls that it speaks of are gone.
func (d *response) endsTurn(reason string) bool {
	return reason == "tool_use" && !d.released() && d.refusals() != ""
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

// restate is f as every client reads it alike: as it came if it is regular, else with the right event name, type and
// block index. b is the block it speaks of, if any.
func (d *response) restate(f frame.Frame, typ string, b ...*block) frame.Frame {
	if f.Failure {
		return f // the framing says all that there is to say
	}
	if d.doc.Parse(f.Data) != nil {
		// It was read before, so it can be read.
		return frame.Frame{}
	}
	root := d.doc.Root()
	var edits []strictjson.Edit
	if v, _ := root.Member("type"); v.Kind() == strictjson.Missing {
		if edit, err := root.SetMember("type", strictjson.AppendString(nil, typ)); err == nil {
			edits = append(edits, edit)
		}
	}
	if len(b) == 1 && b[0].client.out != b[0].index {
		index, _ := root.Member("index")
		edits = append(edits, index.Replace(strconv.AppendInt(nil, int64(b[0].client.out), 10)))
	}
	if f.Plain && len(edits) == 0 && (d.opts.Whole || d.isNamed(f, typ)) {
		return f
	}
	return frame.Frame{Type: []byte(typ), Data: strictjson.Splice(f.Data, edits...)}
}

// editStopReason is a message_delta whose stop reason is true.
func (d *response) editStopReason(f frame.Frame) frame.Frame {
	g := d.restate(f, typeMessageDelta)
	if d.doc.Parse(g.Data) != nil {
		return g
	}
	delta, _ := d.doc.Root().Member("delta")
	edits := d.stopReasonEdit(delta)
	if len(edits) == 0 {
		return g
	}
	return frame.Frame{Type: []byte(typeMessageDelta), Data: strictjson.Splice(g.Data, edits...)}
}

func (d *response) stopReasonEdit(v strictjson.Value) []strictjson.Edit {
	reason, err := v.Member("stop_reason")
	if err != nil {
		return nil
	}
	if text, _ := reason.Text(); !d.endsTurn(text) {
		return nil
	}
	return []strictjson.Edit{reason.Replace([]byte(`"end_turn"`))}
}

// editMessage is a message with its refused blocks replaced.
func (d *response) editMessage(f frame.Frame, s *structure) frame.Frame {
	g := d.restate(f, s.typ)
	if len(s.whole) == 0 || d.doc.Parse(g.Data) != nil {
		return g
	}
	message := d.doc.Root()
	if s.typ == typeMessageStart {
		message, _ = message.Member("message")
	}
	content, _ := message.Member("content")
	edits := d.contentEdits(content, s.whole)
	if len(edits) == 0 {
		return g
	}
	edits = append(edits, d.stopReasonEdit(message)...)
	return frame.Frame{Type: []byte(s.typ), Data: strictjson.Splice(g.Data, edits...)}
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
	d.client.blocks = i - len(gone)
	if d.client.blocks == 0 && d.opts.Whole {
		d.client.blocks = 1
		return []strictjson.Edit{content.Replace([]byte("[" + string(textJSON(d.refusals())) + "]"))}
	}
	return append(edits, content.RemoveElems(func(i int, _ strictjson.Value) bool { return gone[i] })...)
}
