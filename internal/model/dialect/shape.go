package dialect

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"github.com/weir-gate/weir/internal/strictjson"
)

// callNames are the members that hold a call or a piece of one in any of the formats.
var callNames = []string{
	"tool_calls", "function_call", "functionCall", "functionCalls", "toolUse", "toolCall", "toolCalls", "executableCode", "partial_json",
	"partialArgs",
}

// callTypes are words in the type of every object that is a call or a piece of one, in any of the formats.
var callTypes = []string{
	"tool_use", "tool_call", "function_call", "shell_call", "patch_call", "computer_call", "mcp_call", "search_call",
	"interpreter_call", "approval_request", "input_json", "function.call", "tool.execution", "generation_call",
}

// CarriesCall says whether v has the shape of a call, or of a piece of one, of any format. It is used for frames that a dialect
// does not know, so in doubt it says yes.
func CarriesCall(v strictjson.Value) bool {
	found := false
	v.Walk(func(name, val strictjson.Value) bool {
		found = found || nameOfCall(name) && val.Kind() >= strictjson.String // a number of calls is not a call
		found = found || name.Folds("type") && val.Kind() == strictjson.String && TypesCall(val.AppendText(nil))
		return !found
	})
	return found
}

// MentionsCall says whether a text that is not JSON has one of the words that calls, or pieces of calls, of any format have.
func MentionsCall(text []byte) bool {
	plain := bytes.ToLower(unescaped(bytes.ReplaceAll(text, []byte{0}, nil))) // without zero bytes, so that wider encodings match, too
	for _, words := range [][]string{callNames, callTypes} {
		for _, w := range words {
			if bytes.Contains(plain, []byte(strings.ToLower(w))) {
				return true
			}
		}
	}
	return false
}

// unescaped returns a text with JSON's escapes of ASCII characters, \u0000 to \u007f, resolved.
func unescaped(text []byte) []byte {
	const length = len(`\u0000`)
	if !bytes.Contains(text, []byte(`\u00`)) {
		return text
	}
	out := make([]byte, 0, len(text))
	for i := 0; i < len(text); i++ {
		if i+length <= len(text) && bytes.HasPrefix(text[i:], []byte(`\u00`)) {
			if c, err := strconv.ParseUint(string(text[i+4:i+length]), 16, 7); err == nil {
				out = append(out, byte(c))
				i += length - 1
				continue
			}
		}
		out = append(out, text[i])
	}
	return out
}

// HidesCall says whether an object has the shape of a call of any format in a member that is not one of own. A client of another
// format would find the call there.
func HidesCall(v strictjson.Value, own ...string) bool {
	for name, value := range v.Members() {
		if value.Len() > 0 && !isOneOf(name, own) && (CarriesCall(value) || nameOfCall(name)) {
			return true
		}
	}
	return false
}

// partNames are the members that hold a tool's name and its arguments in the formats.
var partNames = []string{"name", "arguments", "args", "input", "parameters"}

// WrittenTwice says whether an entry has a call, or parts of one, beside its own members.
func WrittenTwice(v strictjson.Value, own ...string) bool {
	for name, value := range v.Members() {
		for _, n := range partNames {
			if Present(value) && name.Folds(n) && !slices.Contains(own, n) {
				return true
			}
		}
	}
	return HidesCall(v, own...)
}

func isOneOf(name strictjson.Value, names []string) bool {
	for _, n := range names {
		if name.Is(n) {
			return true
		}
	}
	return false
}

// NamesCall says whether a member of that name holds a call, or a piece of one, of any format.
func NamesCall(name []byte) bool {
	for _, n := range callNames {
		if bytes.EqualFold(name, []byte(n)) {
			return true
		}
	}
	return false
}

// NamesType says whether a member of that name may hold the type of its object.
func NamesType(name []byte) bool { return bytes.EqualFold(name, []byte("type")) }

// TypesCall says whether a type is that of a call, or of a piece of one, of any format.
func TypesCall(kind []byte) bool {
	low := bytes.ToLower(kind)
	for _, t := range callTypes {
		if bytes.Contains(low, []byte(t)) {
			return true
		}
	}
	return false
}

// nameOfCall is NamesCall for the name of a parsed member.
func nameOfCall(name strictjson.Value) bool {
	for _, n := range callNames {
		if name.Folds(n) {
			return true
		}
	}
	return false
}
