package anthropic_test

import "github.com/weir-gate/weir/internal/model/dialect/dialecttest"

// stripCases are requests, the tools or servers that are stripped from them, and what is left.
var stripCases = dialecttest.StripCases{
	"one of two": {
		`{"tools": [ ` + listTool + ` , ` + shellTool + ` ], "tool_choice":{"type":"any"}}`,
		[]string{"sh"},
		`{"tools": [ ` + listTool + ` ], "tool_choice":{"type":"any"}}`,
	},
	"a choice of it": {
		`{"tools":[` + listTool + `,` + shellTool + `],"tool_choice":{"type":"tool","name":"sh","disable_parallel_tool_use":true},"max_tokens":1}`,
		[]string{"sh"},
		`{"tools":[` + listTool + `],"max_tokens":1}`,
	},
	"a choice of another": {
		`{"tools":[` + listTool + `,` + shellTool + `],"tool_choice":{"type":"tool","name":"ls"}}`,
		[]string{"sh"},
		`{"tools":[` + listTool + `],"tool_choice":{"type":"tool","name":"ls"}}`,
	},
	"a choice of one that is there twice": {
		`{"tools":[` + shellTool + `,{"type":"custom","name":"sh"}],"tool_choice":{"type":"tool","name":"sh"}}`,
		[]string{"sh"},
		`{}`,
	},
	"a choice of a server's tool": {
		`{"tools":[` + shellTool + `,{"type":"mcp_toolset","mcp_server_name":"files"}],"mcp_servers":[` + filesServer + `],"tool_choice":{"type":"tool","name":"files_read"}}`,
		[]string{"files"},
		`{"tools":[` + shellTool + `]}`,
	},
	"a choice in another unit of a batch": {
		`{"requests":[{"params":{"tools":[` + shellTool + `],"m":1,"tool_choice":{"type":"any"}}},{"params":{"tools":[` + listTool + `],"tool_choice":{"type":"tool","name":"sh"}}}]}`,
		[]string{"sh"},
		`{"requests":[{"params":{"m":1}},{"params":{"tools":[` + listTool + `],"tool_choice":{"type":"tool","name":"sh"}}}]}`,
	},
	"references in results": {
		`{"tools":[` + listTool + `,` + shellTool + `],"messages":[{"role":"user","content":[{"type":"tool_result","tool_use_id":"1","content":[{"type":"tool_reference","tool_name":"sh"},{"type":"tool_reference","tool_name":"ls"}]},` +
			`{"type":"tool_result","tool_use_id":"2","content":[{"type":"tool_reference","tool_name":"sh"},{"type":"tool_reference","tool_name":"sh"}]}]},` +
			`{"role":"assistant","content":[{"type":"tool_search_tool_result","tool_use_id":"3","content":{"type":"tool_search_tool_search_result","tool_references":[{"type":"tool_reference","tool_name":"sh"}]}},` +
			`{"type":"tool_search_tool_result","tool_use_id":"4","content":{"type":"tool_search_tool_search_result","tool_references":[{"type":"tool_reference","tool_name":"ls"},{"type":"tool_reference","tool_name":"sh"}]}}]}]}`,
		[]string{"sh"},
		`{"tools":[` + listTool + `],"messages":[{"role":"user","content":[{"type":"tool_result","tool_use_id":"1","content":[{"type":"tool_reference","tool_name":"ls"}]},` +
			`{"type":"tool_result","tool_use_id":"2","content":[` + gone + `]}]},` +
			`{"role":"assistant","content":[{"type":"tool_search_tool_result","tool_use_id":"3","content":{"type":"tool_search_tool_search_result","tool_references":[]}},` +
			`{"type":"tool_search_tool_result","tool_use_id":"4","content":{"type":"tool_search_tool_search_result","tool_references":[{"type":"tool_reference","tool_name":"ls"}]}}]}]}`,
	},
	"a choice of some of a server's tools": {
		`{"tools":[` + shellTool + `],"mcp_servers":[{"name":"my_files","tool_configuration":{"allowed_tools":["read"]}},{"name":"my"}],"tool_choice":{"type":"tool","name":"my_files_read"}}`,
		[]string{"my_files"},
		`{"tools":[` + shellTool + `],"mcp_servers":[{"name":"my"}],"tool_choice":{"type":"tool","name":"my_files_read"}}`,
	},
	"a choice where one is left that cannot go": {
		`{"tools":[` + listTool + `,` + shellTool + `],"messages":[{"content":[{"type":"compaction","tool_changes":[` + removal(listRef) + `]}]}],"tool_choice":{"type":"any"}}`,
		[]string{"sh"},
		`{"tools":[` + listTool + `],"messages":[{"content":[{"type":"compaction","tool_changes":[` + removal(listRef) + `]}]}],"tool_choice":{"type":"any"}}`,
	},
	"a server with a tool beside it": {
		`{"tools":[{"type":"mcp_toolset","mcp_server_name":"files"},` + shellTool + `],"mcp_servers":[` + filesServer + `,{"name":"mail"}],"tool_choice":{"type":"auto"}}`,
		[]string{"files"},
		`{"tools":[` + shellTool + `],"mcp_servers":[{"name":"mail"}],"tool_choice":{"type":"auto"}}`,
	},
}

var unreadableRequests = dialecttest.UnreadableCases{
	"not JSON":                 {Body: `{"tools":[`},
	"tools twice":              {Body: `{"tools":[],"tools":[` + listTool + `]}`},
	"tools capital":            {Body: `{"Tools":[` + listTool + `]}`},
	"tools an object":          {Body: `{"tools":` + listTool + `}`},
	"a text":                   {Body: `{"tools":["ls"]}`},
	"null":                     {Body: `{"tools":[null]}`},
	"no name":                  {Body: `{"tools":[{"input_schema":{}}]}`},
	"custom without a name":    {Body: `{"tools":[{"type":"custom"}]}`},
	"name twice":               {Body: `{"tools":[{"name":"a","name":"b"}]}`},
	"name capital":             {Body: `{"tools":[{"name":"a","Name":"b"}]}`},
	"name a number":            {Body: `{"tools":[{"name":1}]}`},
	"type twice":               {Body: `{"tools":[{"name":"a","type":"custom","type":"bash_20250124"}]}`},
	"function twice":           {Body: `{"tools":[{"name":"a","function":{"name":"b"},"function":{"name":"c"}}]}`},
	"servers twice":            {Body: `{"mcp_servers":[],"mcp_servers":[]}`},
	"servers an object":        {Body: `{"mcp_servers":{}}`},
	"a server without a name":  {Body: `{"mcp_servers":[{"url":"https://x"}]}`},
	"a server's name twice":    {Body: `{"mcp_servers":[{"name":"a","name":"b"}]}`},
	"allowed tools twice":      {Body: `{"mcp_servers":[{"name":"a","tool_configuration":{"allowed_tools":[],"allowed_tools":["x"]}}]}`},
	"allowed tools a text":     {Body: `{"mcp_servers":[{"name":"a","tool_configuration":{"allowed_tools":"x"}}]}`},
	"allowed tools of numbers": {Body: `{"mcp_servers":[{"name":"a","tool_configuration":{"allowed_tools":[1]}}]}`},
	"a toolset of nobody":      {Body: `{"tools":[{"type":"mcp_toolset"}]}`},
	"default_config twice":     {Body: `{"tools":[{"type":"mcp_toolset","mcp_server_name":"a","default_config":{"enabled":false},"default_config":{}}]}`},
	"pinned without a name":    {Body: `{"tools":[{"type":"mcp_toolset","mcp_server_name":"a","tools":[{}]}]}`},
	"container twice":          {Body: `{"container":"a","container":"b"}`},
	"messages twice":           {Body: `{"messages":[],"messages":[]}`},
	"content twice":            {Body: `{"messages":[{"content":[],"content":[]}]}`},
	"perhaps an addition":      {Body: `{"messages":[{"content":[{"type":"text","type":"tool_addition"}]}]}`},
	"an addition of nothing":   {Body: `{"messages":[{"content":[{"type":"tool_addition"}]}]}`},
	"an addition of a text":    {Body: `{"messages":[{"content":[{"type":"tool_addition","tool":"ls"}]}]}`},
	"an addition of no type":   {Body: `{"messages":[{"content":[` + addition(`{"name":"ls"}`) + `]}]}`},
	"a reference to nothing":   {Body: `{"messages":[{"content":[` + addition(`{"type":"tool_reference"}`) + `]}]}`},
	"a reference to no server": {Body: `{"messages":[{"content":[` + addition(`{"type":"mcp_tool_reference","name":"a"}`) + `]}]}`},
	"a definition of nothing":  {Body: `{"messages":[{"content":[` + addition(`{"type":"tool_definition"}`) + `]}]}`},
	"definition twice":         {Body: `{"messages":[{"content":[` + addition(`{"type":"tool_definition","definition":{"name":"a"},"definition":{"name":"b"}}`) + `]}]}`},
	"batch twice":              {Body: `{"requests":[],"requests":[]}`},
	"params twice":             {Body: `{"requests":[{"params":{},"params":{}}]}`},
	"a batch an object":        {Body: `{"requests":{"params":{}}}`},
}
