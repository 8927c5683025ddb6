package gemini_test

import (
	"strings"
	"testing"

	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/model/dialect/dialecttest"
)

func FuzzResponse(f *testing.F) {
	s := subject(f, frame.Events)
	s.Fixtures = fixtures(f)
	s.Fuzz(f)
}

// seeds are all responses of the tables, in all framings, and what they do not have.
func seeds() (all [][]byte) {
	tables := inputs()
	for _, name := range dialecttest.SortedKeys(tables) {
		for _, framing := range []frame.Framing{frame.Events, frame.Elements, frame.Whole} {
			if framing != frame.Whole || len(tables[name]) == 1 {
				all = append(all, wire(framing, tables[name]...))
			}
		}
	}
	return append(all, []byte(ends(hiPart, signed, lsPart)), []byte(wrap(ends(rmPart))))
}

// endsResponse says whether an element ends a response.
func endsResponse(_ string, element dialecttest.Tree) bool {
	text := element.String()
	return strings.Contains(text, "finishReason") || strings.Contains(text, "rror")
}

// shows says whether a call is the one that was released. What the provider ran with arguments that cannot be read is on record as text.
func shows(seen dialecttest.Seen, e dialecttest.Event) bool {
	args := dialecttest.Meaning(e.Sent())
	if seen.Ran && strings.HasPrefix(args, `{"text":`) {
		args = seen.Args
	}
	return seen == dialecttest.Seen{ID: e.Call.WireID, Name: wireName(e.Call), Args: args, Ran: e.Call.Ran}
}

// vocabulary is what mutations put in the place of other words.
var vocabulary = []string{
	"candidates", "content", "parts", "role", "model", "index", "finishReason", "finishMessage", "usageMetadata", "response", "error",
	"text", "thought", "thoughtSignature", "functionCall", "function_call", "FunctionCall", "functionResponse", "toolCall", "toolResponse",
	"executableCode", "codeExecutionResult", "inlineData", "audioCall", "name", "id", "args", "toolType", "partialArgs", "willContinue",
	"jsonPath", "stringValue", "numberValue", "boolValue", "nullValue", "NULL_VALUE", "logprobsResult", "groundingMetadata", "promptFeedback",
	"STOP", "CONTINUATION", "MALFORMED_FUNCTION_CALL", "default_api.rm(", "rm", "ls", "$.a", "$.p", "$.a[0]", "$['a']", "Candidates", "PARTS",
	"Args", "{}", "[]", "null", "0", "1", "-1", "1.0", `"0"`, `"rm"`, `\"`, "\\u0069d", "\\ud83d", "\\ude00", " ", "data: ", "event: ", ": ",
	"\r", "\n", "\n\n", "\r\n\r\n", ",\r\n", "\ufeff", "\u2028", "\x00", "\xff", ",", "}", "{", "]", "[", `"`, "true", "false", "tool_calls",
	"tool_use", "partial_json", "c2ln", "traceId",
}
