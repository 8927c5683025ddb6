package bedrock

import (
	"fmt"
	"net/http"

	"github.com/weir-gate/weir/test/clients"
)

// A scene is one of this service.
type scene = clients.Scene[answer]

// An outcome is what must become of a scene.
type outcome = clients.Outcome[answer]

// Short names for what scenes are made of.
type (
	recorded  = clients.Recorded
	execution = clients.Execution
	raised    = clients.Raised
	object    = map[string]any
)

const (
	marker  = clients.Marker
	replace = "replace"
	drop    = "drop"
)

// toolsJSON are in the words of Claude's own format. Those with a type are the provider's, and only in that format.
const toolsJSON = `[
	{"name":"get_weather","description":"The weather.","input_schema":{"type":"object","properties":{"city":{"type":"string"}}}},
	{"name":"list_files","description":"All files.","input_schema":{"type":"object","properties":{}}},
	{"name":"read_file","description":"A file.","input_schema":{"type":"object","properties":{"path":{"type":"string"}}}},
	{"name":"run_shell","description":"A shell.","input_schema":{"type":"object","properties":{"command":{"type":"string"}}}},
	{"type":"web_search_20250305","name":"web_search"}]`

// The blocks that the scenes are made of.
var (
	weather  = call("tooluse_weather", "get_weather", `{"city":`, `"Lis`, `bon"}`)
	files    = call("tooluse_files", "list_files")
	shell    = call("tooluse_shell", "run_shell", `{"command":"`+marker, ` -rf /"}`)
	hosts    = call("tooluse_hosts", "read_file", `{"path":"/etc/hosts"}`)
	secret   = call("tooluse_secret", "read_file", `{"path":"/srv/`+marker, `/sec`, `ret.txt"}`)
	search   = serverCall("srvtoolu_search", "web_search", `{"query":`, `"weirs"}`)
	found    = result("srvtoolu_search", "Weirs")
	fetch    = serverCall("srvtoolu_fetch", "web_fetch", `{"url":"https://`+marker, `.example/"}`)
	fetched  = result("srvtoolu_fetch", marker)
	pondered = thinking("Let me think. ", "EqoBCkgIBRABGAIiQL0+sig==")
	hello    = text("Let me ", "see.")
)

// What the record says of them.
var (
	weatherPassed = recorded{Tool: "get_weather", ID: "tooluse_weather", Verdict: "allow", Args: object{"city": "Lisbon"}}
	filesPassed   = recorded{Tool: "list_files", ID: "tooluse_files", Verdict: "allow", Args: object{}}
	hostsPassed   = recorded{Tool: "read_file", ID: "tooluse_hosts", Verdict: "allow", Args: object{"path": "/etc/hosts"}}
	searchPassed  = recorded{Tool: "web_search", ID: "srvtoolu_search", Verdict: "allow", Args: object{"query": "weirs"}}
	shellRefused  = refused("run_shell", "tooluse_shell", "tool_denied", "no-shell", object{"command": marker + " -rf /"})
	secretRefused = refused("read_file", "tooluse_secret", "args_denied", "no-secrets", object{"path": "/srv/" + marker + "/secret.txt"})
	fetchRefused  = refused("web_fetch", "srvtoolu_fetch", "tool_denied", "no-fetch", object{"url": "https://" + marker + ".example/"})
)

func refused(tool, id, code, rule string, args any) recorded {
	return recorded{Tool: tool, ID: id, Verdict: "deny", Blocked: true, Code: code, Rule: rule, Args: args}
}

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

func notice(tool, why, reason string) block {
	return text(fmt.Sprintf("[weir] The call to %q was refused (%s): %s Do not retry it; continue without it or ask the user.",
		tool, why, reason))
}

// saying is a turn that ends with calls, or with text.
func saying(list ...block) turn { return turn{blocks: list, stop: "tool_use"} }
func ending(list ...block) turn { return turn{blocks: list, stop: "end_turn"} }

// left is an outcome in which a client has these blocks of a turn, and executes what it can.
func left(t turn, ran []execution, calls ...recorded) func(clients.Kind) outcome {
	return func(k clients.Kind) outcome {
		o := outcome{Turn: answer{Content: blocks(t.blocks...), StopReason: t.stop}, Executed: ran, Calls: calls}
		for i, b := range o.Turn.Content {
			if b.Type == providerResult && !k.Can(native) {
				o.Turn.Content[i].Type = "tool_result"
			}
			if b.Type == "text" && len(b.Text) > 6 && b.Text[:6] == "[weir]" {
				o.Told = []string{"[weir] "} // the model must read it in the next turn
			}
		}
		return o
	}
}

// ran is short for several executions.
func ran(list ...execution) []execution { return list }

// briefly are the scenes for clients that differ only in how they connect.
var briefly = map[string]bool{"allowed": true, "partly denied": true, "denied by the last piece of an argument": true}

func scenes() []scene {
	all := policyScenes()
	all = append(all, liveScenes()...)
	all = append(all, brokenScenes()...)
	all = append(all, doorScenes()...)
	for i, s := range all {
		all[i].For = func(k clients.Kind) bool {
			return (!k.Can(brief) || briefly[s.Name]) && (s.For == nil || s.For(k))
		}
	}
	return all
}

// policyScenes are answers in order, of which the policy lets through more or less.
func policyScenes() []scene {
	tells := func(k clients.Kind) bool { return k.Can(provider) }
	return []scene{
		{Name: "text", Door: replace, Model: model{turn: ending(hello)}, Want: left(ending(hello), nil)},
		{Name: "allowed", Door: replace, Model: model{turn: saying(hello, weather)}, Want: left(saying(hello, weather), ran(weatherRan), weatherPassed)},
		{Name: "allowed without arguments", Door: replace, Model: model{turn: saying(files)}, Want: left(saying(files), ran(filesRan), filesPassed)},
		{Name: "denied by name", Door: replace, Model: model{turn: saying(hello, shell)}, Want: left(ending(hello, noShell), nil, shellRefused)},
		{
			Name: "denied by the last piece of an argument", Door: replace, Model: model{turn: saying(hello, secret)},
			Want: left(ending(hello, noSecret), nil, secretRefused),
		},
		{
			Name: "partly denied", Door: replace, Model: model{turn: saying(hello, weather, shell, hosts, secret)},
			Want: left(saying(hello, weather, noShell, hosts, noSecret), ran(weatherRan, hostsRan), weatherPassed, shellRefused, hostsPassed, secretRefused),
		},
		{Name: "all denied", Door: replace, Model: model{turn: saying(shell, secret)}, Want: left(ending(noShell, noSecret), nil, shellRefused, secretRefused)},
		{
			Name: "partly denied and dropped", Door: drop, Model: model{turn: saying(hello, shell, weather, secret, hosts)},
			Want: left(saying(hello, weather, hosts), ran(weatherRan, hostsRan), shellRefused, weatherPassed, secretRefused, hostsPassed),
		},
		// A turn must not be empty, so this one says what was in it.
		{Name: "nothing left when dropped", Door: drop, Model: model{turn: saying(shell)}, Want: left(ending(noShell), nil, shellRefused)},
		{
			Name: "thinking before partly denied calls", Door: replace, Model: model{turn: saying(pondered, shell, weather)},
			Want: left(saying(pondered, noShell, weather), ran(weatherRan), shellRefused, weatherPassed),
		},
		{
			Name: "run by the provider", Door: replace, For: tells, Model: model{turn: ending(hello, search, found, text("Found."))},
			Want: left(ending(hello, search, found, text("Found.")), nil, searchPassed),
		},
		{
			Name: "run by the provider and denied by name", Door: replace, For: tells, Model: model{turn: ending(hello, fetch, fetched, text("Fetched."))},
			Want: left(ending(hello, noFetch, noResult, text("Fetched.")), nil, fetchRefused),
		},
		{Name: "cut by the token limit", Door: replace, Model: model{turn: cutTurn}, Want: wantCut},
	}
}

var cutTurn = turn{blocks: []block{hello, call("tooluse_cut", "get_weather", `{"city":"`+marker)}, stop: "max_tokens"}

// wantCut tells the two forms apart: a stream shows the piece of an argument, a body has no room for it.
func wantCut(k clients.Kind) outcome {
	refusal := refused("get_weather", "tooluse_cut", "cut_short", "", object{})
	if k.Streamed {
		refusal.Args = `{"city":"` + marker
	}
	said := notice("get_weather", refusal.Code, "The response ended before the call was complete.")
	return left(turn{blocks: []block{hello, said}, stop: "max_tokens"}, nil, refusal)(k)
}

// liveScenes wait for the client in the middle of an answer. A client that is not given its part at once gets stuck.
func liveScenes() []scene {
	t := saying(hello, weather, secret)
	want := left(saying(hello, weather, noSecret), ran(weatherRan), weatherPassed, secretRefused)
	return []scene{
		{Name: "text is live", Door: replace, Model: model{t, waiting(lastPieceOf(0))}, WaitsFor: "text", Want: want},
		{Name: "a call does not wait for the next", Door: replace, Model: model{t, waiting(endOf(1))}, WaitsFor: "call", Want: want},
	}
}

// brokenScenes are answers that go wrong.
func brokenScenes() []scene {
	never := 0
	t := saying(hello, call("tooluse_broken", "get_weather", `{"city":"`+marker, ` city"}`))
	return []scene{
		{Name: "garbled", Door: replace, Model: model{t, garbled(lastPieceOf(0))}, Want: wantGarbled},
		{
			Name: "failed in a call", Door: replace, Model: model{t, overloaded(lastPieceOf(1))}, Retries: &never,
			Want: wantBroken(raised{Message: "Too many requests"}, raised{Status: http.StatusTooManyRequests, Message: "Too many requests"}),
		},
		{
			Name: "died in a call", Door: replace, Model: model{t, dying(lastPieceOf(1))}, Retries: &never,
			Want: wantBroken(raised{}, raised{Status: http.StatusBadGateway}),
		},
		{Name: "redirected", Door: replace, Model: model{t, redirecting}, Want: wantRefused(raised{
			Name: "ValidationException", Status: http.StatusBadRequest, Message: "(firewall_blocked)",
		}, 1)},
	}
}

// wantRefused is an error that weir makes.
func wantRefused(err raised, asked int) func(clients.Kind) outcome {
	return func(k clients.Kind) outcome {
		said := err
		if !k.Can(names) {
			said.Name = ""
		}
		return outcome{Err: &said, Asked: asked}
	}
}

// wantGarbled is a turn that ends in order, with one notice. Of a stream, what came before stays.
func wantGarbled(k clients.Kind) outcome {
	refusal := func(reason string) block {
		return text("[weir] The rest of this response was refused (malformed): " + reason +
			" Nothing after this point was delivered; tell the user.")
	}
	list := []block{refusal("the response is not JSON.")}
	if k.Streamed {
		list = []block{text("Let me "), refusal("a frame can be read in more than one way, or its checksum is wrong.")}
	}
	o := left(ending(list...), nil)(k)
	o.Refused, o.Broken = "malformed", true
	return o
}

// wantBroken is an error, and nothing of the call in which a stream broke off.
func wantBroken(inStream, asBody raised) func(clients.Kind) outcome {
	return func(k clients.Kind) outcome {
		if !k.Streamed {
			return outcome{Err: &asBody, Asked: 1}
		}
		return outcome{Err: &inStream, Asked: 1, Calls: []recorded{refused("get_weather", "tooluse_broken", "cut_short", "", `{"city":"`+marker)}}
	}
}

// doorScenes are about who may ask, and how far the policy is enforced.
func doorScenes() []scene {
	list := saying(hello, call("tooluse_list", "run_shell", `{"command":"ls"}`))
	listed := recorded{
		Tool: "run_shell", ID: "tooluse_list", Verdict: "audit", WouldBe: "deny", Code: "tool_denied", Rule: "no-shell", Args: object{"command": "ls"},
	}
	t := saying(hello, weather)
	passed := left(t, ran(weatherRan), weatherPassed)
	return []scene{
		{Name: "client without key", Door: clients.Keyed, Model: model{turn: t}, Want: wantRefused(raised{
			Name: "AccessDeniedException", Status: http.StatusUnauthorized, Message: "weir does not know this client",
		}, clients.None)},
		{Name: "key in the header", Door: clients.Keyed, Model: model{turn: t}, Headers: map[string]string{"x-weir-key": clients.ClientKey}, Want: passed},
		{Name: "key in the path", Door: clients.Keyed, Model: model{turn: t}, Path: "/k/" + clients.ClientKey, Want: passed},
		{
			Name: "denied while observed", Door: "observe", Model: model{turn: list},
			Want: left(list, ran(execution{Name: "run_shell", Input: object{"command": "ls"}}), listed),
		},
	}
}
