package openaichat_test

import (
	"testing"

	"github.com/weir-gate/weir/internal/model/dialect/dialecttest"
)

func FuzzResponse(f *testing.F) { subject(f).Fuzz(f) }

// seeds are all streams of the tables, and what they do not have.
func seeds() (all [][]byte) {
	for _, name := range dialecttest.SortedKeys(streams) {
		all = append(all, stream(streams[name].frames...))
	}
	for _, name := range dialecttest.SortedKeys(accumulations) {
		all = append(all, stream(accumulations[name].in...))
	}
	return append(all,
		[]byte(message(assistant("null", rmCall+","+lsCall+","+sqlCall), "tool_calls")),
		[]byte(message(`{"role":"assistant","content":null,"function_call":{"name":"rm","arguments":"{}"}}`, "function_call")),
	)
}

// ends says whether a chunk ends a response.
func ends(_ string, chunk dialecttest.Tree) bool {
	return len(chunk.All("error")) > 0 || chunk.Get("object").Text == "error"
}

// vocabulary is what mutations put in the place of other words.
var vocabulary = []string{
	"choices", "delta", "message", "finish_reason", "tool_calls", "function_call", "function", "custom", "index", "id", "type",
	"name", "arguments", "input", "content", "role", "usage", "error", "logprobs", "extra_content", "refusal", "object",
	"stop", "length", "assistant", "shell", "rm", "ls", "read_", "Tool_Calls", "Delta", "Index", "ID", "{}", "[]", "null", "0",
	"1", "2", "-1", "1.0", "1e0", `"0"`, `\"`, "{\\\"p\\\":1}", "\\u0069d", "\\ud83d", "\\ude00", " ", "data: ", "data:",
	"event: ", ": ", "\r", "\n", "\n\n", "\r\n", "\ufeff", "\u2028", "\u0085", "\x00", "\xff", ",", "}", "{", "]", `"`,
	"functionCall", "partial_json", "tool_use", "[DONE]",
}
