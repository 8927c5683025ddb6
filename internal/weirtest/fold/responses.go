package fold

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Responses is the OpenAI Responses API.
var Responses = Format{
	Name:   "OpenAI Responses",
	speaks: func(frame object) bool { return strings.HasPrefix(text(frame["type"]), "response.") },
	begin:  func() folder { return &responseFolder{} },
	whole: func(body object) (jsontext.Value, error) {
		if text(body["object"]) != "response" || body["output"] == nil {
			return nil, nil
		}
		return json.Marshal(body, lenient)
	},
	acceptable: acceptableResponse,
	content:    responsesContent,
}

// A responseFolder makes one response of a stream, and fails where an official SDK would stumble, or where one that
// goes by the events and one that goes by the last event would not come to the same.
type responseFolder struct {
	created  bool
	number   int64 // the last sequence_number
	numbered bool
	items    []*foldedItem
	response jsontext.Value // of the last event; nil until that
	unlike   error          // where events first did not say the same
	ended    bool           // [DONE] came
}

// A foldedItem is an output item with the texts that came in pieces.
type foldedItem struct {
	item   object
	parts  []*foldedPart
	pieces jsontext.Value // of arguments or input; nil: none came
	done   bool
}

// A foldedPart is a part of a message's content.
type foldedPart struct {
	kind string
	text jsontext.Value
}

// ErrUncreated says that a response does not begin with what openai-node demands; ErrUnlike, that clients which go by
// different events come to different responses.
var (
	ErrUncreated = errors.New("no response.created comes first")
	ErrUnlike    = errors.New("two events do not say the same")
)

func (f *responseFolder) take(name string, data []byte) {
	if f.ended {
		stumblef("a frame after [DONE]")
	}
	if string(data) == "[DONE]" && name == "" {
		f.ended = true
		return
	}
	frame := parse[object](data, "frame")
	typ := text(frame["type"])
	switch {
	case typ != name:
		stumblef("an event of type %s is called %s", typ, name)
	case typ == "keepalive":
		return
	case typ == "error":
		panic(stumble{ErrFailed})
	case f.response != nil:
		stumblef("%s after the last event", typ)
	case !f.created && typ != "response.created":
		panic(stumble{ErrUncreated})
	}
	within(typ, func() {
		f.count(frame["sequence_number"])
		f.event(typ, frame)
	})
}

// count checks that the numbers of events do not go back. Some servers give none.
func (f *responseFolder) count(number jsontext.Value) {
	if number == nil {
		return
	}
	n, err := strconv.ParseInt(string(number), 10, 64)
	if err != nil || n <= f.number && f.numbered {
		stumblef("sequence number %s after %d", number, f.number)
	}
	f.number, f.numbered = n, true
}

func (f *responseFolder) event(typ string, frame object) {
	switch typ {
	case "response.created", "response.queued", "response.in_progress":
		f.begin(typ, frame)
		return
	case "response.completed", "response.incomplete", "response.failed":
		f.end(typ, frame)
		return
	case "response.output_item.added":
		f.add(frame)
		return
	}
	if frame["output_index"] == nil || !needsItem(typ) {
		return
	}
	it := f.item(frame)
	switch typ {
	case "response.output_item.done":
		id := text(it.item["id"])
		it.close(frame)
		if text(it.item["id"]) != id {
			f.differ(typ, "it has another id than at its beginning") // some gateways do that
		}
	case "response.content_part.added":
		it.addPart(frame)
	case "response.content_part.done":
		it.closePart(frame)
	case "response.output_text.delta", "response.refusal.delta", "response.reasoning_text.delta":
		p := it.part(frame)
		p.text = joined(p.text, frame["delta"])
	case "response.output_text.done", "response.refusal.done", "response.reasoning_text.done":
		if p := it.part(frame); text(frame[partTexts[p.kind]]) != text(p.text) {
			stumblef("its text is not what its pieces were")
		}
	case "response.function_call_arguments.delta", "response.custom_tool_call_input.delta", "response.mcp_call_arguments.delta":
		it.pieces = joined(it.pieces, frame["delta"])
	case "response.function_call_arguments.done", "response.mcp_call_arguments.done":
		it.closeCall(frame["arguments"])
	case "response.custom_tool_call_input.done":
		it.closeCall(frame["input"])
	}
}

// needsItem says whether clients look for the item of an event of this type. What they do not know they pass over.
func needsItem(typ string) bool {
	parts := []string{"output_item.", "content_part.", "output_text.", "refusal.", "reasoning_", "_call"}
	return slices.ContainsFunc(parts, func(part string) bool { return strings.Contains(typ, part) })
}

// begin takes an event that clients replace all they have by.
func (f *responseFolder) begin(typ string, frame object) {
	response := parse[object](frame["response"], "frame")
	f.created = true
	if string(orElse(response["output"], "[]")) != "[]" || len(f.items) > 0 {
		f.differ(typ, "clients would replace the output that they have by what it has")
	}
}

// differ notes that clients come to different responses.
func (f *responseFolder) differ(typ, why string) {
	if f.unlike == nil {
		f.unlike = fmt.Errorf("%s: %s: %w", typ, why, ErrUnlike)
	}
}

func (f *responseFolder) add(frame object) {
	if string(frame["output_index"]) != strconv.Itoa(len(f.items)) {
		stumblef("item %s is added where item %d is due", frame["output_index"], len(f.items))
	}
	f.items = append(f.items, &foldedItem{item: parse[object](frame["item"], "item")})
}

// item is the one that an event speaks of.
func (f *responseFolder) item(frame object) *foldedItem {
	index, err := strconv.ParseUint(string(frame["output_index"]), 10, 16)
	if err != nil || int(index) >= len(f.items) {
		stumblef("item %s is not there", frame["output_index"])
	}
	it := f.items[index]
	id := frame["item_id"]
	switch {
	case it.done:
		stumblef("item %d was done", index)
	case id != nil && text(id) != text(it.item["id"]):
		f.differ(text(frame["type"]), "it has another id than its item")
	}
	return it
}

// part is the part of a message's content that an event speaks of.
func (it *foldedItem) part(frame object) *foldedPart {
	index, err := strconv.ParseUint(string(frame["content_index"]), 10, 16)
	if err != nil || int(index) >= len(it.parts) {
		stumblef("part %s is not there", frame["content_index"])
	}
	return it.parts[index]
}

// partOf is an event's part.
func partOf(frame object) *foldedPart {
	p := parse[object](frame["part"], "frame")
	kind := text(p["type"])
	return &foldedPart{kind, orElse(p[partTexts[kind]], `""`)}
}

// partTexts are the members that hold the text of a part, by its type.
var partTexts = map[string]string{"output_text": "text", "refusal": "refusal", "reasoning_text": "text"}

func (it *foldedItem) addPart(frame object) {
	if string(frame["content_index"]) != strconv.Itoa(len(it.parts)) {
		stumblef("part %s is added where part %d is due", frame["content_index"], len(it.parts))
	}
	it.parts = append(it.parts, partOf(frame))
}

func (it *foldedItem) closePart(frame object) {
	if text(partOf(frame).text) != text(it.part(frame).text) {
		stumblef("its text is not what its pieces were")
	}
}

func (it *foldedItem) closeCall(all jsontext.Value) {
	if it.pieces != nil && text(all) != text(it.pieces) {
		stumblef("it is not what its pieces were")
	}
	it.pieces = all
}

// close takes the whole item, which counts for all clients, and compares it with what came before.
func (it *foldedItem) close(frame object) {
	before := it.item
	it.item, it.done = parse[object](frame["item"], "item"), true
	for _, member := range []string{"type", "call_id", "name", "namespace"} {
		if old := before[member]; old != nil && text(old) != text(it.item[member]) {
			stumblef("its %s is another than at its beginning", member)
		}
	}
	if call := orElse(it.item["arguments"], string(orElse(it.item["input"], "null"))); it.pieces != nil && text(call) != text(it.pieces) {
		stumblef("its arguments are not what their pieces were")
	}
	if text(it.item["type"]) == "message" {
		it.checkParts()
	}
}

// checkParts compares a message with the texts that came in pieces.
func (it *foldedItem) checkParts() {
	content := parse[[]object](it.item["content"], "content")
	if len(content) != len(it.parts) {
		stumblef("it has %d parts, and %d came", len(content), len(it.parts))
	}
	for i, p := range it.parts {
		if text(content[i]["type"]) != p.kind || text(content[i][partTexts[p.kind]]) != text(p.text) {
			stumblef("part %d is not what its pieces were", i)
		}
	}
}

// end takes the last event. What it repeats must be what came.
func (f *responseFolder) end(typ string, frame object) {
	output := parse[[]object](parse[object](frame["response"], "response")["output"], "output")
	f.response = frame["response"].Clone()
	if len(output) != len(f.items) {
		f.differ(typ, fmt.Sprintf("it has %d items, and %d came", len(output), len(f.items)))
		return
	}
	for i, it := range f.items {
		if !it.done {
			stumblef("item %d is not done", i)
		}
		if !maps.EqualFunc(it.item, output[i], func(a, b jsontext.Value) bool { return Difference(a, b) == "" }) {
			f.differ(typ, fmt.Sprintf("item %d is another than the one that came", i))
		}
	}
}

func (f *responseFolder) result() (jsontext.Value, error) {
	switch {
	case !f.created:
		return nil, ErrUncreated
	case f.response == nil && f.ended:
		return nil, errors.Join(f.unlike, ErrMarked)
	case f.response == nil:
		return nil, errors.Join(f.unlike, fmt.Errorf("the response: %w", ErrUnfinished))
	}
	return f.response, f.unlike
}
