package gemini_test

import (
	"testing"

	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/model/dialect/dialecttest"
	"github.com/weir-gate/weir/internal/model/dialect/gemini"
)

const (
	listDeclared  = `{"name":"ls","description":"List.","parameters":{"type":"OBJECT"}}`
	shellDeclared = `{"name":"sh"}`
)

var (
	listOffer  = dialect.Offer{Names: []string{"ls"}, Declared: []byte(listDeclared)}
	shellOffer = dialect.Offer{Names: []string{"sh"}, Declared: []byte(shellDeclared)}
)

// hosted is the offer of a tool that the API defines.
func hosted(declared string, names, spellings []string) dialect.Offer {
	return dialect.Offer{Names: names, Spellings: spellings, Declared: []byte(declared)}
}

var offerCases = dialecttest.OfferCases{
	"nothing":    {`{"contents":[]}`, nil, `{"contents":[]}`},
	"empty body": {" \n", nil, " \n"},
	"no object":  {`"tools"`, nil, `"tools"`},
	"null":       {`{"tools":null,"cachedContent":null}`, nil, `{"tools":null,"cachedContent":null}`},
	"an empty entry": {
		`{"tools":[{},{"functionDeclarations":[]},{"googleSearch":null}],"cachedContent":""}`, nil,
		`{"tools":[{},{"functionDeclarations":[]},{"googleSearch":null}],"cachedContent":""}`,
	},
	"functions": {
		`{"contents":[],"tools":[{"functionDeclarations":[` + listDeclared + `,` + shellDeclared + `]}],"toolConfig":{"functionCallingConfig":{"mode":"AUTO"}}}`,
		[]dialect.Offer{listOffer, shellOffer},
		`{"contents":[]}`,
	},
	"functions in the other spelling": {
		`{"tools":[{"function_declarations":[` + listDeclared + `]}],"tool_config":{"function_calling_config":{"mode":"ANY","allowed_function_names":["ls"]}},"contents":[]}`,
		[]dialect.Offer{listOffer},
		`{"contents":[]}`,
	},
	"one alone for a list": {
		`{"contents":{"parts":{"text":"hi"}},"tools":{"functionDeclarations":` + listDeclared + `}}`,
		[]dialect.Offer{listOffer},
		`{"contents":{"parts":{"text":"hi"}}}`,
	},
	"search and code": {
		`{"tools":[{"googleSearch":{}},{"code_execution":{}},{"url_context":{}},{"googleMaps":{"enableWidget":true}},{"fileSearch":{}}]}`,
		[]dialect.Offer{
			hosted(`{}`, []string{"GOOGLE_SEARCH_WEB"}, []string{"googleSearch", "google_search"}),
			hosted(`{}`, []string{"code_execution"}, []string{"codeExecution"}),
			hosted(`{}`, []string{"URL_CONTEXT"}, []string{"urlContext", "url_context"}),
			hosted(`{"enableWidget":true}`, []string{"GOOGLE_MAPS"}, []string{"googleMaps", "google_maps"}),
			hosted(`{}`, []string{"FILE_SEARCH"}, []string{"fileSearch", "file_search"}),
		},
		`{}`,
	},
	"search for images": {
		`{"tools":[{"google_search":{"search_types":{"image_search":{}}}}]}`,
		[]dialect.Offer{hosted(`{"search_types":{"image_search":{}}}`, []string{"GOOGLE_SEARCH_WEB", "GOOGLE_SEARCH_IMAGE"}, []string{"googleSearch", "google_search"})},
		`{}`,
	},
	"older and other searches": {
		`{"tools":[{"googleSearchRetrieval":{}},{"enterpriseWebSearch":{}},{"exaAiSearch":{"apiKey":"k"}},{"retrieval":{"vertexAiSearch":{}}}]}`,
		[]dialect.Offer{
			hosted(`{}`, []string{"googleSearchRetrieval"}, []string{"google_search_retrieval", "googleSearch", "google_search"}),
			hosted(`{}`, []string{"enterpriseWebSearch"}, []string{"enterprise_web_search"}),
			hosted(`{"apiKey":"[redacted]"}`, []string{"exaAiSearch"}, []string{"exa_ai_search"}),
			hosted(`{"vertexAiSearch":{}}`, []string{"retrieval"}, []string{}),
		},
		`{}`,
	},
	"acts on a screen": {
		`{"tools":[{"computerUse":{"environment":"ENVIRONMENT_BROWSER","excludedPredefinedFunctions":["open_web_browser","search","drag_and_drop","wait_5_seconds","go_back","go_forward","hover_at","scroll_at"]}}]}`,
		[]dialect.Offer{hosted(
			`{"environment":"ENVIRONMENT_BROWSER","excludedPredefinedFunctions":["open_web_browser","search","drag_and_drop","wait_5_seconds","go_back","go_forward","hover_at","scroll_at"]}`,
			[]string{"computerUse", "navigate", "click_at", "type_text_at", "key_combination", "scroll_document"}, []string{"computer_use"},
		)},
		`{}`,
	},
	"several in one entry": {
		`{"tools":[{"googleSearch":{},"functionDeclarations":[` + listDeclared + `],"newTool":{"a":1},"other":true}]}`,
		[]dialect.Offer{
			hosted(`{}`, []string{"GOOGLE_SEARCH_WEB"}, []string{"googleSearch", "google_search"}),
			listOffer,
			hosted(`{"a":1}`, []string{"newTool"}, []string{"new_tool"}),
			hosted(`{"other":true}`, []string{"other"}, nil),
		},
		`{}`,
	},
	"servers": {
		`{"tools":[{"mcpServers":[{"name":"files","streamableHttpTransport":{"url":"https://mcp.example","headers":{"X-Key":"k"}}},{"name":"mail"}]},{"mcp_servers":{"name":"files"}}]}`,
		[]dialect.Offer{
			{Names: []string{"mcp"}, Server: "files", Open: true, Declared: []byte(`{"name":"files","streamableHttpTransport":{"url":"https://mcp.example","headers":{"X-Key":"[redacted]"}}}`)},
			{Names: []string{"mcp"}, Server: "mail", Open: true, Declared: []byte(`{"name":"mail"}`)},
		},
		`{}`,
	},
	"cached content": {
		`{"cachedContent":"cachedContents/1","tools":[{"functionDeclarations":[` + shellDeclared + `]}]}`,
		[]dialect.Offer{
			shellOffer,
			{Names: []string{"cachedContent"}, Spellings: []string{"cached_content"}, Declared: []byte(`{"cachedContent":"cachedContents/1"}`), Fixed: true},
		},
		`{"cachedContent":"cachedContents/1"}`,
	},
	"wrapped": {
		`{"model":"m","project":"p","request":{"contents":[],"tools":[{"functionDeclarations":[` + listDeclared + `]}]}}`,
		[]dialect.Offer{listOffer},
		`{"model":"m","project":"p","request":{"contents":[]}}`,
	},
	"to be counted": {
		`{"generateContentRequest":{"model":"m","tools":[{"functionDeclarations":[` + listDeclared + `]}]}}`,
		[]dialect.Offer{listOffer},
		`{"generateContentRequest":{"model":"m"}}`,
	},
	"a batch": {
		`{"batch":{"inputConfig":{"requests":{"requests":[{"request":{"contents":[],"tools":[{"functionDeclarations":[` + listDeclared + `]}],"toolConfig":{"x":1}}},{"request":{"contents":[],"toolConfig":{"x":1}}}]}}}}`,
		[]dialect.Offer{listOffer},
		`{"batch":{"inputConfig":{"requests":{"requests":[{"request":{"contents":[]}},{"request":{"contents":[],"toolConfig":{"x":1}}}]}}}}`,
	},
	"a batch in the other spelling": {
		`{"batch":{"input_config":{"requests":{"requests":[{"request":{"contents":[],"tools":[{"function_declarations":[` + listDeclared + `]}]},"metadata":{"key":"1"}}]}}}}`,
		[]dialect.Offer{listOffer},
		`{"batch":{"input_config":{"requests":{"requests":[{"request":{"contents":[]},"metadata":{"key":"1"}}]}}}}`,
	},
	"twice what does not matter": {
		`{"model":"a","model":"b","tools":[{"functionDeclarations":[{"name":"sh","description":"a","Description":"b"}]}]}`,
		[]dialect.Offer{{Names: []string{"sh"}, Declared: []byte(`{"name":"sh","description":"a","Description":"b"}`)}},
		`{"model":"a","model":"b"}`,
	},
}

// stripCases are requests, the tools that are stripped from them, and what is left.
var stripCases = dialecttest.StripCases{
	"one function": {
		`{"tools": [ {"functionDeclarations": [ ` + listDeclared + ` , ` + shellDeclared + ` ]} ]}`,
		[]string{"sh"},
		`{"tools": [ {"functionDeclarations": [ ` + listDeclared + ` ]} ]}`,
	},
	"an entry of which nothing is left": {
		`{"tools":[{"functionDeclarations":[` + shellDeclared + `]},{"googleSearch":{}}],"toolConfig":{"functionCallingConfig":{"mode":"AUTO"},"retrievalConfig":{}}}`,
		[]string{"sh"},
		`{"tools":[{"googleSearch":{}}],"toolConfig":{"retrievalConfig":{}}}`,
	},
	"a choice of one among several": {
		`{"tools":[{"functionDeclarations":[` + listDeclared + `,` + shellDeclared + `]}],"toolConfig":{"functionCallingConfig":{"mode":"ANY","allowedFunctionNames":["sh","ls"]}}}`,
		[]string{"sh"},
		`{"tools":[{"functionDeclarations":[` + listDeclared + `]}],"toolConfig":{"functionCallingConfig":{"mode":"ANY","allowedFunctionNames":["ls"]}}}`,
	},
	"a choice of it alone": {
		`{"tools":[{"functionDeclarations":[` + listDeclared + `,` + shellDeclared + `]}],"toolConfig":{"functionCallingConfig":{"mode":"ANY","allowedFunctionNames":["sh"]}},"contents":[]}`,
		[]string{"sh"},
		`{"tools":[{"functionDeclarations":[` + listDeclared + `]}],"contents":[]}`,
	},
	"a choice that is a text": {
		`{"tools":[{"functionDeclarations":[` + listDeclared + `,` + shellDeclared + `]}],"toolConfig":{"functionCallingConfig":{"allowedFunctionNames":"sh"}},"contents":[]}`,
		[]string{"sh"},
		`{"tools":[{"functionDeclarations":[` + listDeclared + `]}],"contents":[]}`,
	},
	"a choice of another": {
		`{"tools":[{"functionDeclarations":[` + listDeclared + `,` + shellDeclared + `]}],"toolConfig":{"functionCallingConfig":{"mode":"ANY","allowedFunctionNames":["ls","unknown"]}}}`,
		[]string{"sh"},
		`{"tools":[{"functionDeclarations":[` + listDeclared + `]}],"toolConfig":{"functionCallingConfig":{"mode":"ANY","allowedFunctionNames":["ls","unknown"]}}}`,
	},
	"a search beside functions": {
		`{"tools":[{"functionDeclarations":[` + listDeclared + `],"google_search":{}}],"toolConfig":{"functionCallingConfig":{"mode":"AUTO"}}}`,
		[]string{"GOOGLE_SEARCH_WEB"},
		`{"tools":[{"functionDeclarations":[` + listDeclared + `]}],"toolConfig":{"functionCallingConfig":{"mode":"AUTO"}}}`,
	},
}

var unreadableRequests = dialecttest.UnreadableCases{
	"not JSON":              {Body: `{"tools":[`},
	"tools twice":           {Body: `{"tools":[],"tools":[]}`},
	"tools capital":         {Body: `{"Tools":[]}`},
	"two spellings":         {Body: `{"tools":[{"functionDeclarations":[` + listDeclared + `],"function_declarations":[]}]}`},
	"another spelling":      {Body: `{"tools":[{"FunctionDeclarations":[` + listDeclared + `]}]}`},
	"yet another":           {Body: `{"tools":[{"functiondeclarations":[` + listDeclared + `]}]}`},
	"search in capitals":    {Body: `{"tools":[{"GoogleSearch":{}}]}`},
	"an unknown one twice":  {Body: `{"tools":[{"newTool":{},"new_tool":{}}]}`},
	"a text":                {Body: `{"tools":["ls"]}`},
	"a list in the list":    {Body: `{"tools":[[{"googleSearch":{}}]]}`},
	"no name":               {Body: `{"tools":[{"functionDeclarations":[{}]}]}`},
	"name twice":            {Body: `{"tools":[{"functionDeclarations":[{"name":"a","name":"b"}]}]}`},
	"name capital":          {Body: `{"tools":[{"functionDeclarations":[{"Name":"a"}]}]}`},
	"a function a text":     {Body: `{"tools":[{"functionDeclarations":["a"]}]}`},
	"a server without name": {Body: `{"tools":[{"mcpServers":[{}]}]}`},
	"a member without name": {Body: `{"tools":[{"":{}}]}`},
	"cached content twice":  {Body: `{"cachedContent":"a","cached_content":"b"}`},
	"two requests":          {Body: `{"request":{},"request":{}}`},
	"two batches":           {Body: `{"batch":{"inputConfig":{"requests":{"requests":[{"request":{},"request":{}}]}}}}`},
}

// requests is the check of what is said of requests.
var requests = dialecttest.Requests{
	Format: gemini.Format(),
	Offers: offerCases, Strips: stripCases, Unreadable: unreadableRequests, Results: resultCases,
	Offered: func(body any) (names []string) {
		requests := append(dialecttest.At(body, "request"), dialecttest.At(body, "generateContentRequest")...)
		for _, input := range []string{"inputConfig", "input_config"} {
			requests = append(requests, dialecttest.At(body, "batch", input, "requests", "requests", "request")...)
		}
		for _, declarations := range []string{"functionDeclarations", "function_declarations"} {
			found := dialecttest.At(append(requests, body), "tools", declarations, "name")
			names = append(names, dialecttest.Texts(found)...)
		}
		return names
	},
}

func TestRequests(t *testing.T) { requests.Run(t) }

func FuzzRequest(f *testing.F) { requests.Fuzz(f) }
