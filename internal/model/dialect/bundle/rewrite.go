package bundle

import (
	"bytes"

	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/strictjson"
)

// Rewrite implements dialect.Dialect. All bytes outside of edited responses are unchanged.
func (d *editor) Rewrite(f frame.Frame, r dialect.Reading) ([]frame.Frame, error) {
	parts, _ := r.Plan.([]*part)
	f = r.Frame(f)
	var edits []strictjson.Edit
	for _, p := range parts {
		from := p
		if p.twin != nil {
			from = p.twin
		} else if err := p.rewrite(f.Data[p.start:p.end]); err != nil {
			return nil, err
		}
		if from.rewritten {
			edits = append(edits, strictjson.Edit{Start: p.start, End: p.end, New: from.text})
		}
	}
	d.done = d.opts.Whole
	if len(edits) > 0 {
		f = frame.Frame{Data: strictjson.Splice(f.Data, edits...)}
	}
	return []frame.Frame{f}, nil
}

// rewrite lets the response's own dialect rewrite it.
func (p *part) rewrite(raw []byte) error {
	if p.dialect == nil {
		return nil // it was rewritten when it was parsed
	}
	sent := p.frame(raw)
	frames, err := p.dialect.Rewrite(sent, p.reading)
	if err != nil {
		return err
	}
	if len(frames) != 1 || len(p.dialect.Tail()) > 0 {
		// A body is one frame, so there is no room for another one.
		return dialect.Malformed("a response of a bundle has become more or less than one")
	}
	text := frames[0].Data
	if bytes.Equal(text, sent.Data) {
		return nil
	}
	p.rewritten, p.text = true, text
	if p.message {
		p.text, err = messageIn(text)
	}
	return err
}

// The completion that is put around a single message, so that a dialect can parse it.
const (
	beforeMessage = `{"object":"chat.completion","choices":[{"index":0,"message":`
	afterMessage  = `,"finish_reason":"tool_calls"}]}`
)

// frame returns a response as the frame that its dialect parses.
func (p *part) frame(raw []byte) frame.Frame {
	if p.message {
		raw = []byte(beforeMessage + string(raw) + afterMessage)
	}
	return frame.Frame{Raw: raw, Data: raw, Plain: true}
}

// messageIn returns the message of a completion that was put around it.
func messageIn(completion []byte) ([]byte, error) {
	var doc strictjson.Doc
	if err := doc.Parse(completion); err == nil {
		choices, _ := doc.Root().Member("choices")
		for choice := range choices.Elems() {
			if message, err := choice.Member("message"); err == nil && message.Kind() == strictjson.Object {
				return message.Raw(), nil
			}
		}
	}
	return nil, dialect.Malformed("a message of a bundle is lost")
}
