package ollama_test

import (
	"testing"

	"github.com/weir-gate/weir/internal/model/dialect/dialecttest"
)

func FuzzResponse(f *testing.F) { subject(f).Fuzz(f) }

// seeds are all streams of the tables.
func seeds() (all [][]byte) {
	for _, name := range dialecttest.SortedKeys(streams) {
		all = append(all, lines(streams[name].in...))
	}
	return all
}

// ends says whether a line ends a response.
func ends(_ string, line dialecttest.Tree) bool {
	return line.Get("done").Kind == 't' || len(line.All("error")) > 0
}

// vocabulary is what mutations put in the place of other words.
var vocabulary = []string{
	"message", "response", "tool_calls", "function", "name", "arguments", "index", "id", "type", "role", "content", "thinking",
	"done", "error", "logprobs", "model", "created_at", "eval_count", "true", "false", "assistant", "rm", "bash", "future_call",
	"Tool_Calls", "Message", "Function", "Done", "{}", "[]", "null", "0", "1", "-1", `"0"`, `\"`, `"{\"p\":1}"`, "\\u0069d", "\\ud83d",
	"\\ude00", " ", "\r", "\n", "\n\n", "\r\n", "\ufeff", "\u2028", "\u0085", "\v", "\x00", "\xff", ",", "}", "{", "]", "[", `"`,
	"functionCall", "function_call", "partial_json", "tool_use", "input", "custom", "choices", "data: ",
}
