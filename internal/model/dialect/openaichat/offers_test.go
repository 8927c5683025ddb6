package openaichat_test

import (
	"testing"

	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/model/dialect/dialecttest"
	"github.com/weir-gate/weir/internal/model/dialect/openaichat"
)

// offerTests are requests and what they offer.
var offerTests = dialecttest.OfferCases{
	"none":       {`{"messages":[]}`, nil, ""},
	"empty body": {" \n", nil, ""},
	"no object":  {`[1]`, nil, ""},
	"empty list": {`{"tools":[],"functions":null,"plugins":[]}`, nil, ""},
	"function": {
		`{"tools":[{"type":"function","function":{"name":"a","parameters":{}}}]}`,
		[]dialect.Offer{{Names: []string{"a"}, Declared: []byte(`{"type":"function","function":{"name":"a","parameters":{}}}`)}},
		"",
	},
	"custom": {
		`{"tools":[{"type":"custom","custom":{"name":"a"}}]}`,
		[]dialect.Offer{{Names: []string{"a"}, Declared: []byte(`{"type":"custom","custom":{"name":"a"}}`)}},
		"",
	},
	"no type": {
		`{"tools":[{"function":{"name":"a"}},{"name":"b"}]}`,
		[]dialect.Offer{{Names: []string{"a"}, Declared: []byte(`{"function":{"name":"a"}}`)}, {Names: []string{"b"}, Declared: []byte(`{"name":"b"}`)}},
		"",
	},
	"two names": {
		`{"tools":[{"type":"function","name":"b","function":{"name":"a"},"custom":{"name":"c"}}]}`,
		[]dialect.Offer{{Names: []string{"a", "c", "b"}, Declared: []byte(`{"type":"function","name":"b","function":{"name":"a"},"custom":{"name":"c"}}`)}},
		"",
	},
	"older functions": {
		`{"functions":[{"name":"a"},{"name":"b"}]}`,
		[]dialect.Offer{{Names: []string{"a"}, Declared: []byte(`{"name":"a"}`)}, {Names: []string{"b"}, Declared: []byte(`{"name":"b"}`)}},
		"",
	},
	"tools of the provider": {
		`{"tools":[{"type":"browser_search"},{"type":"code_interpreter"},{"type":"web_search"},{"type":"live_search"},{"type":"openrouter:web_search"},{"type":"bash_20250124","name":"bash"},{"type":"ping","function":{"name":"rm"}}]}`,
		[]dialect.Offer{
			{Names: []string{"browser_search"}, Declared: []byte(`{"type":"browser_search"}`)},
			{Names: []string{"code_interpreter"}, Spellings: []string{"code_execution"}, Declared: []byte(`{"type":"code_interpreter"}`)},
			{Names: []string{"web_search"}, Spellings: []string{"web_search_preview", "web_search_premium"}, Declared: []byte(`{"type":"web_search"}`)},
			{Names: []string{"live_search"}, Spellings: []string{"web_search"}, Declared: []byte(`{"type":"live_search"}`)},
			{Names: []string{"openrouter:web_search"}, Spellings: []string{"web_search", "web_search_preview", "web_search_premium"}, Declared: []byte(`{"type":"openrouter:web_search"}`)},
			{Names: []string{"bash_20250124", "bash"}, Declared: []byte(`{"type":"bash_20250124","name":"bash"}`)},
			{Names: []string{"ping", "rm"}, Declared: []byte(`{"type":"ping","function":{"name":"rm"}}`)},
		},
		"",
	},
	"settings": {
		`{"web_search_options":{},"search_parameters":{"mode":"auto"},"enable_search":true}`,
		[]dialect.Offer{
			{Names: []string{"web_search"}, Spellings: []string{"web_search_options"}, Declared: []byte(`{}`)},
			{Names: []string{"live_search"}, Spellings: []string{"web_search", "search_parameters"}, Declared: []byte(`{"mode":"auto"}`)},
			{Names: []string{"web_search"}, Spellings: []string{"enable_search"}, Declared: []byte(`{"enable_search":true}`)},
		},
		"",
	},
	"a setting that has no such switch": {
		`{"web_search_options":{"mode":"off"}}`,
		[]dialect.Offer{{Names: []string{"web_search"}, Spellings: []string{"web_search_options"}, Declared: []byte(`{"mode":"off"}`)}},
		"",
	},
	"settings that are off": {`{"web_search_options":null,"search_parameters":{"mode":"off"},"enable_search":false,"plugins":[{"id":"web","enabled":false}]}`, nil, ""},
	"plugins": {
		`{"plugins":[{"id":"web","max_results":3},{"id":"file-parser","enabled":true}]}`,
		[]dialect.Offer{
			{Names: []string{"web"}, Spellings: []string{"web_search"}, Declared: []byte(`{"id":"web","max_results":3}`)},
			{Names: []string{"file-parser"}, Declared: []byte(`{"id":"file-parser","enabled":true}`)},
		},
		"",
	},
	"models that search": {
		`{"model":"a/b:Online","models":["c:free","d:online:nitro","gpt-4o-search-preview"]}`,
		[]dialect.Offer{
			{Names: []string{"web_search"}, Spellings: []string{"online"}, Declared: []byte(`{"model":"a/b:Online"}`), Fixed: true},
			{Names: []string{"web_search"}, Spellings: []string{"online"}, Declared: []byte(`{"model":"d:online:nitro"}`), Fixed: true},
			{Names: []string{"web_search"}, Spellings: []string{"online"}, Declared: []byte(`{"model":"gpt-4o-search-preview"}`), Fixed: true},
		},
		"",
	},
	"tools of a system of models": {
		`{"model":"groq/compound","compound_custom":{"tools":{"enabled_tools":["web_search","wolfram_alpha"]}}}`,
		[]dialect.Offer{
			{Names: []string{"web_search"}, Spellings: []string{"web_search_preview", "web_search_premium"}, Declared: []byte(`{"enabled_tools":["web_search"]}`), Fixed: true},
			{Names: []string{"wolfram_alpha"}, Declared: []byte(`{"enabled_tools":["wolfram_alpha"]}`), Fixed: true},
		},
		"",
	},
	"a system of models without a list": {
		`{"model":"groq/compound-mini","compound_custom":{"tools":{"enabled_tools":[]}}}`,
		[]dialect.Offer{
			{Names: []string{"web_search"}, Spellings: []string{"web_search_preview", "web_search_premium"}, Declared: []byte(`{"enabled_tools":["web_search"]}`), Fixed: true},
			{Names: []string{"code_interpreter"}, Spellings: []string{"code_execution"}, Declared: []byte(`{"enabled_tools":["code_interpreter"]}`), Fixed: true},
			{Names: []string{"visit_website"}, Declared: []byte(`{"enabled_tools":["visit_website"]}`), Fixed: true},
			{Names: []string{"browser_automation"}, Declared: []byte(`{"enabled_tools":["browser_automation"]}`), Fixed: true},
			{Names: []string{"wolfram_alpha"}, Declared: []byte(`{"enabled_tools":["wolfram_alpha"]}`), Fixed: true},
		},
		"",
	},
	"cached content": {
		`{"extra_body":{"google":{"cached_content":"cachedContents/1"}}}`,
		[]dialect.Offer{{Names: []string{"cachedContent"}, Spellings: []string{"cached_content"}, Declared: []byte(`{"cached_content":"cachedContents/1"}`), Fixed: true}},
		"",
	},
	"a stored prompt is not of this API": {`{"prompt":"x"}`, nil, ""},
	"mcp server": {
		`{"tools":[{"type":"mcp","server_label":"s","server_url":"https://u:p@h/","headers":{"a":"b"}}]}`,
		[]dialect.Offer{{Names: []string{"mcp"}, Server: "s", Open: true, Declared: []byte(`{"type":"mcp","server_label":"s","server_url":"https://redacted@h/","headers":{"a":"[redacted]"}}`)}},
		"",
	},
	"what does not matter may be there twice": {`{"user":1,"User":2,"tools":[{"name":"a","x":1,"x":2}]}`, []dialect.Offer{{Names: []string{"a"}, Declared: []byte(`{"name":"a","x":1,"x":2}`)}}, ""},
}

const (
	syntax     = "the request is not strict JSON"
	twoWays    = "the tools of the request can be read in more than one way"
	unreadable = "the request has a tool that is not an object, or has no name"
)

// badTests are requests that cannot be read.
var badTests = dialecttest.UnreadableCases{
	"no json":                 {Body: `{"tools":[{"name":'a'}]}`, Error: syntax},
	"comments":                {Body: "{} // more", Error: syntax},
	"tools twice":             {Body: `{"tools":[],"tools":[{"name":"a"}]}`, Error: twoWays},
	"tools in another case":   {Body: `{"Tools":[{"name":"a"}]}`, Error: twoWays},
	"functions twice":         {Body: `{"functions":[],"functions":[]}`, Error: twoWays},
	"setting in another case": {Body: `{"Web_Search_Options":{}}`, Error: twoWays},
	"model twice":             {Body: `{"model":"a","model":"b:online"}`, Error: twoWays},
	"name twice":              {Body: `{"tools":[{"name":"a","name":"b"}]}`, Error: twoWays},
	"type in another case":    {Body: `{"tools":[{"name":"a","Type":"mcp"}]}`, Error: twoWays},
	"function twice":          {Body: `{"tools":[{"function":{"name":"a"},"function":{"name":"b"}}]}`, Error: twoWays},
	"inner name twice":        {Body: `{"tools":[{"function":{"name":"a","NAME":"b"}}]}`, Error: twoWays},
	"tools no array":          {Body: `{"tools":{"name":"a"}}`, Error: unreadable},
	"tool no object":          {Body: `{"tools":["a"]}`, Error: unreadable},
	"tool null":               {Body: `{"tools":[null]}`, Error: unreadable},
	"no name":                 {Body: `{"tools":[{"type":"function","function":{}}]}`, Error: unreadable},
	"empty name":              {Body: `{"tools":[{"type":"function","function":{"name":""}}]}`, Error: unreadable},
	"name no text":            {Body: `{"tools":[{"type":"function","function":{"name":["a"]}}]}`, Error: unreadable},
	"half a character":        {Body: `{"tools":[{"type":"function","function":{"name":"\ud800"}}]}`, Error: unreadable},
	"function no object":      {Body: `{"tools":[{"type":"function","function":"a"}]}`, Error: unreadable},
	"plugin without id":       {Body: `{"plugins":[{"x":1}]}`, Error: unreadable},
	"plugins no array":        {Body: `{"plugins":"web"}`, Error: unreadable},
	"plugin id twice":         {Body: `{"plugins":[{"id":"a","id":"web"}]}`, Error: twoWays},
	"enabled tools no texts":  {Body: `{"compound_custom":{"tools":{"enabled_tools":[1]}}}`, Error: unreadable},
	"server without a name":   {Body: `{"tools":[{"type":"mcp"}]}`, Error: unreadable},
}

// bad are the tools that stripTests are without.
var bad = []string{"bad"}

// stripTests are requests without the bad tools.
var stripTests = dialecttest.StripCases{
	"one of two":                          {`{"tools": [{"name":"bad"}, {"name":"ok"}] }`, bad, `{"tools": [{"name":"ok"}] }`},
	"the last":                            {`{"a":1,"tools":[{"name":"ok"} , {"name":"bad"}]}`, bad, `{"a":1,"tools":[{"name":"ok"}]}`},
	"all, and what needs tools":           {`{"a":1,"tools":[{"name":"bad"}],"tool_choice":"required","parallel_tool_calls":false,"b":2}`, bad, `{"a":1,"b":2}`},
	"nothing else there":                  {`{"tools":[{"name":"bad"}]}`, bad, `{}`},
	"the choice of another":               {`{"tools":[{"name":"bad"},{"name":"ok"}],"tool_choice":{"type":"function","function":{"name":"ok"}},"parallel_tool_calls":true}`, bad, `{"tools":[{"name":"ok"}],"tool_choice":{"type":"function","function":{"name":"ok"}},"parallel_tool_calls":true}`},
	"the choice of it":                    {`{"tools":[{"name":"bad"},{"name":"ok"}],"tool_choice":{"type":"function","function":{"name":"bad"}}}`, bad, `{"tools":[{"name":"ok"}]}`},
	"the choice of a custom tool":         {`{"tools":[{"type":"custom","custom":{"name":"bad"}},{"name":"ok"}],"tool_choice":{"type":"custom","custom":{"name":"bad"}}}`, bad, `{"tools":[{"name":"ok"}]}`},
	"a choice by its type":                {`{"tools":[{"type":"web_search_preview","name":"bad"},{"name":"ok"}],"tool_choice":{"type":"web_search"}}`, bad, `{"tools":[{"name":"ok"}]}`},
	"any choice stays with tools":         {`{"tools":[{"name":"bad"},{"name":"ok"}],"tool_choice":"required"}`, bad, `{"tools":[{"name":"ok"}],"tool_choice":"required"}`},
	"a list of choices":                   {`{"tools":[{"name":"bad"},{"name":"ok"}],"tool_choice":{"type":"allowed_tools","allowed_tools":{"mode":"auto","tools":[{"type":"function","function":{"name":"bad"}},{"type":"function","function":{"name":"ok"}}]}}}`, bad, `{"tools":[{"name":"ok"}],"tool_choice":{"type":"allowed_tools","allowed_tools":{"mode":"auto","tools":[{"type":"function","function":{"name":"ok"}}]}}}`},
	"an emptied list of choices":          {`{"tools":[{"name":"bad"},{"name":"ok"}],"tool_choice":{"type":"allowed_tools","mode":"required","tools":[{"type":"function","name":"bad"}]}}`, bad, `{"tools":[{"name":"ok"}]}`},
	"a choice among two of that name":     {`{"tools":[{"name":"bad"},{"x":1,"custom":{"name":"ok"},"name":"also"}],"tool_choice":{"type":"function","name":"also"}}`, bad, `{"tools":[{"x":1,"custom":{"name":"ok"},"name":"also"}],"tool_choice":{"type":"function","name":"also"}}`},
	"functions":                           {`{"functions":[{"name":"bad"}],"function_call":"auto","parallel_tool_calls":true,"tools":[{"name":"ok"}],"tool_choice":"auto"}`, bad, `{"parallel_tool_calls":true,"tools":[{"name":"ok"}],"tool_choice":"auto"}`},
	"a function's choice":                 {`{"functions":[{"name":"bad"},{"name":"ok"}],"function_call":{"name":"bad"}}`, bad, `{"functions":[{"name":"ok"}]}`},
	"no list before":                      {`{"plugins":[{"id":"bad"}],"tool_choice":"auto"}`, bad, `{"tool_choice":"auto"}`},
	"a plugin of two":                     {`{"plugins":[{"id":"bad"},{"id":"web"}]}`, bad, `{"plugins":[{"id":"web"}]}`},
	"a way to choose that is also a name": {`{"tools":[{"name":"none","custom":{"name":"bad"}},{"name":"ok"}],"tool_choice":"none"}`, bad, `{"tools":[{"name":"ok"}],"tool_choice":"none"}`},
	"settings": {
		`{"web_search_options":{"x":1},"model":"a:online","search_parameters":{"mode":"on"},"n":1}`,
		[]string{"web_search", "live_search"},
		`{"model":"a:online","n":1}`,
	},
	"choices twice": {`{"tools":[{"name":"bad"}],"tool_choice":"auto","tool_choice":{"type":"function","name":"bad"}}`, bad, `{}`},
}

// requests is the check of what is said of requests.
var requests = dialecttest.Requests{
	Format: openaichat.Format(), Offered: dialecttest.OpenAITools,
	Offers: offerTests, Strips: stripTests, Unreadable: badTests, Results: resultTests,
}

func TestRequests(t *testing.T) { requests.Run(t) }

func FuzzRequest(f *testing.F) { requests.Fuzz(f) }
