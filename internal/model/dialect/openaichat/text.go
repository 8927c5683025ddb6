package openaichat

import (
	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/strictjson"
)

// The texts of the format, in the delta or the message of a choice unless another place is told. The index of a choice is its number.
//
//	place                                        kind       piece or again
//	content, also as parts; text of the choice   Answer     pieces; again in a message
//	audio.transcript                             Answer     part 1; pieces; again in a message
//	content_parts of a stored message            Answer     part 2; again
//	reasoning_content                            Reasoning  pieces; again in a message
//	reasoning, reasoning_text, thinking          Reasoning  parts 1 to 3; as before
//	reasoning_details                            Reasoning  part 4; as before
//	refusal                                      Refusal    pieces; again in a message
//	annotations: any string                      Citation   one piece each; again in a message
//	executed_tools: any string but arguments     Output     pieces; again in a message
//	citations, search_results of the frame       Citation   again in every frame
//	messages that the client has sent            Prompt     again
//	error; message of an error                   Failure    again
//	logprobs of the choice                       Echo
//	amazon-bedrock-trace of the frame            Echo
//	any other member                             Elsewhere  of a delta: pieces; else again
//
// Not text are calls, signatures, encrypted reasoning, images and sound.
var (
	rootFields = dialect.NotTexts("id", "object", "model", "choices", "system_fingerprint", "service_tier", "provider", "obfuscation",
		"created", "usage", "request_id", "prompt_filter_results", "param", "code", "type").And(
		dialect.Field{Name: "error", Kind: dialect.Failure, In: dialect.NotTexts("type", "code", "param")},
		dialect.Field{Name: "x_groq", In: dialect.NotTexts("id", "usage").And(dialect.Field{Name: "error", Kind: dialect.Failure})},
		dialect.Field{Name: "message", Kind: dialect.Failure},
		dialect.Field{Name: "detail", Kind: dialect.Failure},
		dialect.Field{Name: "citations", Kind: dialect.Citation},
		dialect.Field{Name: "search_results", Kind: dialect.Citation, Part: 1},
		dialect.Field{Name: "metadata", Kind: dialect.Prompt},
		dialect.Field{Name: "tools", Kind: dialect.Prompt, Part: 1},
		dialect.Field{Name: "amazon-bedrock-trace", Kind: dialect.Echo},
	)
	choiceFields = dialect.NotTexts("index", "delta", "message", "finish_reason", "native_finish_reason", "stop_reason",
		"content_filter_results").And(
		dialect.Field{Name: "text", Kind: dialect.Answer},
		dialect.Field{Name: "logprobs", Kind: dialect.Echo},
		dialect.Field{Name: "error", Kind: dialect.Failure, In: dialect.NotTexts("type", "code", "param")},
	)
	bodyFields = dialect.NotTexts("id", "role", "name", "tool_call_id", "tool_calls", "function_call", "images").And(
		dialect.Field{Name: "content", Kind: dialect.Answer, In: contentFields},
		dialect.Field{Name: "content_parts", Kind: dialect.Answer, Part: 2, In: contentFields},
		dialect.Field{Name: "audio", Part: 1, In: dialect.NotTexts("id", "data", "expires_at").And(
			dialect.Field{Name: "transcript", Kind: dialect.Answer})},
		dialect.Field{Name: "reasoning_content", Kind: dialect.Reasoning},
		dialect.Field{Name: "reasoning", Kind: dialect.Reasoning, Part: 1},
		dialect.Field{Name: "reasoning_text", Kind: dialect.Reasoning, Part: 2},
		dialect.Field{Name: "thinking", Kind: dialect.Reasoning, Part: 3},
		dialect.Field{Name: "reasoning_details", Kind: dialect.Reasoning, Part: 4, In: dialect.NotTexts(
			"type", "id", "index", "format", "signature", "data")},
		dialect.Field{Name: "refusal", Kind: dialect.Refusal},
		dialect.Field{Name: "annotations", Kind: dialect.Citation, Except: dialect.Documented{"type", "file_id"}},
		dialect.Field{Name: "executed_tools", Kind: dialect.Output, Except: dialect.Documented{"type", "name", "arguments"}},
		dialect.Field{Name: "extra_content", Kind: dialect.Elsewhere, Except: dialect.Documented{"thought_signature"}},
	)
	contentFields = dialect.NotTexts("type", "image_url", "input_audio", "reference_ids").And(
		dialect.Field{Name: "text", Kind: dialect.Answer},
		dialect.Field{Name: "thinking", Kind: dialect.Reasoning, Except: dialect.Documented{"type"}},
		dialect.Field{Name: "refusal", Kind: dialect.Refusal},
	)
	// sentFields are the members of a message that the client has sent: a stored conversation has such messages, too.
	sentFields = dialect.NotTexts("role", "id", "name", "tool_call_id", "tool_calls", "function_call").And(
		dialect.Field{Name: "content", Kind: dialect.Prompt, Except: dialect.Documented{"type", "image_url", "input_audio", "file_data"}},
		dialect.Field{
			Name: "content_parts", Kind: dialect.Prompt, Part: 1,
			Except: dialect.Documented{"type", "image_url", "input_audio", "file_data"},
		},
	)
)

// findTexts finds the texts of the frame that was parsed last.
func (d *editor) findTexts(f frame.Frame, _ any) {
	if string(f.Data) == done {
		return // it is not JSON, and was not parsed
	}
	root := d.Doc.Root()
	d.Texts.Again(true)
	d.Texts.Object(root, rootFields)
	choices, _ := root.Member("choices")
	position := 0
	for v := range choices.Elems() {
		d.choiceTexts(v, position)
		position++
	}
}

func (d *editor) choiceTexts(v strictjson.Value, position int) {
	m, _ := v.Member("index")
	index, named := m.Uint()
	if !named {
		index = position
	}
	d.Texts.At(dialect.Channel{Choice: index})
	d.Texts.Again(false)
	d.Texts.Object(v, choiceFields)
	delta, _ := v.Member("delta")
	c := d.known(index)
	if c != nil {
		d.Texts.SetNext(dialect.Citation, c.cited)
	}
	d.Texts.Object(delta, bodyFields)
	if c != nil {
		c.cited = d.Texts.Next(dialect.Citation)
	}
	message, _ := v.Member("message")
	d.Texts.At(dialect.Channel{Choice: index})
	d.Texts.Again(true)
	d.messageTexts(message)
}

func (d *editor) messageTexts(message strictjson.Value) {
	fields := bodyFields
	role, _ := message.Member("role")
	for _, sender := range [...]string{"user", "system", "developer", "tool", "function"} {
		if role.Is(sender) {
			fields = sentFields
		}
	}
	d.Texts.Object(message, fields)
}
