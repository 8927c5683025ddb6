package openairesponses

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
	{"none", `{"input":"hi"}`, nil},
	{
		"every kind", `{"input":[{"type":"function_call_output","call_id":"1","output":"a"},{"type":"custom_tool_call_output","call_id":"2","output":[{"type":"input_text","text":"b"}]},{"type":"shell_call_output","call_id":"3","output":[]},{"type":"local_shell_call_output","id":"4","output":"d"},{"type":"apply_patch_call_output","call_id":"5","status":"failed","output":"e"},{"type":"apply_patch_call_output","call_id":"6","status":"completed"},{"type":"computer_call_output","call_id":"7","output":{"type":"computer_screenshot"}},{"type":"tool_search_output","execution":"client","call_id":"8","tools":[]},{"type":"mcp_approval_response","approval_request_id":"9","approve":true},{"type":"function_call_output","call_id":"10","status":"incomplete","output":""}]}`,
		[]resultSeen{
			{WireID: "1", Content: `"a"`, New: true},
			{WireID: "2", Content: `[{"type":"input_text","text":"b"}]`, New: true},
			{WireID: "3", Content: `[]`, New: true},
			{WireID: "4", Content: `"d"`, New: true},
			{WireID: "5", Content: `"e"`, Failed: true, New: true},
			{WireID: "6", New: true},
			{WireID: "7", Content: `{"type":"computer_screenshot"}`, New: true},
			{WireID: "8", Content: `[]`, New: true},
			{WireID: "9", Content: `true`, New: true},
			{WireID: "10", Content: `""`, Failed: true, New: true},
		},
	},
	{
		"of calls that are there", `{"input":[{"type":"function_call","call_id":"1","name":"a","namespace":"n","arguments":"{}"},{"type":"local_shell_call","id":"ls","call_id":"2","action":{}},{"type":"mcp_approval_request","id":"3","server_label":"s","name":"t","arguments":"{}"},{"type":"function_call_output","call_id":"1","output":"x"},{"type":"local_shell_call_output","id":"2","output":"y"},{"type":"mcp_approval_response","approval_request_id":"3","approve":false}]}`,
		[]resultSeen{
			{WireID: "1", Tool: "n.a", Content: `"x"`, New: true},
			{WireID: "2", Tool: "local_shell", Content: `"y"`, New: true},
			{WireID: "3", Tool: "t", Content: `false`, New: true},
		},
	},
	{
		"old and new", `{"input":[{"type":"function_call_output","call_id":"1","output":"x"},{"type":"reasoning"},{"type":"function_call_output","call_id":"2","output":"x"},{"role":"assistant","content":"so"},{"type":"function_call_output","call_id":"3","output":"x"},{"type":"function_call","call_id":"5","name":"a","arguments":"{}"},{"type":"function_call_output","call_id":"5","output":"x"},{"role":"user","content":"and"}]}`,
		[]resultSeen{
			{WireID: "1", Content: `"x"`},
			{WireID: "2", Content: `"x"`},
			{WireID: "3", Content: `"x"`},
			{WireID: "5", Tool: "a", Content: `"x"`, New: true},
		},
	},
	{"of the provider", `{"input":[{"type":"shell_call","call_id":"1","environment":{"type":"container_reference"},"action":{}},{"type":"shell_call_output","call_id":"1","output":[]},{"type":"tool_search_output","execution":"server","tools":[]},{"type":"program_output","call_id":"2","result":"x"},{"type":"mcp_call","id":"3","output":"x"}]}`, nil},
	{"items of a conversation", `{"items":[{"type":"function_call_output","call_id":"1","output":"a"}]}`, []resultSeen{{WireID: "1", Content: `"a"`, New: true}}},
	{"unreadable", `{"input":[{"type":"function_call_output","output":"a"},{"type":"function_call_output","call_id":"1","call_id":"2","output":"a"},{"type":"function_call_output","call_id":"1","output":"a","Output":"b"},{"type":"function_call_output","call_id":7,"output":"a"},3]}`, nil},
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
	var items, tools []string
	for i := range 250 {
		items = append(items,
			fmt.Sprintf(`{"type":"function_call","id":"fc_%d","call_id":"call_%d","name":"tool_%d","arguments":"{\"path\":\"/x\"}","status":"completed"}`, i, i, i%50),
			fmt.Sprintf(`{"type":"function_call_output","call_id":"call_%d","output":%q}`, i, strings.Repeat("some text of a file\n", 400)))
	}
	for i := range 50 {
		tools = append(tools, fmt.Sprintf(`{"type":"function","name":"tool_%d","description":%q,"parameters":{"type":"object","properties":{"path":{"type":"string","description":"where"},"token":{"type":"string"}},"required":["path"]}}`, i, strings.Repeat("does things ", 40)))
	}
	body := []byte(`{"model":"m","input":[` + strings.Join(items, ",") + `],"tools":[` + strings.Join(tools, ",") + `]}`)
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		r, err := Format().Requests.Read(body)
		if err != nil || len(r.Offers) != 50 || len(r.Results) != 250 {
			b.Fatal(len(r.Offers), len(r.Results), err)
		}
	}
}
