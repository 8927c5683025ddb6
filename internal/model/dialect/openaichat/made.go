package openaichat

import (
	"fmt"
	"strconv"

	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/strictjson"
)

// appendMember adds a member to an unfinished object.
func appendMember(object, name, value []byte) []byte {
	if len(object) > len("{") {
		object = append(object, ',')
	}
	return append(append(append(object, name...), ':'), value...)
}

// canonical returns a call as one entry that all clients read the same.
func (c *toolCall) canonical() []byte {
	b := []byte{'{'}
	if !c.inMessage {
		b = append(b, `"index":`+strconv.Itoa(c.out)+`,`...)
	}
	member, textMember := c.members()
	typ := member
	if c.typ != "" {
		typ = c.typ
	}
	b = append(b, `"id":`+dialect.Quote(c.id)+`,"type":`+dialect.Quote(typ)+
		`,"`+member+`":{"name":`+dialect.Quote(c.name())+`,"`+textMember+`":`+dialect.Quote(c.sentText())+`}`...)
	for _, x := range c.extras {
		b = appendMember(b, x.raw, x.value)
	}
	return append(b, '}')
}

// members returns the names of the member with the call and, inside of it, the member with its arguments.
func (c *toolCall) members() (body, text string) {
	if c.kind == custom {
		return "custom", "input"
	}
	return "function", "arguments"
}

// extrasOnly returns a later entry of a call that was already sent, with only its extras; nil: it has none.
func (c *toolCall) extrasOnly(v strictjson.Value) []byte {
	b := []byte(`{"index":` + strconv.Itoa(c.out))
	bare := len(b)
	for name, value := range v.Members() {
		if !ofCall(name) {
			b = appendMember(b, name.Raw(), value.Raw())
		}
	}
	if len(b) == bare {
		return nil
	}
	return append(b, '}')
}

// chunkOf returns a chunk made by weir with a delta for one choice.
func (d *editor) chunkOf(ch *choice, delta []byte) frame.Frame {
	return d.chunk(ch, delta, "null")
}

func (d *editor) chunk(ch *choice, delta []byte, finish string) frame.Frame {
	id, created := d.names()
	return frame.Frame{Data: fmt.Appendf(nil, `{"id":%s,"object":"chat.completion.chunk","created":%s,"model":%s,`+
		`"choices":[{"index":%d,"delta":%s,"logprobs":null,"finish_reason":%s}]}`,
		dialect.Quote(id), created, dialect.Quote(d.meta.Model), ch.index, delta, finish)}
}

// tell emits text as content of a choice, after a blank line if the choice already has text.
func (d *editor) tell(ch *choice, text string) {
	delta := `{`
	if !ch.sent.role {
		ch.sent.role = true
		delta += `"role":"assistant",`
	}
	if ch.sent.text {
		text = "\n\n" + text
	}
	ch.sent.text = true
	d.Emit(d.chunkOf(ch, []byte(delta+`"content":`+dialect.Quote(text)+`}`)))
}

// tellAll emits the notices that were not sent at the finish of their choices.
func (d *editor) tellAll() {
	if d.sent.ended {
		return
	}
	for _, ch := range d.choices {
		if text := d.notices(ch, false); text != "" && !ch.sent.finished {
			d.tell(ch, text)
		}
	}
}

// KeepAlive implements dialect.Dialect.
func (d *editor) KeepAlive() (frame.Frame, bool) {
	return frame.Frame{Raw: []byte(": hold\n\n"), Plain: true}, !d.Options.Whole
}

// Tail implements dialect.Dialect.
func (d *editor) Tail() []frame.Frame {
	d.Out = d.Out[:0]
	d.tellAll()
	return d.Out
}

// Stop implements dialect.Dialect.
func (d *editor) Stop(notice string) []frame.Frame {
	if d.sent.ended {
		return nil
	}
	d.Out = d.Out[:0]
	d.sent.ended = true
	if d.Options.Whole {
		d.Emit(frame.Frame{Data: d.completion(notice)})
		return d.Out
	}
	told := false
	for _, ch := range d.choices {
		if ch.sent.seen {
			d.stop(ch, notice)
			told = true
		}
	}
	if !told {
		d.stop(&choice{}, notice)
	}
	d.Emit(frame.Frame{Data: []byte(done)})
	return d.Out
}

// stop ends a choice.
func (d *editor) stop(ch *choice, notice string) {
	if ch.sent.finished {
		return
	}
	if text := d.notices(ch, false); text != "" {
		notice = text + "\n" + notice
	}
	d.tell(ch, notice)
	reason := `"stop"`
	switch {
	case ch.sent.calls > 0 || ch.sent.whole:
		reason = `"tool_calls"`
	case ch.sent.legacy:
		reason = `"function_call"`
	}
	d.Emit(d.chunk(ch, []byte(`{}`), reason))
}

// completion returns a whole completion made by weir.
func (d *editor) completion(text string) []byte {
	id, created := d.names()
	u := d.meta.Usage
	return fmt.Appendf(nil, `{"id":%s,"object":"chat.completion","created":%s,"model":%s,`+
		`"choices":[{"index":0,"message":{"role":"assistant","content":%s,"refusal":null},"logprobs":null,"finish_reason":"stop"}],`+
		`"usage":{"prompt_tokens":%d,"completion_tokens":%d,"total_tokens":%d}}`,
		dialect.Quote(id), created, dialect.Quote(d.meta.Model), dialect.Quote(text), u.Input, u.Output, u.Input+u.Output)
}

// names returns the response's id and time of creation; weir makes them if the upstream gave none.
func (d *editor) names() (id, created string) {
	id, created = d.meta.ResponseID, string(d.created)
	if id == "" {
		if d.invented == "" {
			d.invented = inventedID()
		}
		id = d.invented
	}
	if created == "" {
		created = "0"
	}
	return id, created
}
