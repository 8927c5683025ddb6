package main

import (
	"net/http"

	"github.com/weir-gate/weir/internal/model/wire"
)

// chatFormat is the OpenAI Chat Completions API, and the many that look like it.
var chatFormat = format{
	name:  "openai-chat",
	kit:   &wire.Chat,
	modes: []mode{events, whole},
	endpoints: []endpoint{
		{path: "/v1/chat/completions", builtIn: "openai"},
		{path: "/v1/chat/completions/", builtIn: "openai"},
		{path: "//v1/chat//completions", builtIn: "openai"},
		{path: "/v1/chat/completions", builtIn: "xai"},
		{path: "/v1/chat/completions", builtIn: "mistral"},
		{path: "/chat/completions", builtIn: "deepseek"},
		{path: "/openai/v1/chat/completions", builtIn: "groq", below: "/v1/chat/completions"},
		{path: "/api/v1/chat/completions", builtIn: "openrouter", below: "/v1/chat/completions"},
		{path: "/v1beta/openai/chat/completions", builtIn: "gemini"},
		{path: "/v1/chat/completions", builtIn: "ollama"},
		{path: "/v1/chat/completions", builtIn: "anthropic"},
		{path: "/v1/chat/completions", builtIn: "deepseek"},
		{path: "/beta/chat/completions", builtIn: "deepseek"},
		{path: "/v1/agents/completions", builtIn: "mistral"},
		{path: "/api/v1/presets/p/chat/completions", builtIn: "openrouter", below: "/v1/presets/p/chat/completions"},
		{path: "/openai/deployments/d/chat/completions?api-version=2025-04-01-preview"},
		{path: "/openai/v1/chat/completions?api-version=preview"},
		{path: "/openai/deployments/d/extensions/chat/completions"},
		{path: "/v1/projects/p/locations/l/endpoints/openapi/chat/completions"},
		{path: "/v1/projects/p/locations/l/endpoints/7/chat/completions"},
		{path: "/v1/projects/p/locations/l/publishers/mistralai/models/m:{verb}", verbs: rawPredict},
		{path: "/v1/projects/p/locations/l/endpoints/7:{verb}", verbs: rawPredict},
		{path: "/v1/projects/p/locations/l/endpoints/7:predict", modes: []mode{whole}},
		{path: "/tenants/t/chat/completions"},
		{path: "/v1/completions", builtIn: "openai"},
		{path: "/openai/v1/completions", builtIn: "openai"},
		{path: "/openai/deployments/d/completions", builtIn: "openai"},
		{path: "/completions", builtIn: "deepseek"},
		{path: "/beta/completions", builtIn: "deepseek"},
		{path: "/v1/fim/completions", builtIn: "mistral"},
		{path: "/an/unknown/path"},
		{path: "/v1/chat/completions/chatcmpl-1", builtIn: "openai", modes: []mode{whole}},
		{method: http.MethodGet, path: "/v1/chat/deferred-completion/1", builtIn: "xai", modes: []mode{whole}},
		{method: http.MethodGet, path: "/v1/chat/completions/chatcmpl-1", builtIn: "openai", modes: []mode{whole}},
		storedCompletions.endpoint(&wire.Chat),
		storedMessages.endpoint(&wire.Chat),
		batchOutput("/v1/files/file-1/content", "openai", "").endpoint(&wire.Chat),
		batchOutput("/v1/files/file-1/content", "mistral", "").endpoint(&wire.Chat),
		batchOutput("/openai/v1/files/file-1/content", "groq", "/v1/files/file-1/content").endpoint(&wire.Chat),
	},
}

// rawPredict are the verbs with which Vertex AI is asked for answers in a model's own format.
var rawPredict = map[mode]string{events: "streamRawPredict", whole: "rawPredict"}
