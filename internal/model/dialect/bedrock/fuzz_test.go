package bedrock_test

import (
	"testing"

	"github.com/weir-gate/weir/internal/model/dialect/dialecttest"
)

func FuzzResponse(f *testing.F) { subject(f).Fuzz(f) }

// seeds are what the fixtures do not have.
var seeds = [][]byte{stream(framesOf(start, rm(0), end, costs)...), stream(start, startBlock(0, `{"newKind":{}}`), stopBlock(0), end, costs)}

// ends says whether a message ends a response.
func ends(event string, _ dialecttest.Tree) bool { return event == "messageStop" }

// vocabulary is what mutations put in the place of other words.
var vocabulary = []string{
	"messageStart", "contentBlockStart", "contentBlockDelta", "contentBlockStop", "messageStop", "metadata", "chunk", "weather",
	"!throttlingException", "toolUse", "tooluse", "toolUseId", "toolResult", "text", "reasoningContent", "citation", "image",
	"newKind", "name", "Name", "input", "type", "server_tool_use", "contentBlockIndex", "start", "delta", "stopReason",
	"tool_use", "max_tokens", "end_turn", "trace", "additionalModelResponseFields", "usage", "role", "content", "output",
	"message", "{}", "[]", "null", "0", "1", "2", "3", "-1", "1.0", "1e0", `"0"`, "\\u0074ext", "\\ud83d", "\\ude00", " ", "\n", "\n\n",
	"\ufeff", "\x00", "\xff", ",", "}", "{", "]", `"`, "tool_calls", "functionCall", `{"toolUse":{"input":"x"}}`,
}
