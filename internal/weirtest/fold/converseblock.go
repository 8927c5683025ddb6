package fold

import (
	"github.com/go-json-experiment/json/jsontext"
)

// A converseBlock is a block with what its deltas add.
type converseBlock struct {
	block                      object // as it starts
	text, input, thought, sign jsontext.Value
	citations, results         []jsontext.Value
	closed                     bool
}

func (b *converseBlock) add(delta jsontext.Value) {
	d := parse[struct {
		Text    jsontext.Value `json:"text"`
		ToolUse *struct {
			Input jsontext.Value `json:"input"`
		} `json:"toolUse"`
		Reasoning *struct {
			Text      jsontext.Value `json:"text"`
			Signature jsontext.Value `json:"signature"`
			Redacted  jsontext.Value `json:"redactedContent"`
		} `json:"reasoningContent"`
		Citation jsontext.Value   `json:"citation"`
		Result   []jsontext.Value `json:"toolResult"`
	}](delta, "a delta")
	switch {
	case d.Text != nil:
		b.text = joined(b.text, d.Text)
	case d.ToolUse != nil && b.block["toolUse"] == nil:
		stumblef("arguments for a block that is no call")
	case d.ToolUse != nil:
		b.input = joined(b.input, d.ToolUse.Input)
	case d.Reasoning != nil && d.Reasoning.Redacted != nil:
		b.block["reasoningContent"] = jsontext.Value(`{"redactedContent":` + string(d.Reasoning.Redacted) + `}`)
	case d.Reasoning != nil && d.Reasoning.Signature != nil:
		b.sign = d.Reasoning.Signature
	case d.Reasoning != nil:
		b.thought = joined(b.thought, d.Reasoning.Text)
	case d.Citation != nil:
		b.citations = append(b.citations, d.Citation)
	case d.Result != nil:
		b.results = append(b.results, d.Result...)
	default:
		stumblef("a delta of an unknown kind: %s", delta)
	}
}

// whole is the block as a whole message has it.
func (b *converseBlock) whole() jsontext.Value {
	switch {
	case b.block["toolUse"] != nil:
		return b.with("toolUse", "input", argumentsOf(b.input))
	case b.block["toolResult"] != nil:
		return b.with("toolResult", "content", written(b.results))
	case b.thought != nil || b.sign != nil:
		reasoning := object{"text": orElse(b.thought, `""`)}
		if b.sign != nil {
			reasoning["signature"] = b.sign
		}
		return written(map[string]map[string]object{"reasoningContent": {"reasoningText": reasoning}})
	case b.citations != nil:
		cited := map[string]any{"content": []object{{"text": b.text}}, "citations": b.citations}
		return written(map[string]any{"citationsContent": cited})
	case b.text != nil:
		return written(object{"text": b.text})
	}
	return written(b.block)
}

// argumentsOf are what the pieces of arguments come to; none mean that there are no arguments.
func argumentsOf(pieces jsontext.Value) jsontext.Value {
	if s := text(pieces); s != "" {
		return jsontext.Value(s)
	}
	return jsontext.Value("{}")
}

// with is the block with one more member in what it is.
func (b *converseBlock) with(kind, member string, v jsontext.Value) jsontext.Value {
	inner := parse[object](b.block[kind], kind)
	inner[member] = v
	return written(map[string]object{kind: inner})
}
