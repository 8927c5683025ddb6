package gemini_test

import (
	"testing"

	"github.com/weir-gate/weir/internal/model/dialect/dialecttest"
)

const (
	asksTwice = `{"role":"model","parts":[{"functionCall":{"name":"ls","args":{"path":"a"}}},{"function_call":{"name":"ls","args":{"path":"b"}}}]}`
	asksByID  = `{"role":"model","parts":[{"functionCall":{"id":"c1","name":"ls","args":{"path":"a"}}}]}`
)

var resultCases = dialecttest.ResultCases{
	"none": {`{"contents":[{"role":"user","parts":[{"text":"hi"}]}]}`, nil},
	"by name and order": {
		`{"contents":[` + asksTwice + `,{"role":"user","parts":[{"functionResponse":{"name":"ls","response":{"output":"one"}}},{"function_response":{"name":"ls","response":{"output":"two"}}}]}]}`,
		[]dialecttest.Given{
			{Tool: "ls", Args: `{"path":"a"}`, Content: `{"output":"one"}`, New: true},
			{Tool: "ls", Args: `{"path":"b"}`, Content: `{"output":"two"}`, New: true},
		},
	},
	"by id": {
		`{"contents":[` + asksByID + `,{"role":"function","parts":[{"functionResponse":{"id":"c1","name":"ls","response":{"result":1}}}]}]}`,
		[]dialecttest.Given{{ID: "c1", Tool: "ls", Content: `{"result":1}`, New: true}},
	},
	"one alone for a list": {
		`{"contents":{"parts":{"functionResponse":{"name":"ls","response":{}}}}}`,
		[]dialecttest.Given{{Tool: "ls", Content: `{}`, New: true}},
	},
	"failed": {
		`{"contents":[{"parts":[{"functionResponse":{"name":"a","response":{"error":"no"}}},{"functionResponse":{"name":"b","response":{"error":null}}},` +
			`{"functionResponse":{"name":"c","response":{"error":"no","output":"yes"}}}]}]}`,
		[]dialecttest.Given{
			{Tool: "a", Content: `{"error":"no"}`, Failed: true, New: true},
			{Tool: "b", Content: `{"error":null}`, New: true},
			{Tool: "c", Content: `{"error":"no","output":"yes"}`, New: true},
		},
	},
	"old and new": {
		`{"contents":[` + asksByID + `,{"role":"user","parts":[{"functionResponse":{"id":"c1","name":"ls","response":{}}}]},{"role":"model","parts":[{"text":"so"}]},` +
			`{"role":"user","parts":[{"text":"go on"}]},` + asksTwice + `,{"role":"user","parts":[{"functionResponse":{"name":"ls","response":{"output":2}}}]}]}`,
		[]dialecttest.Given{
			{ID: "c1", Tool: "ls", Content: `{}`},
			{Tool: "ls", Args: `{"path":"a"}`, Content: `{"output":2}`, New: true},
		},
	},
	"wrapped": {
		`{"request":{"contents":[{"role":"model","parts":[{"functionCall":{"name":"ls"}}]},{"parts":[{"functionResponse":{"name":"ls","response":{}}}]}]}}`,
		[]dialecttest.Given{{Tool: "ls", Args: `{}`, Content: `{}`, New: true}},
	},
	"of a batch": {
		`{"batch":{"inputConfig":{"requests":{"requests":[{"request":{"contents":[` + asksByID + `,{"parts":[{"functionResponse":{"id":"c1","name":"ls","response":{}}}]}]}}]}}}}`,
		[]dialecttest.Given{{ID: "c1", Tool: "ls", Content: `{}`, New: true}},
	},
	"what cannot be read": {
		`{"contents":[{"role":"user","role":"model","parts":[{"functionResponse":{"name":"a"}}]},{"parts":[{"functionResponse":{"name":"a","name":"b"}},{"functionResponse":"x"},` +
			`{"functionResponse":{"name":"a"},"function_response":{"name":"b"}},{"functionResponse":{"name":"a","response":{},"response":{}}},7]},"x",{"parts":[{"functionResponse":{}}]}]}`,
		[]dialecttest.Given{{New: true}},
	},
	"two conversations": {`{"contents":[{"parts":[{"functionResponse":{"name":"a"}}]}],"contents":[]}`, nil},
}

func BenchmarkReadRequest(b *testing.B) {
	requests.BenchmarkRead(b, `{"tools":[{"functionDeclarations":[`+listDeclared+`,`+shellDeclared+`]}],"contents":[`,
		`{"role":"model","parts":[{"functionCall":{"name":"ls","args":{"n":#}}}]},`+
			`{"role":"user","parts":[{"functionResponse":{"name":"ls","response":{"output":"@"}}}]}`)
}
