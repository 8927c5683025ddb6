package main

import (
	"fmt"
	"net/http"
)

// chatFormat is the OpenAI Chat Completions API, and the many that look like it.
var chatFormat = format{
	name:   "openai-chat",
	modes:  []mode{events, whole},
	stream: streamCompletion,
	body:   wholeCompletion,
	request: func(m mode) string {
		return fmt.Sprintf(`{"model":"gpt","stream":%v,"messages":[{"role":"user","content":"Go on."}]}`, m == events)
	},
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
		storedCompletions.endpoint(wholeCompletion),
		storedMessages.endpoint(wholeCompletion),
		batchOutput("/v1/files/file-1/content", "openai", "").endpoint(wholeCompletion),
		batchOutput("/v1/files/file-1/content", "mistral", "").endpoint(wholeCompletion),
		batchOutput("/openai/v1/files/file-1/content", "groq", "/v1/files/file-1/content").endpoint(wholeCompletion),
	},
}

// rawPredict are the verbs with which Vertex AI is asked for answers in a model's own format.
var rawPredict = map[mode]string{events: "streamRawPredict", whole: "rawPredict"}

func chunk(t turn, delta, finish string) piece {
	return piece{data: `{"id":"chatcmpl-` + t.id + `","object":"chat.completion.chunk","created":1762300000,"model":"gpt",` +
		`"choices":[{"index":0,"delta":` + delta + `,"finish_reason":` + finish + `}]}`}
}

func contentChunks(t turn, pieces []string) []piece {
	var list []piece
	for _, p := range pieces {
		list = append(list, chunk(t, `{"content":`+quote(p)+`}`, "null"))
	}
	return list
}

func streamCompletion(t turn) []piece {
	list := []piece{chunk(t, `{"role":"assistant","content":""}`, "null")}
	list = append(list, contentChunks(t, t.before)...)
	list = append(list, chunk(t, `{"tool_calls":[{"index":0,"id":"call_`+t.id+`","type":"function","function":{"name":`+
		quote(t.tool)+`,"arguments":""}}]}`, "null"))
	for _, p := range t.args {
		list = append(list, chunk(t, `{"tool_calls":[{"index":0,"function":{"arguments":`+quote(p)+`}}]}`, "null"))
	}
	list = append(list, contentChunks(t, t.after)...)
	return append(list, chunk(t, "{}", `"tool_calls"`),
		piece{data: `{"id":"chatcmpl-` + t.id + `","object":"chat.completion.chunk","created":1762300000,"model":"gpt","choices":[],` + completionUsage + `}`},
		piece{data: "[DONE]"})
}

const completionUsage = `"usage":{"prompt_tokens":9,"completion_tokens":` + usage + `,"total_tokens":40970}`

func wholeCompletion(t turn) string {
	return `{"id":"chatcmpl-` + t.id + `","object":"chat.completion","created":1762300000,"model":"gpt","choices":[{"index":0,` +
		`"message":{"role":"assistant","content":` + quote(t.text()) + `,"tool_calls":` + completionCalls(t) + `},` +
		`"finish_reason":"tool_calls"}],` + completionUsage + `}`
}

func completionCalls(t turn) string {
	return `[{"id":"call_` + t.id + `","type":"function","function":{"name":` + quote(t.tool) + `,"arguments":` + quote(t.arguments()) + `}}]`
}
