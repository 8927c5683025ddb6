package ollama_test

import (
	"bytes"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/model/dialect/ollama"
)

// A result is what a request says that a call gave, with the content as it was sent.
type result struct {
	ID, Tool, Args, Content string
	Failed, New             bool
}

type resultCase struct {
	body    string
	results []result
}

const (
	asksTwice = `{"role":"assistant","content":"","tool_calls":[` +
		`{"function":{"name":"ls","arguments":{"path":"a"}}},{"function":{"name":"ls","arguments":{"path":"b"}}}]}`
	asksByID = `{"role":"assistant","tool_calls":[{"id":"c1","function":{"name":"ls","arguments":{"path":"a"}}}]}`
)

var resultCases = map[string]resultCase{
	"none": {`{"messages":[{"role":"user","content":"hi"}]}`, nil},
	"by name and order": {
		`{"messages":[` + asksTwice + `,{"role":"tool","tool_name":"ls","content":"one"},{"role":"tool","tool_name":"ls","content":"two"}]}`,
		[]result{
			{Tool: "ls", Args: `{"path":"a"}`, Content: `"one"`, New: true},
			{Tool: "ls", Args: `{"path":"b"}`, Content: `"two"`, New: true},
		},
	},
	"by order alone": {
		`{"messages":[` + asksTwice + `,{"role":"tool","content":"one"},{"role":"tool","content":"two"},{"role":"tool","content":"three"}]}`,
		[]result{
			{Tool: "ls", Args: `{"path":"a"}`, Content: `"one"`, New: true},
			{Tool: "ls", Args: `{"path":"b"}`, Content: `"two"`, New: true},
			{Content: `"three"`, New: true},
		},
	},
	"by the older name of the name": {
		`{"messages":[` + asksTwice + `,{"role":"tool","name":"ls","content":"one"}]}`,
		[]result{{Tool: "ls", Args: `{"path":"a"}`, Content: `"one"`, New: true}},
	},
	"by id": {
		`{"messages":[` + asksByID + `,{"role":"tool","tool_call_id":"c1","content":"one"}]}`,
		[]result{{ID: "c1", Tool: "ls", Content: `"one"`, New: true}},
	},
	"old and new": {
		`{"messages":[` + asksByID + `,{"role":"tool","tool_call_id":"c1","content":"one"},{"role":"assistant","content":"so"},` +
			`{"role":"user","content":"go on"},` + asksTwice + `,{"role":"tool","tool_name":"ls","content":"two"}]}`,
		[]result{
			{ID: "c1", Tool: "ls", Content: `"one"`},
			{Tool: "ls", Args: `{"path":"a"}`, Content: `"two"`, New: true},
		},
	},
	"a call that was given up": {
		`{"messages":[{"role":"assistant","tool_calls":[{"function":{"name":"ls","arguments":{"path":"old"}}}]},{"role":"user","content":"no"},` +
			asksTwice + `,{"role":"tool","tool_name":"ls","content":"one"}]}`,
		[]result{{Tool: "ls", Args: `{"path":"a"}`, Content: `"one"`, New: true}},
	},
	"arguments as text": {
		`{"messages":[{"role":"assistant","tool_calls":[{"function":{"name":"ls","arguments":"{\"a\":1}"}},{"function":{"name":"sh","arguments":"x"}},` +
			`{"function":{"name":"no"}}]},{"role":"tool","tool_name":"sh","content":"s"},{"role":"tool","tool_name":"ls","content":"l"},{"role":"tool","tool_name":"no","content":"n"}]}`,
		[]result{
			{Tool: "sh", Content: `"s"`, New: true},
			{Tool: "ls", Args: `{"a":1}`, Content: `"l"`, New: true},
			{Tool: "no", Args: `{}`, Content: `"n"`, New: true},
		},
	},
	"what cannot be read": {
		`{"messages":[{"role":"tool","role":"user","content":"a"},{"role":"tool","content":"a","content":"b"},{"role":"tool","tool_name":7,"content":"a"},` +
			`{"role":"tool","tool_call_id":{},"content":"a"},3,{"role":"tool"}]}`,
		[]result{{New: true}},
	},
	"two conversations": {`{"messages":[{"role":"tool","content":"a"}],"messages":[]}`, nil},
}

func TestResults(t *testing.T) {
	for name, c := range resultCases {
		t.Run(name, func(t *testing.T) {
			request, err := ollama.Format().Requests.Read([]byte(c.body))
			if err != nil {
				t.Fatal(err)
			}
			var got []result
			for _, r := range request.Results {
				got = append(got, result{r.WireID, r.Tool, string(r.Args), string(r.Content.Raw()), r.Failed, r.New})
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
		body = append(body, `,{"role":"assistant","tool_calls":[{"function":{"name":"ls","arguments":{"n":`+n+`}}}]},{"role":"tool","tool_name":"ls","content":"`...)
		body = append(append(body, text...), `"}`...)
	}
	body = append(body, "]}"...)
	read := ollama.Format().Requests.Read
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		if r, err := read(body); err != nil || len(r.Results) != 250 {
			b.Fatal(len(r.Results), err)
		}
	}
}
