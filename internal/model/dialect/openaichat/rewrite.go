package openaichat

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/strictjson"
)

// sent is what was sent of the response.
type sent struct {
	ended bool // [DONE], an error, or a whole completion
}

// sentChoice is what was sent of a choice.
type sentChoice struct {
	seen     bool
	role     bool
	text     bool // content that a person reads
	calls    int  // entries of tool_calls in deltas
	legacy   bool // a function_call
	whole    bool // a call in a whole message
	finished bool
}

// see notes the role and the text that a delta or message sends to the agent. seen is set once the choice was in Rewrite.
func (c *sentChoice) see(body strictjson.Value) {
	if !c.role {
		role, _ := body.Member("role")
		c.role = role.Kind() == strictjson.String
	}
	c.text = c.text || says(body)
}

// Rewrite implements dialect.Dialect. The frames it returns are valid until it is called again.
func (d *editor) Rewrite(f frame.Frame, r dialect.Reading) ([]frame.Frame, error) {
	f = d.BeginFrame(f, r)
	plan, _ := r.Plan.(*chunk)
	switch {
	case plan == nil:
	case plan.done:
		d.tellAll()
		d.sent.ended = true
		d.Emit(plain(f, true))
	case len(plan.choices) == 0:
		d.sent.ended = plan.failed || d.Options.Whole
		d.Emit(plain(f, plan.restated))
	default:
		d.rewriteChunk(f, plan)
		d.sent.ended = plan.failed || d.Options.Whole
	}
	if d.withholds() {
		for i := range d.Out {
			d.Out[i] = dialect.WithoutTrace(d.Out[i])
		}
	}
	return d.Out, nil
}

// withholds says whether the agent must not get a call as the model made it.
func (d *editor) withholds() bool {
	for _, c := range d.choices {
		d.withheld = d.withheld || slices.ContainsFunc(c.calls, func(c *toolCall) bool { return c.slot.Withheld() })
	}
	return d.withheld
}

// plain returns f unchanged, or without an event name, which this format does not have.
func plain(f frame.Frame, restated bool) frame.Frame {
	if restated && len(f.Type) > 0 || !f.Plain {
		return frame.Frame{Data: f.Data}
	}
	return f
}

func (d *editor) rewriteChunk(f frame.Frame, plan *chunk) {
	if d.Doc.Parse(f.Data) != nil {
		return // it was parsed before, so it can be parsed
	}
	root := d.Doc.Root()
	choices, _ := root.Member("choices")
	usage, _ := root.Member("usage")
	e := &edition{d: d, idle: !dialect.Present(usage) && !plan.failed && !d.Options.Whole}
	i := 0
	for v := range choices.Elems() {
		e.choice(v, &plan.choices[i])
		i++
	}
	switch {
	case e.idle && len(e.edits) > 0:
		// Nothing is left of the chunk.
	case len(e.edits) == 0:
		d.Emit(plain(f, plan.restated))
	default:
		d.Emit(frame.Frame{Data: strictjson.Splice(f.Data, e.edits...)})
	}
}

// An edition is the rewriting of one chunk.
type edition struct {
	d     *editor
	edits []strictjson.Edit
	idle  bool // so far the chunk has nothing that the client needs
}

// replace replaces a value by text, if they differ.
func (e *edition) replace(v strictjson.Value, text []byte) {
	if !bytes.Equal(text, v.Raw()) {
		e.edits = append(e.edits, v.Replace(text))
	}
}

// choice edits one element of choices. Frames that must be sent before the chunk are emitted at once.
func (e *edition) choice(v strictjson.Value, p *part) {
	p.choice.sent.seen = true
	if p.unnamed {
		if edit, err := v.SetMember("index", strconv.AppendInt(nil, int64(p.choice.index), 10)); err == nil {
			e.edits = append(e.edits, edit)
		}
	}
	if message, _ := v.Member("message"); message.Kind() == strictjson.Object {
		e.message(message, p)
		e.idle = false
	}
	delta, _ := v.Member("delta")
	body := e.body(delta, &p.delta, "")
	p.choice.sent.see(delta)
	if p.finish != "" {
		e.idle = false
		body = e.finish(v, p, body)
	}
	if delta.Kind() == strictjson.Object {
		e.replace(delta, body)
	}
	if string(body) != "{}" {
		e.idle = false
	}
	e.forgetTokens(v, p)
}

// finish ends a choice: its notices are sent before the chunk, after the rest of its delta. It returns the delta that then stays in
// the chunk.
func (e *edition) finish(v strictjson.Value, p *part, body []byte) []byte {
	if text := e.d.notices(p.choice, false); text != "" && !e.d.Options.Whole {
		if len(body) > len("{}") {
			e.d.Emit(e.d.chunkOf(p.choice, body))
			body = []byte("{}")
		}
		e.d.tell(p.choice, text)
	}
	e.finishReason(v, p)
	p.choice.sent.finished = true
	return body
}

// finishReason corrects the finish reason: if no call is released, the turn does not end with calls.
func (e *edition) finishReason(v strictjson.Value, p *part) {
	if !strings.EqualFold(p.finish, "tool_calls") && !strings.EqualFold(p.finish, "function_call") {
		return
	}
	refused := false
	for _, c := range p.choice.calls {
		if c.released() {
			return
		}
		refused = refused || c.refused()
	}
	if reason, err := v.Member("finish_reason"); err == nil && refused {
		e.replace(reason, []byte(`"stop"`))
	}
}

// forgetTokens removes the tokens of a choice with a withheld call: they may spell the call.
func (e *edition) forgetTokens(v strictjson.Value, p *part) {
	if tokens, _ := v.Member("logprobs"); dialect.Present(tokens) && p.choice.withholds() {
		e.replace(tokens, []byte("null"))
	}
}

// message edits a whole message: refused calls are removed, and their notices are appended to the content.
func (e *edition) message(message strictjson.Value, p *part) {
	p.choice.sent.see(message)
	p.choice.sent.role = true
	e.replace(message, e.body(message, &p.message, e.d.notices(p.choice, true)))
}

// body returns a delta or message without refused calls. text is appended to its content.
func (e *edition) body(v strictjson.Value, calls *pieces, text string) []byte {
	if v.Kind() != strictjson.Object {
		return nil
	}
	b := []byte{'{'}
	changed, told := text != "", text == ""
	for name, value := range v.Members() {
		kept := value.Raw()
		switch {
		case name.Is("tool_calls") && value.Kind() == strictjson.Array:
			kept = e.entries(value, calls.entries)
		case name.Is("function_call") && calls.single != nil:
			kept = e.single(value, calls.single)
		case name.Is("content") && !told:
			kept, told = appended(value, text), true
		}
		changed = changed || !bytes.Equal(kept, value.Raw())
		if kept != nil {
			b = appendMember(b, name.Raw(), kept)
		}
	}
	if !told {
		b = appendMember(b, []byte(`"content"`), strictjson.AppendString(nil, text))
	}
	if !changed {
		return v.Raw()
	}
	return append(b, '}')
}

// appended returns content, a string or an array of parts, with text after it.
func appended(content strictjson.Value, text string) []byte {
	raw := content.Raw()
	switch content.Kind() {
	case strictjson.String:
		if len(raw) > len(`""`) {
			text = "\n\n" + text
		}
		quoted := strictjson.AppendString(nil, text)
		return append(bytes.Clone(raw[:len(raw)-1]), quoted[1:]...)
	case strictjson.Array:
		b := bytes.TrimRight(bytes.Clone(raw[:len(raw)-1]), " \t\r\n")
		if content.Len() > 0 {
			b = append(b, ',')
			text = "\n\n" + text
		}
		b = append(b, `{"type":"text","text":`...)
		return append(strictjson.AppendString(b, text), "}]"...)
	}
	return strictjson.AppendString(nil, text)
}

// single returns a function_call as the client may get it; nil: not at all.
func (e *edition) single(v strictjson.Value, plan *entry) []byte {
	c := plan.call
	if !plan.held || !c.released() {
		return nil
	}
	c.choice.sent.legacy = true
	switch {
	case !c.restated():
		return v.Raw()
	case c.written:
		return nil
	}
	c.written = true
	if c.irregular {
		return []byte(`{"name":` + dialect.Quote(c.name()) + `,"arguments":` + dialect.Quote(c.sentText()) + `}`)
	}
	text, _ := v.Member("arguments")
	return within(v, text.Replace([]byte(dialect.Quote(c.sentText()))))
}

// within returns a value with edits, whose positions are those in its document.
func within(v strictjson.Value, edits ...strictjson.Edit) []byte {
	start, _ := v.Span()
	for i := range edits {
		edits[i].Start, edits[i].End = edits[i].Start-start, edits[i].End-start
	}
	return strictjson.Splice(v.Raw(), edits...)
}

// entries returns the elements of tool_calls that the client may get, with their new indexes; nil: none.
func (e *edition) entries(v strictjson.Value, plan []entry) []byte {
	b := []byte{'['}
	changed := false
	i := 0
	for elem := range v.Elems() {
		kept := e.entry(elem, &plan[i])
		changed = changed || !bytes.Equal(kept, elem.Raw())
		if kept != nil {
			if len(b) > 1 {
				b = append(b, ',')
			}
			b = append(b, kept...)
		}
		i++
	}
	switch {
	case !changed:
		return v.Raw()
	case len(b) == 1:
		return nil
	}
	return append(b, ']')
}

// entry returns one element of tool_calls as the client may get it; nil: not at all.
func (e *edition) entry(v strictjson.Value, plan *entry) []byte {
	c := plan.call
	if !plan.held || !c.released() {
		return nil
	}
	if c.inMessage {
		c.choice.sent.whole = true
	} else if c.out < 0 {
		c.out = c.choice.sent.calls
		c.choice.sent.calls++
	}
	switch {
	case plan.late && (c.restated() || plan.again):
		return c.extrasOnly(v)
	case c.kind == unknown:
		return c.numbered(v)
	case c.irregular && c.written:
		return nil // it was sent with the call
	case c.restated() && c.written:
		return c.extrasOnly(v)
	}
	c.written = true
	switch {
	case c.irregular:
		return c.canonical()
	case c.restated():
		return c.numbered(v, c.textEdit(v))
	}
	return c.numbered(v)
}

// textEdit returns the edit that gives the first entry of a regular call all the arguments with which the call is sent.
func (c *toolCall) textEdit(v strictjson.Value) strictjson.Edit {
	member, textMember := c.members()
	body, _ := v.Member(member)
	text, _ := body.Member(textMember) // else the call would not be regular
	return text.Replace([]byte(dialect.Quote(c.sentText())))
}

// numbered returns an entry with the call's index for the client, and with other edits.
func (c *toolCall) numbered(v strictjson.Value, edits ...strictjson.Edit) []byte {
	if !c.inMessage && (c.kind == unknown || c.out != c.sentAs) {
		edit, err := v.SetMember("index", strconv.AppendInt(nil, int64(c.out), 10))
		if err != nil {
			return nil // it was parsed before, so it has at most one index
		}
		edits = append(edits, edit)
	}
	if len(edits) == 0 {
		return v.Raw()
	}
	return within(v, edits...)
}

// notices returns the unsent notices of a choice's refused calls: of the calls in a whole message, or of those in deltas. If
// refused calls are dropped without a notice, there is none, unless the turn would be empty.
func (d *editor) notices(ch *choice, inMessage bool) string {
	text, released := "", false
	for _, c := range ch.calls {
		released = released || c.released()
		if c.inMessage != inMessage || !c.refused() || c.slot.Ruling.Silent || c.told {
			continue
		}
		c.told = true
		if text != "" {
			text += "\n"
		}
		text += c.slot.Ruling.Notice(c.slot.Names[0])
	}
	if d.Options.Drop && (released || ch.sent.text) {
		return ""
	}
	return text
}
