package dialect

import (
	"strings"

	"github.com/weir-gate/weir/internal/strictjson"
)

// callNames are the members that hold a call or a piece of one in any of the formats.
var callNames = []string{"tool_calls", "function_call", "functionCall", "functionCalls", "toolUse", "toolCalls", "partial_json", "partialArgs"}

// callTypes are found in the type of every unit that is a call or a piece of one, in any of the formats.
var callTypes = []string{
	"tool_use", "tool_call", "function_call", "shell_call", "patch_call", "computer_call", "mcp_call", "search_call",
	"interpreter_call", "approval_request", "input_json", "function.call", "tool.execution",
}

// CarriesCall says whether v has the shape of a call, or of a piece of one, of any format. It is asked about frames that
// a dialect does not know, so it would rather see a call too many.
func CarriesCall(v strictjson.Value) bool {
	found := false
	v.Walk(func(name, val strictjson.Value) bool {
		found = found || nameOfCall(name) && val.Kind() >= strictjson.String // a count of calls is none
		if name.Folds("type") && val.Kind() == strictjson.String {
			text := strings.ToLower(string(val.AppendText(nil)))
			for _, t := range callTypes {
				found = found || strings.Contains(text, t)
			}
		}
		return !found
	})
	return found
}

// HidesCall says whether an object has the shape of a call of any format in a member beside its own. A client of another
// format would find it there.
func HidesCall(v strictjson.Value, own ...string) bool {
	for name, value := range v.Members() {
		if value.Len() > 0 && !isOneOf(name, own) && (CarriesCall(value) || nameOfCall(name)) {
			return true
		}
	}
	return false
}

func isOneOf(name strictjson.Value, names []string) bool {
	for _, n := range names {
		if name.Is(n) {
			return true
		}
	}
	return false
}

// nameOfCall says whether a member holds a call by its name.
func nameOfCall(name strictjson.Value) bool {
	for _, n := range callNames {
		if name.Folds(n) {
			return true
		}
	}
	return false
}
