package main

import (
	"encoding/base64"
	"strings"

	"github.com/weir-gate/weir/internal/model/wire"
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
	kit:       &wire.Converse,
	stream:    streamConverse,
	modes:     []mode{packets, whole},
	endpoints: append(modelEndpoints("converse-stream", "converse"), endpoint{path: "/an/unknown/path"}),
}

// invokeFormat is what Claude answers through InvokeModel of Amazon Bedrock.
var invokeFormat = format{
	name:      "bedrock-invoke",
	kit:       &wire.Messages,
	stream:    streamChunks,
	modes:     []mode{packets, whole},
	request:   `{"anthropic_version":"bedrock-2023-05-31","max_tokens":64,"messages":[{"role":"user","content":"Go on."}]}`,
	endpoints: modelEndpoints("invoke-with-response-stream", "invoke"),
}

// padding is what the service adds to hide how long its messages are.
const padding = `,"p":"abcdefghijk"}`

func streamConverse(t turn) []piece {
	list := played(&wire.Converse, t)
	for i, p := range list {
		list[i].data = strings.TrimSuffix(p.data, "}") + padding
	}
	return list
}

// streamChunks are the events of a message, each in a chunk.
func streamChunks(t turn) []piece {
	var list []piece
	for _, p := range streamMessage(t) {
		list = append(list, piece{name: "chunk", data: `{"bytes":"` + base64.StdEncoding.EncodeToString([]byte(p.data)) + `"` + padding})
	}
	return list
}
