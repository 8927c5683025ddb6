package ollama

import (
	"fmt"
	"strings"

	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/model/wire"
	"github.com/weir-gate/weir/internal/strictjson"
)

// kit is how weir's own models and clients speak this format. Calls come whole.
var kit = wire.Kit{
	Request: func(t wire.Turn, streamed bool) (path, body string) {
		return "/api/chat", fmt.Sprintf(`{"model":%s,"stream":%t,"messages":[{"role":"user","content":%s}]}`,
			dialect.Quote(t.Model), streamed, dialect.Quote(t.Question))
	},
	Framing: frame.Rows, Stream: playStream, Whole: playWhole,
	Marks:  []string{`"tool_calls"`},
	Reader: func() func(strictjson.Value) []wire.News { return hear },
}

// playEnd says that a turn is over, with or without calls.
const playEnd = `true,"done_reason":"stop","prompt_eval_count":0,"eval_count":0`

// playLine is a line with a text, calls that may be "", and whether it is the last one.
func playLine(t wire.Turn, text, calls, done string) string {
	if calls != "" {
		calls = `,"tool_calls":[` + calls + `]`
	}
	return `{"model":` + dialect.Quote(t.Model) + `,"created_at":"2026-01-01T00:00:00Z","message":{"role":"assistant","content":` +
		dialect.Quote(text) + calls + `},"done":` + done + `}`
}

func playCall(b wire.Block) string {
	return `{"function":{"name":` + dialect.Quote(b.Tool) + `,"arguments":` + b.Whole() + `}}`
}

func playStream(t wire.Turn) (s wire.Steps) {
	for _, b := range t.Blocks {
		if b.Tool != "" {
			s.Add(wire.News{Tool: b.Tool, Args: b.Whole()}, "", playLine(t, "", playCall(b), "false"))
			continue
		}
		for _, p := range b.Pieces {
			s.Add(wire.News{Text: p}, "", playLine(t, p, "", "false"))
		}
	}
	s.Add(wire.News{Stop: "stop"}, "", playLine(t, "", "", playEnd))
	return s
}

func playWhole(t wire.Turn) string {
	var text string
	var calls []string
	for _, b := range t.Blocks {
		if b.Tool == "" {
			text += b.Whole()
		} else {
			calls = append(calls, playCall(b))
		}
	}
	return playLine(t, text, strings.Join(calls, ","), playEnd)
}

// hear understands a line.
func hear(root strictjson.Value) (learned []wire.News) {
	message, _ := root.Member("message")
	if text := wire.TextAt(message, "content"); text != "" {
		learned = append(learned, wire.News{Text: text})
	}
	calls, _ := message.Member("tool_calls")
	for c := range calls.Elems() {
		function, _ := c.Member("function")
		args, _ := function.Member("arguments")
		learned = append(learned, wire.News{Tool: wire.TextAt(function, "name"), Args: string(args.Raw())})
	}
	if reason := wire.TextAt(root, "done_reason"); reason != "" {
		learned = append(learned, wire.News{Stop: reason})
	}
	return learned
}
