package openaichat_test

import (
	"testing"

	"github.com/weir-gate/weir/internal/model/dialect/dialecttest"
)

// resultTests are requests and what calls gave.
var resultTests = dialecttest.ResultCases{
	"none": {`{"messages":[{"role":"user","content":"hi"}]}`, nil},
	"by id": {
		`{"messages":[{"role":"assistant","tool_calls":[{"id":"1","type":"function","function":{"name":"a","arguments":"{}"}},{"id":"2","type":"custom","custom":{"name":"b","input":"x"}}]},{"role":"tool","tool_call_id":"2","content":"two"},{"role":"tool","tool_call_id":"1","content":[{"type":"text","text":"one"}]}]}`,
		[]dialecttest.Given{
			{ID: "2", Tool: "b", Content: `"two"`, New: true},
			{ID: "1", Tool: "a", Content: `[{"type":"text","text":"one"}]`, New: true},
		},
	},
	"old and new": {
		`{"messages":[{"role":"tool","tool_call_id":"1","content":"one"},{"role":"assistant","content":"so"},{"role":"tool","tool_call_id":"2","name":"b","content":"two"},{"role":"user","content":"and"}]}`,
		[]dialecttest.Given{{ID: "1", Content: `"one"`}, {ID: "2", Tool: "b", Content: `"two"`, New: true}},
	},
	"by name and order": {
		`{"messages":[{"role":"assistant","function_call":{"name":"a","arguments":"{\"n\":1}"}},{"role":"function","name":"a","content":"one"},{"role":"assistant","function_call":{"name":"a","arguments":"{\"n\":2}"}},{"role":"function","name":"a","content":"two"},{"role":"function","name":"b","content":"of none"}]}`,
		[]dialecttest.Given{
			{Tool: "a", Args: `{"n":1}`, Content: `"one"`},
			{Tool: "a", Args: `{"n":2}`, Content: `"two"`, New: true},
			{Tool: "b", Content: `"of none"`, New: true},
		},
	},
	"no id in the result": {
		`{"messages":[{"role":"assistant","tool_calls":[{"function":{"name":"a","arguments":{"n":1}}},{"function":{"name":"a","arguments":"{\"n\":2}"}}]},{"role":"tool","name":"a","content":"one"},{"role":"tool","name":"a","content":"two"}]}`,
		[]dialecttest.Given{{Tool: "a", Args: `{"n":1}`, Content: `"one"`, New: true}, {Tool: "a", Args: `{"n":2}`, Content: `"two"`, New: true}},
	},
	"arguments that are none": {
		`{"messages":[{"role":"assistant","function_call":{"name":"a","arguments":"{\"n\":"}},{"role":"function","name":"a","content":"one"}]}`,
		[]dialecttest.Given{{Tool: "a", Content: `"one"`, New: true}},
	},
	"no content":     {`{"messages":[{"role":"tool","tool_call_id":"1"}]}`, []dialecttest.Given{{ID: "1", New: true}}},
	"unreadable":     {`{"messages":[{"role":"tool","tool_call_id":1,"content":""},{"role":"tool","tool_call_id":"1","content":"","Content":""},{"role":"tool","content":""},{"role":"function"},7,{"role":"tool","role":"user"}]}`, nil},
	"messages twice": {`{"messages":[],"messages":[{"role":"tool","tool_call_id":"1","content":""}]}`, nil},
}

func BenchmarkReadRequest(b *testing.B) {
	requests.BenchmarkRead(b, `{"model":"m","tools":[{"type":"function","function":{"name":"a","parameters":{"type":"object"}}}],"messages":[`,
		`{"role":"assistant","content":null,"tool_calls":[{"id":"call_#","type":"function","function":{"name":"a","arguments":"{\"path\":\"/x\"}"}}]},`+
			`{"role":"tool","tool_call_id":"call_#","content":"@"}`)
}
