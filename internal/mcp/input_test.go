package mcp

import (
	"strings"
	"testing"
)

// Requests of the server inside a response are judged like those that come by themselves.
func TestInputs(t *testing.T) {
	called := step{"C", callTool("1", "echo", `{}`), "="}
	refused := func(method string) string {
		return ">" + toolError("1", `[weir] The server asked for more, which is not passed on. The call to \"`+method+`\"`+why)
	}
	conversation := func(j *scriptedJudge, answer, want string, log ...string) row {
		m := read(t, answer)
		given := `given tools/call tool="echo" ` + string(m.Result) + string(m.Error)
		return row{judge: j, steps: []step{called, {"S", answer, want}}, log: append([]string{`call echo {} method="" id=1`, given}, log...)}
	}
	two := reply("1", `{"resultType":"input_required","inputRequests":{"a":{"method":"elicitation/create","params":{"message":"m"}},`+
		`"b":{"method":"sampling/createMessage","params":{"x":1}}},"requestState":"s"}`)
	asked := []string{
		`call elicitation/create {"message":"m"} method="elicitation/create" id=1`,
		`call sampling/createMessage {"x":1} method="sampling/createMessage" id=1`,
	}
	malformed := ">" + toolError("1", `[weir] The response to the call to \"echo\" was refused (malformed): The server's response can be read in more than one way.`+tail)
	bad := func(result string) row {
		return conversation(&scriptedJudge{}, reply("1", result), malformed, `refused echo malformed method=""`)
	}
	url := `{"jsonrpc":"2.0","id":1,"error":{"code":-32042,"message":"go","data":{"elicitations":[{"mode":"url","url":"u"},{"url":"v"}]}}}`
	runRows(t, map[string]row{
		"all released": conversation(&scriptedJudge{}, two, "=", asked...),
		"one refused":  conversation(&scriptedJudge{refuse: []string{"sampling/createMessage"}}, two, refused("sampling/createMessage"), asked...),
		"changed": conversation(&scriptedJudge{args: map[string]string{"sampling/createMessage": `{"x":2}`}}, two,
			">"+strings.Replace(two, `{"x":1}`, `{"x":2}`, 1), asked...),
		"changed to what it cannot be": conversation(&scriptedJudge{args: map[string]string{"roots/list": `{`}},
			reply("1", `{"inputRequests":{"a":{"method":"roots/list"}}}`), malformed,
			`call roots/list {} method="roots/list" id=1`, `refused echo malformed method=""`),
		"without a type": conversation(&scriptedJudge{refuse: []string{"roots/list"}},
			reply("1", `{"content":[],"inputRequests":{"a":{"method":"roots/list"}}}`), refused("roots/list"),
			`call roots/list {} method="roots/list" id=1`),
		"in a list": conversation(&scriptedJudge{refuse: []string{"roots/list"}},
			reply("1", `{"inputRequests":[{"method":"roots/list"}]}`), refused("roots/list"),
			`call roots/list {} method="roots/list" id=1`),
		"none": conversation(&scriptedJudge{refuse: []string{"roots/list"}}, reply("1", `{"inputRequests":null}`), "="),
		"unreadable": conversation(&scriptedJudge{}, reply("1", `{"inputRequests":{"a":{"method":"roots/list","params":{"a":1,"A":2}}}}`),
			">"+toolError("1", `[weir] The server asked for more, which is not passed on. The call to \"roots/list\" was refused (args_unreadable): Its parameters can be read in more than one way.`+tail),
			`refused roots/list args_unreadable method="roots/list"`),
		"requests twice":    bad(`{"inputRequests":{},"inputRequests":{"a":{"method":"roots/list"}}}`),
		"type twice":        bad(`{"resultType":"complete","ResultType":"input_required"}`),
		"method twice":      bad(`{"inputRequests":{"a":{"method":"ping","method":"roots/list"}}}`),
		"params twice":      bad(`{"inputRequests":{"a":{"method":"ping","params":{},"params":{}}}}`),
		"no method":         bad(`{"inputRequests":{"a":{}}}`),
		"odd method":        bad(`{"inputRequests":{"a":{"method":"Roots/List"}}}`),
		"a text":            bad(`{"inputRequests":"roots/list"}`),
		"too many":          bad(`{"inputRequests":[` + strings.TrimSuffix(strings.Repeat(`{"method":"roots/list"},`, maxInputs+1), ",") + `]}`),
		"task twice":        bad(`{"task":{"taskId":"a"},"task":{"taskId":"b"}}`),
		"task's id twice":   bad(`{"task":{"taskId":"a","taskid":"b"}}`),
		"direct id twice":   bad(`{"taskId":"a","taskid":"b"}`),
		"an address passes": conversation(&scriptedJudge{}, url, "=", `call elicitation/create {"mode":"url","url":"u"} method="elicitation/create" id=1`, `call elicitation/create {"url":"v"} method="elicitation/create" id=1`),
		"an address is refused": conversation(&scriptedJudge{refuse: []string{"elicitation/create"}}, url, refused("elicitation/create"),
			`call elicitation/create {"mode":"url","url":"u"} method="elicitation/create" id=1`),
		"addresses are changed": conversation(&scriptedJudge{args: map[string]string{"elicitation/create": `{"url":"w"}`}}, url,
			`>{"jsonrpc":"2.0","id":1,"error":{"code":-32042,"message":"go","data":{"elicitations":[{"url":"w"},{"url":"w"}]}}}`,
			`call elicitation/create {"mode":"url","url":"u"} method="elicitation/create" id=1`, `call elicitation/create {"url":"v"} method="elicitation/create" id=1`),
		"an address in other data": conversation(&scriptedJudge{refuse: []string{"elicitation/create"}},
			`{"jsonrpc":"2.0","id":1,"error":{"code":-32042,"message":"go","data":{"url":"u"}}}`, refused("elicitation/create"),
			`call elicitation/create {"url":"u"} method="elicitation/create" id=1`),
		"an address without data": conversation(&scriptedJudge{refuse: []string{"elicitation/create"}},
			failure("1", "-32042", "go"), refused("elicitation/create"), `call elicitation/create {} method="elicitation/create" id=1`),
		"an address that is no object": conversation(&scriptedJudge{},
			`{"jsonrpc":"2.0","id":1,"error":{"code":-32042,"message":"go","data":{"elicitations":["u"]}}}`,
			">"+toolError("1", `[weir] The server asked for more, which is not passed on. The call to \"elicitation/create\" was refused (args_unreadable): Its parameters can be read in more than one way.`+tail),
			`refused elicitation/create args_unreadable method="elicitation/create"`),
		"addresses twice": conversation(&scriptedJudge{},
			`{"jsonrpc":"2.0","id":1,"error":{"code":-32042,"message":"go","data":{"elicitations":[],"Elicitations":[{}]}}}`, malformed,
			`refused echo malformed method=""`),
	})
}

// A call that is repeated with what the server asked for is judged again.
func TestRepeatedCalls(t *testing.T) {
	row{
		judge: &scriptedJudge{},
		steps: []step{
			{"C", callTool("1", "echo", `{"a":1}`), "="},
			{"S", reply("1", `{"resultType":"input_required","requestState":"s"}`), "="},
			{"C", ask("2", "tools/call", `{"name":"echo","arguments":{"a":2},"inputResponses":{"a":{}},"requestState":"s"}`), "="},
		},
		log: []string{
			`call echo {"a":1} method="" id=1`, `given tools/call tool="echo" {"resultType":"input_required","requestState":"s"}`,
			`call echo {"a":2} method="" id=2`,
		},
	}.run(t)
}
