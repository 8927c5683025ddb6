package openairesponses_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/model/dialect/dialecttest"
	"github.com/weir-gate/weir/internal/model/dialect/openairesponses"
)

var (
	searchSpellings   = []string{"web_search_preview", "web_search_premium"}
	computerSpellings = []string{"computer_use_preview", "computer_use"}
)

// offerTests are requests and what they offer.
var offerTests = dialecttest.OfferCases{
	"none":       {`{"input":"hi","previous_response_id":"resp_1","conversation":"conv_1"}`, nil, ""},
	"empty body": {"", nil, ""},
	"no object":  {`"x"`, nil, ""},
	"function and custom": {
		`{"tools":[{"type":"function","name":"a","parameters":{}},{"type":"custom","name":"b"},{"type":"function","function":{"name":"c"}}]}`,
		[]dialect.Offer{
			{Names: []string{"a"}, Declared: []byte(`{"type":"function","name":"a","parameters":{}}`)},
			{Names: []string{"b"}, Declared: []byte(`{"type":"custom","name":"b"}`)},
			{Names: []string{"c"}, Declared: []byte(`{"type":"function","function":{"name":"c"}}`)},
		},
		"",
	},
	"run by the client": {
		`{"tools":[{"type":"shell"},{"type":"local_shell"},{"type":"apply_patch"},{"type":"computer"},{"type":"computer_use_preview"}]}`,
		[]dialect.Offer{
			{Names: []string{"shell"}, Declared: []byte(`{"type":"shell"}`)},
			{Names: []string{"local_shell"}, Declared: []byte(`{"type":"local_shell"}`)},
			{Names: []string{"apply_patch"}, Declared: []byte(`{"type":"apply_patch"}`)},
			{Names: []string{"computer"}, Spellings: computerSpellings, Declared: []byte(`{"type":"computer"}`)},
			{Names: []string{"computer"}, Spellings: computerSpellings, Declared: []byte(`{"type":"computer_use_preview"}`)},
		},
		"",
	},
	"run by the provider": {
		`{"tools":[{"type":"web_search"},{"type":"web_search_2025_08_26"},{"type":"web_search_preview_2025_03_11"},{"type":"file_search"},{"type":"code_interpreter"},{"type":"image_generation"},{"type":"tool_search"},{"type":"programmatic_tool_calling"},{"type":"x_search"},{"type":"code_execution"}]}`,
		[]dialect.Offer{
			{Names: []string{"web_search"}, Spellings: searchSpellings, Declared: []byte(`{"type":"web_search"}`)},
			{Names: []string{"web_search"}, Spellings: append([]string{"web_search_2025_08_26"}, searchSpellings...), Declared: []byte(`{"type":"web_search_2025_08_26"}`)},
			{Names: []string{"web_search"}, Spellings: append([]string{"web_search_preview_2025_03_11"}, searchSpellings...), Declared: []byte(`{"type":"web_search_preview_2025_03_11"}`)},
			{Names: []string{"file_search"}, Spellings: []string{"collections_search"}, Declared: []byte(`{"type":"file_search"}`)},
			{Names: []string{"code_interpreter"}, Spellings: []string{"code_execution"}, Declared: []byte(`{"type":"code_interpreter"}`)},
			{Names: []string{"image_generation"}, Declared: []byte(`{"type":"image_generation"}`)},
			{Names: []string{"tool_search"}, Declared: []byte(`{"type":"tool_search"}`)},
			{Names: []string{"program"}, Spellings: []string{"programmatic_tool_calling"}, Declared: []byte(`{"type":"programmatic_tool_calling"}`)},
			{Names: []string{"x_search"}, Declared: []byte(`{"type":"x_search"}`)},
			{Names: []string{"code_interpreter"}, Spellings: []string{"code_execution"}, Declared: []byte(`{"type":"code_execution"}`)},
		},
		"",
	},
	"namespace": {
		`{"tools":[{"type":"namespace","name":"crm","tools":[{"type":"function","name":"find"},{"type":"custom","name":"note"}]},{"type":"namespace","name":"mcp__git","tools":[{"type":"function","name":"log"}]}]}`,
		[]dialect.Offer{
			{Names: []string{"crm.find"}, Spellings: []string{"find", "crm__find", "crm/find"}, Declared: []byte(`{"type":"function","name":"find"}`)},
			{Names: []string{"crm.note"}, Spellings: []string{"note", "crm__note", "crm/note"}, Declared: []byte(`{"type":"custom","name":"note"}`)},
			{Names: []string{"log"}, Server: "git", Declared: []byte(`{"type":"function","name":"log"}`)},
		},
		"",
	},
	"namespace without a list": {
		`{"tools":[{"type":"namespace","name":"crm"},{"type":"namespace","name":"mcp__git","tools":[]}]}`,
		[]dialect.Offer{
			{Names: []string{"crm"}, Server: "crm", Open: true, Declared: []byte(`{"type":"namespace","name":"crm"}`)},
			{Names: []string{"mcp__git"}, Server: "git", Open: true, Declared: []byte(`{"type":"namespace","name":"mcp__git","tools":[]}`)},
		},
		"",
	},
	"mcp servers": {
		`{"tools":[{"type":"mcp","server_label":"a","server_url":"https://a","authorization":"x"},{"type":"mcp","server_label":"b","allowed_tools":["r","w"]},{"type":"mcp","server_label":"c","allowed_tools":{"tool_names":["r"]}},{"type":"mcp","server_label":"d","allowed_tools":{"read_only":true}},{"type":"mcp","server_label":"e","allowed_tools":[]},{"type":"mcp","server_label":"f","allowed_tools":{"read_only":true,"tool_names":["r"]}}]}`,
		[]dialect.Offer{
			{Names: []string{"mcp"}, Server: "a", Open: true, Declared: []byte(`{"type":"mcp","server_label":"a","server_url":"https://a","authorization":"[redacted]"}`)},
			{Names: []string{"r", "w"}, Spellings: []string{"mcp"}, Server: "b", Declared: []byte(`{"type":"mcp","server_label":"b","allowed_tools":["r","w"]}`)},
			{Names: []string{"r"}, Spellings: []string{"mcp"}, Server: "c", Declared: []byte(`{"type":"mcp","server_label":"c","allowed_tools":{"tool_names":["r"]}}`)},
			{Names: []string{"mcp"}, Server: "d", Open: true, Declared: []byte(`{"type":"mcp","server_label":"d","allowed_tools":{"read_only":true}}`)},
			{Names: []string{"mcp"}, Server: "e", Open: true, Declared: []byte(`{"type":"mcp","server_label":"e","allowed_tools":[]}`)},
			{Names: []string{"mcp"}, Server: "f", Open: true, Declared: []byte(`{"type":"mcp","server_label":"f","allowed_tools":{"read_only":true,"tool_names":["r"]}}`)},
		},
		"",
	},
	"connectors, and servers without a label": {
		`{"tools":[{"type":"mcp","server_label":"mail","connector_id":"connector_gmail","allowed_tools":["send"]},{"type":"mcp","connector_id":"connector_dropbox"},{"type":"mcp","server_url":"https://h/mcp"},{"type":"mcp","server_label":"x","function":{"name":"rm"}}]}`,
		[]dialect.Offer{
			{Names: []string{"send"}, Spellings: []string{"connector_gmail", "mcp"}, Server: "mail", Declared: []byte(`{"type":"mcp","server_label":"mail","connector_id":"connector_gmail","allowed_tools":["send"]}`)},
			{Names: []string{"mcp"}, Server: "connector_dropbox", Open: true, Declared: []byte(`{"type":"mcp","connector_id":"connector_dropbox"}`)},
			{Names: []string{"mcp"}, Server: "https://h/mcp", Open: true, Declared: []byte(`{"type":"mcp","server_url":"https://h/mcp"}`)},
			{Names: []string{"mcp", "rm"}, Server: "x", Open: true, Declared: []byte(`{"type":"mcp","server_label":"x","function":{"name":"rm"}}`)},
		},
		"",
	},
	"tools added in the conversation": {
		`{"input":[{"role":"user","content":"hi"},{"type":"additional_tools","role":"developer","tools":[{"type":"function","name":"a"},{"type":"mcp","server_label":"s"}]},{"type":"tool_search_output","call_id":"1","tools":[{"type":"namespace","name":"n","tools":[{"type":"function","name":"b"}]}]},{"type":"new_thing","tools":[{"type":"shell"}]}]}`,
		[]dialect.Offer{
			{Names: []string{"a"}, Declared: []byte(`{"type":"function","name":"a"}`)},
			{Names: []string{"mcp"}, Server: "s", Open: true, Declared: []byte(`{"type":"mcp","server_label":"s"}`)},
			{Names: []string{"n.b"}, Spellings: []string{"b", "n__b", "n/b"}, Declared: []byte(`{"type":"function","name":"b"}`)},
			{Names: []string{"shell"}, Declared: []byte(`{"type":"shell"}`)},
		},
		"",
	},
	"items of a conversation": {
		`{"items":[{"type":"additional_tools","tools":[{"type":"function","name":"a"}]}]}`,
		[]dialect.Offer{{Names: []string{"a"}, Declared: []byte(`{"type":"function","name":"a"}`)}},
		"",
	},
	"tools that are told, not offered": {`{"input":[{"type":"mcp_list_tools","server_label":"s","tools":[{"name":"a"}]},{"type":"message","role":"user","tools":7,"content":"x"}]}`, nil, ""},
	"stored prompt": {
		`{"prompt":{"id":"pmpt_1","variables":{"a":"b"}}}`,
		[]dialect.Offer{{Names: []string{"prompt"}, Fixed: true, Declared: []byte(`{"id":"pmpt_1","variables":{"a":"b"}}`)}},
		"",
	},
	"settings of compatibles": {
		`{"model":"x:online","plugins":[{"id":"web"}]}`,
		[]dialect.Offer{
			{Names: []string{"web"}, Spellings: []string{"web_search"}, Declared: []byte(`{"id":"web"}`)},
			{Names: []string{"web_search"}, Spellings: []string{"online"}, Fixed: true, Declared: []byte(`{"model":"x:online"}`)},
		},
		"",
	},
}

const (
	twoWays    = "the tools of the request can be read in more than one way"
	unreadable = "the request has a tool that is not an object, or has no name"
)

// badTests are requests that cannot be read.
var badTests = dialecttest.UnreadableCases{
	"no json":                      {Body: `{"tools":[}`, Error: "the request is not strict JSON"},
	"input twice":                  {Body: `{"input":[],"input":[{"type":"additional_tools","tools":[]}]}`, Error: twoWays},
	"tools of an item twice":       {Body: `{"input":[{"type":"additional_tools","tools":[],"Tools":[{"type":"shell"}]}]}`, Error: twoWays},
	"type of an item twice":        {Body: `{"input":[{"type":"message","type":"additional_tools","tools":[]}]}`, Error: twoWays},
	"prompt twice":                 {Body: `{"prompt":null,"prompt":{"id":"x"}}`, Error: twoWays},
	"label twice":                  {Body: `{"tools":[{"type":"mcp","server_label":"a","server_label":"b"}]}`, Error: twoWays},
	"allowed tools twice":          {Body: `{"tools":[{"type":"mcp","server_label":"a","allowed_tools":["x"],"Allowed_Tools":null}]}`, Error: twoWays},
	"allowed tool no text":         {Body: `{"tools":[{"type":"mcp","server_label":"a","allowed_tools":[{}]}]}`, Error: unreadable},
	"allowed tools no list":        {Body: `{"tools":[{"type":"mcp","server_label":"a","allowed_tools":"x"}]}`, Error: unreadable},
	"namespace without a name":     {Body: `{"tools":[{"type":"namespace","tools":[]}]}`, Error: unreadable},
	"namespace of no list":         {Body: `{"tools":[{"type":"namespace","name":"a","tools":{}}]}`, Error: unreadable},
	"namespace that is a function": {Body: `{"tools":[{"type":"namespace","name":"a","tools":[],"function":{"name":"b"}}]}`, Error: twoWays},
	"nameless member":              {Body: `{"tools":[{"type":"namespace","name":"a","tools":[{"type":"function"}]}]}`, Error: unreadable},
	"added tools no list":          {Body: `{"input":[{"type":"additional_tools","tools":"x"}]}`, Error: unreadable},
	"type no text":                 {Body: `{"tools":[{"type":["function"],"name":"a"}]}`, Error: unreadable},
}

// bad are the tools that stripTests are without.
var bad = []string{"bad", "n.bad", "n.m.bad"}

// stripTests are requests without the bad tools.
var stripTests = dialecttest.StripCases{
	"one of two":                    {`{"tools":[{"type":"function","name":"bad"},{"type":"shell"}],"tool_choice":{"type":"shell"}}`, bad, `{"tools":[{"type":"shell"}],"tool_choice":{"type":"shell"}}`},
	"all":                           {`{"input":"x","tools":[{"type":"function","name":"bad"}],"tool_choice":"auto","parallel_tool_calls":true}`, bad, `{"input":"x"}`},
	"all, with a stored prompt":     {`{"prompt":{"id":"p"},"tools":[{"type":"function","name":"bad"}],"tool_choice":"required"}`, bad, `{"prompt":{"id":"p"},"tool_choice":"required"}`},
	"the choice of a function":      {`{"tools":[{"type":"function","name":"bad"},{"type":"shell"}],"tool_choice":{"type":"function","name":"bad"}}`, bad, `{"tools":[{"type":"shell"}]}`},
	"one of a namespace":            {`{"tools":[{"type":"namespace","name":"n","tools":[{"type":"function","name":"bad"},{"type":"function","name":"ok"}]}],"tool_choice":{"type":"function","namespace":"n","name":"bad"}}`, bad, `{"tools":[{"type":"namespace","name":"n","tools":[{"type":"function","name":"ok"}]}]}`},
	"all of a namespace":            {`{"tools":[{"type":"namespace","name":"n","tools":[{"type":"function","name":"bad"}]},{"type":"shell"}]}`, bad, `{"tools":[{"type":"shell"}]}`},
	"all of an inner namespace":     {`{"tools":[{"type":"namespace","name":"n","tools":[{"type":"namespace","name":"m","tools":[{"name":"bad"}]}]},{"type":"shell"}]}`, bad, `{"tools":[{"type":"shell"}]}`},
	"a server and its listing":      {`{"tools":[{"type":"mcp","server_label":"s","allowed_tools":["ok","bad"]},{"type":"shell"}],"tool_choice":{"type":"mcp","server_label":"s","name":"ok"},"input":[{"type":"mcp_list_tools","server_label":"s","tools":[]},{"role":"user","content":"x"}]}`, bad, `{"tools":[{"type":"shell"}],"input":[{"role":"user","content":"x"}]}`},
	"a list of choices":             {`{"tools":[{"type":"function","name":"bad"},{"type":"shell"}],"tool_choice":{"type":"allowed_tools","mode":"auto","tools":[{"type":"function","name":"bad"},{"type":"shell"}]}}`, bad, `{"tools":[{"type":"shell"}],"tool_choice":{"type":"allowed_tools","mode":"auto","tools":[{"type":"shell"}]}}`},
	"added tools":                   {`{"input":[{"type":"additional_tools","role":"developer","tools":[{"type":"function","name":"bad"}]},{"role":"user","content":"x"}]}`, bad, `{"input":[{"role":"user","content":"x"}]}`},
	"some added tools":              {`{"input":[{"type":"additional_tools","role":"developer","tools":[{"type":"function","name":"bad"},{"type":"shell"}]}]}`, bad, `{"input":[{"type":"additional_tools","role":"developer","tools":[{"type":"shell"}]}]}`},
	"added tools stay":              {`{"tools":[{"type":"function","name":"bad"}],"tool_choice":"required","input":[{"type":"additional_tools","tools":[{"type":"shell"}]}]}`, bad, `{"tool_choice":"required","input":[{"type":"additional_tools","tools":[{"type":"shell"}]}]}`},
	"tools that were searched":      {`{"input":[{"type":"tool_search_output","call_id":"1","tools":[{"type":"namespace","name":"n","tools":[{"type":"function","name":"bad"}]}]}]}`, bad, `{"input":[{"type":"tool_search_output","call_id":"1","tools":[]}]}`},
	"some tools that were searched": {`{"input":[{"type":"tool_search_output","call_id":"1","tools":[{"type":"function","name":"bad"},{"type":"function","name":"ok"}]}]}`, bad, `{"input":[{"type":"tool_search_output","call_id":"1","tools":[{"type":"function","name":"ok"}]}]}`},
	"a conversation":                {`{"items":[{"type":"additional_tools","tools":[{"type":"function","name":"bad"}]}],"metadata":{}}`, bad, `{"metadata":{}}`},
}

// randomRequest is a request made of pieces that are all read.
func randomRequest(r *rand.Rand) string {
	tools := []string{
		`{"type":"function","name":"a"}`, `{"type":"function","name":"b"}`, `{"type":"custom","name":"c"}`, `{"type":"shell"}`,
		`{"type":"web_search_preview"}`, `{"type":"mcp","server_label":"s"}`, `{"type":"mcp","server_label":"t","allowed_tools":["a","d"]}`,
		`{"type":"namespace","name":"n","tools":[{"type":"function","name":"a"},{"type":"custom","name":"e"}]}`,
		`{"type":"namespace","name":"mcp__s","tools":[{"type":"function","name":"f"}]}`, `{"type":"namespace","name":"o"}`,
		`{"type":"function","function":{"name":"g"},"name":"a"}`,
	}
	list := func() string {
		var picked []string
		for range r.IntN(4) {
			picked = append(picked, tools[r.IntN(len(tools))])
		}
		return "[" + strings.Join(picked, ", ") + "]"
	}
	members := []func() string{
		func() string { return `"tools":` + list() },
		func() string { return `"functions":` + list() },
		func() string {
			return `"input":[{"type":"additional_tools","tools":` + list() + `},{"type":"mcp_list_tools","server_label":"s","tools":[{"name":"a"}]},` +
				`{"type":"tool_search_output","call_id":"1","tools":` + list() + `}]`
		},
		func() string { return `"items":[{"type":"additional_tools","tools":` + list() + `}]` },
		func() string { return `"tool_choice":` + tools[r.IntN(len(tools))] },
		func() string { return `"tool_choice":{"type":"allowed_tools","mode":"auto","tools":` + list() + `}` },
		func() string { return `"tool_choice":"required"` },
		func() string { return `"parallel_tool_calls":true` },
		func() string { return `"plugins":[{"id":"web"},{"id":"x"}]` },
		func() string { return `"prompt":{"id":"p"}` },
		func() string { return `"web_search_options":{}` },
	}
	r.Shuffle(len(members), func(i, j int) { members[i], members[j] = members[j], members[i] })
	var picked []string
	for _, m := range members[:1+r.IntN(len(members)-1)] {
		picked = append(picked, m())
	}
	return "{" + strings.Join(picked, ",") + "}"
}

func TestStripRandom(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 1))
	for range 150 {
		requests.Check(t, []byte(randomRequest(r)), r)
	}
}

// requests is the check of what is said of requests.
var requests = dialecttest.Requests{
	Format: openairesponses.Format(), Offered: dialecttest.OpenAITools,
	Offers: offerTests, Strips: stripTests, Unreadable: badTests, Results: resultTests,
}

func TestRequests(t *testing.T) { requests.Run(t) }

func FuzzRequest(f *testing.F) { requests.Fuzz(f) }
