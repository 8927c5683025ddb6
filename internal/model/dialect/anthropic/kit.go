package anthropic

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
		return "/v1/messages", fmt.Sprintf(`{"model":%s,"max_tokens":1024,"stream":%t,"messages":[{"role":"user","content":%s}]}`,
			dialect.Quote(t.Model), streamed, dialect.Quote(t.Question))
	},
	Framing: frame.Events, Stream: playStream, Whole: playWhole,
	Marks:  []string{`"tool_use"`, "input_json_delta"},
	Reader: func() func(strictjson.Value) []wire.News { return new(hearer).hear },
}

// playMessage is a message with this content.
func playMessage(t wire.Turn, content, reason string) string {
	return fmt.Sprintf(`{"id":"msg_%s","type":"message","role":"assistant","model":%s,"content":[%s],"stop_reason":%s,"stop_sequence":null,`+
		`"usage":{"input_tokens":0,"output_tokens":0}}`, t.ID, dialect.Quote(t.Model), content, reason)
}

// playBlock is a block with a text or an input.
func playBlock(b wire.Block, text, input string) string {
	if b.Tool == "" {
		return `{"type":"text","text":` + dialect.Quote(text) + `}`
	}
	return fmt.Sprintf(`{"type":"tool_use","id":"toolu_%s","name":%s,"input":%s}`, b.ID, dialect.Quote(b.Tool), input)
}

func playReason(t wire.Turn) string {
	if t.Calls() {
		return "tool_use"
	}
	return "end_turn"
}

func playStream(t wire.Turn) (s wire.Steps) {
	s.Add(wire.News{}, typeMessageStart, `{"type":"message_start","message":`+playMessage(t, "", "null")+`}`)
	for i, b := range t.Blocks {
		add := func(n wire.News, typ, rest string) {
			s.Add(n, typ, fmt.Sprintf(`{"type":%q,"index":%d%s}`, typ, i, rest))
		}
		add(wire.News{Tool: b.Tool}, typeBlockStart, `,"content_block":`+playBlock(b, "", "{}"))
		for _, p := range b.Pieces {
			if b.Tool == "" {
				add(wire.News{Text: p}, typeBlockDelta, `,"delta":{"type":"text_delta","text":`+dialect.Quote(p)+`}`)
			} else {
				add(wire.News{Args: p}, typeBlockDelta, `,"delta":{"type":"input_json_delta","partial_json":`+dialect.Quote(p)+`}`)
			}
		}
		add(wire.News{}, typeBlockStop, "")
	}
	s.Add(wire.News{Stop: playReason(t)}, typeMessageDelta,
		`{"type":"message_delta","delta":{"stop_reason":"`+playReason(t)+`","stop_sequence":null},"usage":{"output_tokens":0}}`)
	s.Add(wire.News{}, typeMessageStop, `{"type":"message_stop"}`)
	return s
}

func playWhole(t wire.Turn) string {
	var blocks []string
	for _, b := range t.Blocks {
		blocks = append(blocks, playBlock(b, b.Whole(), b.Whole()))
	}
	return playMessage(t, strings.Join(blocks, ","), `"`+playReason(t)+`"`)
}

// A hearer understands a stream.
type hearer struct {
	tool string // the call that is open
	args string
}

func (h *hearer) hear(root strictjson.Value) []wire.News {
	delta, _ := root.Member("delta")
	switch wire.TextAt(root, "type") {
	case typeBlockStart:
		block, _ := root.Member("content_block")
		h.tool, h.args = wire.TextAt(block, "name"), ""
	case typeBlockDelta:
		h.args += wire.TextAt(delta, "partial_json")
		if text := wire.TextAt(delta, "text"); text != "" {
			return []wire.News{{Text: text}}
		}
	case typeBlockStop:
		if h.tool != "" {
			return []wire.News{{Tool: h.tool, Args: h.args}}
		}
	case typeMessageDelta:
		return []wire.News{{Stop: wire.TextAt(delta, "stop_reason")}}
	}
	return nil
}
