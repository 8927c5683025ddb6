package demo

import (
	"strings"

	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/strictjson"
)

// ollama is Ollama's own API: lines of JSON. Its calls come whole.
type ollama struct{}

func (ollama) name() string           { return "Ollama" }
func (ollama) path() string           { return "/api/chat" }
func (ollama) framing() frame.Framing { return frame.Rows }

func (ollama) request(question string) string {
	return `{"model":"scripted-model","messages":[{"role":"user","content":` + quote(question) + `}]}`
}

func (ollama) script(s scene, _ int) []emission {
	var out []emission
	add := func(says, message, rest string) {
		out = append(out, emission{says: says, frame: `{"model":"scripted-model","created_at":"2026-01-01T00:00:00Z","message":{"role":"assistant",` +
			message + `},"done":` + rest + "}\n"})
	}
	for _, u := range s.units {
		for _, t := range u.text {
			add("text  "+t, `"content":`+quote(t), "false")
		}
		if u.tool != "" {
			args := strings.Join(u.pieces, "")
			add("call  "+u.tool+" "+args, `"content":"","tool_calls":[{"function":{"name":`+quote(u.tool)+`,"arguments":`+args+`}}]`, "false")
		}
	}
	add("stop  stop", `"content":""`, `true,"done_reason":"stop","prompt_eval_count":12,"eval_count":40`)
	return out
}

func (ollama) reader() reader { return ollamaReader{} }

type ollamaReader struct{}

func (ollamaReader) read(root strictjson.Value) []news {
	var learned []news
	message, _ := root.Member("message")
	if text := textAt(message, "content"); text != "" {
		learned = append(learned, news{text: text})
	}
	calls, _ := message.Member("tool_calls")
	for c := range calls.Elems() {
		function, _ := c.Member("function")
		args, _ := function.Member("arguments")
		learned = append(learned, news{call: textAt(function, "name") + " " + string(args.Raw())})
	}
	if reason := textAt(root, "done_reason"); reason != "" {
		learned = append(learned, news{stop: reason})
	}
	return learned
}
