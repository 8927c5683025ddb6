package gemini_test

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

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

// offerCase is a request with what it offers, and what is left when all of that is stripped.
type offerCase struct {
	body     string
	offers   []dialect.Offer // without places
	stripped string
}

var offerCases = map[string]offerCase{
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

// placeless is offers without where they stand.
func placeless(offers []dialect.Offer) (out []dialect.Offer) {
	for _, o := range offers {
		o.Cuts = nil
		out = append(out, o)
	}
	return out
}

func TestOffers(t *testing.T) {
	requests := gemini.Format().Requests
	for name, c := range offerCases {
		t.Run(name, func(t *testing.T) {
			request, err := requests.Read([]byte(c.body))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.offers, placeless(request.Offers)); diff != "" {
				t.Errorf("offers (-want +got):\n%s", diff)
			}
			if got := string(requests.Strip([]byte(c.body), request.Offers)); got != c.stripped {
				t.Errorf("stripped of all:\n%s\nwant\n%s", got, c.stripped)
			}
		})
	}
}

// stripCases are requests, the tools that are stripped from them, and what is left.
var stripCases = map[string]struct {
	body  string
	names []string
	want  string
}{
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

func TestStrip(t *testing.T) {
	requests := gemini.Format().Requests
	for name, c := range stripCases {
		t.Run(name, func(t *testing.T) {
			request, err := requests.Read([]byte(c.body))
			if err != nil {
				t.Fatal(err)
			}
			var stripped []dialect.Offer
			for _, o := range request.Offers {
				for _, n := range c.names {
					if o.Names[0] == n {
						stripped = append(stripped, o)
					}
				}
			}
			if got := string(requests.Strip([]byte(c.body), stripped)); got != c.want {
				t.Errorf("stripped:\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}

var unreadableRequests = map[string]string{
	"not JSON":              `{"tools":[`,
	"tools twice":           `{"tools":[],"tools":[]}`,
	"tools capital":         `{"Tools":[]}`,
	"two spellings":         `{"tools":[{"functionDeclarations":[` + listDeclared + `],"function_declarations":[]}]}`,
	"another spelling":      `{"tools":[{"FunctionDeclarations":[` + listDeclared + `]}]}`,
	"yet another":           `{"tools":[{"functiondeclarations":[` + listDeclared + `]}]}`,
	"search in capitals":    `{"tools":[{"GoogleSearch":{}}]}`,
	"an unknown one twice":  `{"tools":[{"newTool":{},"new_tool":{}}]}`,
	"a text":                `{"tools":["ls"]}`,
	"a list in the list":    `{"tools":[[{"googleSearch":{}}]]}`,
	"no name":               `{"tools":[{"functionDeclarations":[{}]}]}`,
	"name twice":            `{"tools":[{"functionDeclarations":[{"name":"a","name":"b"}]}]}`,
	"name capital":          `{"tools":[{"functionDeclarations":[{"Name":"a"}]}]}`,
	"a function a text":     `{"tools":[{"functionDeclarations":["a"]}]}`,
	"a server without name": `{"tools":[{"mcpServers":[{}]}]}`,
	"a member without name": `{"tools":[{"":{}}]}`,
	"cached content twice":  `{"cachedContent":"a","cached_content":"b"}`,
	"two requests":          `{"request":{},"request":{}}`,
	"two batches":           `{"batch":{"inputConfig":{"requests":{"requests":[{"request":{},"request":{}}]}}}}`,
}

func TestUnreadableRequests(t *testing.T) {
	for name, body := range unreadableRequests {
		if request, err := gemini.Format().Requests.Read([]byte(body)); err == nil {
			t.Errorf("%s: read as %+v", name, request)
		}
	}
}

// requestCheck is the check of what is said of requests.
var requestCheck = dialecttest.Requests{
	Format: gemini.Format(),
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

// requestSeeds are the bodies of all tables.
func requestSeeds() (bodies [][]byte) {
	for _, c := range offerCases {
		bodies = append(bodies, []byte(c.body))
	}
	for _, c := range stripCases {
		bodies = append(bodies, []byte(c.body))
	}
	for _, body := range unreadableRequests {
		bodies = append(bodies, []byte(body))
	}
	for _, c := range resultCases {
		bodies = append(bodies, []byte(c.body))
	}
	slices.SortFunc(bodies, bytes.Compare) // so that a seed tells what is mixed
	return bodies
}

func TestRequests(t *testing.T) {
	for _, body := range requestSeeds() {
		requestCheck.Check(t, body, rand.New(rand.NewPCG(1, 2)))
	}
}

func TestMixedRequests(t *testing.T) {
	bodies := requestSeeds()
	for seed := range uint64(1000) {
		r := rand.New(rand.NewPCG(seed, 3))
		requestCheck.Check(t, dialecttest.MixRequests(r, bodies), r)
	}
}

func FuzzRequest(f *testing.F) {
	for _, body := range requestSeeds() {
		f.Add(body)
	}
	f.Fuzz(func(t *testing.T, body []byte) { requestCheck.Check(t, body, rand.New(rand.NewPCG(1, 2))) })
}

// FuzzMixedRequest has bodies that are nearly right: bytes alone rarely stay JSON.
func FuzzMixedRequest(f *testing.F) {
	bodies := requestSeeds()
	for seed := range uint64(4) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		r := rand.New(rand.NewPCG(seed, 3))
		requestCheck.Check(t, dialecttest.MixRequests(r, bodies), r)
	})
}
