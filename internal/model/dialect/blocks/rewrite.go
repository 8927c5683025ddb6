package blocks

import (
	"slices"
	"strconv"

	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/strictjson"
)

// RewriteBlock writes a frame of a block. Any other it returns, with its plan, for the format to write.
func (m *Message) RewriteBlock(f frame.Frame, r dialect.Reading) (frame.Frame, *Structure) {
	f = m.BeginFrame(f, r)
	switch plan := r.Plan.(type) {
	case *Block:
		if plan.refusal() == nil && !plan.restated() {
			m.Emit(m.wire.Restate(m, f, m.wire.BlockDelta, plan))
		}
	case *Structure:
		switch {
		case plan.Block == nil:
			return f, plan
		case plan.Type == m.wire.BlockStop:
			m.rewriteStop(f, plan.Block)
		default:
			m.rewriteStart(f, plan.Type, plan.Block)
		}
	}
	return f, nil
}

// begin gives a block its index in what goes out.
func (m *Message) begin(b *Block) {
	b.sent.started, b.sent.index = true, m.Sent.blocks
	m.Sent.blocks++
	m.Sent.content = m.Sent.content || b.Kind != Said || b.Type != ""
}

// rewriteStart is for the frame that opens a block.
func (m *Message) rewriteStart(f frame.Frame, typ string, b *Block) {
	if b.refusal() != nil {
		if text, ok := m.noticeFor(b); ok {
			m.begin(b)
			b.sent.replaced = true
			m.Out = m.wire.AppendText(m.Out, b.sent.index, text)
		}
		return
	}
	m.begin(b)
	f = m.wire.Restate(m, f, typ, b)
	switch {
	case b.restated() && b.inStart():
		m.Emit(m.withInput(f, b))
	case b.restated():
		m.Emit(f, m.wire.Arguments(b.sent.index, b.Slot.Sent()))
	default:
		m.Emit(f)
	}
}

// withInput is the start of a call with the arguments that it goes out with.
func (m *Message) withInput(f frame.Frame, b *Block) frame.Frame {
	if m.Doc.Parse(f.Data) != nil {
		return frame.Frame{} // it was read before, so it can be read
	}
	content, _ := m.Doc.Root().Member(m.wire.Content)
	return frame.Frame{Type: f.Type, Data: strictjson.Splice(f.Data, m.inputEdit(content, b))}
}

// inputEdit gives the call in a block the arguments that it goes out with.
func (m *Message) inputEdit(block strictjson.Value, b *Block) strictjson.Edit {
	edit, _ := m.wire.CallIn(block).SetMember("input", b.Slot.Sent()) // it was read before, so there is one at most
	return edit
}

// noticeFor is what the model reads in place of a refused block; false if it is to vanish.
func (m *Message) noticeFor(b *Block) (string, bool) {
	ruling := b.refusal()
	switch {
	case m.Options.Drop || ruling.Silent:
		return "", false
	case b.Slot == nil:
		return "[weir] The result of a refused call was removed.", true
	}
	return ruling.Notice(b.Slot.Names[0]), true
}

func (m *Message) rewriteStop(f frame.Frame, b *Block) {
	switch {
	case b.sent.started:
	case b.refusal() != nil:
		return
	default:
		m.begin(b)
	}
	if b.sent.replaced {
		m.Emit(m.stop(b))
		return
	}
	b.sent.stopped = true
	m.Emit(m.wire.Restate(m, f, m.wire.BlockStop, b))
}

func (m *Message) stop(b *Block) frame.Frame {
	b.sent.stopped = true
	return m.wire.Stop(b.sent.index)
}

// CloseReplaced ends the notices of calls that were never closed.
func (m *Message) CloseReplaced() {
	for _, b := range m.Blocks {
		if b.sent.replaced && !b.sent.stopped {
			m.Emit(m.stop(b))
		}
	}
}

// LastText are the frames that close all blocks and end the content with a text.
func (m *Message) LastText(text string) (frames []frame.Frame) {
	for _, b := range m.Blocks {
		if b.sent.started && !b.sent.stopped {
			frames = append(frames, m.stop(b))
		}
	}
	return m.appendBlock(frames, text)
}

// appendBlock adds a whole text block behind what was sent.
func (m *Message) appendBlock(frames []frame.Frame, text string) []frame.Frame {
	index := m.Sent.blocks
	m.Sent.blocks, m.Sent.content = index+1, true
	return append(m.wire.AppendText(frames, index, text), m.wire.Stop(index))
}

// EnsureContent sees to it that the message is not empty: the API would not take it back as history.
func (m *Message) EnsureContent() {
	if text := m.refusals(); !m.Sent.content && text != "" {
		m.Out = m.appendBlock(m.Out, text)
	}
}

// refusals are the notices of all refused calls.
func (m *Message) refusals() string {
	var text string
	for _, b := range m.Blocks {
		if b.Slot == nil || b.refusal() == nil {
			continue
		}
		if text != "" {
			text += "\n"
		}
		text += b.Slot.Ruling.Notice(b.Slot.Names[0])
	}
	return text
}

// Withholds says whether something of a call, as the model made it, does not go out.
func (m *Message) Withholds() bool {
	return slices.ContainsFunc(m.Blocks, func(b *Block) bool { return b.Slot.Withheld() })
}

// released says whether a call has gone out for the client to run.
func (m *Message) released() bool {
	return slices.ContainsFunc(m.Blocks, func(b *Block) bool {
		return (b.Kind == Asked || b.Kind == Unknown) && b.sent.started && b.refusal() == nil
	})
}

// The stop reasons that tell whether the client has calls to run.
const (
	reasonCalls = "tool_use"
	reasonEnd   = "end_turn"
)

// LastReason is the stop reason of a message that weir ends.
func (m *Message) LastReason() string {
	if m.released() {
		return reasonCalls
	}
	return reasonEnd
}

// StopReasonEdit changes the stop reason in v if the calls that it speaks of are gone.
func (m *Message) StopReasonEdit(v strictjson.Value) []strictjson.Edit {
	reason, err := v.Member(m.wire.StopReason)
	if err != nil || !reason.Is(reasonCalls) || m.released() || m.refusals() == "" {
		return nil
	}
	return []strictjson.Edit{reason.Replace([]byte(`"` + reasonEnd + `"`))}
}

// InPlace says whether a block goes out with the index that it came with.
func (b *Block) InPlace() bool { return b == nil || b.sent.index == b.Index }

// Moved is the edit that gives a frame of a block the index that the block goes out with.
func (m *Message) Moved(root strictjson.Value, b *Block) []strictjson.Edit {
	if b.InPlace() {
		return nil
	}
	index, _ := root.Member(m.wire.Index)
	return []strictjson.Edit{index.Replace(strconv.AppendInt(nil, int64(b.sent.index), 10))}
}

// ContentEdits replace the refused among the blocks of a message, and the arguments of those that get others.
func (m *Message) ContentEdits(content strictjson.Value, blocks []*Block) []strictjson.Edit {
	var edits []strictjson.Edit
	gone := map[int]bool{}
	i := 0
	for v := range content.Elems() {
		b := blocks[i]
		b.sent = sentBlock{started: true, stopped: true, index: i - len(gone)}
		if b.refusal() != nil {
			if text, ok := m.noticeFor(b); ok {
				edits = append(edits, v.Replace(m.wire.Text(text)))
			} else {
				gone[i] = true
			}
		} else if b.Slot.Replaced() {
			edits = append(edits, m.inputEdit(v, b))
		}
		i++
	}
	m.Sent.blocks = i - len(gone)
	m.Sent.content = m.Sent.blocks > 0
	if m.Sent.blocks == 0 && i > 0 && m.Options.Whole {
		m.Sent.blocks, m.Sent.content = 1, true
		return []strictjson.Edit{content.Replace(slices.Concat([]byte("["), m.wire.Text(m.refusals()), []byte("]")))}
	}
	return append(edits, content.RemoveElems(func(i int, _ strictjson.Value) bool { return gone[i] })...)
}
