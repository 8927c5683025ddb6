package fold

import (
	"errors"
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// A converseBlock is a block with what its deltas add.
type converseBlock struct {
	block                      object // as it starts
	text, input, thought, sign jsontext.Value
	citations, results         []jsontext.Value
	closed                     bool
}

func (b *converseBlock) add(delta jsontext.Value) error {
	var d struct {
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
	}
	if err := json.Unmarshal(delta, &d, lenient); err != nil {
		return fmt.Errorf("a delta: %w", err)
	}
	switch {
	case d.Text != nil:
		b.text = joined(b.text, d.Text)
	case d.ToolUse != nil && b.block["toolUse"] == nil:
		return errors.New("arguments for a block that is no call")
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
		return fmt.Errorf("a delta of an unknown kind: %s", delta)
	}
	return nil
}

// whole is the block as a whole message has it.
func (b *converseBlock) whole() (jsontext.Value, error) {
	switch {
	case b.block["toolUse"] != nil:
		return b.with("toolUse", "input", argumentsOf(b.input))
	case b.block["toolResult"] != nil:
		list, err := json.Marshal(b.results, lenient)
		if err != nil {
			return nil, err
		}
		return b.with("toolResult", "content", list)
	case b.thought != nil || b.sign != nil:
		reasoning := object{"text": orElse(b.thought, `""`)}
		if b.sign != nil {
			reasoning["signature"] = b.sign
		}
		return json.Marshal(map[string]map[string]object{"reasoningContent": {"reasoningText": reasoning}}, lenient)
	case b.citations != nil:
		cited := map[string]any{"content": []object{{"text": b.text}}, "citations": b.citations}
		return json.Marshal(map[string]any{"citationsContent": cited}, lenient)
	case b.text != nil:
		return json.Marshal(object{"text": b.text}, lenient)
	}
	return json.Marshal(b.block, lenient)
}

// argumentsOf are what the pieces of arguments come to; none mean that there are no arguments.
func argumentsOf(pieces jsontext.Value) jsontext.Value {
	if s := text(pieces); s != "" {
		return jsontext.Value(s)
	}
	return jsontext.Value("{}")
}

// with is the block with one more member in what it is.
func (b *converseBlock) with(kind, member string, v jsontext.Value) (jsontext.Value, error) {
	var inner object
	if err := json.Unmarshal(b.block[kind], &inner, lenient); err != nil {
		return nil, fmt.Errorf("%s: %w", kind, err)
	}
	inner[member] = v
	return json.Marshal(map[string]object{kind: inner}, lenient)
}
