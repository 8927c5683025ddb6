package openairesponses

import (
	"bytes"
	"strconv"

	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/strictjson"
)

// A speech is the text so far of an item that is not a call and not done. If weir must end the response, it ends the item with this
// text.
type speech struct {
	parts []*spokenPart
	lost  bool // it was too long to be stored, and is left out
}

// A spokenPart is a content part of a message.
type spokenPart struct {
	refusal bool // the model's own refusal, not a text
	text    []byte
	closed  bool
}

// maxParts is how many parts of a message are stored.
const maxParts = 64

// hear stores the text that a frame adds to an item.
func (d *editor) hear(it *item, root, typ strictjson.Value) {
	if it == nil || it.typ != "message" || d.Options.Whole {
		return
	}
	if d.sent.saidSize > keptSaid {
		it.speech = speech{lost: true}
		return
	}
	v, _ := root.Member("content_index")
	i, ok := v.Uint()
	if !ok || i > len(it.speech.parts) || i >= maxParts {
		return
	}
	if i == len(it.speech.parts) {
		it.speech.parts = append(it.speech.parts, &spokenPart{text: make([]byte, 0, 256)})
	}
	p := it.speech.parts[i]
	switch {
	case typ.Is("response.output_text.delta"), typ.Is("response.refusal.delta"):
		delta, _ := root.Member("delta")
		before := len(p.text)
		p.text = delta.AppendText(p.text)
		d.sent.saidSize += len(p.text) - before
		p.refusal = p.refusal || typ.Is("response.refusal.delta")
	case typ.Is("response.content_part.done"):
		p.closed = true
	}
}

func (p *spokenPart) json() string {
	if p.refusal {
		return `{"type":"refusal","refusal":` + dialect.Quote(string(p.text)) + `}`
	}
	return textPart(string(p.text))
}

// endSpeech ends an item that is not a call and of which the client has only a part.
func (d *editor) endSpeech(it *item) []frame.Frame {
	var frames []frame.Frame
	var content []byte
	for i, p := range it.speech.parts {
		if i > 0 {
			content = append(content, ',')
		}
		content = append(content, p.json()...)
		if p.closed {
			continue
		}
		at := `,"item_id":` + dialect.Quote(it.id) + `,"output_index":` + strconv.Itoa(it.sent.out) + `,"content_index":` + strconv.Itoa(i)
		said := event(d.nextNumber(), "response.output_text.done", at+`,"text":`+dialect.Quote(string(p.text))+`,"logprobs":[]`)
		if p.refusal {
			said = event(d.nextNumber(), "response.refusal.done", at+`,"refusal":`+dialect.Quote(string(p.text)))
		}
		frames = append(frames, said, event(d.nextNumber(), "response.content_part.done", at+`,"part":`+p.json()))
	}
	it.raw = it.ended(content)
	it.sent.done = true
	return append(frames, d.itemFrame(d.nextNumber(), typeItemDone, it.sent.out, it.raw))
}

// ended returns an item as it was added, with its text since then.
func (it *item) ended(content []byte) []byte {
	raw := it.begins
	for _, m := range []struct{ name, value string }{{"status", `"incomplete"`}, {"content", "[" + string(content) + "]"}} {
		var doc strictjson.Doc
		if doc.Parse(raw) != nil {
			return raw
		}
		v, err := doc.Root().Member(m.name)
		if err != nil || v.Kind() == strictjson.Missing || m.name == "content" && it.typ != "message" {
			continue
		}
		raw = strictjson.Splice(raw, v.Replace([]byte(m.value)))
	}
	return bytes.Clone(raw)
}
