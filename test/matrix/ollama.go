package main

import (
	"fmt"
)

// ollamaFormat is Ollama's own API. Those of others that it speaks are with their formats.
var ollamaFormat = format{
	name:   "ollama",
	modes:  []mode{lines, whole},
	stream: streamLines,
	body:   wholeLine,
	request: func(m mode) string {
		return fmt.Sprintf(`{"model":"qwen","stream":%v,"messages":[{"role":"user","content":"Go on."}]}`, m == lines)
	},
	endpoints: []endpoint{
		{path: "/api/chat", builtIn: "ollama"},
		{path: "/api/chat/", builtIn: "ollama"},
		{path: "//api//chat", builtIn: "ollama"},
		{path: "/tenants/t/api/chat"},
		{path: "/api/generate", builtIn: "ollama"},
		{path: "/tenants/t/api/generate"},
		{path: "/an/unknown/path", modes: []mode{whole}},
	},
}

const (
	lineHead = `{"model":"qwen","created_at":"2026-01-01T00:00:00Z","message":`
	lineTail = `,"done":true,"done_reason":"stop","prompt_eval_count":9,"eval_count":` + usage + `}`
)

func spokenLines(pieces []string) []piece {
	var list []piece
	for _, p := range pieces {
		list = append(list, piece{data: lineHead + `{"role":"assistant","content":` + quote(p) + `},"done":false}`})
	}
	return list
}

func lineCalls(t turn) string {
	return `"tool_calls":[{"function":{"name":` + quote(t.tool) + `,"arguments":` + t.arguments() + `}}]`
}

func streamLines(t turn) []piece {
	list := append(spokenLines(t.before), piece{data: lineHead + `{"role":"assistant","content":"",` + lineCalls(t) + `},"done":false}`})
	list = append(list, spokenLines(t.after)...)
	return append(list, piece{data: lineHead + `{"role":"assistant","content":""}` + lineTail})
}

func wholeLine(t turn) string {
	return lineHead + `{"role":"assistant","content":` + quote(t.text()) + `,` + lineCalls(t) + `}` + lineTail
}
