package anthropic_test

import (
	"testing"

	"github.com/weir-gate/weir/internal/model/dialect/dialecttest"
)

const asksLs = `{"role":"assistant","content":[{"type":"text","text":"so"},{"type":"tool_use","id":"t1","name":"ls","input":{"path":"a"}},` +
	`{"type":"tool_use","id":"t2","name":"navigate","toolset_name":"browser","input":{}}]}`

var resultCases = dialecttest.ResultCases{
	"none": {`{"messages":[{"role":"user","content":"hi"},{"role":"user","content":[{"type":"text","text":"hi"}]}]}`, nil},
	"two": {
		`{"messages":[` + asksLs + `,{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"one"},{"type":"tool_result","tool_use_id":"t2","content":[{"type":"text","text":"two"}],"is_error":true}]}]}`,
		[]dialecttest.Given{
			{ID: "t1", Tool: "ls", Content: `"one"`, New: true},
			{ID: "t2", Tool: "browser.navigate", Content: `[{"type":"text","text":"two"}]`, Failed: true, New: true},
		},
	},
	"old and new": {
		`{"messages":[` + asksLs + `,{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"one"}]},{"role":"assistant","content":"so"},{"role":"user","content":[{"type":"tool_result","tool_use_id":"t9"}]}]}`,
		[]dialecttest.Given{{ID: "t1", Tool: "ls", Content: `"one"`}, {ID: "t9", New: true}},
	},
	"of the provider": {
		`{"messages":[{"role":"assistant","content":[{"type":"mcp_tool_result","tool_use_id":"m","content":"x"},{"type":"web_search_tool_result","tool_use_id":"w","content":[]},{"type":"tool_result","tool_use_id":"t1","content":"x"}]}]}`,
		nil,
	},
	"of a batch": {
		`{"requests":[{"params":{"messages":[` + asksLs + `,{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"one"}]}]}},` +
			`{"params":{"messages":[{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"two"}]},{"role":"assistant","content":"so"}]}}]}`,
		[]dialecttest.Given{{ID: "t1", Tool: "ls", Content: `"one"`, New: true}, {ID: "t1", Content: `"two"`}},
	},
	"what cannot be read": {
		`{"messages":[{"role":"user","role":"user","content":[{"type":"tool_result","tool_use_id":"a"}]},{"role":"user","content":[{"type":"tool_result","type":"text","tool_use_id":"a"},` +
			`{"type":"tool_result","tool_use_id":"a","tool_use_id":"b"},{"type":"tool_result","tool_use_id":4},{"type":"tool_result","tool_use_id":"c","content":"1","content":"2"},` +
			`{"type":"tool_result","tool_use_id":"d","is_error":true,"is_error":false},5,{"type":"tool_result"}]}]}`,
		[]dialecttest.Given{{New: true}},
	},
}

func BenchmarkReadRequest(b *testing.B) {
	requests.BenchmarkRead(b, `{"model":"m","tools":[`+listTool+`,`+shellTool+`],"messages":[`,
		`{"role":"assistant","content":[{"type":"tool_use","id":"t#","name":"ls","input":{"n":#}}]},`+
			`{"role":"user","content":[{"type":"tool_result","tool_use_id":"t#","content":"@"}]}`)
}
