package bedrock_test

import (
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/model/dialect/bedrock"
	"github.com/weir-gate/weir/internal/model/dialect/dialecttest"
)

const (
	readTool  = `{"toolSpec":{"name":"read","description":"Read.","inputSchema":{"json":{"type":"object"}}}}`
	shellTool = `{"toolSpec":{"name":"shell","inputSchema":{"json":{}}}}`
	point     = `{"cachePoint":{"type":"default"}}`
)

// requestCases are requests, what they offer, and what is left of them when all of that is stripped.
var requestCases = map[string]struct {
	body     string
	offers   []dialect.Offer // without places
	stripped string
}{
	"nothing": {`{"messages":[]}`, nil, `{"messages":[]}`},
	"tools": {
		`{"messages":[],"toolConfig":{"tools":[` + readTool + `,` + shellTool + `],"toolChoice":{"any":{}}}}`,
		[]dialect.Offer{
			{Names: []string{"read"}, Declared: []byte(readTool)},
			{Names: []string{"shell"}, Declared: []byte(shellTool)},
		},
		`{"messages":[]}`,
	},
	"a cache point stays for nobody": {
		`{"toolConfig":{"tools":[` + readTool + `,` + point + `]},"messages":[]}`,
		[]dialect.Offer{{Names: []string{"read"}, Declared: []byte(readTool)}},
		`{"messages":[]}`,
	},
	"a tool of the service": {
		`{"toolConfig":{"tools":[{"systemTool":{"name":"nova_grounding"}}]}}`,
		[]dialect.Offer{{Names: []string{"nova_grounding"}, Spellings: []string{"systemTool"}, Declared: []byte(`{"systemTool":{"name":"nova_grounding"}}`)}},
		`{}`,
	},
	"a kind that we do not know": {
		`{"toolConfig":{"tools":[{"webTool":{"max":3}}]}}`,
		[]dialect.Offer{{Names: []string{"webTool"}, Declared: []byte(`{"webTool":{"max":3}}`)}},
		`{}`,
	},
	"in the model's own words": {
		`{"additionalModelRequestFields":{"tools":[{"type":"computer_20250124","name":"computer"}],"mcp_servers":[{"name":"docs","url":"https://x","authorization_token":"s3cret"}],"top_k":1}}`,
		[]dialect.Offer{
			{Names: []string{"computer"}, Spellings: []string{"computer_20250124"}, Declared: []byte(`{"type":"computer_20250124","name":"computer"}`)},
			{Names: []string{"mcp"}, Server: "docs", Open: true, Declared: []byte(`{"name":"docs","url":"https://x","authorization_token":"[redacted]"}`)},
		},
		`{"additionalModelRequestFields":{"top_k":1}}`,
	},
	"to be counted": {
		`{"input":{"converse":{"messages":[],"toolConfig":{"tools":[` + readTool + `]}}}}`,
		[]dialect.Offer{{Names: []string{"read"}, Declared: []byte(readTool)}},
		`{"input":{"converse":{"messages":[]}}}`,
	},
}

func TestOffers(t *testing.T) {
	requests := bedrock.Format().Requests
	for name, tt := range requestCases {
		t.Run(name, func(t *testing.T) {
			got, err := requests.Read([]byte(tt.body))
			if err != nil {
				t.Fatal(err)
			}
			out := requests.Strip([]byte(tt.body), got.Offers)
			for i := range got.Offers {
				got.Offers[i].Cuts = nil
			}
			if diff := cmp.Diff(tt.offers, got.Offers); diff != "" {
				t.Errorf("offers (-want +got):\n%s", diff)
			}
			if string(out) != tt.stripped {
				t.Errorf("stripped:\n%s\nwant\n%s", out, tt.stripped)
			}
		})
	}
}

// One tool goes, and the choice of it; another choice and the other tools stay.
func TestStripOne(t *testing.T) {
	for choice, stripped := range map[string]string{
		`{"tool":{"name":"shell"}}`: `{"toolConfig":{"tools":[` + readTool + `,` + point + `]}}`,
		`{"tool":{"name":"read"}}`:  `{"toolConfig":{"tools":[` + readTool + `,` + point + `],"toolChoice":{"tool":{"name":"read"}}}}`,
		`{"any":{}}`:                `{"toolConfig":{"tools":[` + readTool + `,` + point + `],"toolChoice":{"any":{}}}}`,
	} {
		body := []byte(`{"toolConfig":{"tools":[` + readTool + `,` + shellTool + `,` + point + `],"toolChoice":` + choice + `}}`)
		got, err := bedrock.Format().Requests.Read(body)
		if err != nil || len(got.Offers) != 2 {
			t.Fatalf("%d offers, %v", len(got.Offers), err)
		}
		if out := bedrock.Format().Requests.Strip(body, got.Offers[1:]); string(out) != stripped {
			t.Errorf("stripped:\n%s\nwant\n%s", out, stripped)
		}
	}
}

// The choice of the model's own tool goes with it. Where calls are in the history, the last tool stays: the request is refused.
func TestStripHistory(t *testing.T) {
	requests := bedrock.Format().Requests
	for body, want := range map[string]string{
		`{"additionalModelRequestFields":{"tools":[{"type":"x_1","name":"x"},{"name":"y"}],"tool_choice":{"type":"tool","name":"x"}}}`:       `{"additionalModelRequestFields":{"tools":[{"name":"y"}]}}`,
		`{"toolConfig":{"tools":[` + readTool + `]},"messages":[{"role":"user","content":[{"text":"a"}]}]}`:                                  `{"messages":[{"role":"user","content":[{"text":"a"}]}]}`,
		`{"toolConfig":{"tools":[` + readTool + `]},"messages":[{"role":"user","content":[{"toolResult":{"toolUseId":"t","content":[]}}]}]}`: "",
	} {
		got, err := requests.Read([]byte(body))
		if err != nil || len(got.Offers) == 0 {
			t.Fatalf("%d offers, %v", len(got.Offers), err)
		}
		if want == "" {
			want = body
		}
		if out := requests.Strip([]byte(body), got.Offers[:1]); string(out) != want {
			t.Errorf("stripped:\n%s\nwant\n%s", out, want)
		}
	}
}

func TestUnreadableRequests(t *testing.T) {
	for _, body := range []string{
		`{"toolConfig":{"tools":[]},"toolConfig":{}}`,
		`{"ToolConfig":{"tools":[` + readTool + `]}}`,
		`{"toolConfig":{"tools":[{"toolSpec":{"name":"a","name":"b"}}]}}`,
		`{"toolConfig":{"tools":[{"toolSpec":{"name":1}}]}}`,
		`{"toolConfig":{"tools":["read"]}}`,
		`{"toolConfig":{"tools":{}}}`,
		`{"toolConfig":{"tools":[{}]}}`,
		`{"toolConfig":{"tools":[{"cachepoint":{}}]}}`,
		`{"additionalModelRequestFields":{"tools":[{}]}}`,
		`{"additionalModelRequestFields":{"mcp_servers":[{"url":"https://x"}]}}`,
		`{"toolConfig":`,
	} {
		if got, err := bedrock.Format().Requests.Read([]byte(body)); err == nil {
			t.Errorf("%s: read as %+v", body, got.Offers)
		}
	}
}

func TestResults(t *testing.T) {
	const body = `{"messages":[
		{"role":"user","content":[{"text":"Go."}]},
		{"role":"assistant","content":[{"toolUse":{"toolUseId":"t1","name":"read","input":{}}}]},
		{"role":"user","content":[{"toolResult":{"toolUseId":"t1","content":[{"text":"old"}]}}]},
		{"role":"assistant","content":[{"text":"Hm."},{"toolUse":{"toolUseId":"t2","name":"shell","input":{}}},{"toolUse":{"toolUseId":"t3","name":"read","input":{}}}]},
		{"role":"user","content":[{"toolResult":{"toolUseId":"t2","content":[{"text":"no"}],"status":"error"}},{"text":"and"},{"toolResult":{"toolUseId":"t3","content":[],"status":"success"}}]}]}`
	got, err := bedrock.Format().Requests.Read([]byte(body))
	if err != nil {
		t.Fatal(err)
	}
	type seen struct {
		id, tool, content string
		failed, fresh     bool
	}
	var results []seen
	for _, r := range got.Results {
		results = append(results, seen{r.WireID, r.Tool, string(r.Content.Raw()), r.Failed, r.New})
	}
	want := []seen{
		{"t1", "read", `[{"text":"old"}]`, false, false},
		{"t2", "shell", `[{"text":"no"}]`, true, true},
		{"t3", "read", `[]`, false, true},
	}
	if diff := cmp.Diff(want, results, cmp.AllowUnexported(seen{})); diff != "" {
		t.Errorf("results (-want +got):\n%s", diff)
	}
}

func FuzzRequest(f *testing.F) {
	for _, tt := range requestCases {
		f.Add([]byte(tt.body))
	}
	f.Add([]byte(`{"messages":[{"role":"user","content":[{"toolResult":{"toolUseId":"t2","content":[{"text":"no"}],"status":"error"}}]}]}`))
	check := dialecttest.Requests{Format: bedrock.Format(), GivesUp: true, Offered: func(body any) []string {
		return dialecttest.Texts(append(dialecttest.At(body, "toolConfig", "tools", "toolSpec", "name"),
			dialecttest.At(body, "additionalModelRequestFields", "tools", "name")...))
	}}
	f.Fuzz(func(t *testing.T, body []byte) {
		check.Check(t, body, rand.New(rand.NewPCG(1, uint64(len(body)))))
	})
}
