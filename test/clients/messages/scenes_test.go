package messages

import (
	"fmt"
	"net/http"

	"github.com/weir-gate/weir/test/clients"
)

// A scene is one of this format.
type scene = clients.Scene[answer]

// An outcome is what must become of a scene.
type outcome = clients.Outcome[answer]

// Short names for what scenes are made of.
type (
	recorded  = clients.Recorded
	execution = clients.Execution
	raised    = clients.Raised
)

const marker = clients.Marker

const toolsJSON = `[
	{"name":"get_weather","description":"The weather.","input_schema":{"type":"object","properties":{"city":{"type":"string"}}}},
	{"name":"list_files","description":"All files.","input_schema":{"type":"object","properties":{}}},
	{"name":"read_file","description":"A file.","input_schema":{"type":"object","properties":{"path":{"type":"string"}}}},
	{"name":"run_shell","description":"A shell.","input_schema":{"type":"object","properties":{"command":{"type":"string"}}}},
	{"type":"web_search_20250305","name":"web_search"},
	{"type":"web_fetch_20250910","name":"web_fetch"}]`

// The calls that the scenes are made of.
var (
	weather  = call("toolu_01Weather", "get_weather", `{"city":`, `"Lis`, `bon"}`)
	files    = call("toolu_01Files", "list_files")
	shell    = call("toolu_01Shell", "run_shell", `{"command":"`+marker, ` -rf /"}`)
	hosts    = call("toolu_01Hosts", "read_file", `{"path":"/etc/hosts"}`)
	secret   = call("toolu_01Secret", "read_file", `{"path":"/srv/`+marker, `/sec`, `ret.txt"}`)
	search   = serverCall("srvtoolu_01Search", "web_search", `{"query":`, `"weirs"}`)
	fetch    = serverCall("srvtoolu_01Fetch", "web_fetch", `{"url":"https://`+marker, `.example/"}`)
	found    = complete(`{"type":"web_search_tool_result","tool_use_id":"srvtoolu_01Search","content":[{"type":"web_search_result","title":"Weirs","url":"https://example.org/","encrypted_content":"c2VjcmV0","page_age":"2 days ago"}]}`)
	fetched  = complete(`{"type":"web_fetch_tool_result","tool_use_id":"srvtoolu_01Fetch","content":{"type":"web_fetch_result","url":"https://` + marker + `.example/","retrieved_at":"2026-01-31T08:00:00Z","content":{"type":"document","title":"Page","source":{"type":"text","media_type":"text/plain","data":"` + marker + `"}}}}`)
	pondered = thinking("Let me think. ", "EqoBCkgIBRABGAIiQL0+sig==")
	hello    = text("Let me ", "see.")
)

// What the record says of them.
var (
	weatherPassed = recorded{Tool: "get_weather", ID: "toolu_01Weather", Verdict: "allow", Args: object{"city": "Lisbon"}}
	filesPassed   = recorded{Tool: "list_files", ID: "toolu_01Files", Verdict: "allow", Args: object{}}
	hostsPassed   = recorded{Tool: "read_file", ID: "toolu_01Hosts", Verdict: "allow", Args: object{"path": "/etc/hosts"}}
	searchPassed  = recorded{Tool: "web_search", ID: "srvtoolu_01Search", Verdict: "allow", Args: object{"query": "weirs"}}
	shellRefused  = recorded{
		Tool: "run_shell", ID: "toolu_01Shell", Verdict: "deny", Blocked: true, Code: "tool_denied", Rule: "no-shell",
		Args: object{"command": marker + " -rf /"},
	}
	secretRefused = recorded{
		Tool: "read_file", ID: "toolu_01Secret", Verdict: "deny", Blocked: true, Code: "args_denied", Rule: "no-secrets",
		Args: object{"path": "/srv/" + marker + "/secret.txt"},
	}
	fetchRefused = recorded{
		Tool: "web_fetch", ID: "srvtoolu_01Fetch", Verdict: "deny", Blocked: true, Code: "tool_denied", Rule: "no-fetch",
		Args: object{"url": "https://" + marker + ".example/"},
	}
)

// What the client executes of them.
var (
	weatherRan = execution{Name: "get_weather", Input: object{"city": "Lisbon"}}
	filesRan   = execution{Name: "list_files", Input: object{}}
	hostsRan   = execution{Name: "read_file", Input: object{"path": "/etc/hosts"}}
)

// What takes the place of refused calls.
var (
	noShell  = notice("run_shell", "tool_denied, rule no-shell", "Shell commands are not allowed here.")
	noSecret = notice("read_file", "args_denied, rule no-secrets", "Secrets stay where they are.")
	noFetch  = notice("web_fetch", "tool_denied, rule no-fetch", "Pages are not to be fetched.")
	noResult = text("[weir] The result of a refused call was removed.")
)

type object = map[string]any

func notice(tool, why, reason string) block {
	return text(fmt.Sprintf("[weir] The call to %q was refused (%s): %s Do not retry it; continue without it or ask the user.",
		tool, why, reason))
}

// blocks are as a client sees them.
func blocks(list ...block) []seenBlock { return turn{blocks: list}.seen() }

func scenes() []scene {
	all := policyScenes()
	all = append(all, liveScenes()...)
	all = append(all, brokenScenes()...)
	return append(all, doorScenes()...)
}

// policyScenes are answers in order, of which the policy lets through more or less.
func policyScenes() []scene {
	const replace, drop = "replace", "drop"
	toolUse := func(list ...block) turn { return turn{blocks: list, stop: "tool_use"} }
	ended := func(content []seenBlock, calls ...recorded) func(clients.Kind) outcome {
		return clients.Always(outcome{Turn: answer{Content: content, StopReason: "end_turn"}, Calls: calls})
	}
	return []scene{
		{Name: "allowed", Door: replace, Model: model{turn: toolUse(hello, weather)}, Want: clients.Always(outcome{
			Turn: answer{Content: blocks(hello, weather), StopReason: "tool_use"}, Executed: []execution{weatherRan}, Calls: []recorded{weatherPassed},
		})},
		{Name: "allowed without arguments", Door: replace, Model: model{turn: toolUse(files)}, Want: clients.Always(outcome{
			Turn: answer{Content: blocks(files), StopReason: "tool_use"}, Executed: []execution{filesRan}, Calls: []recorded{filesPassed},
		})},
		{
			Name: "denied by name", Door: replace, Model: model{turn: toolUse(hello, shell)},
			Want: ended(blocks(hello, noShell), shellRefused),
		},
		{
			Name: "denied by the last piece of an argument", Door: replace, Model: model{turn: toolUse(hello, secret)},
			Want: ended(blocks(hello, noSecret), secretRefused),
		},
		{Name: "partly denied", Door: replace, Model: model{turn: toolUse(hello, weather, shell, hosts, secret)}, Want: clients.Always(outcome{
			Turn:     answer{Content: blocks(hello, weather, noShell, hosts, noSecret), StopReason: "tool_use"},
			Executed: []execution{weatherRan, hostsRan},
			Calls:    []recorded{weatherPassed, shellRefused, hostsPassed, secretRefused},
		})},
		{
			Name: "all denied", Door: replace, Model: model{turn: toolUse(shell, secret)},
			Want: ended(blocks(noShell, noSecret), shellRefused, secretRefused),
		},
		{
			Name: "denied and dropped", Door: drop, Model: model{turn: toolUse(hello, shell)},
			Want: ended(blocks(hello), shellRefused),
		},
		{Name: "partly denied and dropped", Door: drop, Model: model{turn: toolUse(hello, shell, weather, secret, hosts)}, Want: clients.Always(outcome{
			Turn: answer{Content: blocks(hello, weather, hosts), StopReason: "tool_use"}, Executed: []execution{weatherRan, hostsRan},
			Calls: []recorded{shellRefused, weatherPassed, secretRefused, hostsPassed},
		})},
		{
			// A turn must not be empty, so this one says what was in it.
			Name: "nothing left when dropped", Door: drop, Model: model{turn: toolUse(shell)},
			Want: ended(blocks(noShell), shellRefused),
		},
		{Name: "thinking before an allowed call", Door: replace, Model: model{turn: toolUse(pondered, hello, weather)}, Want: clients.Always(outcome{
			Turn: answer{Content: blocks(pondered, hello, weather), StopReason: "tool_use"}, Executed: []execution{weatherRan},
			Calls: []recorded{weatherPassed},
		})},
		{Name: "thinking before partly denied calls", Door: replace, Model: model{turn: toolUse(pondered, shell, weather)}, Want: clients.Always(outcome{
			Turn: answer{Content: blocks(pondered, noShell, weather), StopReason: "tool_use"}, Executed: []execution{weatherRan},
			Calls: []recorded{shellRefused, weatherPassed},
		})},
		{
			Name: "run by the provider", Door: replace,
			Model: model{turn: turn{blocks: []block{hello, search, found, text("Found.")}, stop: "end_turn"}},
			Want:  ended(blocks(hello, search, found, text("Found.")), searchPassed),
		},
		{
			Name: "run by the provider and denied by name", Door: replace,
			Model: model{turn: turn{blocks: []block{hello, fetch, fetched, text("Fetched.")}, stop: "end_turn"}},
			Want:  ended(blocks(hello, noFetch, noResult, text("Fetched.")), fetchRefused),
		},
		{Name: "cut by the token limit", Door: replace, Model: model{turn: cutTurn}, Want: wantCut},
	}
}

var cutTurn = turn{blocks: []block{hello, call("toolu_01Cut", "get_weather", `{"city":"`+marker)}, stop: "max_tokens"}

// wantCut tells the two forms apart: a stream shows the piece of an argument, a body has no room for it.
func wantCut(k clients.Kind) outcome {
	refusal := recorded{Tool: "get_weather", ID: "toolu_01Cut", Verdict: "deny", Blocked: true, Code: "cut_short", Args: object{}}
	if k.Streamed {
		refusal.Args = `{"city":"` + marker
	}
	said := notice("get_weather", refusal.Code, "The response ended before the call was complete.")
	return outcome{Turn: answer{Content: blocks(hello, said), StopReason: "max_tokens"}, Calls: []recorded{refusal}}
}

// liveScenes wait for the client in the middle of an answer. A client that is not given its part at once gets stuck.
func liveScenes() []scene {
	allowed := outcome{
		Turn: answer{Content: blocks(hello, weather, noSecret), StopReason: "tool_use"}, Executed: []execution{weatherRan},
		Calls: []recorded{weatherPassed, secretRefused},
	}
	t := turn{blocks: []block{hello, weather, secret}, stop: "tool_use"}
	const firstText = 3                 // message_start, content_block_start, one delta
	const firstCall = firstText + 2 + 6 // the rest of the text; a start, four deltas and a stop
	return []scene{
		{Name: "text is live", Door: "replace", Model: model{t, waiting(firstText)}, WaitsFor: "text", Want: clients.Always(allowed)},
		{Name: "a call does not wait for the next", Door: "replace", Model: model{t, waiting(firstCall)}, WaitsFor: "call", Want: clients.Always(allowed)},
	}
}

// brokenScenes are answers that go wrong.
func brokenScenes() []scene {
	never := 0
	t := turn{blocks: []block{hello, call("toolu_01Broken", "get_weather", `{"city":"`+marker, ` city"}`)}, stop: "tool_use"}
	const inText = 3              // after the first piece of text
	const inCall = inText + 2 + 3 // after the first piece of an argument
	return []scene{
		{Name: "malformed", Door: "replace", Model: model{t, garbled(inText)}, Want: wantMalformed},
		{
			Name: "overloaded", Door: "replace", Model: model{t, overloaded(inCall)}, Retries: &never,
			Want: wantBroken(raised{Type: "overloaded_error"}, raised{Type: "overloaded_error", Status: 529}),
		},
		{
			Name: "died in a call", Door: "replace", Model: model{t, dying(inCall)}, Retries: &never,
			Want: wantBroken(raised{}, raised{Type: "api_error", Status: http.StatusBadGateway}),
		},
		{Name: "redirected", Door: "replace", Model: model{t, redirecting}, Want: clients.Always(outcome{
			Err:   &raised{Type: "invalid_request_error", Status: http.StatusBadRequest, Message: "(firewall_blocked)"},
			Asked: 1,
		})},
	}
}

// wantMalformed is a turn that ends in order, with one notice. Of a stream, what came before stays.
func wantMalformed(k clients.Kind) outcome {
	refusal := func(reason string) block {
		return text("[weir] The rest of this response was refused (malformed): " + reason +
			" Nothing after this point was delivered; tell the user.")
	}
	o := outcome{Turn: answer{Content: blocks(refusal("the response is not JSON.")), StopReason: "end_turn"}, Refused: "malformed", Broken: true}
	if k.Streamed {
		o.Turn.Content = blocks(text("Let me "), refusal("a frame is not strict JSON."))
	}
	return o
}

// wantBroken is an error, and nothing of the call in which a stream broke off.
func wantBroken(inStream, asBody raised) func(clients.Kind) outcome {
	return func(k clients.Kind) outcome {
		if !k.Streamed {
			return outcome{Err: &asBody, Asked: 1}
		}
		return outcome{Err: &inStream, Asked: 1, Calls: []recorded{{
			Tool: "get_weather", ID: "toolu_01Broken", Verdict: "deny", Blocked: true, Code: "cut_short", Args: `{"city":"` + marker,
		}}}
	}
}

// doorScenes are about who may ask, for how much, and how far the policy is enforced.
func doorScenes() []scene {
	list := turn{blocks: []block{hello, call("toolu_01List", "run_shell", `{"command":"ls"}`)}, stop: "tool_use"}
	watched := clients.Always(outcome{
		Turn: answer{Content: list.seen(), StopReason: "tool_use"}, Executed: []execution{{Name: "run_shell", Input: object{"command": "ls"}}},
		Calls: []recorded{{
			Tool: "run_shell", ID: "toolu_01List", Verdict: "audit", WouldBe: "deny", Code: "tool_denied", Rule: "no-shell",
			Args: object{"command": "ls"},
		}},
	})
	t := turn{blocks: []block{hello, weather}, stop: "tool_use"}
	passed := clients.Always(outcome{
		Turn: answer{Content: blocks(hello, weather), StopReason: "tool_use"}, Executed: []execution{weatherRan}, Calls: []recorded{weatherPassed},
	})
	return []scene{
		{Name: "client without key", Door: clients.Keyed, Model: model{turn: t}, Want: clients.Always(outcome{
			Err: &raised{Type: "authentication_error", Status: http.StatusUnauthorized}, Asked: clients.None,
		})},
		{Name: "key in the header", Door: clients.Keyed, Model: model{turn: t}, Headers: map[string]string{"x-weir-key": clients.ClientKey}, Want: passed},
		{Name: "key in the path", Door: clients.Keyed, Model: model{turn: t}, Path: "/k/" + clients.ClientKey, Want: passed},
		{Name: "denied in shadow", Door: "shadow", Model: model{turn: list}, Want: watched},
		{Name: "denied while observed", Door: "observe", Model: model{turn: list}, Want: watched},
		{Name: "request too large", Door: "replace", Model: model{turn: t}, Padding: 64 << 20, Want: clients.Always(outcome{
			Err: &raised{Type: "request_too_large", Status: http.StatusRequestEntityTooLarge}, Asked: clients.None,
		})},
	}
}
