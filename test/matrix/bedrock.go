package main

import (
	"encoding/base64"
	"fmt"
)

// modelPaths are where the API has its models: by name, by an escaped name, and by an address with a slash in it.
var modelPaths = []string{
	"/model/anthropic.claude/{verb}",
	"/model/us.anthropic.claude-v1%3A0/{verb}/",
	"/model/arn%3Aaws%3Abedrock%3Aus-east-1%3A1%3Ainference-profile%2Fus.claude/{verb}",
	"/bedrock//model/anthropic.claude/{verb}",
}

func modelEndpoints(streamed, atOnce string) []endpoint {
	var list []endpoint
	for _, path := range modelPaths {
		list = append(list, endpoint{path: path, verbs: map[mode]string{packets: streamed, whole: atOnce}})
	}
	return list
}

// converseFormat is the Converse API of Amazon Bedrock.
var converseFormat = format{
	name:      "bedrock-converse",
	modes:     []mode{packets, whole},
	stream:    streamConverse,
	body:      wholeConverse,
	request:   func(mode) string { return `{"messages":[{"role":"user","content":[{"text":"Go on."}]}]}` },
	endpoints: append(modelEndpoints("converse-stream", "converse"), endpoint{path: "/an/unknown/path"}),
}

// invokeFormat is what Claude answers through InvokeModel of Amazon Bedrock.
var invokeFormat = format{
	name:   "bedrock-invoke",
	modes:  []mode{packets, whole},
	stream: streamChunks,
	body:   wholeMessage,
	request: func(mode) string {
		return `{"anthropic_version":"bedrock-2023-05-31","max_tokens":64,"messages":[{"role":"user","content":"Go on."}]}`
	},
	endpoints: modelEndpoints("invoke-with-response-stream", "invoke"),
}

// padding is what the service adds to hide how long its messages are.
const padding = `,"p":"abcdefghijk"}`

func converseEvent(typ, format string, args ...any) piece {
	return piece{name: typ, data: "{" + fmt.Sprintf(format, args...) + padding}
}

func converseBlock(index int, deltas []string) []piece {
	var list []piece
	for _, d := range deltas {
		list = append(list, converseEvent("contentBlockDelta", `"contentBlockIndex":%d,"delta":%s`, index, d))
	}
	return append(list, converseEvent("contentBlockStop", `"contentBlockIndex":%d`, index))
}

func streamConverse(t turn) []piece {
	var inputs []string
	for _, p := range t.args {
		inputs = append(inputs, `{"toolUse":{"input":`+quote(p)+`}}`)
	}
	list := []piece{converseEvent("messageStart", `"role":"assistant"`)}
	list = append(list, converseBlock(0, textParts(t.before))...)
	list = append(list, converseEvent("contentBlockStart", `"contentBlockIndex":1,"start":{"toolUse":{"toolUseId":"tooluse_%s","name":%s}}`, t.id, quote(t.tool)))
	list = append(list, converseBlock(1, inputs)...)
	list = append(list, converseBlock(2, textParts(t.after))...)
	return append(list, converseEvent("messageStop", `"stopReason":"tool_use"`),
		converseEvent("metadata", `"usage":{"inputTokens":9,"outputTokens":%s,"totalTokens":40970},"metrics":{"latencyMs":5}`, usage))
}

func wholeConverse(t turn) string {
	return `{"output":{"message":{"role":"assistant","content":[{"text":` + quote(t.textBefore()) + `},{"toolUse":{"toolUseId":"tooluse_` + t.id +
		`","name":` + quote(t.tool) + `,"input":` + t.arguments() + `}},{"text":` + quote(t.textAfter()) + `}]}},"stopReason":"tool_use",` +
		`"usage":{"inputTokens":9,"outputTokens":` + usage + `,"totalTokens":40970},"metrics":{"latencyMs":5}}`
}

// streamChunks are the events of a message, each in a chunk.
func streamChunks(t turn) []piece {
	var list []piece
	for _, p := range streamMessage(t) {
		list = append(list, piece{name: "chunk", data: `{"bytes":"` + base64.StdEncoding.EncodeToString([]byte(p.data)) + `"` + padding})
	}
	return list
}
