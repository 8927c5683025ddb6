package ollama_test

import (
	"testing"

	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/model/dialect/dialecttest"
	"github.com/weir-gate/weir/internal/model/dialect/ollama"
)

const (
	listTool  = `{"type":"function","function":{"name":"ls","description":"List.","parameters":{"type":"object"}}}`
	shellTool = `{"type":"function","function":{"name":"sh","parameters":{}}}`
)

var offerCases = dialecttest.OfferCases{
	"nothing":    {`{"model":"m","messages":[]}`, nil, `{"model":"m","messages":[]}`},
	"empty body": {``, nil, ``},
	"no object":  {`[{"tools":[1]}]`, nil, `[{"tools":[1]}]`},
	"no tools":   {`{"tools":[]}`, nil, `{"tools":[]}`},
	"null":       {`{"tools":null}`, nil, `{"tools":null}`},
	"functions": {
		`{"model":"m","tools":[` + listTool + `, ` + shellTool + `],"stream":false}`,
		[]dialect.Offer{
			{Names: []string{"ls"}, Declared: []byte(listTool)},
			{Names: []string{"sh"}, Declared: []byte(shellTool)},
		},
		`{"model":"m","stream":false}`,
	},
	"without a type": {
		`{"tools":[{"function":{"name":"ls"}}]}`,
		[]dialect.Offer{{Names: []string{"ls"}, Declared: []byte(`{"function":{"name":"ls"}}`)}},
		`{}`,
	},
	"another type": {
		`{"tools":[{"type":"remote","function":{"name":"ls"}}]}`,
		[]dialect.Offer{{Names: []string{"ls"}, Spellings: []string{"remote"}, Declared: []byte(`{"type":"remote","function":{"name":"ls"}}`)}},
		`{}`,
	},
	"a kind that we do not know": {
		`{"tools":[{"type":"web_search","name":"find"},{"type":"browser"}]}`,
		[]dialect.Offer{
			{Names: []string{"web_search", "find"}, Declared: []byte(`{"type":"web_search","name":"find"}`)},
			{Names: []string{"browser"}, Declared: []byte(`{"type":"browser"}`)},
		},
		`{}`,
	},
	"only a name": {
		`{"tools":[{"type":"function","name":"ls"}]}`,
		[]dialect.Offer{{Names: []string{"ls"}, Declared: []byte(`{"type":"function","name":"ls"}`)}},
		`{}`,
	},
	"two names": {
		`{"tools":[{"name":"rm","function":{"name":"ls"}}]}`,
		[]dialect.Offer{{Names: []string{"ls", "rm"}, Declared: []byte(`{"name":"rm","function":{"name":"ls"}}`)}},
		`{}`,
	},
	"a secret": {
		`{"tools":[{"function":{"name":"ls","api_key":"k"}}]}`,
		[]dialect.Offer{{Names: []string{"ls"}, Declared: []byte(`{"function":{"name":"ls","api_key":"[redacted]"}}`)}},
		`{}`,
	},
	"twice what does not matter": {
		`{"model":"a","model":"b","tools":[{"function":{"name":"ls","description":"a","description":"b"}}]}`,
		[]dialect.Offer{{Names: []string{"ls"}, Declared: []byte(`{"function":{"name":"ls","description":"a","description":"b"}}`)}},
		`{"model":"a","model":"b"}`,
	},
}

var stripCases = dialecttest.StripCases{
	"the first": {
		`{"tools": [ ` + listTool + ` , ` + shellTool + ` ], "stream":false}`, []string{"ls"}, `{"tools": [ ` + shellTool + ` ], "stream":false}`,
	},
	"the last": {
		`{"tools": [ ` + listTool + ` , ` + shellTool + ` ], "stream":false}`, []string{"sh"}, `{"tools": [ ` + listTool + ` ], "stream":false}`,
	},
}

var unreadableRequests = dialecttest.UnreadableCases{
	"not JSON":             {Body: `{"tools":[`},
	"more than one value":  {Body: `{} {}`},
	"tools twice":          {Body: `{"tools":[],"tools":[` + listTool + `]}`},
	"tools in capitals":    {Body: `{"Tools":[` + listTool + `]}`},
	"function twice":       {Body: `{"tools":[{"function":{"name":"a"},"function":{"name":"b"}}]}`},
	"function beside name": {Body: `{"tools":[{"type":"x","name":"a","function":{"name":"b"},"Function":{"name":"c"}}]}`},
	"function capital":     {Body: `{"tools":[{"Function":{"name":"a"}}]}`},
	"name twice":           {Body: `{"tools":[{"function":{"name":"a","name":"b"}}]}`},
	"type twice":           {Body: `{"tools":[{"type":"function","type":"x","function":{"name":"a"}}]}`},
	"no name":              {Body: `{"tools":[{"type":"function","function":{}}]}`},
	"an empty name":        {Body: `{"tools":[{"type":"function","function":{"name":""}}]}`},
	"a number for a name":  {Body: `{"tools":[{"type":"function","function":{"name":1}}]}`},
	"half a character":     {Body: `{"tools":[{"function":{"name":"\ud800"}}]}`},
	"a text":               {Body: `{"tools":["ls"]}`},
	"null in tools":        {Body: `{"tools":[null]}`},
	"tools an object":      {Body: `{"tools":{"function":{"name":"a"}}}`},
	"function a text":      {Body: `{"tools":[{"function":"ls"}]}`},
	"nothing":              {Body: `{"tools":[{}]}`},
}

// requests is the check of what is said of requests.
var requests = dialecttest.Requests{
	Format:  ollama.Format(),
	Offered: func(body any) []string { return dialecttest.Texts(dialecttest.At(body, "tools", "function", "name")) },
	Offers:  offerCases, Strips: stripCases, Unreadable: unreadableRequests, Results: resultCases,
}

func TestRequests(t *testing.T) { requests.Run(t) }

func FuzzRequest(f *testing.F) { requests.Fuzz(f) }
