package anthropic

import (
	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/model/dialect/blocks"
	"github.com/weir-gate/weir/internal/strictjson"
)

// Rewrite implements dialect.Dialect. The frames it returns are valid until it is called again.
func (d *editor) Rewrite(f frame.Frame, r dialect.Reading) ([]frame.Frame, error) {
	if f, s := d.RewriteBlock(f, r); s != nil {
		d.rewriteStructure(f, s)
	}
	return d.Out, nil
}

func (d *editor) rewriteStructure(f frame.Frame, s *blocks.Structure) {
	switch s.Type {
	case typeDone:
		// No client needs this frame.
	case typeMessage, typeMessageStart:
		d.Sent.Started, d.Sent.Ended = true, s.Type == typeMessage
		d.Emit(d.withoutTrace(d.editMessage(f, s)))
	case typeMessageDelta:
		d.CloseReplaced()
		d.EnsureContent()
		d.Sent.Closing = true
		d.Emit(d.withoutTrace(d.editStopReason(f)))
	case typeMessageStop:
		d.CloseReplaced()
		d.Sent.Ended = true
		d.Emit(d.withoutTrace(d.restate(f, s.Type)))
	case typePing:
		if !d.Sent.Ended {
			d.Emit(d.restate(f, s.Type))
		}
	case typeError:
		d.Sent.Started, d.Sent.Ended = true, true
		d.Emit(d.restate(f, s.Type))
	default:
		d.Emit(d.restate(f, s.Type))
	}
}

// withoutTrace returns a frame without the trace that could quote a withheld call, if there is such a call.
func (d *editor) withoutTrace(f frame.Frame) frame.Frame {
	if d.Withholds() {
		return dialect.WithoutTrace(f)
	}
	return f
}

func (d *editor) restate(f frame.Frame, typ string) frame.Frame {
	return restate(&d.Message, f, typ, nil)
}

// restate returns f in a form that all clients read the same: unchanged if it is regular, else with the right event name, type and
// block index. b is the block of the frame, if it has one.
func restate(m *blocks.Message, f frame.Frame, typ string, b *blocks.Block) frame.Frame {
	if f.Failure {
		return f // the framing itself says that it is a failure
	}
	if m.Doc.Parse(f.Data) != nil {
		return frame.Frame{} // it was parsed before, so it can be parsed
	}
	root := m.Doc.Root()
	edits := m.Moved(root, b)
	if v, _ := root.Member("type"); v.Kind() == strictjson.Missing {
		if edit, err := root.SetMember("type", strictjson.AppendString(nil, typ)); err == nil {
			edits = append(edits, edit)
		}
	}
	if f.Plain && len(edits) == 0 && (m.Options.Whole || isNamed(m.Options, f, typ)) {
		return f
	}
	return frame.Frame{Type: []byte(typ), Data: strictjson.Splice(f.Data, edits...)}
}

// editStopReason returns a message_delta with a correct stop reason.
func (d *editor) editStopReason(f frame.Frame) frame.Frame {
	g := d.restate(f, typeMessageDelta)
	if d.Doc.Parse(g.Data) != nil {
		return g
	}
	delta, _ := d.Doc.Root().Member("delta")
	edits := d.StopReasonEdit(delta)
	if len(edits) == 0 {
		return g
	}
	return frame.Frame{Type: []byte(typeMessageDelta), Data: strictjson.Splice(g.Data, edits...)}
}

// editMessage returns a message with its refused blocks replaced.
func (d *editor) editMessage(f frame.Frame, s *blocks.Structure) frame.Frame {
	g := d.restate(f, s.Type)
	if len(s.Whole) == 0 || d.Doc.Parse(g.Data) != nil {
		return g
	}
	message := d.Doc.Root()
	if s.Type == typeMessageStart {
		message, _ = message.Member("message")
	}
	content, _ := message.Member("content")
	edits := d.ContentEdits(content, s.Whole)
	if len(edits) == 0 {
		return g
	}
	edits = append(edits, d.StopReasonEdit(message)...)
	return frame.Frame{Type: []byte(s.Type), Data: strictjson.Splice(g.Data, edits...)}
}
