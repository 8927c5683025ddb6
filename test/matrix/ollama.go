package main

import (
	"github.com/weir-gate/weir/internal/model/wire"
)

// ollamaFormat is Ollama's own API. Those of others that it speaks are with their formats.
var ollamaFormat = format{
	name:  "ollama",
	kit:   &wire.Ollama,
	modes: []mode{lines, whole},
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
