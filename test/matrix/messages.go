package main

import (
	"fmt"
)

// messagesFormat is the Anthropic Messages API.
var messagesFormat = format{
	name:   "anthropic",
	named:  true,
	modes:  []mode{events, whole},
	stream: streamMessage,
	body:   wholeMessage,
	request: func(m mode) string {
		return fmt.Sprintf(`{"model":"claude","max_tokens":64,"stream":%v,"messages":[{"role":"user","content":"Go on."}]}`, m == events)
	},
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
		batchResults.endpoint(wholeMessage),
	},
}

func messageEvent(typ, format string, args ...any) piece {
	return piece{name: typ, data: `{"type":"` + typ + `"` + fmt.Sprintf(format, args...) + `}`}
}

// textBlock are the events of a block of text.
func textBlock(index int, pieces []string) []piece {
	list := []piece{messageEvent("content_block_start", `,"index":%d,"content_block":{"type":"text","text":""}`, index)}
	for _, p := range pieces {
		list = append(list, messageEvent("content_block_delta", `,"index":%d,"delta":{"type":"text_delta","text":%s}`, index, quote(p)))
	}
	return append(list, messageEvent("content_block_stop", `,"index":%d`, index))
}

func streamMessage(t turn) []piece {
	list := []piece{messageEvent("message_start", `,"message":{"id":"msg_%s","type":"message","role":"assistant","model":"claude",`+
		`"content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":9,"output_tokens":1}}`, t.id)}
	list = append(list, textBlock(0, t.before)...)
	list = append(list, messageEvent("ping", ""),
		messageEvent("content_block_start", `,"index":1,"content_block":{"type":"tool_use","id":"toolu_%s","name":%s,"input":{}}`, t.id, quote(t.tool)))
	for _, p := range append([]string{""}, t.args...) {
		list = append(list, messageEvent("content_block_delta", `,"index":1,"delta":{"type":"input_json_delta","partial_json":%s}`, quote(p)))
	}
	list = append(list, messageEvent("content_block_stop", `,"index":1`))
	list = append(list, textBlock(2, t.after)...)
	return append(list,
		messageEvent("message_delta", `,"delta":{"stop_reason":"tool_use","stop_sequence":null},"usage":{"output_tokens":%s}`, usage),
		messageEvent("message_stop", ""))
}

func wholeMessage(t turn) string {
	return fmt.Sprintf(`{"id":"msg_%s","type":"message","role":"assistant","model":"claude","content":[{"type":"text","text":%s},`+
		`{"type":"tool_use","id":"toolu_%s","name":%s,"input":%s},{"type":"text","text":%s}],"stop_reason":"tool_use",`+
		`"stop_sequence":null,"usage":{"input_tokens":9,"output_tokens":%s}}`,
		t.id, quote(t.textBefore()), t.id, quote(t.tool), t.arguments(), quote(t.textAfter()), usage)
}
