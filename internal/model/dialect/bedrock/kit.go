package bedrock

import (
	"fmt"
	"strings"

	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/model/wire"
	"github.com/weir-gate/weir/internal/strictjson"
)

// kit is how weir's own models and clients speak this format.
var kit = wire.Kit{
	Request: func(t wire.Turn, streamed bool) (path, body string) {
		path = "/model/" + t.Model + "/converse"
		if streamed {
			path = "/model/" + t.Model + streamedEnd
		}
		return path, `{"messages":[{"role":"user","content":[{"text":` + dialect.Quote(t.Question) + `}]}]}`
	},
	Framing: frame.Binary, Stream: playStream, Whole: playWhole,
	Marks:  []string{"toolUse"},
	Reader: func() func(strictjson.Value) []wire.News { return new(hearer).hear },
}

// playCost is what the turn cost.
const playCost = `"usage":{"inputTokens":0,"outputTokens":0,"totalTokens":0},"metrics":{"latencyMs":0}`

// playUse begins a call.
func playUse(b wire.Block) string {
	return fmt.Sprintf(`{"toolUse":{"toolUseId":"tooluse_%s","name":%s`, b.ID, dialect.Quote(b.Tool))
}

func playReason(t wire.Turn) string {
	if t.Calls() {
		return "tool_use"
	}
	return "end_turn"
}

func playStream(t wire.Turn) (s wire.Steps) {
	s.Add(wire.News{}, "messageStart", `{"role":"assistant"}`)
	for i, b := range t.Blocks {
		add := func(n wire.News, typ, rest string) { s.Add(n, typ, fmt.Sprintf(`{"contentBlockIndex":%d%s}`, i, rest)) }
		if b.Tool != "" {
			add(wire.News{Tool: b.Tool}, "contentBlockStart", `,"start":`+playUse(b)+`}}`)
		}
		for _, p := range b.Pieces {
			if b.Tool == "" {
				add(wire.News{Text: p}, "contentBlockDelta", `,"delta":{"text":`+dialect.Quote(p)+`}`)
			} else {
				add(wire.News{Args: p}, "contentBlockDelta", `,"delta":{"toolUse":{"input":`+dialect.Quote(p)+`}}`)
			}
		}
		add(wire.News{}, "contentBlockStop", "")
	}
	s.Add(wire.News{Stop: playReason(t)}, "messageStop", `{"stopReason":"`+playReason(t)+`"}`)
	s.Add(wire.News{}, "metadata", "{"+playCost+"}")
	return s
}

func playWhole(t wire.Turn) string {
	var blocks []string
	for _, b := range t.Blocks {
		if b.Tool == "" {
			blocks = append(blocks, `{"text":`+dialect.Quote(b.Whole())+`}`)
		} else {
			blocks = append(blocks, playUse(b)+`,"input":`+b.Whole()+`}}`)
		}
	}
	return fmt.Sprintf(`{"output":{"message":{"role":"assistant","content":[%s]}},"stopReason":%q,%s}`,
		strings.Join(blocks, ","), playReason(t), playCost)
}

// A hearer understands a stream.
type hearer struct {
	tool string // the call that is open
	args string
}

func (h *hearer) hear(root strictjson.Value) []wire.News {
	start, _ := root.Member("start")
	delta, _ := root.Member("delta")
	index, _ := root.Member("contentBlockIndex")
	switch {
	case start.Kind() == strictjson.Object:
		use, _ := start.Member("toolUse")
		h.tool, h.args = wire.TextAt(use, "name"), ""
	case delta.Kind() == strictjson.Object:
		use, _ := delta.Member("toolUse")
		h.args += wire.TextAt(use, "input")
		if text := wire.TextAt(delta, "text"); text != "" {
			return []wire.News{{Text: text}}
		}
	case index.Kind() != strictjson.Missing && h.tool != "": // the block is over
		call := wire.News{Tool: h.tool, Args: h.args}
		h.tool = ""
		return []wire.News{call}
	case wire.TextAt(root, "stopReason") != "":
		return []wire.News{{Stop: wire.TextAt(root, "stopReason")}}
	}
	return nil
}
