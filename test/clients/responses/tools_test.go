package responses

import (
	"github.com/weir-gate/weir/internal/weirtest/keeping"
	"github.com/weir-gate/weir/test/clients"
)

// toolScenes are calls of every kind that the API has.
func toolScenes() []scene {
	all := builtInScenes()
	all = append(all, hostedScenes()...)
	find := namespaced("01Find", "crm", "find", `{"name":"Ann"}`)
	erase := namespaced("01Erase", "crm", "delete_all", `{"name":"`+marker+`"}`).deniedBy("tool_denied", "no-crm", "Customers are kept.")
	robot, arm := unheardOf("01Robot", "left"), unheardOf("02Robot", marker).deniedBy("args_denied", "no-robot", clients.ByUse("Robots stay still.", clients.Forbid))
	namespace := played("namespaced function", replace, hello, find)
	namespace.For = can(byHand)
	unknown := played("unknown item", replace, hello, robot)
	unknown.For = can(anyone)
	server := namespaced("01Server", "mcp__tracker", "delete_issue", `{"name":"`+marker+`"}`).deniedBy("tool_denied", "no-closing", "Issues are kept.")
	server.tool = "delete_issue" // the server is another member of the record
	return append(
		all, namespace, played("namespaced function denied", replace, hello, erase, weather),
		played("tool of a server denied", replace, hello, server, weather),
		unknown, played("unknown item denied", replace, hello, arm, weather),
		wrapped("parallel wrapper", false), wrapped("parallel wrapper with a denied call", true),
	)
}

// wrapped is a scene with a call that some clients unpack, and run what they find in it.
func wrapped(name string, denied bool) scene {
	inner := func(name, args string) string {
		return `{"recipient_name":"functions.` + name + `","parameters":` + args + `}`
	}
	second := hosts
	if denied {
		second = shell
	}
	pair := function("01Pair", "parallel", `{"tool_uses":[`+inner("get_weather", weather.text), ","+inner(second.tool, second.text)+`]}`)
	if denied {
		pair = pair.deniedBy(shell.code, shell.rule, shell.why)
	}
	s := played(name, replace, hello, pair)
	s.For = func(k clients.Kind) bool { return denied || k.Can(byHand) || k.Can(unpacks) }
	s.Want = func(k clients.Kind) outcome {
		o := left(hello, pair)(k)
		for _, one := range []thing{weather, second} {
			r := pair.recorded()
			r.Tool, r.ID, r.Args, r.Within = one.tool, "", one.seen.Input, true
			o.Calls = append(o.Calls, r)
		}
		if !denied && k.Can(unpacks) {
			both := left(hello, weather, hosts)(k)
			both.Turn.Items[1].ID, both.Turn.Items[2].ID = "call_01Pair_0", "call_01Pair_1"
			o.Turn, o.Executed = both.Turn, both.Executed
		}
		return o
	}
	return s
}

// unheardOf is a call of a type that nobody knows. The item as a whole is what it is called with.
func unheardOf(id, arm string) thing {
	t := builtIn(id, "robot", "arm", `"`+arm+`"`)
	t.tool = "robot_call"
	t.seen.Name = t.tool
	t.seen.Input = object{"id": t.said.ID, "type": t.tool, "status": "completed", "call_id": t.seen.ID, "arm": arm}
	return t
}

// builtInScenes are calls of tools that the API defines and clients run.
func builtInScenes() []scene {
	var all []scene
	for _, tool := range []struct{ skill, member, good, bad string }{
		{"shell", "action", `{"commands":["ls"]}`, `{"commands":["rm ` + marker + `"],"timeout_ms":5000,"max_output_length":4096}`},
		{"local_shell", "action", `{"type":"exec","command":["ls"],"env":{}}`, `{"type":"exec","command":["rm","` + marker + `"],"env":{}}`},
		{"apply_patch", "operation", `{"type":"delete_file","path":"main.go"}`, `{"type":"delete_file","path":"` + marker + `"}`},
		{"computer", "action", `{"type":"click","button":"left","x":10,"y":20}`, `{"type":"type","text":"` + marker + `"}`},
		{"tool_search", "arguments", `{"query":"delete"}`, `{"query":"` + marker + `"}`},
	} {
		good := builtIn("01Good", tool.skill, tool.member, tool.good)
		bad := builtIn("01Bad", tool.skill, tool.member, tool.bad).deniedBy("args_denied", "out-of-bounds", clients.ByUse("That is out of bounds.", clients.Forbid))
		allowed := played(tool.skill, replace, hello, good)
		allowed.For = can(tool.skill)
		all = append(all, allowed, played(tool.skill+" denied", replace, hello, bad, weather))
	}
	script := free("01Script", "run_script", "print(", "1)")
	bad := free("02Script", "run_script", "import ", marker).deniedBy("args_denied", "out-of-bounds", clients.ByUse("That is out of bounds.", clients.Forbid))
	allowed := played("custom call", replace, hello, script)
	allowed.For = can(custom)
	return append(all, allowed, played("custom call denied", replace, hello, bad, weather))
}

// hostedScenes are calls that the provider runs, and what it asks before it runs one.
func hostedScenes() []scene {
	ask := func(name, args string) thing {
		it := keeping.Whole("mcpr_01"+name, "mcp_approval_request", `"server_label":"tracker","name":"`+name+`","arguments":"`+args+`"`)
		it.Bare = true
		return thing{said: it, tool: name, seen: item{Type: "mcp_approval_request", ID: it.ID, Name: name, Input: object{}}}
	}
	create := ask("create_issue", "{}")
	erase := ask("delete_issue", "{}").deniedBy("tool_denied", "no-closing", "Issues are kept.")
	searching := keeping.Whole("ws_01Search", "web_search_call", `"action":{"type":"search","query":"`+marker+`"}`)
	searching.Added = `"action":null`
	searching.Steps = []keeping.Step{
		{Event: "response.web_search_call.in_progress"},
		{Event: "response.web_search_call.searching"},
		{Event: "response.web_search_call.completed"},
	}
	search := thing{said: searching, tool: "web_search", seen: item{
		Type: "web_search_call", ID: searching.ID, Name: "web_search", Input: object{"type": "search", "query": marker},
	}}.deniedBy("tool_denied", "no-web", "The web is out of bounds.")
	calling := keeping.Whole("mcp_01Call", "mcp_call", `"server_label":"tracker","name":"create_issue","arguments":"{}","output":"issue 12","error":null,"approval_request_id":null`)
	calling.Steps = []keeping.Step{
		{Event: "response.mcp_call.in_progress"},
		{Event: "response.mcp_call_arguments.delta", Members: `"delta":"{}"`},
		{Event: "response.mcp_call_arguments.done", Members: `"arguments":"{}"`},
		{Event: "response.mcp_call.completed"},
	}
	ran := thing{said: calling, tool: "create_issue", seen: item{Type: "mcp_call", ID: calling.ID, Name: "create_issue", Input: object{}}}
	approval := played("approval asked for", replace, hello, create)
	approval.For = can("approval")
	approval.Want = func(k clients.Kind) outcome {
		o := left(hello, create)(k)
		if !k.Can(byHand) {
			o.Executed = nil // these ask the user
		}
		return o
	}
	run := played("run by the provider", replace, ran, hello)
	run.For = can(hosted)
	run.Want = func(k clients.Kind) outcome {
		o := left(ran, hello)(k)
		o.Executed = nil
		return o
	}
	hidden := played("run by the provider and denied by name", replace, search, hello)
	hidden.Want = func(k clients.Kind) outcome {
		o := left(search, hello)(k)
		o.Told = nil // the provider waits for nothing
		return o
	}
	return []scene{approval, played("approval denied", replace, hello, erase, weather), run, hidden}
}
