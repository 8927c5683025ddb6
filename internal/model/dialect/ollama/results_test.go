package ollama_test

import (
	"testing"

	"github.com/weir-gate/weir/internal/model/dialect/dialecttest"
)

const (
	asksTwice = `{"role":"assistant","content":"","tool_calls":[` +
		`{"function":{"name":"ls","arguments":{"path":"a"}}},{"function":{"name":"ls","arguments":{"path":"b"}}}]}`
	asksByID = `{"role":"assistant","tool_calls":[{"id":"c1","function":{"name":"ls","arguments":{"path":"a"}}}]}`
)

var resultCases = dialecttest.ResultCases{
	"none": {`{"messages":[{"role":"user","content":"hi"}]}`, nil},
	"by name and order": {
		`{"messages":[` + asksTwice + `,{"role":"tool","tool_name":"ls","content":"one"},{"role":"tool","tool_name":"ls","content":"two"}]}`,
		[]dialecttest.Given{
			{Tool: "ls", Args: `{"path":"a"}`, Content: `"one"`, New: true},
			{Tool: "ls", Args: `{"path":"b"}`, Content: `"two"`, New: true},
		},
	},
	"by order alone": {
		`{"messages":[` + asksTwice + `,{"role":"tool","content":"one"},{"role":"tool","content":"two"},{"role":"tool","content":"three"}]}`,
		[]dialecttest.Given{
			{Tool: "ls", Args: `{"path":"a"}`, Content: `"one"`, New: true},
			{Tool: "ls", Args: `{"path":"b"}`, Content: `"two"`, New: true},
			{Content: `"three"`, New: true},
		},
	},
	"by the older name of the name": {
		`{"messages":[` + asksTwice + `,{"role":"tool","name":"ls","content":"one"}]}`,
		[]dialecttest.Given{{Tool: "ls", Args: `{"path":"a"}`, Content: `"one"`, New: true}},
	},
	"by id": {
		`{"messages":[` + asksByID + `,{"role":"tool","tool_call_id":"c1","content":"one"}]}`,
		[]dialecttest.Given{{ID: "c1", Tool: "ls", Content: `"one"`, New: true}},
	},
	"old and new": {
		`{"messages":[` + asksByID + `,{"role":"tool","tool_call_id":"c1","content":"one"},{"role":"assistant","content":"so"},` +
			`{"role":"user","content":"go on"},` + asksTwice + `,{"role":"tool","tool_name":"ls","content":"two"}]}`,
		[]dialecttest.Given{
			{ID: "c1", Tool: "ls", Content: `"one"`},
			{Tool: "ls", Args: `{"path":"a"}`, Content: `"two"`, New: true},
		},
	},
	"a call that was given up": {
		`{"messages":[{"role":"assistant","tool_calls":[{"function":{"name":"ls","arguments":{"path":"old"}}}]},{"role":"user","content":"no"},` +
			asksTwice + `,{"role":"tool","tool_name":"ls","content":"one"}]}`,
		[]dialecttest.Given{{Tool: "ls", Args: `{"path":"a"}`, Content: `"one"`, New: true}},
	},
	"arguments as text": {
		`{"messages":[{"role":"assistant","tool_calls":[{"function":{"name":"ls","arguments":"{\"a\":1}"}},{"function":{"name":"sh","arguments":"x"}},` +
			`{"function":{"name":"no"}}]},{"role":"tool","tool_name":"sh","content":"s"},{"role":"tool","tool_name":"ls","content":"l"},{"role":"tool","tool_name":"no","content":"n"}]}`,
		[]dialecttest.Given{
			{Tool: "sh", Content: `"s"`, New: true},
			{Tool: "ls", Args: `{"a":1}`, Content: `"l"`, New: true},
			{Tool: "no", Args: `{}`, Content: `"n"`, New: true},
		},
	},
	"what cannot be read": {
		`{"messages":[{"role":"tool","role":"user","content":"a"},{"role":"tool","content":"a","content":"b"},{"role":"tool","tool_name":7,"content":"a"},` +
			`{"role":"tool","tool_call_id":{},"content":"a"},3,{"role":"tool"}]}`,
		[]dialecttest.Given{{New: true}},
	},
	"two conversations": {`{"messages":[{"role":"tool","content":"a"}],"messages":[]}`, nil},
}

func BenchmarkReadRequest(b *testing.B) {
	requests.BenchmarkRead(b, `{"model":"m","tools":[`+listTool+`,`+shellTool+`],"messages":[`,
		`{"role":"assistant","tool_calls":[{"function":{"name":"ls","arguments":{"n":#}}}]},{"role":"tool","tool_name":"ls","content":"@"}`)
}
