package bedrock_test

import (
	"testing"

	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/model/dialect/bedrock"
	"github.com/weir-gate/weir/internal/model/dialect/dialecttest"
)

const (
	readTool  = `{"toolSpec":{"name":"read","description":"Read.","inputSchema":{"json":{"type":"object"}}}}`
	shellTool = `{"toolSpec":{"name":"shell","inputSchema":{"json":{}}}}`
	point     = `{"cachePoint":{"type":"default"}}`
)

// offerCases are requests, what they offer, and what is left of them when all of that is stripped.
var offerCases = dialecttest.OfferCases{
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

var unreadableRequests = dialecttest.UnreadableCases{
	"toolConfig twice":              {Body: `{"toolConfig":{"tools":[]},"toolConfig":{}}`},
	"toolConfig in another case":    {Body: `{"ToolConfig":{"tools":[` + readTool + `]}}`},
	"name twice":                    {Body: `{"toolConfig":{"tools":[{"toolSpec":{"name":"a","name":"b"}}]}}`},
	"a number for a name":           {Body: `{"toolConfig":{"tools":[{"toolSpec":{"name":1}}]}}`},
	"a text":                        {Body: `{"toolConfig":{"tools":["read"]}}`},
	"tools an object":               {Body: `{"toolConfig":{"tools":{}}}`},
	"an empty tool":                 {Body: `{"toolConfig":{"tools":[{}]}}`},
	"a cache point in another case": {Body: `{"toolConfig":{"tools":[{"cachepoint":{}}]}}`},
	"no name, for the model":        {Body: `{"additionalModelRequestFields":{"tools":[{}]}}`},
	"a server without a name":       {Body: `{"additionalModelRequestFields":{"mcp_servers":[{"url":"https://x"}]}}`},
	"not JSON":                      {Body: `{"toolConfig":`},
}

// stripCases show that one tool goes, and the choice of it, and that another choice and the other tools stay. Where calls are in the
// history, the last tool stays: the request is refused.
var stripCases = dialecttest.StripCases{
	"the choice of it": {chosen(`{"tool":{"name":"shell"}}`), []string{"shell"}, `{"toolConfig":{"tools":[` + readTool + `,` + point + `]}}`},
	"the choice of another": {
		chosen(`{"tool":{"name":"read"}}`),
		[]string{"shell"},
		`{"toolConfig":{"tools":[` + readTool + `,` + point + `],"toolChoice":{"tool":{"name":"read"}}}}`,
	},
	"any choice": {
		chosen(`{"any":{}}`), []string{"shell"}, `{"toolConfig":{"tools":[` + readTool + `,` + point + `],"toolChoice":{"any":{}}}}`,
	},
	"the choice of the model's own": {
		`{"additionalModelRequestFields":{"tools":[{"type":"x_1","name":"x"},{"name":"y"}],"tool_choice":{"type":"tool","name":"x"}}}`,
		[]string{"x"},
		`{"additionalModelRequestFields":{"tools":[{"name":"y"}]}}`,
	},
	"the last, no calls": {
		`{"toolConfig":{"tools":[` + readTool + `]},"messages":[{"role":"user","content":[{"text":"a"}]}]}`,
		[]string{"read"},
		`{"messages":[{"role":"user","content":[{"text":"a"}]}]}`,
	},
	"the last, a call": {lastWithCall, []string{"read"}, lastWithCall},
}

// chosen is a request with two tools, of which one is chosen.
func chosen(choice string) string {
	return `{"toolConfig":{"tools":[` + readTool + `,` + shellTool + `,` + point + `],"toolChoice":` + choice + `}}`
}

const lastWithCall = `{"toolConfig":{"tools":[` + readTool + `]},"messages":[{"role":"user","content":[{"toolResult":{"toolUseId":"t","content":[]}}]}]}`

var resultCases = dialecttest.ResultCases{"old and new": {
	`{"messages":[
		{"role":"user","content":[{"text":"Go."}]},
		{"role":"assistant","content":[{"toolUse":{"toolUseId":"t1","name":"read","input":{}}}]},
		{"role":"user","content":[{"toolResult":{"toolUseId":"t1","content":[{"text":"old"}]}}]},
		{"role":"assistant","content":[{"text":"Hm."},{"toolUse":{"toolUseId":"t2","name":"shell","input":{}}},{"toolUse":{"toolUseId":"t3","name":"read","input":{}}}]},
		{"role":"user","content":[{"toolResult":{"toolUseId":"t2","content":[{"text":"no"}],"status":"error"}},{"text":"and"},{"toolResult":{"toolUseId":"t3","content":[],"status":"success"}}]}]}`,
	[]dialecttest.Given{
		{ID: "t1", Tool: "read", Content: `[{"text":"old"}]`},
		{ID: "t2", Tool: "shell", Content: `[{"text":"no"}]`, Failed: true, New: true},
		{ID: "t3", Tool: "read", Content: `[]`, New: true},
	},
}}

// requests is the check of what is said of requests.
var requests = dialecttest.Requests{
	Format: bedrock.Format(), GivesUp: true,
	Offers: offerCases, Strips: stripCases, Unreadable: unreadableRequests, Results: resultCases,
	Offered: func(body any) []string {
		return dialecttest.Texts(append(dialecttest.At(body, "toolConfig", "tools", "toolSpec", "name"),
			dialecttest.At(body, "additionalModelRequestFields", "tools", "name")...))
	},
}

func TestRequests(t *testing.T) { requests.Run(t) }

func FuzzRequest(f *testing.F) { requests.Fuzz(f) }
