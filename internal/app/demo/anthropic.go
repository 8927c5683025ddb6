package demo

import (
	"fmt"
	"strings"

	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/strictjson"
)

// anthropic is the Anthropic Messages API.
type anthropic struct{}

func (anthropic) name() string           { return "Anthropic Messages" }
func (anthropic) path() string           { return "/v1/messages" }
func (anthropic) framing() frame.Framing { return frame.Events }

func (anthropic) request(question string) string {
	return `{"model":"scripted-model","max_tokens":1024,"stream":true,"messages":[{"role":"user","content":` + quote(question) + `}]}`
}

func (anthropic) script(s scene, n int) []emission {
	var out []emission
	add := func(says, typ, data string) {
		out = append(out, emission{frame: "event: " + typ + "\ndata: " + data + "\n\n", says: says})
	}
	add("", "message_start", fmt.Sprintf(`{"type":"message_start","message":{"id":"msg_demo_%d","type":"message","role":"assistant",`+
		`"model":"scripted-model","content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":12,"output_tokens":1}}}`, n))
	reason := "end_turn"
	for i, u := range s.units {
		if u.tool != "" {
			reason = "tool_use"
		}
		anthropicBlock(u, n, i, add)
	}
	add("stop  "+reason, "message_delta", fmt.Sprintf(`{"type":"message_delta","delta":{"stop_reason":%q,"stop_sequence":null},"usage":{"output_tokens":40}}`, reason))
	add("", "message_stop", `{"type":"message_stop"}`)
	return out
}

func anthropicBlock(u unit, n, i int, add func(says, typ, data string)) {
	if u.tool == "" {
		add("", "content_block_start", fmt.Sprintf(`{"type":"content_block_start","index":%d,"content_block":{"type":"text","text":""}}`, i))
		for _, t := range u.text {
			add("text  "+t, "content_block_delta", fmt.Sprintf(`{"type":"content_block_delta","index":%d,"delta":{"type":"text_delta","text":%s}}`, i, quote(t)))
		}
	} else {
		add("call  "+u.tool, "content_block_start", fmt.Sprintf(`{"type":"content_block_start","index":%d,"content_block":`+
			`{"type":"tool_use","id":"toolu_demo_%d_%d","name":%s,"input":{}}}`, i, n, i, quote(u.tool)))
		for _, p := range u.pieces {
			add(strings.Repeat(" ", 6)+p, "content_block_delta", fmt.Sprintf(`{"type":"content_block_delta","index":%d,"delta":{"type":"input_json_delta","partial_json":%s}}`, i, quote(p)))
		}
	}
	add("", "content_block_stop", fmt.Sprintf(`{"type":"content_block_stop","index":%d}`, i))
}

func (anthropic) reader() reader { return &anthropicReader{} }

type anthropicReader struct {
	tool string // the call that is open
	args string
}

func (r *anthropicReader) read(root strictjson.Value) []news {
	delta, _ := root.Member("delta")
	switch textAt(root, "type") {
	case "content_block_start":
		block, _ := root.Member("content_block")
		r.tool, r.args = textAt(block, "name"), ""
	case "content_block_delta":
		r.args += textAt(delta, "partial_json")
		if text := textAt(delta, "text"); text != "" {
			return []news{{text: text}}
		}
	case "content_block_stop":
		if r.tool != "" {
			return []news{{call: r.tool + " " + r.args}}
		}
	case "message_delta":
		return []news{{stop: textAt(delta, "stop_reason")}}
	}
	return nil
}
