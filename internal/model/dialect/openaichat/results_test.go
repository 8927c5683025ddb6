package openaichat

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/model/dialect"
)

// resultTests are requests and what calls gave.
var resultTests = []struct {
	name, body string
	want       []resultSeen
}{
	{"none", `{"messages":[{"role":"user","content":"hi"}]}`, nil},
	{
		"by id", `{"messages":[{"role":"assistant","tool_calls":[{"id":"1","type":"function","function":{"name":"a","arguments":"{}"}},{"id":"2","type":"custom","custom":{"name":"b","input":"x"}}]},{"role":"tool","tool_call_id":"2","content":"two"},{"role":"tool","tool_call_id":"1","content":[{"type":"text","text":"one"}]}]}`,
		[]resultSeen{
			{WireID: "2", Tool: "b", Content: `"two"`, New: true},
			{WireID: "1", Tool: "a", Content: `[{"type":"text","text":"one"}]`, New: true},
		},
	},
	{
		"old and new", `{"messages":[{"role":"tool","tool_call_id":"1","content":"one"},{"role":"assistant","content":"so"},{"role":"tool","tool_call_id":"2","name":"b","content":"two"},{"role":"user","content":"and"}]}`,
		[]resultSeen{{WireID: "1", Content: `"one"`}, {WireID: "2", Tool: "b", Content: `"two"`, New: true}},
	},
	{
		"by name and order", `{"messages":[{"role":"assistant","function_call":{"name":"a","arguments":"{\"n\":1}"}},{"role":"function","name":"a","content":"one"},{"role":"assistant","function_call":{"name":"a","arguments":"{\"n\":2}"}},{"role":"function","name":"a","content":"two"},{"role":"function","name":"b","content":"of none"}]}`,
		[]resultSeen{
			{Tool: "a", Args: `{"n":1}`, Content: `"one"`},
			{Tool: "a", Args: `{"n":2}`, Content: `"two"`, New: true},
			{Tool: "b", Content: `"of none"`, New: true},
		},
	},
	{
		"no id in the result", `{"messages":[{"role":"assistant","tool_calls":[{"function":{"name":"a","arguments":{"n":1}}},{"function":{"name":"a","arguments":"{\"n\":2}"}}]},{"role":"tool","name":"a","content":"one"},{"role":"tool","name":"a","content":"two"}]}`,
		[]resultSeen{{Tool: "a", Args: `{"n":1}`, Content: `"one"`, New: true}, {Tool: "a", Args: `{"n":2}`, Content: `"two"`, New: true}},
	},
	{
		"arguments that are none", `{"messages":[{"role":"assistant","function_call":{"name":"a","arguments":"{\"n\":"}},{"role":"function","name":"a","content":"one"}]}`,
		[]resultSeen{{Tool: "a", Content: `"one"`, New: true}},
	},
	{"no content", `{"messages":[{"role":"tool","tool_call_id":"1"}]}`, []resultSeen{{WireID: "1", New: true}}},
	{"unreadable", `{"messages":[{"role":"tool","tool_call_id":1,"content":""},{"role":"tool","tool_call_id":"1","content":"","Content":""},{"role":"tool","content":""},{"role":"function"},7,{"role":"tool","role":"user"}]}`, nil},
	{"messages twice", `{"messages":[],"messages":[{"role":"tool","tool_call_id":"1","content":""}]}`, nil},
}

// A resultSeen is a result with its content as it stands in the request.
type resultSeen struct {
	WireID, Tool, Args, Content string
	Failed, New                 bool
}

func seenResults(results []dialect.Result) []resultSeen {
	var out []resultSeen
	for _, r := range results {
		out = append(out, resultSeen{r.WireID, r.Tool, string(r.Args), string(r.Content.Raw()), r.Failed, r.New})
	}
	return out
}

func TestResults(t *testing.T) {
	for _, tt := range resultTests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := Format().Requests.Read([]byte(tt.body))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, seenResults(got.Results)); diff != "" {
				t.Errorf("results (-want +got):\n%s", diff)
			}
		})
	}
}

func BenchmarkRequest(b *testing.B) {
	var messages, tools []string
	for i := range 250 {
		messages = append(messages,
			fmt.Sprintf(`{"role":"assistant","content":null,"tool_calls":[{"id":"call_%d","type":"function","function":{"name":"tool_%d","arguments":"{\"path\":\"/x\"}"}}]}`, i, i%50),
			fmt.Sprintf(`{"role":"tool","tool_call_id":"call_%d","content":%q}`, i, strings.Repeat("some text of a file\n", 400)))
	}
	for i := range 50 {
		tools = append(tools, fmt.Sprintf(`{"type":"function","function":{"name":"tool_%d","description":%q,"parameters":{"type":"object","properties":{"path":{"type":"string","description":"where"},"token":{"type":"string"}},"required":["path"]}}}`, i, strings.Repeat("does things ", 40)))
	}
	body := []byte(`{"model":"m","messages":[` + strings.Join(messages, ",") + `],"tools":[` + strings.Join(tools, ",") + `]}`)
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		r, err := Format().Requests.Read(body)
		if err != nil || len(r.Offers) != 50 || len(r.Results) != 250 {
			b.Fatal(len(r.Offers), len(r.Results), err)
		}
	}
}
