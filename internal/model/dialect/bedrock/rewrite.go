package bedrock

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
	switch {
	case f.Failure:
		d.Sent.Started, d.Sent.Ended = true, true
	case d.Options.Whole:
		d.Sent.Started, d.Sent.Ended = true, true
		f = d.editBody(f, s)
	case s.Type == typeMessageStart:
		d.Sent.Started = true
	case s.Type == typeMessageStop:
		d.CloseReplaced()
		d.EnsureContent()
		d.Sent.Ended = true
		f = d.editEnd(f, s)
	case s.Type == typeMetadata:
		f = d.editEnd(f, s)
	}
	d.Emit(f)
}

// restate returns a frame of a block with the block's index for the client.
func restate(m *blocks.Message, f frame.Frame, _ string, b *blocks.Block) frame.Frame {
	if b.InPlace() || m.Doc.Parse(f.Data) != nil {
		return f
	}
	return edited(f, m.Moved(m.Doc.Root(), b)...)
}

// edited returns f with these edits; unchanged if there are none.
func edited(f frame.Frame, edits ...strictjson.Edit) frame.Frame {
	if len(edits) == 0 {
		return f
	}
	return frame.Frame{Type: f.Type, Data: strictjson.Splice(f.Data, edits...)}
}

// editEnd returns a frame of the end of a response with a correct stop reason and without quotes of withheld calls.
func (d *editor) editEnd(f frame.Frame, s *blocks.Structure) frame.Frame {
	if d.Doc.Parse(f.Data) != nil {
		return f // it was parsed before, so it can be parsed
	}
	root := d.Doc.Root()
	return edited(f, append(d.StopReasonEdit(root), d.quoteEdits(root, s.Early)...)...)
}

// quoteEdits returns the edits that remove members that may repeat what the agent must not get, or that have a call that was not
// judged.
func (d *editor) quoteEdits(root strictjson.Value, early bool) []strictjson.Edit {
	gone := map[int]bool{}
	for _, name := range quoting {
		v, err := root.Member(name)
		if err == nil && v.Kind() > strictjson.Null && (early || d.Withholds() || dialect.CarriesCall(v)) {
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

// editBody returns a whole response with its refused blocks replaced.
func (d *editor) editBody(f frame.Frame, s *blocks.Structure) frame.Frame {
	if d.Doc.Parse(f.Data) != nil {
		return f // it was parsed before, so it can be parsed
	}
	root := d.Doc.Root()
	content, err := contentOf(root)
	if err != nil {
		return f
	}
	edits := d.ContentEdits(content, s.Whole)
	edits = append(edits, d.StopReasonEdit(root)...)
	return edited(f, append(edits, d.quoteEdits(root, false)...)...)
}
