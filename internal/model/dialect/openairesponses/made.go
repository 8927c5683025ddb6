package openairesponses

import (
	"bytes"
	"strconv"

	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/strictjson"
)

// event returns a frame made by weir. rest is the JSON after its type and number.
func event(number []byte, typ, rest string) frame.Frame {
	data := `{"type":"` + typ + `"`
	if len(number) > 0 {
		data += `,"sequence_number":` + string(number)
	}
	return frame.Frame{Type: []byte(typ), Data: []byte(data + rest + `}`)}
}

// itemFrame returns a frame that adds an item, or says that it is done.
func (d *editor) itemFrame(number []byte, typ string, out int, item []byte) frame.Frame {
	return event(number, typ, `,"output_index":`+strconv.Itoa(out)+`,"item":`+string(item))
}

// textPart is a content part with text.
func textPart(text string) string {
	return `{"type":"output_text","annotations":[],"logprobs":[],"text":` + dialect.Quote(text) + `}`
}

// noticeItem is the message that replaces a call.
func noticeItem(id, text string) []byte {
	return []byte(`{"id":` + dialect.Quote(id) + `,"type":"message","status":"completed","role":"assistant","content":[` +
		textPart(text) + `]}`)
}

// noticeFrames are the frames of a notice in a stream, without its end.
func (d *editor) noticeFrames(number []byte, out int, id, text string) []frame.Frame {
	at := `,"item_id":` + dialect.Quote(id) + `,"output_index":` + strconv.Itoa(out) + `,"content_index":0`
	open := `{"id":` + dialect.Quote(id) + `,"type":"message","status":"in_progress","role":"assistant","content":[]}`
	return []frame.Frame{
		d.itemFrame(number, typeItemAdded, out, []byte(open)),
		event(number, "response.content_part.added", at+`,"part":`+textPart("")),
		event(number, "response.output_text.delta", at+`,"delta":`+dialect.Quote(text)+`,"logprobs":[]`),
		event(number, "response.output_text.done", at+`,"text":`+dialect.Quote(text)+`,"logprobs":[]`),
		event(number, "response.content_part.done", at+`,"part":`+textPart(text)),
	}
}

// argumentFrames are frames with all arguments of a call at once.
func (d *editor) argumentFrames(number []byte, it *item) []frame.Frame {
	at := `,"item_id":` + dialect.Quote(it.id) + `,"output_index":` + strconv.Itoa(it.sent.out)
	text := dialect.Quote(it.sentText())
	switch it.typ {
	case "function_call":
		return []frame.Frame{
			event(number, "response.function_call_arguments.delta", at+`,"delta":`+text),
			event(number, "response.function_call_arguments.done", at+`,"arguments":`+text),
		}
	case "custom_tool_call":
		return []frame.Frame{
			event(number, "response.custom_tool_call_input.delta", at+`,"delta":`+text),
			event(number, "response.custom_tool_call_input.done", at+`,"input":`+text),
		}
	}
	return nil
}

// beginning returns the item for the frame that adds it: not complete, and without text that comes in pieces.
func (it *item) beginning() []byte {
	var doc strictjson.Doc
	whole := it.whole()
	if doc.Parse(whole) != nil {
		return whole
	}
	var edits []strictjson.Edit
	if v, err := doc.Root().Member("status"); err == nil && v.Kind() == strictjson.String {
		edits = append(edits, v.Replace([]byte(`"in_progress"`)))
	}
	if it.typ == "function_call" || it.typ == "custom_tool_call" {
		if v, err := doc.Root().Member(it.from[0]); err == nil && v.Kind() == strictjson.String {
			edits = append(edits, v.Replace([]byte(`""`)))
		}
	}
	return strictjson.Splice(whole, edits...)
}

// KeepAlive implements dialect.Dialect. It is an event, because some clients do not count comments as keep-alives. OpenAI sends
// such events itself, with numbers. This event has no number: the next numbers belong to held frames, and a client that resumes
// after the event would miss those. Before the first frame and after the last there cannot be events.
func (d *editor) KeepAlive() (frame.Frame, bool) {
	if d.sent.begun && !d.sent.ended {
		return event(nil, typeKeepAlive, ""), !d.Options.Whole
	}
	return frame.Frame{Raw: []byte(": hold\n\n"), Plain: true}, !d.Options.Whole
}

// Tail implements dialect.Dialect: in this format nothing is added after the last frame.
func (d *editor) Tail() []frame.Frame { return nil }

// Stop implements dialect.Dialect.
func (d *editor) Stop(notice string) []frame.Frame {
	if d.sent.ended {
		return nil
	}
	d.sent.ended = true
	d.Out = d.Out[:0]
	first := max(d.seq+1, d.sent.free)
	id := noticeID(d.meta.ResponseID, "stop")
	message := noticeItem(id, notice)
	if d.Options.Whole {
		d.Emit(frame.Frame{Data: d.wholeStop(message)})
		return d.Out
	}
	if !d.sent.begun {
		d.disown()
		d.Emit(event(d.nextNumber(), typeCreated, `,"response":`+string(d.responseJSON("in_progress", nil))))
	}
	for _, it := range d.items {
		switch {
		case !it.sent.added || it.sent.done:
		case it.sent.replaced:
			text, _ := d.noticeFor(it)
			it.sent.done = true
			d.Emit(d.itemFrame(d.nextNumber(), typeItemDone, it.sent.out, noticeItem(it.slot.Notice, text)))
		case it.slot == nil && len(it.begins) > 0 && !it.speech.lost:
			d.Out = append(d.Out, d.endSpeech(it)...)
		}
	}
	out := d.sent.next
	if d.resumed && !d.sent.counted {
		out = d.last
	}
	d.Out = append(d.Out, d.noticeFrames(d.nextNumber(), out, id, notice)...)
	d.Emit(d.itemFrame(d.nextNumber(), typeItemDone, out, message))
	d.Emit(event(d.nextNumber(), typeCompleted, `,"response":`+string(d.responseJSON("completed", append(d.delivered(), message)))))
	d.renumber(first)
	return d.Out
}

// disown gives the response, of which the client has got nothing yet, an id made by weir: what the provider stores of it may have
// calls that nobody has seen, and the provider would expect their outputs. A request that continues weir's id continues the
// previous response.
func (d *editor) disown() { d.invented = inventedID(d.Options.Previous) }

// delivered returns the items that the client has got, as far as they are stored.
func (d *editor) delivered() [][]byte {
	var items [][]byte
	for _, it := range d.items {
		switch {
		case it.sent.replaced:
			text, _ := d.noticeFor(it)
			items = append(items, noticeItem(it.slot.Notice, text))
		case it.sent.done && len(it.raw) > 0:
			items = append(items, it.whole())
		}
	}
	return items
}

// wholeStop is a body made by weir, in the shape of the upstream's body.
func (d *editor) wholeStop(message []byte) []byte {
	switch d.shape {
	case aList:
		return []byte(`{"object":"list","data":[` + string(message) + `],"first_id":null,"last_id":null,"has_more":false}`)
	case anItem:
		return message
	}
	d.disown()
	return d.responseJSON("completed", [][]byte{message})
}

// responseID is the upstream's id, or one made by weir.
func (d *editor) responseID() string {
	switch {
	case d.invented != "":
	case d.meta.ResponseID != "":
		return d.meta.ResponseID
	default:
		d.invented = inventedID(d.Options.Previous)
	}
	return d.invented
}

// responseJSON is a response made by weir. It repeats the upstream's description of the response, as far as there is one.
func (d *editor) responseJSON(status string, items [][]byte) []byte {
	output := append(append([]byte{'['}, bytes.Join(items, []byte{','})...), ']')
	u := d.meta.Usage
	usage := []byte(`{"input_tokens":` + strconv.FormatInt(u.Input, 10) + `,"input_tokens_details":{"cached_tokens":` +
		strconv.FormatInt(u.CacheRead, 10) + `},"output_tokens":` + strconv.FormatInt(u.Output, 10) +
		`,"output_tokens_details":{"reasoning_tokens":0},"total_tokens":` + strconv.FormatInt(u.Input+u.Output, 10) + `}`)
	object := d.object
	if len(object) == 0 {
		model := d.meta.Model
		if model == "" {
			model = "unknown"
		}
		object = []byte(`{"id":` + dialect.Quote(d.responseID()) + `,"object":"response","created_at":0,"status":"","error":null,` +
			`"incomplete_details":null,"instructions":null,"model":` + dialect.Quote(model) + `,"output":[],"parallel_tool_calls":true,` +
			`"tool_choice":"auto","tools":[],"metadata":{}}`)
	}
	for _, m := range []struct {
		name  string
		value []byte
	}{
		{"id", []byte(dialect.Quote(d.responseID()))},
		{"status", []byte(dialect.Quote(status))},
		{"output", output},
		{"usage", usage},
		{"error", []byte("null")},
		{"incomplete_details", []byte("null")},
	} {
		var doc strictjson.Doc
		if doc.Parse(object) != nil {
			return object
		}
		if edit, err := doc.Root().SetMember(m.name, m.value); err == nil {
			object = strictjson.Splice(object, edit)
		}
	}
	return object
}
