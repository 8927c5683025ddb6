package wire

import (
	"fmt"
	"strings"

	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/strictjson"
)

// Converse is the Converse API of Amazon Bedrock.
var Converse = Kit{
	Request: func(t Turn, streamed bool) (path, body string) {
		path = "/model/" + t.Model + "/converse"
		if streamed {
			path += "-stream"
		}
		return path, `{"messages":[{"role":"user","content":[{"text":` + quote(t.Prompt) + `}]}]}`
	},
	Framing: frame.Binary, Stream: converseStream,
	Whole: func(t Turn) string {
		var blocks []string
		for _, b := range t.Blocks {
			switch {
			case b.Thought:
				blocks = append(blocks, fmt.Sprintf(`{"reasoningContent":{"reasoningText":{"text":%s,"signature":%s}}}`,
					quote(b.Whole()), quote(b.Signature)))
			case b.Tool == "":
				blocks = append(blocks, `{"text":`+quote(b.Whole())+`}`)
			default:
				blocks = append(blocks, converseUse(b)+`,"input":`+b.Whole()+`}}`)
			}
		}
		return fmt.Sprintf(`{"output":{"message":{"role":"assistant","content":[%s]}},"stopReason":%q,%s}`,
			strings.Join(blocks, ","), t.stop("tool_use", "end_turn"), converseCost(t))
	},
	Marks:  []string{"toolUse"},
	Reader: func() func(strictjson.Value) []News { return new(openCall).readConverse },
}

// converseCost is what the turn cost.
func converseCost(t Turn) string {
	return fmt.Sprintf(`"usage":{"inputTokens":%d,"outputTokens":%d,"totalTokens":%d},"metrics":{"latencyMs":0}`, t.In, t.Out, t.In+t.Out)
}

// converseUse begins a call.
func converseUse(b Block) string {
	return fmt.Sprintf(`{"toolUse":{"toolUseId":%s,"name":%s`, quote(b.ID), quote(b.Tool))
}

func converseStream(t Turn) (s Steps) {
	s.add(News{}, "messageStart", `{"role":"assistant"}`)
	for i, b := range t.Blocks {
		add := func(n News, typ, rest string) { s.add(n, typ, fmt.Sprintf(`{"contentBlockIndex":%d%s}`, i, rest)) }
		if b.Tool != "" {
			add(News{Tool: b.Tool}, "contentBlockStart", `,"start":`+converseUse(b)+`}}`)
		}
		for _, p := range b.Pieces {
			switch {
			case b.Thought:
				add(News{}, "contentBlockDelta", `,"delta":{"reasoningContent":{"text":`+quote(p)+`}}`)
			case b.Tool == "":
				add(News{Text: p}, "contentBlockDelta", `,"delta":{"text":`+quote(p)+`}`)
			default:
				add(News{Args: p}, "contentBlockDelta", `,"delta":{"toolUse":{"input":`+quote(p)+`}}`)
			}
		}
		if b.Thought {
			add(News{}, "contentBlockDelta", `,"delta":{"reasoningContent":{"signature":`+quote(b.Signature)+`}}`)
		}
		add(News{}, "contentBlockStop", "")
	}
	reason := t.stop("tool_use", "end_turn")
	s.add(News{Stop: reason}, "messageStop", `{"stopReason":"`+reason+`"}`)
	s.add(News{}, "metadata", "{"+converseCost(t)+"}")
	return s
}

// readConverse understands a frame.
func (c *openCall) readConverse(root strictjson.Value) []News {
	start, _ := root.Member("start")
	delta, _ := root.Member("delta")
	index, _ := root.Member("contentBlockIndex")
	switch {
	case start.Kind() == strictjson.Object:
		use, _ := start.Member("toolUse")
		*c = openCall{tool: textAt(use, "name")}
	case delta.Kind() == strictjson.Object:
		use, _ := delta.Member("toolUse")
		c.args += textAt(use, "input")
		return said(textAt(delta, "text"))
	case index.Kind() != strictjson.Missing: // the block is over
		return c.end()
	case textAt(root, "stopReason") != "":
		return []News{{Stop: textAt(root, "stopReason")}}
	}
	return nil
}
