package demo

import (
	"fmt"
	"strings"

	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/strictjson"
)

// chat is the OpenAI Chat Completions API.
type chat struct{}

func (chat) name() string           { return "OpenAI Chat Completions" }
func (chat) path() string           { return "/v1/chat/completions" }
func (chat) framing() frame.Framing { return frame.Events }

func (chat) request(question string) string {
	return `{"model":"scripted-model","stream":true,"messages":[{"role":"user","content":` + quote(question) + `}]}`
}

func (chat) script(s scene, n int) []emission {
	var out []emission
	add := func(says, delta, finish string) {
		out = append(out, emission{says: says, frame: fmt.Sprintf(`data: {"id":"chatcmpl-demo-%d","object":"chat.completion.chunk",`+
			`"created":0,"model":"scripted-model","choices":[{"index":0,"delta":%s,"finish_reason":%s}]}`, n, delta, finish) + "\n\n"})
	}
	add("", `{"role":"assistant","content":""}`, "null")
	reason, index := "stop", 0
	for _, u := range s.units {
		for _, t := range u.text {
			add("text  "+t, `{"content":`+quote(t)+`}`, "null")
		}
		if u.tool == "" {
			continue
		}
		reason = "tool_calls"
		add("call  "+u.tool, fmt.Sprintf(`{"tool_calls":[{"index":%d,"id":"call_demo_%d_%d","type":"function","function":{"name":%s,"arguments":""}}]}`,
			index, n, index, quote(u.tool)), "null")
		for _, p := range u.pieces {
			add(strings.Repeat(" ", 6)+p, fmt.Sprintf(`{"tool_calls":[{"index":%d,"function":{"arguments":%s}}]}`, index, quote(p)), "null")
		}
		index++
	}
	add("stop  "+reason, "{}", quote(reason))
	return append(out, emission{frame: "data: [DONE]\n\n"})
}

func (chat) reader() reader { return &chatReader{calls: map[int]*chatCall{}} }

type chatReader struct{ calls map[int]*chatCall }

type chatCall struct {
	name, args string
	json       strictjson.Partial
}

// read learns of a call when its arguments have become one object: this format has no other sign.
func (r *chatReader) read(root strictjson.Value) []news {
	var learned []news
	choices, _ := root.Member("choices")
	for choice := range choices.Elems() {
		delta, _ := choice.Member("delta")
		if text := textAt(delta, "content"); text != "" {
			learned = append(learned, news{text: text})
		}
		calls, _ := delta.Member("tool_calls")
		for entry := range calls.Elems() {
			learned = append(learned, r.entry(entry)...)
		}
		if reason := textAt(choice, "finish_reason"); reason != "" {
			learned = append(learned, news{stop: reason})
		}
	}
	return learned
}

func (r *chatReader) entry(entry strictjson.Value) []news {
	v, _ := entry.Member("index")
	index, _ := v.Uint()
	function, _ := entry.Member("function")
	c := r.calls[index]
	if c == nil {
		c = &chatCall{name: textAt(function, "name")}
		r.calls[index] = c
	}
	piece := textAt(function, "arguments")
	c.args += piece
	if piece == "" || c.json.Write([]byte(piece)) != strictjson.Complete {
		return nil
	}
	return []news{{call: c.name + " " + c.args}}
}
