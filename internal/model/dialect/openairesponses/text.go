package openairesponses

import (
	"bytes"

	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/strictjson"
)

// The texts of the format. Output items are items, and the parts of their content are parts; what is no part's is of part -1, and
// the summaries of reasoning are the parts from summaryPart down. What a response says again of its request is of no item.
//
//	place                                                          kind       piece or again
//	output_text.delta                                              Answer     pieces
//	output_text.done, output_text part                             Answer     again
//	audio.transcript.delta; .done, output_audio part: transcript   Answer     pieces; again
//	refusal.delta; .done, refusal part                             Refusal    pieces; again
//	reasoning_text.delta, reasoning_summary_text.delta             Reasoning  pieces
//	reasoning_text.done, reasoning_summary_text.done, their parts  Reasoning  again
//	output_text.annotation.added; annotations: any string          Citation   one piece each; again
//	results of provider-run calls, *_output items: any string      Output     again
//	response: instructions, input, prompt, metadata, text, tools   Prompt     again
//	messages that are not the model's, additional_tools            Prompt     again
//	error, error of a response                                     Failure    one piece each; again
//	logprobs, output_text of a response                            Echo
//	any other member                                               Elsewhere
//
// Parts and items are said again in content_part.done, output_item.done and in the response as it ended; as they are added they
// are pieces. Not text are calls, also what the provider was asked to search and to run, items of an unknown type, which are calls
// too, and what is encrypted or in base64.
var (
	eventMembers = dialect.NotTexts("type", "sequence_number", "item_id", "output_index", "content_index", "summary_index",
		"annotation_index", "obfuscation", "stream_id")
	pieceOfCall = dialect.NotTexts(frameMembers...)

	// eventFields are the tables of members for some types of frames.
	eventFields = map[string]dialect.Fields{
		"response.output_text.delta": speaking("delta", dialect.Answer),
		"response.output_text.done":  speaking("text", dialect.Answer),
		"response.output_text.annotation.added": eventMembers.And(
			dialect.Field{Name: "annotation", Kind: dialect.Citation, In: dialect.NotTexts("type", "file_id", "container_id")}),
		"response.refusal.delta":                speaking("delta", dialect.Refusal),
		"response.refusal.done":                 speaking("refusal", dialect.Refusal),
		"response.reasoning.delta":              speaking("delta", dialect.Reasoning),
		"response.reasoning.done":               speaking("text", dialect.Reasoning),
		"response.reasoning_text.delta":         speaking("delta", dialect.Reasoning),
		"response.reasoning_text.done":          speaking("text", dialect.Reasoning),
		"response.reasoning_summary.delta":      speaking("delta", dialect.Reasoning),
		"response.reasoning_summary.done":       speaking("text", dialect.Reasoning),
		"response.reasoning_summary_text.delta": speaking("delta", dialect.Reasoning),
		"response.reasoning_summary_text.done":  speaking("text", dialect.Reasoning),
		"response.audio.delta":                  speaking("delta", dialect.NotText),
		"response.audio.transcript.delta":       speaking("delta", dialect.Answer),
		"response.audio.transcript.done":        speaking("transcript", dialect.Answer),

		"response.content_part.added":           speaking("part", dialect.NotText),
		"response.content_part.done":            speaking("part", dialect.NotText),
		"response.reasoning_summary_part.added": speaking("part", dialect.NotText),
		"response.reasoning_summary_part.done":  speaking("part", dialect.NotText),

		"response.function_call_arguments.delta":    pieceOfCall,
		"response.function_call_arguments.done":     pieceOfCall,
		"response.custom_tool_call_input.delta":     pieceOfCall,
		"response.custom_tool_call_input.done":      pieceOfCall,
		"response.mcp_call_arguments.delta":         pieceOfCall,
		"response.mcp_call_arguments.done":          pieceOfCall,
		"response.code_interpreter_call_code.delta": pieceOfCall,
		"response.code_interpreter_call_code.done":  speaking("code", dialect.NotText),
		"response.image_generation_call.partial_image": eventMembers.And(
			dialect.NotTexts("partial_image_b64", "size", "quality", "background", "output_format")...),

		typeItemAdded: speaking("item", dialect.NotText),
		typeItemDone:  speaking("item", dialect.NotText),
		typeError:     eventMembers.And(dialect.NotTexts("code", "param")...).And(dialect.Field{Name: "message", Kind: dialect.Failure}, failure),
	}
	lifecycleFields = speaking("response", dialect.NotText)
	failure         = dialect.Field{Name: "error", Kind: dialect.Failure, In: dialect.NotTexts("type", "code", "param")}
	listFields      = dialect.NotTexts("object", "data", "first_id", "last_id", "has_more")
)

// speaking returns the members of a frame with text in one of them.
func speaking(member string, kind dialect.TextKind) dialect.Fields {
	return eventMembers.And(dialect.Field{Name: member, Kind: kind}, dialect.Field{Name: "logprobs", Kind: dialect.Echo})
}

var (
	responseFields = dialect.NotTexts("id", "object", "created_at", "completed_at", "status", "background", "billing", "conversation",
		"incomplete_details", "max_output_tokens", "max_tool_calls", "model", "output", "parallel_tool_calls", "previous_response_id",
		"prompt_cache_key", "prompt_cache_retention", "reasoning", "safety_identifier", "service_tier", "store", "temperature",
		"tool_choice", "top_logprobs", "top_p", "truncation", "usage", "user").And(
		dialect.Field{Name: "instructions", Kind: dialect.Prompt, Part: 1, Except: notAsked},
		dialect.Field{Name: "input", Kind: dialect.Prompt, Part: 2, Except: notAsked},
		dialect.Field{Name: "prompt", Kind: dialect.Prompt, Part: 3, In: dialect.NotTexts("id", "version")},
		dialect.Field{Name: "metadata", Kind: dialect.Prompt, Part: 4},
		dialect.Field{Name: "text", Kind: dialect.Prompt, Part: 5, In: dialect.NotTexts("verbosity").And(
			dialect.Field{Name: "format", Kind: dialect.Prompt, In: dialect.NotTexts("type", "name")})},
		offered,
		failure,
		dialect.Field{Name: "output_text", Kind: dialect.Echo},
	)
	offered = dialect.Field{Name: "tools", Kind: dialect.Prompt, In: dialect.NotTexts("type", "name", "server_label")}
	// notAsked are members of what a client sent that are not text.
	notAsked = dialect.Documented{"type", "id", "role", "status", "call_id", "name", "detail", "file_id", "file_data", "encrypted_content"}
)

var (
	itemFields = dialect.NotTexts("type", "id", "call_id", "status", "caller", "created_by")
	// saidFields are the members of items that are not calls.
	saidFields = map[string]dialect.Fields{
		"message":          itemFields.And(dialect.NotTexts("role", "phase", "content")...),
		"reasoning":        itemFields.And(dialect.NotTexts("encrypted_content", "content", "summary")...),
		"compaction":       itemFields.And(dialect.NotTexts("encrypted_content")...),
		"additional_tools": itemFields.And(dialect.NotTexts("role")...).And(offered),
		"mcp_approval_response": itemFields.And(
			dialect.Field{Name: "approval_request_id"}, dialect.Field{Name: "reason", Kind: dialect.Prompt}),
		"item_reference": itemFields,
	}
	resultFields = itemFields.And(
		dialect.Field{
			Name: "output", Kind: dialect.Output,
			In: dialect.NotTexts("type", "file_id", "file_data", "detail", "outcome", "created_by"),
		},
		dialect.Field{Name: "result", Kind: dialect.Output},
		dialect.Field{Name: "tools", Kind: dialect.Output, In: dialect.NotTexts("type", "name", "server_label")},
		dialect.Field{Name: "acknowledged_safety_checks", Kind: dialect.Output, In: dialect.NotTexts("id", "code")},
		dialect.Field{Name: "execution"},
	)
	// gaveFields are the members with the results of calls that the provider runs.
	gaveFields = map[string]dialect.Fields{
		"mcp_call": {{Name: "output", Kind: dialect.Output}, {Name: "error", Kind: dialect.Output, In: dialect.NotTexts("type", "code")}},
		"web_search_call": {
			{Name: "results", Kind: dialect.Output, In: dialect.NotTexts("type")},
			{Name: "action", In: dialect.NotTexts("type", "query", "queries", "url", "pattern").And(
				dialect.Field{Name: "sources", Kind: dialect.Output, In: dialect.NotTexts("type", "name")})},
		},
		"file_search_call":      {{Name: "results", Kind: dialect.Output, In: dialect.NotTexts("file_id")}},
		"code_interpreter_call": {{Name: "outputs", Kind: dialect.Output, In: dialect.NotTexts("type")}},
		"image_generation_call": {{Name: "revised_prompt", Kind: dialect.Output}, {Name: "error", Kind: dialect.Output}},
		"mcp_list_tools":        {{Name: "tools", Kind: dialect.Output, In: dialect.NotTexts("name")}, {Name: "error", Kind: dialect.Output}},
	}
	// callFields are the members of items that are calls.
	callFields = func() map[string]dialect.Fields {
		all := map[string]dialect.Fields{}
		for typ, members := range itemMembers {
			all[typ] = gaveFields[typ].And(dialect.NotTexts(members...)...)
		}
		return all
	}()
)

// partFields are the members of parts of a content.
var partFields = map[string]dialect.Fields{
	"output_text": {
		{Name: "type"},
		{Name: "text", Kind: dialect.Answer},
		{Name: "logprobs", Kind: dialect.Echo},
		{Name: "annotations", Kind: dialect.Citation, In: dialect.NotTexts("type", "file_id", "container_id")},
	},
	"output_audio":        {{Name: "type"}, {Name: "data"}, {Name: "transcript", Kind: dialect.Answer}},
	"refusal":             {{Name: "type"}, {Name: "refusal", Kind: dialect.Refusal}},
	"reasoning_text":      {{Name: "type"}, {Name: "text", Kind: dialect.Reasoning}},
	"summary_text":        {{Name: "type"}, {Name: "text", Kind: dialect.Reasoning}},
	"input_text":          {{Name: "type"}, {Name: "text", Kind: dialect.Prompt}},
	"input_image":         {{Name: "type"}, {Name: "image_url", Kind: dialect.Prompt}, {Name: "file_id"}, {Name: "detail"}},
	"computer_screenshot": {{Name: "type"}, {Name: "image_url", Kind: dialect.Prompt}, {Name: "file_id"}, {Name: "detail"}},
	"input_file": {
		{Name: "type"},
		{Name: "filename", Kind: dialect.Prompt},
		{Name: "file_url", Kind: dialect.Prompt},
		{Name: "file_id"},
		{Name: "file_data"},
		{Name: "detail"},
	},
	"input_audio": {{Name: "type"}, {Name: "input_audio", In: dialect.NotTexts("data", "format")}},
}

var unknownPart = dialect.NotTexts("type")

// plainPart is the type that a part of type text has, by the kind of the item.
var plainPart = map[dialect.TextKind]string{
	dialect.Answer: "output_text", dialect.Reasoning: "reasoning_text", dialect.Prompt: "input_text",
}

// summaryPart is the part number of the first summary of reasoning. The others have lower numbers.
const summaryPart = -2

// giveChannel numbers an item for the channels of its texts: by its output_index, else by the number of items before it. If another
// item has that number, it gets a number that no other item can have.
func (d *editor) giveChannel(it *item) {
	if it.channel = it.index; it.index < 0 {
		it.channel = len(d.items)
	}
	if d.channels == nil {
		d.channels = map[int]bool{}
	}
	if d.channels[it.channel] {
		it.channel = -2 - len(d.items)
	}
	d.channels[it.channel] = true
}

// findTexts finds the texts of the frame that was parsed last.
func (d *editor) findTexts(f frame.Frame, plan any) {
	switch plan := plan.(type) {
	case *item:
		d.eventTexts(f.Type, plan)
	case *pass:
		d.eventTexts([]byte(plan.typ), plan.item)
	case *step:
		d.stepTexts(plan)
	}
}

// eventTexts finds the texts of a frame about one item, which may be unknown.
func (d *editor) eventTexts(name []byte, it *item) {
	root := d.Doc.Root()
	place, kind := dialect.Channel{Choice: -1, Item: -1}, dialect.Answer
	if index, _ := root.Member("output_index"); it != nil {
		place = dialect.Channel{Item: it.channel}
		if it.typ == "reasoning" {
			kind = dialect.Reasoning
		}
	} else if i, ok := index.Uint(); ok {
		place = dialect.Channel{Item: i}
	}
	if bytes.HasPrefix(name, []byte("response.reasoning_summary")) {
		index, _ := root.Member("summary_index")
		i, _ := index.Uint()
		place.Part, kind = summaryPart-i, dialect.Reasoning
	} else {
		index, _ := root.Member("content_index")
		place.Part, _ = index.Uint()
	}
	d.Texts.Again(bytes.HasSuffix(name, []byte(".done")))
	fields, ok := eventFields[string(name)]
	if !ok {
		fields = eventMembers
	}
	if ok && bytes.Contains(name, []byte("_part.")) {
		d.Texts.Object(root, fields)
		for name, part := range root.Members() {
			if name.Is("part") {
				d.partTexts(part, place, kind)
			}
		}
		return
	}
	d.Texts.At(place)
	d.Texts.SetNext(dialect.Citation, d.cited[place])
	d.Texts.Object(root, fields)
	d.cite(place)
}

// cite stores how many texts the citations of a part have, for citations that come in separate frames.
func (d *editor) cite(place dialect.Channel) {
	n := d.Texts.Next(dialect.Citation)
	if n == 0 || len(d.cited) == maxItems || d.Options.Whole {
		return
	}
	if d.cited == nil {
		d.cited = map[dialect.Channel]int{}
	}
	d.cited[place] = n
}

// stepTexts finds the texts of a frame about items or the whole response, or of a body.
func (d *editor) stepTexts(s *step) {
	root := d.Doc.Root()
	switch s.typ {
	case "", done: // one is not sent, the other is not JSON
	case typeError:
		d.Texts.Object(root, eventFields[typeError])
	case typeItemAdded, typeItemDone:
		d.Texts.Again(s.typ == typeItemDone)
		d.Texts.Object(root, eventFields[s.typ])
		v, _ := root.Member("item")
		d.itemTexts(v, s.item)
	case "item":
		d.itemTexts(root, s.item)
	case objectList:
		d.Texts.Object(root, listFields)
		d.itemsTexts(root, "data", s.items)
	case objectResponse:
		d.Texts.Object(root, responseFields)
		d.itemsTexts(root, "output", s.items)
	default:
		d.Texts.Again(true)
		d.Texts.Object(root, lifecycleFields)
		response, _ := root.Member("response")
		d.Texts.Object(response, responseFields)
		d.itemsTexts(response, "output", s.items) // none in a response under way: they are not sent
	}
}

func (d *editor) itemsTexts(v strictjson.Value, member string, items []*item) {
	list, _ := v.Member(member)
	i := 0
	for elem := range list.Elems() {
		if i < len(items) {
			d.itemTexts(elem, items[i])
		}
		i++
	}
}

// itemTexts finds the texts of an item.
func (d *editor) itemTexts(v strictjson.Value, it *item) {
	if it.left {
		return // it is not sent
	}
	d.Texts.At(dialect.Channel{Item: it.channel, Part: -1})
	switch it.kind {
	case said:
		d.Texts.Object(v, saidFields[it.typ])
		d.contentTexts(v, it)
	case result:
		d.Texts.Object(v, resultFields)
	case asked, ran:
		d.Texts.Object(v, callFields[it.typ])
	}
}

// contentTexts finds the texts in the parts of a message or of reasoning.
func (d *editor) contentTexts(v strictjson.Value, it *item) {
	kind := dialect.Answer
	if role, _ := v.Member("role"); role.Kind() != strictjson.Missing && !role.Is("assistant") {
		kind = dialect.Prompt
	}
	for name, m := range v.Members() {
		switch {
		case it.typ == "message" && name.Is("content"):
			d.partsTexts(m, dialect.Channel{Item: it.channel}, +1, kind)
		case it.typ == "reasoning" && name.Is("content"):
			d.partsTexts(m, dialect.Channel{Item: it.channel}, +1, dialect.Reasoning)
		case it.typ == "reasoning" && name.Is("summary"):
			d.partsTexts(m, dialect.Channel{Item: it.channel, Part: summaryPart}, -1, dialect.Reasoning)
		}
	}
}

// partsTexts finds the texts of a content, whose parts are numbered from place on by step.
func (d *editor) partsTexts(v strictjson.Value, place dialect.Channel, step int, kind dialect.TextKind) {
	if v.Kind() != strictjson.Array {
		d.partTexts(v, place, kind)
	}
	for part := range v.Elems() {
		d.partTexts(part, place, kind)
		place.Part += step
	}
}

// partTexts finds the texts of a part. A part without a type is of kind.
func (d *editor) partTexts(v strictjson.Value, place dialect.Channel, kind dialect.TextKind) {
	d.Texts.At(place)
	if v.Kind() != strictjson.Object {
		d.Texts.Add(v, kind, nil)
		return
	}
	typ, _ := v.Member("type")
	name, _ := typ.Text()
	if name == "text" {
		name = plainPart[kind]
	}
	fields, ok := partFields[name]
	if !ok {
		fields = unknownPart
	}
	d.Texts.Object(v, fields)
	d.cite(place)
}
