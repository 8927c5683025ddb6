package anthropic_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/model/dialect/anthropic"
	"github.com/weir-gate/weir/internal/model/dialect/dialecttest"
)

const (
	listTool    = `{"name":"ls","description":"List.","input_schema":{"type":"object"}}`
	shellTool   = `{"name":"sh","input_schema":{}}`
	filesServer = `{"type":"url","name":"files","url":"https://mcp.example","authorization_token":"t"}`
	filesShown  = `{"type":"url","name":"files","url":"https://mcp.example","authorization_token":"[redacted]"}`
	gone        = `{"type":"text","text":"[weir] A tool was removed here."}`
)

var (
	listOffer  = dialect.Offer{Names: []string{"ls"}, Declared: []byte(listTool)}
	shellOffer = dialect.Offer{Names: []string{"sh"}, Declared: []byte(shellTool)}
)

// typed is the offer of a tool that the provider defines.
func typed(declared string, names, spellings []string) dialect.Offer {
	return dialect.Offer{Names: names, Spellings: spellings, Declared: []byte(declared)}
}

// limited is the offer of some tools of a server.
func limited(declared string, tools ...string) dialect.Offer {
	return dialect.Offer{Names: tools, Spellings: []string{"mcp"}, Server: "files", Declared: []byte(declared)}
}

// open is the offer of all tools of a server.
func open(declared string) dialect.Offer {
	return dialect.Offer{Names: []string{"mcp"}, Server: "files", Open: true, Declared: []byte(declared)}
}

// fixed is an offer that cannot be taken out.
func fixed(o dialect.Offer) dialect.Offer {
	o.Fixed = true
	return o
}

// typedCases are tools that the provider defines.
var typedCases = dialecttest.OfferCases{
	"in the client": {
		`{"tools":[{"type":"bash_20250124","name":"bash"},{"type":"text_editor_20250728","name":"str_replace_based_edit_tool"},{"type":"computer_20251124","name":"computer"},{"type":"memory_20250818","name":"memory"}]}`,
		[]dialect.Offer{
			typed(`{"type":"bash_20250124","name":"bash"}`, []string{"bash"}, []string{"bash_20250124"}),
			typed(`{"type":"text_editor_20250728","name":"str_replace_based_edit_tool"}`, []string{"str_replace_based_edit_tool"}, []string{"text_editor_20250728", "text_editor"}),
			typed(`{"type":"computer_20251124","name":"computer"}`, []string{"computer"}, []string{"computer_20251124"}),
			typed(`{"type":"memory_20250818","name":"memory"}`, []string{"memory"}, []string{"memory_20250818"}),
		},
		`{}`,
	},
	"at the provider": {
		`{"tools":[{"type":"web_search_20260209","name":"web_search","max_uses":2},{"type":"code_execution_20250522","name":"code_execution"},{"type":"code_execution_20250825","name":"code_execution"},{"type":"tool_search_tool_regex","name":"tool_search_tool_regex"},{"type":"advisor_20260301","name":"advisor","model":"m"}]}`,
		[]dialect.Offer{
			typed(`{"type":"web_search_20260209","name":"web_search","max_uses":2}`, []string{"web_search"}, []string{"web_search_20260209"}),
			typed(`{"type":"code_execution_20250522","name":"code_execution"}`, []string{"code_execution"}, []string{"code_execution_20250522"}),
			typed(`{"type":"code_execution_20250825","name":"code_execution"}`, []string{"code_execution", "bash_code_execution", "text_editor_code_execution"}, []string{"code_execution_20250825"}),
			typed(`{"type":"tool_search_tool_regex","name":"tool_search_tool_regex"}`, []string{"tool_search_tool_regex"}, nil),
			typed(`{"type":"advisor_20260301","name":"advisor","model":"m"}`, []string{"advisor"}, []string{"advisor_20260301"}),
		},
		`{}`,
	},
	"unknown": {
		`{"tools":[{"type":"teleport_20300101"},{"type":"fax"},{"type":"20250124_x","name":"f"}]}`,
		[]dialect.Offer{
			typed(`{"type":"teleport_20300101"}`, []string{"teleport"}, []string{"teleport_20300101"}),
			typed(`{"type":"fax"}`, []string{"fax"}, nil),
			typed(`{"type":"20250124_x","name":"f"}`, []string{"f"}, []string{"20250124_x"}),
		},
		`{}`,
	},
	"a set that we do not know": {
		`{"tools":[{"type":"phone_toolset_20300101","configs":{"dial":{"enabled":true},"hang_up":null,"text":{"enabled":false},"wipe":{"enabled":false},"wipe":{}}}]}`,
		[]dialect.Offer{typed(
			`{"type":"phone_toolset_20300101","configs":{"dial":{"enabled":true},"hang_up":null,"text":{"enabled":false},"wipe":{"enabled":false},"wipe":{}}}`,
			[]string{"phone", "phone.dial", "dial", "phone.hang_up", "hang_up", "phone.wipe", "wipe"}, []string{"phone_toolset_20300101", "phone_toolset"},
		)},
		`{}`,
	},
}

// serverCases are MCP servers that the provider connects to.
var serverCases = dialecttest.OfferCases{
	"a server alone": {`{"mcp_servers":[` + filesServer + `],"max_tokens":1}`, []dialect.Offer{open(filesShown)}, `{"max_tokens":1}`},
	"with a toolset": {
		`{"mcp_servers":[` + filesServer + `],"tools":[` + listTool + `,{"type":"mcp_toolset","mcp_server_name":"files"}]}`,
		[]dialect.Offer{listOffer, open(filesShown)},
		`{}`,
	},
	"some tools, the old way": {
		`{"mcp_servers":[{"name":"files","tool_configuration":{"enabled":true,"allowed_tools":["read","list"]}}]}`,
		[]dialect.Offer{limited(`{"name":"files","tool_configuration":{"enabled":true,"allowed_tools":["read","list"]}}`, "list", "read")},
		`{}`,
	},
	"no tools, the old way": {
		`{"mcp_servers":[{"name":"files","tool_configuration":{"allowed_tools":[]}}]}`,
		[]dialect.Offer{open(`{"name":"files","tool_configuration":{"allowed_tools":[]}}`)},
		`{}`,
	},
	"some tools": {
		`{"mcp_servers":[` + filesServer + `],"tools":[{"type":"mcp_toolset","mcp_server_name":"files","default_config":{"enabled":false},"configs":{"read":{"enabled":true},"list":{},"write":{"enabled":false}}}]}`,
		[]dialect.Offer{limited(filesShown, "list", "read")},
		`{}`,
	},
	"all tools but one": {
		`{"mcp_servers":[` + filesServer + `],"tools":[{"type":"mcp_toolset","mcp_server_name":"files","configs":{"write":{"enabled":false}}}]}`,
		[]dialect.Offer{open(filesShown)},
		`{}`,
	},
	"tools that are pinned": {
		`{"mcp_servers":[` + filesServer + `],"tools":[{"type":"mcp_toolset","mcp_server_name":"files","configs":{"write":{"enabled":false}},"tools":[{"name":"read"},{"name":"write"}]}]}`,
		[]dialect.Offer{limited(filesShown, "read")},
		`{}`,
	},
	"pinned, off but for one": {
		`{"mcp_servers":[` + filesServer + `],"tools":[{"type":"mcp_toolset","mcp_server_name":"files","default_config":{"enabled":false},"configs":{"write":{"enabled":true}},"tools":[{"name":"read"},{"name":"write"}]}]}`,
		[]dialect.Offer{limited(filesShown, "write")},
		`{}`,
	},
	"a toolset of no server": {
		`{"tools":[{"type":"mcp_toolset","mcp_server_name":"files"}]}`,
		[]dialect.Offer{open(`{"type":"mcp_toolset","mcp_server_name":"files"}`)},
		`{}`,
	},
	"one name twice": {
		`{"mcp_servers":[{"name":"files","tool_configuration":{"allowed_tools":["read"]}},{"name":"files","url":"https://other"}]}`,
		[]dialect.Offer{open(`{"name":"files","url":"https://other"}`)},
		`{}`,
	},
	"two servers": {
		`{"mcp_servers":[{"name":"mail"},` + filesServer + `]}`,
		[]dialect.Offer{{Names: []string{"mcp"}, Server: "mail", Open: true, Declared: []byte(`{"name":"mail"}`)}, open(filesShown)},
		`{}`,
	},
}

// addition is a block that makes a tool available, removal one that takes it away.
func addition(tool string) string { return `{"type":"tool_addition","tool":` + tool + `}` }
func removal(tool string) string  { return `{"type":"tool_removal","tool":` + tool + `}` }

const (
	listRef     = `{"type":"tool_reference","name":"ls"}`
	filesRef    = `{"type":"mcp_toolset_reference","server_name":"files"}`
	readFileRef = `{"type":"mcp_tool_reference","server_name":"files","name":"read"}`
)

// changeCases are tools that come up in the conversation.
var changeCases = dialecttest.OfferCases{
	"a definition": {
		`{"messages":[{"role":"system","content":[` + addition(`{"type":"tool_definition","definition":`+listTool+`}`) + `,{"type":"text","text":"hi"}]}]}`,
		[]dialect.Offer{listOffer},
		`{"messages":[{"role":"system","content":[` + gone + `,{"type":"text","text":"hi"}]}]}`,
	},
	"a reference": {
		`{"tools":[` + listTool + `],"messages":[{"role":"system","content":[` + removal(listRef) + `]},{"role":"system","content":[` + addition(listRef) + `]}]}`,
		[]dialect.Offer{listOffer},
		`{"messages":[{"role":"system","content":[` + gone + `]},{"role":"system","content":[` + gone + `]}]}`,
	},
	"a reference to what is not there": {
		`{"messages":[{"role":"system","content":[` + addition(listRef) + `,` + removal(listRef) + `,` + removal(`{"type":"tool_reference","name":"sh"}`) + `]}]}`,
		[]dialect.Offer{{Names: []string{"ls"}, Declared: []byte(listRef)}},
		`{"messages":[{"role":"system","content":[` + gone + `,` + gone + `,` + removal(`{"type":"tool_reference","name":"sh"}`) + `]}]}`,
	},
	"servers": {
		`{"mcp_servers":[` + filesServer + `],"messages":[{"role":"system","content":[` + addition(`{"type":"tool_definition","definition":{"type":"mcp_toolset","mcp_server_name":"files"}}`) + `,` + removal(filesRef) + `,` + addition(readFileRef) + `]}]}`,
		[]dialect.Offer{open(filesShown)},
		`{"messages":[{"role":"system","content":[` + gone + `,` + gone + `,` + gone + `]}]}`,
	},
	"a tool of a server that is not there": {
		`{"messages":[{"role":"system","content":[` + removal(filesRef) + `,` + addition(readFileRef) + `]}]}`,
		[]dialect.Offer{limited(readFileRef, "read")},
		`{"messages":[{"role":"system","content":[` + removal(filesRef) + `,` + gone + `]}]}`,
	},
	"all tools of a server that is not there": {
		`{"messages":[{"role":"system","content":[` + addition(filesRef) + `]}]}`,
		[]dialect.Offer{open(filesRef)},
		`{"messages":[{"role":"system","content":[` + gone + `]}]}`,
	},
	"an unknown kind": {
		`{"system":[` + addition(`{"type":"tool_guess","name":"ls"}`) + `,` + removal(`{"type":"tool_wish"}`) + `]}`,
		[]dialect.Offer{{Names: []string{"tool_guess", "ls"}, Declared: []byte(`{"type":"tool_guess","name":"ls"}`)}},
		`{"system":[` + gone + `,` + removal(`{"type":"tool_wish"}`) + `]}`,
	},
	"kept by a summary": {
		`{"tools":[` + listTool + `,` + shellTool + `],"messages":[{"role":"assistant","content":[{"type":"compaction","content":"so far","tool_changes":[` +
			addition(`{"type":"tool_definition","definition":{"name":"old"}}`) + `,` + removal(listRef) + `,{"type":"text"}]}]}]}`,
		[]dialect.Offer{fixed(listOffer), shellOffer, fixed(dialect.Offer{Names: []string{"old"}, Declared: []byte(`{"name":"old"}`)})},
		`{"tools":[` + listTool + `],"messages":[{"role":"assistant","content":[{"type":"compaction","content":"so far","tool_changes":[` +
			addition(`{"type":"tool_definition","definition":{"name":"old"}}`) + `,` + removal(listRef) + `,{"type":"text"}]}]}]}`,
	},
}

var otherCases = dialecttest.OfferCases{
	"nothing":    {`{"model":"m","messages":[{"role":"user","content":"hi"}]}`, nil, `{"model":"m","messages":[{"role":"user","content":"hi"}]}`},
	"empty body": {``, nil, ``},
	"no object":  {`17`, nil, `17`},
	"null":       {`{"tools":null,"mcp_servers":null,"container":null}`, nil, `{"tools":null,"mcp_servers":null,"container":null}`},
	"tools of the client": {
		`{"model":"m","tools":[` + listTool + `,{"type":"custom","name":"sh"},{"type":null,"name":"rm"}],"tool_choice":{"type":"auto"},"max_tokens":1}`,
		[]dialect.Offer{
			listOffer,
			{Names: []string{"sh"}, Declared: []byte(`{"type":"custom","name":"sh"}`)},
			{Names: []string{"rm"}, Declared: []byte(`{"type":null,"name":"rm"}`)},
		},
		`{"model":"m","max_tokens":1}`,
	},
	"in the shape of another API": {
		`{"tools":[{"type":"function","function":{"name":"ls"}},{"name":"sh","function":{"name":"rm"}},{"type":"function"}]}`,
		[]dialect.Offer{
			typed(`{"type":"function","function":{"name":"ls"}}`, []string{"ls"}, []string{"function"}),
			typed(`{"name":"sh","function":{"name":"rm"}}`, []string{"sh", "rm"}, nil),
			typed(`{"type":"function"}`, []string{"function"}, nil),
		},
		`{}`,
	},
	"a container": {
		`{"container":{"id":null,"skills":[{"type":"anthropic","skill_id":"pdf"}]},"tools":[` + shellTool + `],"tool_choice":{"type":"any"}}`,
		[]dialect.Offer{
			shellOffer,
			fixed(dialect.Offer{Names: []string{"container"}, Declared: []byte(`{"id":null,"skills":[{"type":"anthropic","skill_id":"pdf"}]}`)}),
		},
		`{"container":{"id":null,"skills":[{"type":"anthropic","skill_id":"pdf"}]}}`,
	},
	"a container by its id": {
		`{"container":"c_1"}`,
		[]dialect.Offer{fixed(dialect.Offer{Names: []string{"container"}, Declared: []byte(`{"container":"c_1"}`)})},
		`{"container":"c_1"}`,
	},
	"a batch": {
		`{"requests":[{"custom_id":"1","params":{"model":"m","tools":[` + listTool + `],"tool_choice":{"type":"any"}}},{"custom_id":"2","params":{"model":"m","tools":[` + shellTool + `]}},{"custom_id":"3"}]}`,
		[]dialect.Offer{listOffer, shellOffer},
		`{"requests":[{"custom_id":"1","params":{"model":"m"}},{"custom_id":"2","params":{"model":"m"}},{"custom_id":"3"}]}`,
	},
	"twice what does not matter": {
		`{"model":"a","Model":"b","tools":[{"name":"sh","description":"a","description":"b"}],"messages":[{"role":"user","content":[{"type":"text","type":"image"}]}]}`,
		[]dialect.Offer{{Names: []string{"sh"}, Declared: []byte(`{"name":"sh","description":"a","description":"b"}`)}},
		`{"model":"a","Model":"b","messages":[{"role":"user","content":[{"type":"text","type":"image"}]}]}`,
	},
}

// offerCases are those of all tables.
func offerCases() dialecttest.OfferCases {
	all := dialecttest.OfferCases{}
	for _, table := range []dialecttest.OfferCases{typedCases, serverCases, changeCases, otherCases} {
		maps.Copy(all, table)
	}
	return all
}

// The tools of a set have the names that their calls have in a response.
func TestToolsets(t *testing.T) {
	for typ, wants := range map[string][]string{
		"browser_toolset_20260801":  {"browser", "browser.navigate", "navigate", "browser.javascript_exec"},
		"computer_toolset_20260801": {"computer", "computer.left_click", "left_click", "computer.type"},
	} {
		body := `{"tools":[{"type":"` + typ + `","configs":{"zoom":{"enabled":false},"wait":{"enabled":true}}}]}`
		request, err := anthropic.Format().Requests.Read([]byte(body))
		if err != nil || len(request.Offers) != 1 {
			t.Fatal(request, err)
		}
		names := request.Offers[0].Names
		for _, want := range append(wants, "wait") {
			if !slices.Contains(names, want) {
				t.Errorf("%s: no %q in %q", typ, want, names)
			}
		}
		if slices.Contains(names, "zoom") || names[0] != wants[0] {
			t.Errorf("%s: %q", typ, names)
		}
	}
}

// requests is the check of what is said of requests.
var requests = dialecttest.Requests{
	Format: anthropic.Format(),
	Offers: offerCases(), Strips: stripCases, Unreadable: unreadableRequests, Results: resultCases,
	Offered: func(body any) []string {
		requests := append(dialecttest.At(body, "requests", "params"), body)
		found := dialecttest.At(requests, "tools", "name")
		for _, block := range dialecttest.At(requests, "messages", "content") {
			if slices.Equal(dialecttest.Texts(dialecttest.At(block, "type")), []string{"tool_addition"}) {
				found = append(found, dialecttest.At(block, "tool", "name")...)
				found = append(found, dialecttest.At(block, "tool", "definition", "name")...)
			}
		}
		return dialecttest.Texts(found)
	},
}

func TestRequests(t *testing.T) { requests.Run(t) }

func FuzzRequest(f *testing.F) { requests.Fuzz(f) }
