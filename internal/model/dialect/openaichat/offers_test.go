package openaichat

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/model/dialect/dialecttest"
)

// offerTests are requests and what they offer.
var offerTests = []struct {
	name, body string
	want       []dialect.Offer
}{
	{"none", `{"messages":[]}`, nil},
	{"empty body", " \n", nil},
	{"no object", `[1]`, nil},
	{"empty list", `{"tools":[],"functions":null,"plugins":[]}`, nil},
	{
		"function", `{"tools":[{"type":"function","function":{"name":"a","parameters":{}}}]}`,
		[]dialect.Offer{{Names: []string{"a"}, Declared: []byte(`{"type":"function","function":{"name":"a","parameters":{}}}`)}},
	},
	{
		"custom", `{"tools":[{"type":"custom","custom":{"name":"a"}}]}`,
		[]dialect.Offer{{Names: []string{"a"}, Declared: []byte(`{"type":"custom","custom":{"name":"a"}}`)}},
	},
	{
		"no type", `{"tools":[{"function":{"name":"a"}},{"name":"b"}]}`,
		[]dialect.Offer{{Names: []string{"a"}, Declared: []byte(`{"function":{"name":"a"}}`)}, {Names: []string{"b"}, Declared: []byte(`{"name":"b"}`)}},
	},
	{
		"two names", `{"tools":[{"type":"function","name":"b","function":{"name":"a"},"custom":{"name":"c"}}]}`,
		[]dialect.Offer{{Names: []string{"a", "c", "b"}, Declared: []byte(`{"type":"function","name":"b","function":{"name":"a"},"custom":{"name":"c"}}`)}},
	},
	{
		"older functions", `{"functions":[{"name":"a"},{"name":"b"}]}`,
		[]dialect.Offer{{Names: []string{"a"}, Declared: []byte(`{"name":"a"}`)}, {Names: []string{"b"}, Declared: []byte(`{"name":"b"}`)}},
	},
	{
		"tools of the provider", `{"tools":[{"type":"browser_search"},{"type":"code_interpreter"},{"type":"web_search"},{"type":"live_search"},{"type":"openrouter:web_search"},{"type":"bash_20250124","name":"bash"},{"type":"ping","function":{"name":"rm"}}]}`,
		[]dialect.Offer{
			{Names: []string{"browser_search"}, Declared: []byte(`{"type":"browser_search"}`)},
			{Names: []string{"code_interpreter"}, Spellings: []string{"code_execution"}, Declared: []byte(`{"type":"code_interpreter"}`)},
			{Names: []string{"web_search"}, Spellings: []string{"web_search_preview", "web_search_premium"}, Declared: []byte(`{"type":"web_search"}`)},
			{Names: []string{"live_search"}, Spellings: []string{"web_search"}, Declared: []byte(`{"type":"live_search"}`)},
			{Names: []string{"openrouter:web_search"}, Spellings: []string{"web_search", "web_search_preview", "web_search_premium"}, Declared: []byte(`{"type":"openrouter:web_search"}`)},
			{Names: []string{"bash_20250124", "bash"}, Declared: []byte(`{"type":"bash_20250124","name":"bash"}`)},
			{Names: []string{"ping", "rm"}, Declared: []byte(`{"type":"ping","function":{"name":"rm"}}`)},
		},
	},
	{
		"settings", `{"web_search_options":{},"search_parameters":{"mode":"auto"},"enable_search":true}`,
		[]dialect.Offer{
			{Names: []string{"web_search"}, Spellings: []string{"web_search_options"}, Declared: []byte(`{}`)},
			{Names: []string{"live_search"}, Spellings: []string{"web_search", "search_parameters"}, Declared: []byte(`{"mode":"auto"}`)},
			{Names: []string{"web_search"}, Spellings: []string{"enable_search"}, Declared: []byte(`{"enable_search":true}`)},
		},
	},
	{
		"a setting that has no such switch", `{"web_search_options":{"mode":"off"}}`,
		[]dialect.Offer{{Names: []string{"web_search"}, Spellings: []string{"web_search_options"}, Declared: []byte(`{"mode":"off"}`)}},
	},
	{"settings that are off", `{"web_search_options":null,"search_parameters":{"mode":"off"},"enable_search":false,"plugins":[{"id":"web","enabled":false}]}`, nil},
	{
		"plugins", `{"plugins":[{"id":"web","max_results":3},{"id":"file-parser","enabled":true}]}`,
		[]dialect.Offer{
			{Names: []string{"web"}, Spellings: []string{"web_search"}, Declared: []byte(`{"id":"web","max_results":3}`)},
			{Names: []string{"file-parser"}, Declared: []byte(`{"id":"file-parser","enabled":true}`)},
		},
	},
	{
		"models that search", `{"model":"a/b:Online","models":["c:free","d:online:nitro","gpt-4o-search-preview"]}`,
		[]dialect.Offer{
			{Names: []string{"web_search"}, Spellings: []string{"online"}, Declared: []byte(`{"model":"a/b:Online"}`), Fixed: true},
			{Names: []string{"web_search"}, Spellings: []string{"online"}, Declared: []byte(`{"model":"d:online:nitro"}`), Fixed: true},
			{Names: []string{"web_search"}, Spellings: []string{"online"}, Declared: []byte(`{"model":"gpt-4o-search-preview"}`), Fixed: true},
		},
	},
	{
		"tools of a system of models", `{"model":"groq/compound","compound_custom":{"tools":{"enabled_tools":["web_search","wolfram_alpha"]}}}`,
		[]dialect.Offer{
			{Names: []string{"web_search"}, Spellings: []string{"web_search_preview", "web_search_premium"}, Declared: []byte(`{"enabled_tools":["web_search"]}`), Fixed: true},
			{Names: []string{"wolfram_alpha"}, Declared: []byte(`{"enabled_tools":["wolfram_alpha"]}`), Fixed: true},
		},
	},
	{
		"a system of models without a list", `{"model":"groq/compound-mini","compound_custom":{"tools":{"enabled_tools":[]}}}`,
		[]dialect.Offer{
			{Names: []string{"web_search"}, Spellings: []string{"web_search_preview", "web_search_premium"}, Declared: []byte(`{"enabled_tools":["web_search"]}`), Fixed: true},
			{Names: []string{"code_interpreter"}, Spellings: []string{"code_execution"}, Declared: []byte(`{"enabled_tools":["code_interpreter"]}`), Fixed: true},
			{Names: []string{"visit_website"}, Declared: []byte(`{"enabled_tools":["visit_website"]}`), Fixed: true},
			{Names: []string{"browser_automation"}, Declared: []byte(`{"enabled_tools":["browser_automation"]}`), Fixed: true},
			{Names: []string{"wolfram_alpha"}, Declared: []byte(`{"enabled_tools":["wolfram_alpha"]}`), Fixed: true},
		},
	},
	{
		"cached content", `{"extra_body":{"google":{"cached_content":"cachedContents/1"}}}`,
		[]dialect.Offer{{Names: []string{"cachedContent"}, Spellings: []string{"cached_content"}, Declared: []byte(`{"cached_content":"cachedContents/1"}`), Fixed: true}},
	},
	{"a stored prompt is not of this API", `{"prompt":"x"}`, nil},
	{
		"mcp server", `{"tools":[{"type":"mcp","server_label":"s","server_url":"https://u:p@h/","headers":{"a":"b"}}]}`,
		[]dialect.Offer{{Names: []string{"mcp"}, Server: "s", Open: true, Declared: []byte(`{"type":"mcp","server_label":"s","server_url":"https://redacted@h/","headers":{"a":"[redacted]"}}`)}},
	},
	{"what does not matter may be there twice", `{"user":1,"User":2,"tools":[{"name":"a","x":1,"x":2}]}`, []dialect.Offer{{Names: []string{"a"}, Declared: []byte(`{"name":"a","x":1,"x":2}`)}}},
}

func TestOffers(t *testing.T) {
	for _, tt := range offerTests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := Format().Requests.Read([]byte(tt.body))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got.Offers, cmpopts.IgnoreFields(dialect.Offer{}, "Cuts")); diff != "" {
				t.Errorf("offers (-want +got):\n%s", diff)
			}
		})
	}
}

const (
	syntax     = "the request is not strict JSON"
	twoWays    = "the tools of the request can be read in more than one way"
	unreadable = "the request has a tool that is not an object, or has no name"
)

// badTests are requests that cannot be read.
var badTests = []struct{ name, body, want string }{
	{"no json", `{"tools":[{"name":'a'}]}`, syntax},
	{"comments", "{} // more", syntax},
	{"tools twice", `{"tools":[],"tools":[{"name":"a"}]}`, twoWays},
	{"tools in another case", `{"Tools":[{"name":"a"}]}`, twoWays},
	{"functions twice", `{"functions":[],"functions":[]}`, twoWays},
	{"setting in another case", `{"Web_Search_Options":{}}`, twoWays},
	{"model twice", `{"model":"a","model":"b:online"}`, twoWays},
	{"name twice", `{"tools":[{"name":"a","name":"b"}]}`, twoWays},
	{"type in another case", `{"tools":[{"name":"a","Type":"mcp"}]}`, twoWays},
	{"function twice", `{"tools":[{"function":{"name":"a"},"function":{"name":"b"}}]}`, twoWays},
	{"inner name twice", `{"tools":[{"function":{"name":"a","NAME":"b"}}]}`, twoWays},
	{"tools no array", `{"tools":{"name":"a"}}`, unreadable},
	{"tool no object", `{"tools":["a"]}`, unreadable},
	{"tool null", `{"tools":[null]}`, unreadable},
	{"no name", `{"tools":[{"type":"function","function":{}}]}`, unreadable},
	{"empty name", `{"tools":[{"type":"function","function":{"name":""}}]}`, unreadable},
	{"name no text", `{"tools":[{"type":"function","function":{"name":["a"]}}]}`, unreadable},
	{"half a character", `{"tools":[{"type":"function","function":{"name":"\ud800"}}]}`, unreadable},
	{"function no object", `{"tools":[{"type":"function","function":"a"}]}`, unreadable},
	{"plugin without id", `{"plugins":[{"x":1}]}`, unreadable},
	{"plugins no array", `{"plugins":"web"}`, unreadable},
	{"plugin id twice", `{"plugins":[{"id":"a","id":"web"}]}`, twoWays},
	{"enabled tools no texts", `{"compound_custom":{"tools":{"enabled_tools":[1]}}}`, unreadable},
	{"server without a name", `{"tools":[{"type":"mcp"}]}`, unreadable},
}

func TestBadRequests(t *testing.T) {
	for _, tt := range badTests {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := Format().Requests.Read([]byte(tt.body)); err == nil || err.Error() != tt.want {
				t.Errorf("got %v, want %s", err, tt.want)
			}
		})
	}
}

// stripTests are requests without the tools named bad.
var stripTests = []struct{ name, body, want string }{
	{"one of two", `{"tools": [{"name":"bad"}, {"name":"ok"}] }`, `{"tools": [{"name":"ok"}] }`},
	{"the last", `{"a":1,"tools":[{"name":"ok"} , {"name":"bad"}]}`, `{"a":1,"tools":[{"name":"ok"}]}`},
	{"all, and what needs tools", `{"a":1,"tools":[{"name":"bad"}],"tool_choice":"required","parallel_tool_calls":false,"b":2}`, `{"a":1,"b":2}`},
	{"nothing else there", `{"tools":[{"name":"bad"}]}`, `{}`},
	{"the choice of another", `{"tools":[{"name":"bad"},{"name":"ok"}],"tool_choice":{"type":"function","function":{"name":"ok"}},"parallel_tool_calls":true}`, `{"tools":[{"name":"ok"}],"tool_choice":{"type":"function","function":{"name":"ok"}},"parallel_tool_calls":true}`},
	{"the choice of it", `{"tools":[{"name":"bad"},{"name":"ok"}],"tool_choice":{"type":"function","function":{"name":"bad"}}}`, `{"tools":[{"name":"ok"}]}`},
	{"the choice of a custom tool", `{"tools":[{"type":"custom","custom":{"name":"bad"}},{"name":"ok"}],"tool_choice":{"type":"custom","custom":{"name":"bad"}}}`, `{"tools":[{"name":"ok"}]}`},
	{"a choice by its type", `{"tools":[{"type":"web_search_preview","name":"bad"},{"name":"ok"}],"tool_choice":{"type":"web_search"}}`, `{"tools":[{"name":"ok"}]}`},
	{"any choice stays with tools", `{"tools":[{"name":"bad"},{"name":"ok"}],"tool_choice":"required"}`, `{"tools":[{"name":"ok"}],"tool_choice":"required"}`},
	{"a list of choices", `{"tools":[{"name":"bad"},{"name":"ok"}],"tool_choice":{"type":"allowed_tools","allowed_tools":{"mode":"auto","tools":[{"type":"function","function":{"name":"bad"}},{"type":"function","function":{"name":"ok"}}]}}}`, `{"tools":[{"name":"ok"}],"tool_choice":{"type":"allowed_tools","allowed_tools":{"mode":"auto","tools":[{"type":"function","function":{"name":"ok"}}]}}}`},
	{"an emptied list of choices", `{"tools":[{"name":"bad"},{"name":"ok"}],"tool_choice":{"type":"allowed_tools","mode":"required","tools":[{"type":"function","name":"bad"}]}}`, `{"tools":[{"name":"ok"}]}`},
	{"a choice among two of that name", `{"tools":[{"name":"bad"},{"x":1,"custom":{"name":"ok"},"name":"also"}],"tool_choice":{"type":"function","name":"also"}}`, `{"tools":[{"x":1,"custom":{"name":"ok"},"name":"also"}],"tool_choice":{"type":"function","name":"also"}}`},
	{"functions", `{"functions":[{"name":"bad"}],"function_call":"auto","parallel_tool_calls":true,"tools":[{"name":"ok"}],"tool_choice":"auto"}`, `{"parallel_tool_calls":true,"tools":[{"name":"ok"}],"tool_choice":"auto"}`},
	{"a function's choice", `{"functions":[{"name":"bad"},{"name":"ok"}],"function_call":{"name":"bad"}}`, `{"functions":[{"name":"ok"}]}`},
	{"no list before", `{"plugins":[{"id":"bad"}],"tool_choice":"auto"}`, `{"tool_choice":"auto"}`},
	{"a plugin of two", `{"plugins":[{"id":"bad"},{"id":"web"}]}`, `{"plugins":[{"id":"web"}]}`},
	{"a way to choose that is also a name", `{"tools":[{"name":"none","custom":{"name":"bad"}},{"name":"ok"}],"tool_choice":"none"}`, `{"tools":[{"name":"ok"}],"tool_choice":"none"}`},
	{"choices twice", `{"tools":[{"name":"bad"}],"tool_choice":"auto","tool_choice":{"type":"function","name":"bad"}}`, `{}`},
}

func TestStrip(t *testing.T) {
	requests := Format().Requests
	for _, tt := range stripTests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := requests.Read([]byte(tt.body))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, string(requests.Strip([]byte(tt.body), offersNamed(got.Offers, "bad")))); diff != "" {
				t.Errorf("body (-want +got):\n%s", diff)
			}
		})
	}
}

func TestStripSettings(t *testing.T) {
	requests := Format().Requests
	body := []byte(`{"web_search_options":{"x":1},"model":"a:online","search_parameters":{"mode":"on"},"n":1}`)
	got, err := requests.Read(body)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(`{"model":"a:online","n":1}`, string(requests.Strip(body, got.Offers))); diff != "" {
		t.Errorf("body (-want +got):\n%s", diff)
	}
}

func requestSeeds() []string {
	var seeds []string
	for _, tt := range offerTests {
		seeds = append(seeds, tt.body)
	}
	for _, tt := range badTests {
		seeds = append(seeds, tt.body)
	}
	for _, tt := range stripTests {
		seeds = append(seeds, tt.body)
	}
	for _, tt := range resultTests {
		seeds = append(seeds, tt.body)
	}
	return seeds
}

func TestStripAny(t *testing.T) {
	check := dialecttest.Requests{Format: Format(), Offered: dialecttest.OpenAITools}
	for i, body := range requestSeeds() {
		check.Check(t, []byte(body), rand.New(rand.NewPCG(1, uint64(i))))
	}
}

func FuzzRequest(f *testing.F) {
	for i, s := range requestSeeds() {
		f.Add([]byte(s), uint64(i))
	}
	check := dialecttest.Requests{Format: Format(), Offered: dialecttest.OpenAITools}
	f.Fuzz(func(t *testing.T, body []byte, seed uint64) {
		check.Check(t, body, rand.New(rand.NewPCG(1, seed)))
	})
}

// offersNamed are the offers that have one of the names.
func offersNamed(offers []dialect.Offer, names ...string) []dialect.Offer {
	return slices.DeleteFunc(slices.Clone(offers), func(o dialect.Offer) bool {
		return !slices.ContainsFunc(names, func(n string) bool { return slices.Contains(o.Names, n) })
	})
}
