package openairesponses_test

import (
	"testing"

	"github.com/weir-gate/weir/internal/model/dialect/dialecttest"
)

// resultTests are requests and what calls gave.
var resultTests = dialecttest.ResultCases{
	"none": {`{"input":"hi"}`, nil},
	"every kind": {
		`{"input":[{"type":"function_call_output","call_id":"1","output":"a"},{"type":"custom_tool_call_output","call_id":"2","output":[{"type":"input_text","text":"b"}]},{"type":"shell_call_output","call_id":"3","output":[]},{"type":"local_shell_call_output","id":"4","output":"d"},{"type":"apply_patch_call_output","call_id":"5","status":"failed","output":"e"},{"type":"apply_patch_call_output","call_id":"6","status":"completed"},{"type":"computer_call_output","call_id":"7","output":{"type":"computer_screenshot"}},{"type":"tool_search_output","execution":"client","call_id":"8","tools":[]},{"type":"mcp_approval_response","approval_request_id":"9","approve":true},{"type":"function_call_output","call_id":"10","status":"incomplete","output":""}]}`,
		[]dialecttest.Given{
			{ID: "1", Content: `"a"`, New: true},
			{ID: "2", Content: `[{"type":"input_text","text":"b"}]`, New: true},
			{ID: "3", Content: `[]`, New: true},
			{ID: "4", Content: `"d"`, New: true},
			{ID: "5", Content: `"e"`, Failed: true, New: true},
			{ID: "6", New: true},
			{ID: "7", Content: `{"type":"computer_screenshot"}`, New: true},
			{ID: "8", Content: `[]`, New: true},
			{ID: "9", Content: `true`, New: true},
			{ID: "10", Content: `""`, Failed: true, New: true},
		},
	},
	"of calls that are there": {
		`{"input":[{"type":"function_call","call_id":"1","name":"a","namespace":"n","arguments":"{}"},{"type":"local_shell_call","id":"ls","call_id":"2","action":{}},{"type":"mcp_approval_request","id":"3","server_label":"s","name":"t","arguments":"{}"},{"type":"function_call_output","call_id":"1","output":"x"},{"type":"local_shell_call_output","id":"2","output":"y"},{"type":"mcp_approval_response","approval_request_id":"3","approve":false}]}`,
		[]dialecttest.Given{
			{ID: "1", Tool: "n.a", Content: `"x"`, New: true},
			{ID: "2", Tool: "local_shell", Content: `"y"`, New: true},
			{ID: "3", Tool: "t", Content: `false`, New: true},
		},
	},
	"old and new": {
		`{"input":[{"type":"function_call_output","call_id":"1","output":"x"},{"type":"reasoning"},{"type":"function_call_output","call_id":"2","output":"x"},{"role":"assistant","content":"so"},{"type":"function_call_output","call_id":"3","output":"x"},{"type":"function_call","call_id":"5","name":"a","arguments":"{}"},{"type":"function_call_output","call_id":"5","output":"x"},{"role":"user","content":"and"}]}`,
		[]dialecttest.Given{
			{ID: "1", Content: `"x"`},
			{ID: "2", Content: `"x"`},
			{ID: "3", Content: `"x"`},
			{ID: "5", Tool: "a", Content: `"x"`, New: true},
		},
	},
	"of the provider":         {`{"input":[{"type":"shell_call","call_id":"1","environment":{"type":"container_reference"},"action":{}},{"type":"shell_call_output","call_id":"1","output":[]},{"type":"tool_search_output","execution":"server","tools":[]},{"type":"program_output","call_id":"2","result":"x"},{"type":"mcp_call","id":"3","output":"x"}]}`, nil},
	"items of a conversation": {`{"items":[{"type":"function_call_output","call_id":"1","output":"a"}]}`, []dialecttest.Given{{ID: "1", Content: `"a"`, New: true}}},
	"unreadable":              {`{"input":[{"type":"function_call_output","output":"a"},{"type":"function_call_output","call_id":"1","call_id":"2","output":"a"},{"type":"function_call_output","call_id":"1","output":"a","Output":"b"},{"type":"function_call_output","call_id":7,"output":"a"},3]}`, nil},
}

func BenchmarkReadRequest(b *testing.B) {
	requests.BenchmarkRead(b, `{"model":"m","tools":[{"type":"function","name":"a","parameters":{"type":"object"}}],"input":[`,
		`{"type":"function_call","id":"fc_#","call_id":"call_#","name":"a","arguments":"{\"path\":\"/x\"}","status":"completed"},`+
			`{"type":"function_call_output","call_id":"call_#","output":"@"}`)
}
