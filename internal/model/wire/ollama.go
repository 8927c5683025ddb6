package wire

import (
	"fmt"
	"strings"

	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/strictjson"
)

// Ollama is Ollama's own API. Calls come whole, without ids, and there are no signatures.
var Ollama = Kit{
	Request: func(t Turn, streamed bool) (path, body string) {
		return "/api/chat", fmt.Sprintf(`{"model":%s,"stream":%t,"messages":[{"role":"user","content":%s}]}`,
			quote(t.Model), streamed, quote(t.Prompt))
	},
	Framing: frame.Rows, Stream: ollamaStream,
	Whole: func(t Turn) string {
		var text, thought string
		var calls []string
		for _, b := range t.Blocks {
			switch {
			case b.Thought:
				thought += b.Whole()
			case b.Tool == "":
				text += b.Whole()
			default:
				calls = append(calls, ollamaCall(b))
			}
		}
		return ollamaLine(t, text, thought, calls, true)
	},
	Marks:  []string{`"tool_calls"`},
	Reader: func() func(strictjson.Value) []News { return readOllama },
}

// ollamaLine is a line, or all of a turn.
func ollamaLine(t Turn, text, thought string, calls []string, last bool) string {
	said, end := `"role":"assistant","content":`+quote(text), "false"
	if thought != "" {
		said += `,"thinking":` + quote(thought)
	}
	if calls != nil {
		said += `,"tool_calls":[` + strings.Join(calls, ",") + `]`
	}
	if last {
		end = fmt.Sprintf(`true,"done_reason":"stop","prompt_eval_count":%d,"eval_count":%d`, t.In, t.Out)
	}
	return fmt.Sprintf(`{"model":%s,"created_at":"2026-01-01T00:00:00Z","message":{%s},"done":%s}`, quote(t.Model), said, end)
}

func ollamaCall(b Block) string {
	return `{"function":{"name":` + quote(b.Tool) + `,"arguments":` + b.Whole() + `}}`
}

func ollamaStream(t Turn) (s Steps) {
	for _, b := range t.Blocks {
		if b.Tool != "" {
			s.add(News{Tool: b.Tool, Args: b.Whole()}, "", ollamaLine(t, "", "", []string{ollamaCall(b)}, false))
			continue
		}
		for _, p := range b.Pieces {
			if b.Thought {
				s.add(News{}, "", ollamaLine(t, "", p, nil, false))
			} else {
				s.add(News{Text: p}, "", ollamaLine(t, p, "", nil, false))
			}
		}
	}
	s.add(News{Stop: "stop"}, "", ollamaLine(t, "", "", nil, true))
	return s
}

// readOllama understands a line.
func readOllama(root strictjson.Value) (learned []News) {
	message, _ := root.Member("message")
	learned = said(textAt(message, "content"))
	calls, _ := message.Member("tool_calls")
	for c := range calls.Elems() {
		function, _ := c.Member("function")
		args, _ := function.Member("arguments")
		learned = append(learned, News{Tool: textAt(function, "name"), Args: string(args.Raw())})
	}
	if reason := textAt(root, "done_reason"); reason != "" {
		learned = append(learned, News{Stop: reason})
	}
	return learned
}
