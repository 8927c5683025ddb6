package mcp

import (
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/weirtest/expect"
)

const (
	tail            = " Do not retry it; continue without it or ask the user."
	why             = " was refused (tool_denied, rule test-rule): The test says so." + tail
	refusedResponse = " was refused (content_denied, rule test-rule): The test says so." + tail
)

// toolError is the response to a call that was refused.
func toolError(id, text string) string {
	return `{"jsonrpc":"2.0","id":` + id + `,"result":{"content":[{"type":"text","text":"` + text + `"}],"isError":true}}`
}

// failure is a response that is an error.
func failure(id, code, text string) string {
	return `{"jsonrpc":"2.0","id":` + id + `,"error":{"code":` + code + `,"message":"` + text + `"}}`
}

// ask and reply are messages.
func ask(id, method, params string) string {
	return `{"jsonrpc":"2.0","id":` + id + `,"method":"` + method + `","params":` + params + `}`
}

func tell(method, params string) string {
	return `{"jsonrpc":"2.0","method":"` + method + `","params":` + params + `}`
}

func reply(id, result string) string {
	return `{"jsonrpc":"2.0","id":` + id + `,"result":` + result + `}`
}

func callTool(id, name, args string) string {
	return ask(id, "tools/call", `{"name":"`+name+`","arguments":`+args+`}`)
}

// A step is a message and what becomes of it.
type step struct {
	side string // C or S: who sends it
	raw  string
	want string // as fate.String has it
}

// A row is a conversation.
type row struct {
	judge   *scriptedJudge
	replays bool
	steps   []step
	log     []string // what the judge was asked
}

func (r row) run(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		x := begin(t, r.judge, func(c *Config) { c.Replays = r.replays })
		for i, s := range r.steps {
			send := x.client
			if s.side == "S" {
				send = x.server
			}
			f := send(s.raw)
			synctest.Wait()
			expect.NoDiff(t, cmp.Diff(s.want, f.String()), "step %d", i)
		}
		expect.NoDiff(t, cmp.Diff(r.log, r.judge.log), "judge")
		x.ClientGone()
	})
}

func runRows(t *testing.T, rows map[string]row) {
	for name, r := range rows {
		t.Run(name, r.run)
	}
}

// A server's notification with params that MCP does not name is judged by its method.
func TestServerNotesWithMore(t *testing.T) {
	runRows(t, map[string]row{
		"refused": {
			judge: &scriptedJudge{refuse: []string{"notifications/tools/list_changed"}},
			steps: []step{
				{"S", tell("notifications/tools/list_changed", `{"run":"it"}`), "-"},
				{"S", tell("notifications/tools/list_changed", `{}`), "="},
			},
			log: []string{`call notifications/tools/list_changed {"run":"it"} method="notifications/tools/list_changed" id=`},
		},
	})
}

func TestToolCalls(t *testing.T) {
	runRows(t, map[string]row{
		"released and answered": {
			judge: &scriptedJudge{},
			steps: []step{
				{"C", callTool("1", "echo", `{"a": 1}`), "="},
				{"S", reply("1", `{"content":[]}`), "="},
			},
			log: []string{`call echo {"a": 1} method="" id=1`, `given tools/call tool="echo" {"content":[]}`},
		},
		"without arguments": {
			judge: &scriptedJudge{},
			steps: []step{{"C", ask(`"x"`, "tools/call", `{"name":"echo"}`), "="}},
			log:   []string{`call echo {} method="" id="x"`},
		},
		"refused": {
			judge: &scriptedJudge{refuse: []string{"echo"}},
			steps: []step{
				{"C", callTool("1", "echo", `{}`), "<" + toolError("1", `[weir] The call to \"echo\"`+why)},
				{"S", reply("1", `{"content":[]}`), "-"},
			},
			log: []string{`call echo {} method="" id=1`, `refused response malformed method=""`},
		},
		"refused in the stateless version": {
			judge: &scriptedJudge{refuse: []string{"echo"}},
			steps: []step{{
				"C", ask("1", "tools/call", `{"name":"echo","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}`),
				`<{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"[weir] The call to \"echo\"` + why +
					`"}],"isError":true,"resultType":"complete"}}`,
			}},
			log: []string{`call echo {} method="" id=1`},
		},
		"arguments replaced": {
			judge: &scriptedJudge{args: map[string]string{"echo": `{"a":"[redacted:x]"}`}},
			steps: []step{{
				"C", `{"jsonrpc":"2.0", "id":1,"method":"tools/call","params":{"_meta":{ }, "arguments":{"a":"s"},"name":"echo"}}`,
				`>{"jsonrpc":"2.0", "id":1,"method":"tools/call","params":{"_meta":{ }, "arguments":{"a":"[redacted:x]"},"name":"echo"}}`,
			}},
			log: []string{`call echo {"a":"s"} method="" id=1`},
		},
		"arguments that cannot be replaced": {
			judge: &scriptedJudge{args: map[string]string{"echo": `[]`}},
			steps: []step{{
				"C", callTool("1", "echo", `{}`),
				"<" + toolError("1", `[weir] The call to \"echo\" was refused (args_unreadable): Its arguments could not be replaced as policy demands.`+tail),
			}},
			log: []string{`call echo {} method="" id=1`, `refused echo args_unreadable method=""`},
		},
		"the name of a method": {
			judge: &scriptedJudge{},
			steps: []step{{
				"C", callTool("1", `Prompts\u200b/get`, `{}`),
				"<" + toolError("1", `[weir] The call to a tool was refused (tool_denied): The name is that of a method, which no tool may have.`+tail),
			}},
			log: []string{"refused Prompts\u200b/get tool_denied method=\"\""},
		},
		"answered with an error": {
			judge: &scriptedJudge{withhold: []string{"tools/call"}},
			steps: []step{
				{"C", callTool("1", "echo", `{}`), "="},
				{"S", failure("1", "-32000", "read this"), ">" + toolError("1", `[weir] The response to the call to \"echo\"`+refusedResponse)},
			},
			log: []string{`call echo {} method="" id=1`, `given tools/call tool="echo" {"code":-32000,"message":"read this"}`},
		},
		"result replaced": {
			judge: &scriptedJudge{payload: map[string]string{"tools/call": `{"content":[1]}`}},
			steps: []step{
				{"C", callTool("1", "echo", `{}`), "="},
				{"S", reply("1", `{"content":[]}`), ">" + reply("1", `{"content":[1]}`)},
			},
			log: []string{`call echo {} method="" id=1`, `given tools/call tool="echo" {"content":[]}`},
		},
		"error replaced": {
			judge: &scriptedJudge{payload: map[string]string{"tools/call": `{"code":1,"message":""}`}},
			steps: []step{
				{"C", callTool("1", "echo", `{}`), "="},
				{"S", failure("1", "-32000", "s"), ">" + failure("1", "1", "")},
			},
			log: []string{`call echo {} method="" id=1`, `given tools/call tool="echo" {"code":-32000,"message":"s"}`},
		},
		"result refusedResponse": {
			judge: &scriptedJudge{withhold: []string{"tools/call"}},
			steps: []step{
				{"C", callTool("1", "echo", `{}`), "="},
				{"S", reply("1", `{"structuredContent":{}}`), ">" + toolError("1", `[weir] The response to the call to \"echo\"`+refusedResponse)},
				{"S", reply("1", `{"structuredContent":{}}`), "-"},
			},
			log: []string{
				`call echo {} method="" id=1`, `given tools/call tool="echo" {"structuredContent":{}}`,
				`refused response malformed method=""`,
			},
		},
		"both kinds of one id are open": {
			judge: &scriptedJudge{},
			steps: []step{
				{"C", callTool("1", "a", `{}`), "="},
				{"C", callTool(`"1"`, "b", `{}`), "="},
				{"S", reply(`"1"`, `{"x":1}`), "="},
				{"S", reply("1", `{"x":2}`), "="},
			},
			log: []string{
				`call a {} method="" id=1`, `call b {} method="" id="1"`,
				`given tools/call tool="b" {"x":1}`, `given tools/call tool="a" {"x":2}`,
			},
		},
		"an id that is open": {
			judge: &scriptedJudge{},
			steps: []step{
				{"C", callTool("1", "a", `{}`), "="},
				{"C", callTool("1", "b", `{}`), "<" + failure("1", "-32600", "[weir] The request was not passed on: a request with that id is open already.")},
				{"S", reply("1", `{"x":2}`), "="},
				{"C", callTool("1", "c", `{}`), "="},
			},
			log: []string{
				`call a {} method="" id=1`, `refused b malformed method=""`, `given tools/call tool="a" {"x":2}`,
				`call c {} method="" id=1`,
			},
		},
		"a task": {
			judge: &scriptedJudge{},
			steps: []step{
				{"C", ask("1", "tools/call", `{"name":"long","task":{"ttl":1}}`), "="},
				{"S", reply("1", `{"task":{"taskId":"t1","status":"working"}}`), "="},
				{"S", tell("notifications/tasks/status", `{"taskId":"t1","statusMessage":"m"}`), "="},
				{"C", ask("2", "tasks/get", `{"taskId":"t1"}`), "="},
				{"C", ask("3", "tasks/result", `{"taskId":"t1"}`), "="},
				{"S", reply("3", `{"content":[]}`), "="},
				{"C", ask("4", "tasks/result", `{"taskId":"t2"}`), "="},
				{"S", reply("4", `{"content":[]}`), "="},
			},
			log: []string{
				`call long {} method="" id=1`, `given tools/call tool="long" {"task":{"taskId":"t1","status":"working"}}`,
				`given notifications/tasks/status tool="long" {"taskId":"t1","statusMessage":"m"}`,
				`given tasks/result tool="long" {"content":[]}`, `given tasks/result tool="" {"content":[]}`,
			},
		},
		"a task that is refused at its creation": {
			judge: &scriptedJudge{refuse: []string{"long"}},
			steps: []step{{
				"C", ask("1", "tools/call", `{"name":"long","task":{}}`), "<" + toolError("1", `[weir] The call to \"long\"`+why),
			}},
			log: []string{`call long {} method="" id=1`},
		},
		"the result of a task is refusedResponse": {
			judge: &scriptedJudge{withhold: []string{"tasks/result"}},
			steps: []step{
				{"C", ask("1", "tools/call", `{"name":"long","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}`), "="},
				{"S", reply("1", `{"resultType":"task","taskId":"t1"}`), "="},
				{"C", ask("3", "tasks/result", `{"taskId":"t1"}`), "="},
				{"S", reply("3", `{"content":[]}`), ">" + toolError("3", `[weir] The response to the call to \"long\"`+refusedResponse)},
			},
			log: []string{
				`call long {} method="" id=1`, `given tools/call tool="long" {"resultType":"task","taskId":"t1"}`,
				`given tasks/result tool="long" {"content":[]}`,
			},
		},
	})
}

// What readers could read differently is refused.
func TestUnreadableRequests(t *testing.T) {
	for name, params := range map[string]string{
		"no params":             `null`,
		"no name":               `{"arguments":{}}`,
		"name is no text":       `{"name":1}`,
		"name twice":            `{"name":"a","name":"b"}`,
		"name in another case":  `{"name":"a","Name":"b"}`,
		"name is half a letter": `{"name":"\ud800"}`,
		"arguments twice":       `{"name":"a","arguments":{},"arguments":{"b":1}}`,
		"arguments are a list":  `{"name":"a","arguments":[]}`,
		"arguments are null":    `{"name":"a","arguments":null}`,
		"member twice":          `{"name":"a","arguments":{"b":1,"b":2}}`,
		"member in two cases":   `{"name":"a","arguments":{"b":1,"B":2}}`,
		"half a letter":         `{"name":"a","arguments":{"b":"\udfff"}}`,
		"task twice":            `{"name":"a","task":{},"task":{}}`,
		"version twice":         `{"name":"a","_meta":{"io.modelcontextprotocol/protocolVersion":"1","io.modelcontextprotocol/protocolVersion":"2"}}`,
		"meta twice":            `{"name":"a","_meta":{},"_META":{}}`,
	} {
		t.Run(name, func(t *testing.T) {
			j := &scriptedJudge{}
			x := begin(t, j)
			got := x.client(ask("1", "tools/call", params)).String()
			if want := `<{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"[weir] The call to `; len(got) < len(want) || got[:len(want)] != want {
				t.Error(got)
			}
			expect.Equal(t, len(j.log), 1, "%+v", j.log)
			expect.Equal(t, len(j.acts), 0, "%+v", j.log)
			// The id is free.
			expect.Equal(t, x.client(ask("1", "ping", `{}`)).String(), "=")
		})
	}
	for name, raw := range map[string]string{
		"governed params": ask("1", "prompts/get", `{"name":"a","name":"b"}`),
		"cursor":          ask("1", "tools/list", `{"cursor":1}`),
		"cursor twice":    ask("1", "tools/list", `{"cursor":"a","cursor":"b"}`),
		"task id":         ask("1", "tasks/result", `{"taskId":"a","taskid":"b"}`),
	} {
		t.Run(name, func(t *testing.T) {
			j := &scriptedJudge{}
			got := begin(t, j).client(raw).String()
			if want := `<{"jsonrpc":"2.0","id":1,"error":{"code":-32602,`; len(got) < len(want) || got[:len(want)] != want || len(j.acts) != 0 {
				t.Error(got, j.log)
			}
		})
	}
}

func TestGovernedRequestsOfClients(t *testing.T) {
	for _, method := range []string{
		"prompts/get", "resources/read", "resources/subscribe", "completion/complete", "subscriptions/listen", "x-vendor/do",
	} {
		runRows(t, map[string]row{
			method + " released": {
				judge: &scriptedJudge{},
				steps: []step{{"C", ask("1", method, `{"uri":"u"}`), "="}, {"S", reply("1", `{"x":1}`), "="}},
				log:   []string{`call ` + method + ` {"uri":"u"} method="` + method + `" id=1`, `given ` + method + ` tool="" {"x":1}`},
			},
			method + " without params": {
				judge: &scriptedJudge{},
				steps: []step{{"C", `{"jsonrpc":"2.0","id":1,"method":"` + method + `"}`, "="}},
				log:   []string{`call ` + method + ` {} method="` + method + `" id=1`},
			},
			method + " refused": {
				judge: &scriptedJudge{refuse: []string{method}},
				steps: []step{{"C", ask("1", method, `{}`), "<" + failure("1", "-32602", `[weir] The call to \"`+method+`\"`+why)}},
				log:   []string{`call ` + method + ` {} method="` + method + `" id=1`},
			},
			method + " changed": {
				judge: &scriptedJudge{args: map[string]string{method: `{"uri":"v"}`}},
				steps: []step{{"C", ask("1", method, `{"uri":"u"}`), ">" + ask("1", method, `{"uri":"v"}`)}},
				log:   []string{`call ` + method + ` {"uri":"u"} method="` + method + `" id=1`},
			},
			method + " refusedResponse": {
				judge: &scriptedJudge{withhold: []string{method}},
				steps: []step{
					{"C", ask("1", method, `{}`), "="},
					{"S", reply("1", `{"x":1}`), ">" + failure("1", "-32603", `[weir] The response to the call to \"`+method+`\"`+refusedResponse)},
				},
				log: []string{`call ` + method + ` {} method="` + method + `" id=1`, `given ` + method + ` tool="" {"x":1}`},
			},
		})
	}
}

func TestGovernedRequestsOfServers(t *testing.T) {
	refusals := map[string]string{
		"sampling/createMessage": failure("1", "-1", `[weir] The call to \"sampling/createMessage\"`+why),
		"elicitation/create":     reply("1", `{"action":"decline"}`),
		"roots/list":             failure("1", "-32601", `[weir] The call to \"roots/list\"`+why),
		"tools/call":             failure("1", "-32601", `[weir] The call to \"tools/call\"`+why),
		"x-vendor/do":            failure("1", "-32601", `[weir] The call to \"x-vendor/do\"`+why),
	}
	for method, refusal := range refusals {
		runRows(t, map[string]row{
			method + " released": {
				judge: &scriptedJudge{},
				steps: []step{{"S", ask("1", method, `{"x":1}`), "="}, {"C", reply("1", `{"y":1}`), "="}, {"C", reply("1", `{"y":1}`), "-"}},
				log:   []string{`call ` + method + ` {"x":1} method="` + method + `" id=1`, `refused response malformed method=""`},
			},
			method + " refused": {
				judge: &scriptedJudge{refuse: []string{method}},
				steps: []step{{"S", ask("1", method, `{}`), "<" + refusal}, {"C", reply("1", `{}`), "-"}},
				log:   []string{`call ` + method + ` {} method="` + method + `" id=1`, `refused response malformed method=""`},
			},
			method + " changed": {
				judge: &scriptedJudge{args: map[string]string{method: `{"x":2}`}},
				steps: []step{{"S", ask("1", method, `{"x":1}`), ">" + ask("1", method, `{"x":2}`)}},
				log:   []string{`call ` + method + ` {"x":1} method="` + method + `" id=1`},
			},
		})
	}
}

// namedParams are params with every member that MCP names for a method.
func namedParams(named []string) string {
	params := `{"_meta":{"progressToken":1,"vendor/x":{"y":[1]}}`
	for _, name := range named {
		value := `"t"`
		if slices.Contains(openMembers, name) {
			value = `{"x":{}}`
		}
		params += `,"` + name + `":` + value
	}
	return params + `}`
}

// What is harmless passes at once, and what it gives is judged.
func TestHarmlessRequests(t *testing.T) {
	for method, named := range clientMethods {
		if method == toolsList {
			continue
		}
		notice := failure("1", "-32603", `[weir] The response to the call to \"`+method+`\"`+refusedResponse)
		if method == tasksResult {
			notice = toolError("1", `[weir] The response to the call to \"`+method+`\"`+refusedResponse)
		}
		empty, log := ">"+notice, []string{`given ` + method + ` tool="" {"code":-32000,"message":"text"}`}
		if method == ping || method == "logging/setLevel" || method == "resources/unsubscribe" {
			empty = "="
		} else {
			log = append(log, `given `+method+` tool="" {}`)
		}
		row{
			judge: &scriptedJudge{withhold: []string{method}},
			steps: []step{
				{"C", ask("1", method, namedParams(named)), "="},
				{"S", failure("1", "-32000", "text"), ">" + notice},
				{"C", ask("1", method, `{}`), "="},
				{"S", reply("1", `{}`), empty},
			},
			log: log,
		}.run(t)
	}
	for method, named := range serverMethods {
		row{
			judge: &scriptedJudge{},
			steps: []step{{"S", ask("1", method, namedParams(named)), "="}, {"C", failure("1", "-32000", "text"), "="}},
		}.run(t)
	}
}

// A method that could pass for another is not passed on.
func TestOddMethods(t *testing.T) {
	for _, method := range []string{"Tools/Call", "tools/call ", "tools\\u200b/call", "TOOLS/LIST", "notifications/cancelled", "Notifications/x", "prompts/GET"} {
		for _, side := range []string{"C", "S"} {
			row{
				judge: &scriptedJudge{},
				steps: []step{{side, ask("1", method, `{"name":"x"}`), "<" + func() string {
					name := `\"` + method + `\"`
					if method == "tools/call " || method == "tools\\u200b/call" {
						name = "a tool"
					}
					return failure("1", "-32601", `[weir] The call to `+name+` was refused (malformed): Its method is none that can be judged.`+tail)
				}()}},
				log: []string{`refused request malformed method=""`},
			}.run(t)
		}
	}
}

func TestNotifications(t *testing.T) {
	text := []string{
		tell("notifications/message", `{"level":"info","data":"text"}`),
		tell("notifications/progress", `{"progressToken":1,"progress":1,"message":"text"}`),
		tell("notifications/tasks/status", `{"taskId":"t","statusMessage":"text"}`),
		tell("notifications/tools/list_changed", `{"_meta":{"x":"text"}}`),
		tell("notifications/resources/updated", `{"uri":["text"]}`),
		tell("notifications/resources/updated", `{"uri":"`+strings.Repeat("text", maxMute)+`"}`),
	}
	mute := []string{
		tell("notifications/progress", `{"progressToken":1,"progress":1,"total":2}`),
		tell("notifications/tools/list_changed", `{}`),
		tell("notifications/resources/updated", `{"uri":"file:///x"}`),
		`{"jsonrpc":"2.0","method":"notifications/message"}`,
	}
	passes := func(raw string, judge *scriptedJudge, side, want string, asked int) {
		t.Helper()
		synctest.Test(t, func(t *testing.T) {
			x := begin(t, judge)
			send := x.client
			if side == "S" {
				send = x.server
			}
			f := send(raw)
			synctest.Wait()
			expect.Equal(t, f.String(), want, "%s from %s: %s, %q", raw, side, f, judge.log)
			expect.Equal(t, len(judge.log), asked, "%s from %s: %s, %q", raw, side, f, judge.log)
		})
	}
	for _, raw := range text {
		method := read(t, raw).Method
		passes(raw, &scriptedJudge{}, "S", "=", 1)
		passes(raw, &scriptedJudge{withhold: []string{method}}, "S", "-", 1)
	}
	for _, raw := range mute {
		passes(raw, &scriptedJudge{}, "S", "=", 0)
	}
	for method, named := range clientNotes {
		if method == cancelNote {
			continue // see TestCancel
		}
		params := strings.Replace(namedParams(named), `{"y":[1]}`, `"y"`, 1)
		passes(tell(method, params), &scriptedJudge{refuse: []string{"*"}}, "C", "=", 0)
		passes(`{"jsonrpc":"2.0","method":"`+method+`"}`, &scriptedJudge{refuse: []string{"*"}}, "C", "=", 0)
	}
	// What MCP does not name is judged as a request would be.
	unnamed := []string{
		tell("notifications/vendor", `{"x":1}`), `{"jsonrpc":"2.0","method":"notifications/vendor"}`, tell("notifications/claude/channel", `{}`),
	}
	for _, raw := range append(unnamed,
		tell("notifications/initialized", `{"x":1}`),
		tell("notifications/progress", `{"progress":{"x":1}}`),
		tell("notifications/progress", `{"progress":1,"message":"`+strings.Repeat("text", maxPlain/4)+`"}`),
		tell("notifications/progress", `{"progress":1,"_meta":{"vendor/x":{"y":1}}}`),
		tell("notifications/tools/list_changed", `{}`), // it is the server's
		tell("notifications/message", `{"data":"text"}`),
	) {
		method := read(t, raw).Method
		passes(raw, &scriptedJudge{}, "C", "=", 1)
		passes(raw, &scriptedJudge{refuse: []string{method}}, "C", "-", 1)
	}
	for _, raw := range append(unnamed, `{"jsonrpc":"2.0","method":"notifications/initialized"}`) {
		asked := 1
		if m := read(t, raw); m.Params != nil {
			asked = 2
			passes(raw, &scriptedJudge{withhold: []string{m.Method}}, "S", "-", 2)
		}
		passes(raw, &scriptedJudge{}, "S", "=", asked)
		passes(raw, &scriptedJudge{refuse: []string{"*"}}, "S", "-", 1)
	}
	passes(unnamed[0], &scriptedJudge{args: map[string]string{"notifications/vendor": `{"x":2}`}}, "C", ">"+tell("notifications/vendor", `{"x":2}`), 1)
	// What readers could read in two ways, or take for another, goes nowhere.
	for _, raw := range []string{
		tell("notifications/vendor", `{"x":1,"x":2}`), tell("notifications/progress", `{"progress":1,"progress":2}`),
		tell("notifications/Progress", `{}`), tell("notifications/vendor x", `{}`), tell("notifications/"+strings.Repeat("x", maxMethod), `{}`),
	} {
		passes(raw, &scriptedJudge{}, "C", "-", 1)
	}
	// Requests without an id would be done unjudged.
	for _, method := range []string{"tools/call", "Notifications/message", "ping", "sampling/createMessage"} {
		passes(tell(method, `{"name":"x"}`), &scriptedJudge{}, "C", "-", 1)
		passes(tell(method, `{"name":"x"}`), &scriptedJudge{}, "S", "-", 1)
	}
	passes(text[0], &scriptedJudge{payload: map[string]string{"notifications/message": `{"data":"[redacted]"}`}}, "S",
		">"+tell("notifications/message", `{"data":"[redacted]"}`), 1)
}

// Beside its name and arguments a tool call has what MCP names there, which is judged with it. All else is left out.
func TestBesideArguments(t *testing.T) {
	const before, after = `{"name":"x",`, `"arguments":{"a":1}}`
	for name, tt := range map[string]struct {
		params, passed, beside string
		leftOut                []string
		refused                bool
	}{
		"nothing": {params: ""},
		"meta":    {params: `"_meta":{"progressToken":1, "claudecode/toolUseId":"toolu_1"},`, beside: `{"_meta":{"progressToken":1, "claudecode/toolUseId":"toolu_1"}}`},
		"all": {
			params: `"task":{"ttl":5},"inputResponses":{"a":{"action":"accept"}},"requestState":"s","_meta":{},`,
			beside: `{"task":{"ttl":5},"inputResponses":{"a":{"action":"accept"}}}`,
		},
		"null":                      {params: `"_meta":null,"task":null,`},
		"an object":                 {params: `"run":{"command":"rm"},`, passed: ``, leftOut: []string{"run"}},
		"an array, a text":          {params: `"also":[1], "_meta":{"a":1} , "then":"x",`, passed: `"_meta":{"a":1} , `, beside: `{"_meta":{"a":1}}`, leftOut: []string{"also", "then"}},
		"twice":                     {params: `"x":1,"x":2,`, passed: ``, leftOut: []string{"x", "x"}},
		"escaped":                   {params: `"\u0072un":{},`, passed: ``, leftOut: []string{"run"}},
		"not what MCP says":         {params: `"task":[1],"requestState":{},"_meta":"text",`, passed: ``, leftOut: []string{"task", "requestState", "_meta"}},
		"meta in another case":      {params: `"_Meta":{},`, refused: true},
		"meta twice":                {params: `"_meta":{},"_meta":{},`, refused: true},
		"state twice":               {params: `"requestState":"a","requestState":"b",`, refused: true},
		"twice in meta":             {params: `"_meta":{"a":1,"a":2},`, refused: true},
		"in another case in meta's": {params: `"task":{"a":{"b":1,"b":2}},`, refused: true},
	} {
		discuss(t, func(t *testing.T, x talk, j *scriptedJudge) {
			f := x.client(ask("1", toolsCall, before+tt.params+after))
			synctest.Wait()
			want := "="
			if len(tt.leftOut) > 0 {
				want = ">" + ask("1", toolsCall, before+tt.passed+after)
			}
			if tt.refused {
				if len(j.acts) > 0 || !strings.HasPrefix(f.String(), "<") {
					t.Errorf("%s: %s, judged %v", name, f, j.acts)
				}
				return
			}
			if f.String() != want || len(j.acts) != 1 {
				t.Fatalf("%s: %s, want %s", name, f, want)
			}
			act := j.acts[0]
			if string(act.MCP.Beside) != tt.beside || !slices.Equal(act.MCP.LeftOut, tt.leftOut) || string(act.Args) != `{"a":1}` {
				t.Errorf("%s: judged %s beside %s without %q", name, act.Args, act.MCP.Beside, act.MCP.LeftOut)
			}
		})
	}
	row{
		judge: &scriptedJudge{beside: map[string]string{"x": `{"_meta":{"a":"[redacted]"}}`}, args: map[string]string{"x": `{"a":2}`}},
		steps: []step{{
			"C", ask("1", toolsCall, `{"name":"x","y":1,"_meta":{"a":"secret"},"arguments":{"a":1}}`),
			">" + ask("1", toolsCall, `{"name":"x","_meta":{"a":"[redacted]"},"arguments":{"a":2}}`),
		}},
		log: []string{`call x {"a":1} method="" id=1`},
	}.run(t)
}
