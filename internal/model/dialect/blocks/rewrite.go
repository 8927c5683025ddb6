package blocks

import (
	"slices"
	"strconv"

	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/strictjson"
)

// RewriteBlock rewrites a frame of a block. It returns any other frame, with its plan, for the format to rewrite.
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

// begin gives a block its index for the client.
func (m *Message) begin(b *Block) {
	b.sent.started, b.sent.index = true, m.Sent.blocks
	m.Sent.blocks++
	m.Sent.content = m.Sent.content || b.Kind != Said || b.Type != ""
}

// rewriteStart rewrites the frame that opens a block.
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

// withInput returns the start of a call with the arguments with which it is sent.
func (m *Message) withInput(f frame.Frame, b *Block) frame.Frame {
	if m.Doc.Parse(f.Data) != nil {
		return frame.Frame{} // it was parsed before, so it can be parsed
	}
	content, _ := m.Doc.Root().Member(m.wire.Content)
	return frame.Frame{Type: f.Type, Data: strictjson.Splice(f.Data, m.inputEdit(content, b))}
}

// inputEdit returns the edit that sets the arguments of the call in a block to those with which it is sent.
func (m *Message) inputEdit(block strictjson.Value, b *Block) strictjson.Edit {
	edit, _ := m.wire.CallIn(block).SetMember("input", b.Slot.Sent()) // it was parsed before, so there is at most one
	return edit
}

// noticeFor returns the text for the model in place of a refused block; false: the block is removed without a notice.
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

// LastText returns the frames that close all blocks and end the content with a text.
func (m *Message) LastText(text string) (frames []frame.Frame) {
	for _, b := range m.Blocks {
		if b.sent.started && !b.sent.stopped {
			frames = append(frames, m.stop(b))
		}
	}
	return m.appendBlock(frames, text)
}

// appendBlock adds a whole text block after what was sent.
func (m *Message) appendBlock(frames []frame.Frame, text string) []frame.Frame {
	index := m.Sent.blocks
	m.Sent.blocks, m.Sent.content = index+1, true
	return append(m.wire.AppendText(frames, index, text), m.wire.Stop(index))
}

// EnsureContent adds the notices if the message would be empty: the API would not accept an empty message in a later request.
func (m *Message) EnsureContent() {
	if text := m.refusals(); !m.Sent.content && text != "" {
		m.Out = m.appendBlock(m.Out, text)
	}
}

// refusals returns the notices of all refused calls.
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

// Withholds says whether a call is not sent as the model made it.
func (m *Message) Withholds() bool {
	return slices.ContainsFunc(m.Blocks, func(b *Block) bool { return b.Slot.Withheld() })
}

// released says whether a call was sent for the client to run.
func (m *Message) released() bool {
	return slices.ContainsFunc(m.Blocks, func(b *Block) bool {
		return (b.Kind == Asked || b.Kind == Unknown) && b.sent.started && b.refusal() == nil
	})
}

// The stop reasons that say whether the client has calls to run.
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

// StopReasonEdit changes the stop reason in v if it is about calls and none was released.
func (m *Message) StopReasonEdit(v strictjson.Value) []strictjson.Edit {
	reason, err := v.Member(m.wire.StopReason)
	if err != nil || !reason.Is(reasonCalls) || m.released() || m.refusals() == "" {
		return nil
	}
	return []strictjson.Edit{reason.Replace([]byte(`"` + reasonEnd + `"`))}
}

// InPlace says whether a block has the same index for the client as from the upstream.
func (b *Block) InPlace() bool { return b == nil || b.sent.index == b.Index }

// Moved returns the edit that gives a frame of a block the block's index for the client.
func (m *Message) Moved(root strictjson.Value, b *Block) []strictjson.Edit {
	if b.InPlace() {
		return nil
	}
	index, _ := root.Member(m.wire.Index)
	return []strictjson.Edit{index.Replace(strconv.AppendInt(nil, int64(b.sent.index), 10))}
}

// ContentEdits returns the edits that replace the refused blocks of a message, and the arguments that must be replaced.
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
