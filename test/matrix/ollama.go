package main

import (
	"fmt"

	"github.com/weir-gate/weir/internal/model/wire"
)

// ollamaFormat is Ollama's own API. Those of others that it speaks are with their formats.
var ollamaFormat = format{
	name:  "ollama",
	kit:   &wire.Ollama,
	modes: []mode{lines, whole},
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
