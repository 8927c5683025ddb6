package openairesponses_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/model/dialect/dialecttest"
)

func FuzzResponse(f *testing.F) { subject(f).Fuzz(f) }

// seeds are all streams and bodies of the tables.
func seeds() (all [][]byte) {
	for _, name := range dialecttest.SortedKeys(streams) {
		all = append(all, stream(streams[name].frames...))
	}
	for _, name := range dialecttest.SortedKeys(bodies) {
		all = append(all, []byte(bodies[name].body))
	}
	return all
}

// ends says whether an event ends a response.
func ends(_ string, event dialecttest.Tree) bool {
	switch strings.TrimPrefix(event.Get("type").Text, "response.") {
	case "completed", "incomplete", "failed", "cancelled", "error":
		return true
	}
	return len(event.All("error")) > 0
}

// innerMark is behind the id of a call that stands in the arguments of another.
const innerMark = " inner"

// shows says whether a call is the one that was released, or that one as it begins. What the provider ran may have another id at the
// end.
func shows(seen dialecttest.Seen, e dialecttest.Event) bool {
	if id, inside := strings.CutSuffix(seen.ID, innerMark); inside {
		return id == e.Call.WireID && slices.ContainsFunc(e.Call.Inner, func(c call.Inner) bool {
			return c.Tool == seen.Name && dialecttest.Meaning(c.Args) == seen.Args
		})
	}
	if seen.Name != wireName(e.Call) || seen.Ran != e.Call.Ran || seen.ID != e.Call.WireID && !seen.Ran {
		return false
	}
	begun, err := dialecttest.ParseTree([]byte(seen.Args))
	whole, _ := dialecttest.ParseTree(e.Sent()) // the judge has seen that it is JSON
	if err != nil || seen.ID != e.Call.WireID {
		return seen.Args == whole.String()
	}
	for i, name := range begun.Names {
		if name == "status" { // of an item of an unknown type, which is all arguments
			begun.Values = slices.Clone(begun.Values)
			begun.Values[i] = dialecttest.Tree{}
		}
	}
	return becomes(begun, whole)
}

// vocabulary is what mutations put in the place of other words.
var vocabulary = []string{
	"response", "output", "item", "type", "id", "call_id", "name", "arguments", "input", "delta", "output_index", "item_id", "status",
	"sequence_number", "namespace", "server_label", "action", "operation", "commands", "content", "part", "store", "conversation",
	"error", "object", "list", "data", "execution", "environment", "queries", "code",
	"response.created", "response.in_progress", "response.completed", "response.incomplete", "response.failed",
	"response.output_item.added", "response.output_item.done", "response.function_call_arguments.delta",
	"response.function_call_arguments.done", "response.custom_tool_call_input.delta", "response.output_text.delta", "keepalive",
	"function_call", "custom_tool_call", "mcp_call", "mcp_approval_request", "shell_call", "web_search_call", "message", "reasoning",
	"function_call_output", "future_call", "completed", "in_progress", "incomplete", "fc_1", "fc_2", "call_1", "call_2", "msg_1", "rm",
	"ls", "parallel", "functions.rm", "Item", "Type", "OUTPUT", "Call_id", "{}", "[]", "null", "0", "1", "2", "-1", "1.0", "1e0", `"0"`,
	`\"`, "{\\\"p\\\":1}", "\\u0069d", "\\ud83d", "\\ude00", " ", "data: ", "event: ", ": ", "\r", "\n", "\n\n", "\ufeff", "\u2028",
	"\x00", "\xff", ",", "}", "{", "]", `"`, "true", "false", "tool_calls", "functionCall", "tool_use", "partial_json", "[DONE]",
}
