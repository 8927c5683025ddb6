package wire

import (
	"fmt"
	"strings"

	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/strictjson"
)

// Messages is the Anthropic Messages API.
var Messages = Kit{
	Request: func(t Turn, streamed bool) (path, body string) {
		return "/v1/messages", fmt.Sprintf(`{"model":%s,"max_tokens":1024,"stream":%t,"messages":[{"role":"user","content":%s}]}`,
			quote(t.Model), streamed, quote(t.Prompt))
	},
	Framing: frame.Events, Stream: messageStream,
	Whole: func(t Turn) string {
		var blocks []string
		for _, b := range t.Blocks {
			blocks = append(blocks, messageBlock(b, b.Whole(), b.Whole(), b.Signature))
		}
		return message(t, strings.Join(blocks, ","), quote(t.stop("tool_use", "end_turn")))
	},
	Marks:  []string{`"tool_use"`, "input_json_delta"},
	Reader: func() func(strictjson.Value) []News { return new(openCall).readMessage },
}

// message is one with this content.
func message(t Turn, content, reason string) string {
	return fmt.Sprintf(`{"id":%s,"type":"message","role":"assistant","model":%s,"content":[%s],"stop_reason":%s,"stop_sequence":null,`+
		`"usage":{"input_tokens":%d,"output_tokens":%d}}`, quote(t.ID), quote(t.Model), content, reason, t.In, t.Out)
}

// messageBlock is a block with a text or an input.
func messageBlock(b Block, text, input, signature string) string {
	switch {
	case b.Thought:
		return `{"type":"thinking","thinking":` + quote(text) + `,"signature":` + quote(signature) + `}`
	case b.Tool == "":
		return `{"type":"text","text":` + quote(text) + `}`
	}
	return fmt.Sprintf(`{"type":"tool_use","id":%s,"name":%s,"input":%s}`, quote(b.ID), quote(b.Tool), input)
}

func messageStream(t Turn) (s Steps) {
	s.add(News{}, "message_start", `{"type":"message_start","message":`+message(t, "", "null")+`}`)
	for i, b := range t.Blocks {
		add := func(n News, typ, rest string) { s.add(n, typ, fmt.Sprintf(`{"type":%q,"index":%d%s}`, typ, i, rest)) }
		delta := func(n News, typ, member, text string) {
			add(n, "content_block_delta", fmt.Sprintf(`,"delta":{"type":%q,%q:%s}`, typ, member, quote(text)))
		}
		add(News{Tool: b.Tool}, "content_block_start", `,"content_block":`+messageBlock(b, "", "{}", ""))
		for _, p := range b.Pieces {
			switch {
			case b.Thought:
				delta(News{}, "thinking_delta", "thinking", p)
			case b.Tool == "":
				delta(News{Text: p}, "text_delta", "text", p)
			default:
				delta(News{Args: p}, "input_json_delta", "partial_json", p)
			}
		}
		if b.Thought {
			delta(News{}, "signature_delta", "signature", b.Signature)
		}
		add(News{}, "content_block_stop", "")
	}
	reason := t.stop("tool_use", "end_turn")
	s.add(News{Stop: reason}, "message_delta", fmt.Sprintf(
		`{"type":"message_delta","delta":{"stop_reason":%q,"stop_sequence":null},"usage":{"output_tokens":%d}}`, reason, t.Out))
	s.add(News{}, "message_stop", `{"type":"message_stop"}`)
	return s
}

// readMessage understands an event.
func (c *openCall) readMessage(root strictjson.Value) []News {
	delta, _ := root.Member("delta")
	switch textAt(root, "type") {
	case "content_block_start":
		block, _ := root.Member("content_block")
		*c = openCall{tool: textAt(block, "name")}
	case "content_block_delta":
		c.args += textAt(delta, "partial_json")
		return said(textAt(delta, "text"))
	case "content_block_stop":
		return c.end()
	case "message_delta":
		return []News{{Stop: textAt(delta, "stop_reason")}}
	}
	return nil
}
