package main

import (
	"slices"

	"github.com/weir-gate/weir/internal/model/wire"
)

// messagesFormat is the Anthropic Messages API.
var messagesFormat = format{
	name:   "anthropic",
	named:  true,
	kit:    &wire.Messages,
	stream: streamMessage,
	modes:  []mode{events, whole},
	endpoints: []endpoint{
		{path: "/v1/messages", builtIn: "anthropic"},
		{path: "/v1/messages?beta=true", builtIn: "anthropic"},
		{path: "/v1/messages/", builtIn: "anthropic"},
		{path: "//v1//messages", builtIn: "anthropic"},
		{path: "/./v1/%6Dessages", builtIn: "anthropic"},
		{path: "/anthropic/v1/messages", builtIn: "deepseek"},
		{path: "/api/v1/messages", builtIn: "openrouter", below: "/v1/messages"},
		{path: "/api/v1/presets/p/messages", builtIn: "openrouter", below: "/v1/presets/p/messages"},
		{path: "/v1/messages", builtIn: "xai"},
		{path: "/v1/messages", builtIn: "ollama"},
		{path: "/tenants/t/v1/messages"},
		{path: "/v1/complete", builtIn: "anthropic"},
		{path: "/an/unknown/path"},
		{
			path:  "/v1/projects/p/locations/l/publishers/anthropic/models/claude:{verb}",
			verbs: rawPredict,
		},
		batchResults.endpoint(&wire.Messages),
	},
}

// streamMessage is a turn with a ping in it.
func streamMessage(t turn) []piece {
	return slices.Insert(played(&wire.Messages, t), 1, piece{"ping", `{"type":"ping"}`})
}
