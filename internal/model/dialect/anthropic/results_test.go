package anthropic_test

import (
	"bytes"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/model/dialect/anthropic"
)

// A givenResult is what a request says that a call gave, with the content as it was sent.
type givenResult struct {
	ID, Tool, Content string
	Failed, New       bool
}

type resultCase struct {
	body    string
	results []givenResult
}

const asksLs = `{"role":"assistant","content":[{"type":"text","text":"so"},{"type":"tool_use","id":"t1","name":"ls","input":{"path":"a"}},` +
	`{"type":"tool_use","id":"t2","name":"navigate","toolset_name":"browser","input":{}}]}`

var resultCases = map[string]resultCase{
	"none": {`{"messages":[{"role":"user","content":"hi"},{"role":"user","content":[{"type":"text","text":"hi"}]}]}`, nil},
	"two": {
		`{"messages":[` + asksLs + `,{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"one"},{"type":"tool_result","tool_use_id":"t2","content":[{"type":"text","text":"two"}],"is_error":true}]}]}`,
		[]givenResult{
			{ID: "t1", Tool: "ls", Content: `"one"`, New: true},
			{ID: "t2", Tool: "browser.navigate", Content: `[{"type":"text","text":"two"}]`, Failed: true, New: true},
		},
	},
	"old and new": {
		`{"messages":[` + asksLs + `,{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"one"}]},{"role":"assistant","content":"so"},{"role":"user","content":[{"type":"tool_result","tool_use_id":"t9"}]}]}`,
		[]givenResult{{ID: "t1", Tool: "ls", Content: `"one"`}, {ID: "t9", New: true}},
	},
	"of the provider": {
		`{"messages":[{"role":"assistant","content":[{"type":"mcp_tool_result","tool_use_id":"m","content":"x"},{"type":"web_search_tool_result","tool_use_id":"w","content":[]},{"type":"tool_result","tool_use_id":"t1","content":"x"}]}]}`,
		nil,
	},
	"of a batch": {
		`{"requests":[{"params":{"messages":[` + asksLs + `,{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"one"}]}]}},` +
			`{"params":{"messages":[{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"two"}]},{"role":"assistant","content":"so"}]}}]}`,
		[]givenResult{{ID: "t1", Tool: "ls", Content: `"one"`, New: true}, {ID: "t1", Content: `"two"`}},
	},
	"what cannot be read": {
		`{"messages":[{"role":"user","role":"user","content":[{"type":"tool_result","tool_use_id":"a"}]},{"role":"user","content":[{"type":"tool_result","type":"text","tool_use_id":"a"},` +
			`{"type":"tool_result","tool_use_id":"a","tool_use_id":"b"},{"type":"tool_result","tool_use_id":4},{"type":"tool_result","tool_use_id":"c","content":"1","content":"2"},` +
			`{"type":"tool_result","tool_use_id":"d","is_error":true,"is_error":false},5,{"type":"tool_result"}]}]}`,
		[]givenResult{{New: true}},
	},
}

func TestResults(t *testing.T) {
	for name, c := range resultCases {
		t.Run(name, func(t *testing.T) {
			request, err := anthropic.Format().Requests.Read([]byte(c.body))
			if err != nil {
				t.Fatal(err)
			}
			var got []givenResult
			for _, r := range request.Results {
				got = append(got, givenResult{r.WireID, r.Tool, string(r.Content.Raw()), r.Failed, r.New})
				if r.Args != nil {
					t.Errorf("arguments %s of a call that has an id", r.Args)
				}
			}
			if diff := cmp.Diff(c.results, got); diff != "" {
				t.Errorf("results (-want +got):\n%s", diff)
			}
		})
	}
}

// BenchmarkReadRequest reads a long conversation.
func BenchmarkReadRequest(b *testing.B) {
	text := bytes.Repeat([]byte("and then it went "), 480)
	body := []byte(`{"model":"m","tools":[` + listTool + `,` + shellTool + `],"messages":[{"role":"user","content":"hi"}`)
	for i := range 250 {
		n := strconv.Itoa(i)
		body = append(body, `,{"role":"assistant","content":[{"type":"tool_use","id":"t`+n+`","name":"ls","input":{"n":`+n+`}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"t`+n+`","content":"`...)
		body = append(append(body, text...), `"}]}`...)
	}
	body = append(body, "]}"...)
	read := anthropic.Format().Requests.Read
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		if r, err := read(body); err != nil || len(r.Results) != 250 {
			b.Fatal(len(r.Results), err)
		}
	}
}
