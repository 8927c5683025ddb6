package anthropic_test

import (
	"slices"
	"testing"

	"github.com/weir-gate/weir/internal/model/dialect/dialecttest"
)

func FuzzResponse(f *testing.F) { subject(f).Fuzz(f) }

// seeds are what the fixtures do not have.
var seeds = [][]byte{
	[]byte(`{"type":"message","role":"assistant","content":[{"type":"new","x":1}],"stop_reason":"tool_use"}`),
	[]byte(`{"type":"message_start","message":{"content":[{"type":"new","x":1}]}}`),
	[]byte(`{"type":"error","error":{"type":"api_error","message":"x"}}`),
}

// ends says whether an event ends a response.
func ends(_ string, data dialecttest.Tree) bool {
	return slices.Contains([]string{"message_stop", "error"}, data.Get("type").Text)
}

// vocabulary is what mutations put in the place of other words.
var vocabulary = []string{
	"message_start", "content_block_start", "content_block_delta", "content_block_stop", "message_delta", "message_stop",
	"ping", "error", "message", "text", "thinking", "tool_use", "server_tool_use", "mcp_tool_use", "input_json_delta",
	"text_delta", "thinking_delta", "web_search_tool_result", "new_thing", "Type", "type", "index", "delta", "partial_json",
	"content_block", "input", "name", "id", "tool_use_id", "content", "stop_reason", "max_tokens", "{}", "[]", "null", "0", "1",
	"2", "-1", "1.0", "1e0", `"0"`, "\\u0074ype", "\\ud83d", "data: ", "data:", "event: ", ": ", "\r", "\n", "\n\n", "\r\n",
	"\ufeff", "\u2028", "\u0085", "\x00", "\xff", ",", "}", "{", "]", `"`, "tool_calls", "functionCall", "[DONE]",
}
