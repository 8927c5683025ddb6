package clients

import (
	"fmt"
	"net/http"
)

// A scene is an answer of the model and what must become of it, whichever client asks.
type scene struct {
	name string
	door string // the weir in settings that it is played through
	turn turn   // what the model says
	play play   // how it says it; nil: plainly
	// waitsFor is the progress of the client that releases the rest of the answer; only streams have such.
	waitsFor string
	path     string            // ahead of the upstream's name
	headers  map[string]string // that the client adds
	padding  int               // characters that the request is longer
	retries  *int              // nil: as the SDK has it
	want     func(streamed bool) outcome
}

// An outcome is what must become of a scene.
type outcome struct {
	content  []seenBlock // the model's turn as the client has it; nothing if the SDK raises
	stop     string
	executed []execution
	err      *raised    // by status, type and a part of the message, each unless empty
	asked    int        // requests that reach the model; 0: two, one for each turn
	calls    []recorded // in the record
	refused  string     // code under which the record says that the response was refused
	broken   bool       // the turn does not come to its end, so that its usage is not known
}

// recorded is a call in the record.
type recorded struct {
	tool, id, verdict, wouldBe, code, rule string
	blocked                                bool
	args                                   any
}

// marker is in the arguments of everything that must not reach a client.
const marker = "forbidden"

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
	weatherPassed = recorded{tool: "get_weather", id: "toolu_01Weather", verdict: "allow", args: object{"city": "Lisbon"}}
	filesPassed   = recorded{tool: "list_files", id: "toolu_01Files", verdict: "allow", args: object{}}
	hostsPassed   = recorded{tool: "read_file", id: "toolu_01Hosts", verdict: "allow", args: object{"path": "/etc/hosts"}}
	searchPassed  = recorded{tool: "web_search", id: "srvtoolu_01Search", verdict: "allow", args: object{"query": "weirs"}}
	shellRefused  = recorded{
		tool: "run_shell", id: "toolu_01Shell", verdict: "deny", blocked: true, code: "tool_denied", rule: "no-shell",
		args: object{"command": marker + " -rf /"},
	}
	secretRefused = recorded{
		tool: "read_file", id: "toolu_01Secret", verdict: "deny", blocked: true, code: "args_denied", rule: "no-secrets",
		args: object{"path": "/srv/" + marker + "/secret.txt"},
	}
	fetchRefused = recorded{
		tool: "web_fetch", id: "srvtoolu_01Fetch", verdict: "deny", blocked: true, code: "tool_denied", rule: "no-fetch",
		args: object{"url": "https://" + marker + ".example/"},
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

// always is an outcome that is the same for streams and bodies.
func always(o outcome) func(bool) outcome { return func(bool) outcome { return o } }

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
	ended := func(content []seenBlock, calls ...recorded) func(bool) outcome {
		return always(outcome{content: content, stop: "end_turn", calls: calls})
	}
	return []scene{
		{name: "allowed", door: replace, turn: toolUse(hello, weather), want: always(outcome{
			content: blocks(hello, weather), stop: "tool_use", executed: []execution{weatherRan}, calls: []recorded{weatherPassed},
		})},
		{name: "allowed without arguments", door: replace, turn: toolUse(files), want: always(outcome{
			content: blocks(files), stop: "tool_use", executed: []execution{filesRan}, calls: []recorded{filesPassed},
		})},
		{
			name: "denied by name", door: replace, turn: toolUse(hello, shell),
			want: ended(blocks(hello, noShell), shellRefused),
		},
		{
			name: "denied by the last piece of an argument", door: replace, turn: toolUse(hello, secret),
			want: ended(blocks(hello, noSecret), secretRefused),
		},
		{name: "partly denied", door: replace, turn: toolUse(hello, weather, shell, hosts, secret), want: always(outcome{
			content: blocks(hello, weather, noShell, hosts, noSecret), stop: "tool_use",
			executed: []execution{weatherRan, hostsRan},
			calls:    []recorded{weatherPassed, shellRefused, hostsPassed, secretRefused},
		})},
		{
			name: "all denied", door: replace, turn: toolUse(shell, secret),
			want: ended(blocks(noShell, noSecret), shellRefused, secretRefused),
		},
		{
			name: "denied and dropped", door: drop, turn: toolUse(hello, shell),
			want: ended(blocks(hello), shellRefused),
		},
		{name: "partly denied and dropped", door: drop, turn: toolUse(hello, shell, weather, secret, hosts), want: always(outcome{
			content: blocks(hello, weather, hosts), stop: "tool_use", executed: []execution{weatherRan, hostsRan},
			calls: []recorded{shellRefused, weatherPassed, secretRefused, hostsPassed},
		})},
		{
			// A turn must not be empty, so this one says what was in it.
			name: "nothing left when dropped", door: drop, turn: toolUse(shell),
			want: ended(blocks(noShell), shellRefused),
		},
		{name: "thinking before an allowed call", door: replace, turn: toolUse(pondered, hello, weather), want: always(outcome{
			content: blocks(pondered, hello, weather), stop: "tool_use", executed: []execution{weatherRan},
			calls: []recorded{weatherPassed},
		})},
		{name: "thinking before partly denied calls", door: replace, turn: toolUse(pondered, shell, weather), want: always(outcome{
			content: blocks(pondered, noShell, weather), stop: "tool_use", executed: []execution{weatherRan},
			calls: []recorded{shellRefused, weatherPassed},
		})},
		{
			name: "run by the provider", door: replace,
			turn: turn{blocks: []block{hello, search, found, text("Found.")}, stop: "end_turn"},
			want: ended(blocks(hello, search, found, text("Found.")), searchPassed),
		},
		{
			name: "run by the provider and denied by name", door: replace,
			turn: turn{blocks: []block{hello, fetch, fetched, text("Fetched.")}, stop: "end_turn"},
			want: ended(blocks(hello, noFetch, noResult, text("Fetched.")), fetchRefused),
		},
		{name: "cut by the token limit", door: replace, turn: cutTurn, want: wantCut},
	}
}

var cutTurn = turn{blocks: []block{hello, call("toolu_01Cut", "get_weather", `{"city":"`+marker)}, stop: "max_tokens"}

// wantCut tells the two forms apart: a stream shows the piece of an argument, a body has no room for it.
func wantCut(streamed bool) outcome {
	refusal := recorded{tool: "get_weather", id: "toolu_01Cut", verdict: "deny", blocked: true, code: "cut_short", args: object{}}
	if streamed {
		refusal.args = `{"city":"` + marker
	}
	said := notice("get_weather", refusal.code, "The response ended before the call was complete.")
	return outcome{content: blocks(hello, said), stop: "max_tokens", calls: []recorded{refusal}}
}

// liveScenes wait for the client in the middle of an answer. A client that is not given its part at once gets stuck.
func liveScenes() []scene {
	allowed := outcome{
		content: blocks(hello, weather, noSecret), stop: "tool_use", executed: []execution{weatherRan},
		calls: []recorded{weatherPassed, secretRefused},
	}
	t := turn{blocks: []block{hello, weather, secret}, stop: "tool_use"}
	const firstText = 3                 // message_start, content_block_start, one delta
	const firstCall = firstText + 2 + 6 // the rest of the text; a start, four deltas and a stop
	return []scene{
		{name: "text is live", door: "replace", turn: t, play: waiting(firstText), waitsFor: "text", want: always(allowed)},
		{name: "a call does not wait for the next", door: "replace", turn: t, play: waiting(firstCall), waitsFor: "call", want: always(allowed)},
	}
}

// brokenScenes are answers that go wrong.
func brokenScenes() []scene {
	never := 0
	t := turn{blocks: []block{hello, call("toolu_01Broken", "get_weather", `{"city":"`+marker, ` city"}`)}, stop: "tool_use"}
	const inText = 3              // after the first piece of text
	const inCall = inText + 2 + 3 // after the first piece of an argument
	return []scene{
		{name: "malformed", door: "replace", turn: t, play: garbled(inText), want: wantMalformed},
		{
			name: "overloaded", door: "replace", turn: t, play: overloaded(inCall), retries: &never,
			want: wantBroken(raised{Type: "overloaded_error"}, raised{Type: "overloaded_error", Status: 529}),
		},
		{
			name: "died in a call", door: "replace", turn: t, play: dying(inCall), retries: &never,
			want: wantBroken(raised{}, raised{Type: "api_error", Status: http.StatusBadGateway}),
		},
		{name: "redirected", door: "replace", turn: t, play: redirecting, want: always(outcome{
			err:   &raised{Type: "invalid_request_error", Status: http.StatusBadRequest, Message: "(firewall_blocked)"},
			asked: 1,
		})},
	}
}

// wantMalformed is a turn that ends in order, with one notice. Of a stream, what came before stays.
func wantMalformed(streamed bool) outcome {
	refusal := func(reason string) block {
		return text("[weir] The rest of this response was refused (malformed): " + reason +
			" Nothing after this point was delivered; tell the user.")
	}
	o := outcome{content: blocks(refusal("the response is not JSON.")), stop: "end_turn", refused: "malformed", broken: true}
	if streamed {
		o.content = blocks(text("Let me "), refusal("a frame is not strict JSON."))
	}
	return o
}

// wantBroken is an error, and nothing of the call in which a stream broke off.
func wantBroken(inStream, asBody raised) func(streamed bool) outcome {
	return func(streamed bool) outcome {
		if !streamed {
			return outcome{err: &asBody, asked: 1}
		}
		return outcome{err: &inStream, asked: 1, calls: []recorded{{
			tool: "get_weather", id: "toolu_01Broken", verdict: "deny", blocked: true, code: "cut_short", args: `{"city":"` + marker,
		}}}
	}
}

// doorScenes are about who may ask, for how much, and how far the policy is enforced.
func doorScenes() []scene {
	list := turn{blocks: []block{hello, call("toolu_01List", "run_shell", `{"command":"ls"}`)}, stop: "tool_use"}
	watched := always(outcome{
		content: list.seen(), stop: "tool_use", executed: []execution{{Name: "run_shell", Input: object{"command": "ls"}}},
		calls: []recorded{{
			tool: "run_shell", id: "toolu_01List", verdict: "audit", wouldBe: "deny", code: "tool_denied", rule: "no-shell",
			args: object{"command": "ls"},
		}},
	})
	t := turn{blocks: []block{hello, weather}, stop: "tool_use"}
	passed := always(outcome{
		content: blocks(hello, weather), stop: "tool_use", executed: []execution{weatherRan}, calls: []recorded{weatherPassed},
	})
	return []scene{
		{name: "client without key", door: "keyed", turn: t, want: always(outcome{
			err: &raised{Type: "authentication_error", Status: http.StatusUnauthorized}, asked: none,
		})},
		{name: "key in the header", door: "keyed", turn: t, headers: map[string]string{"x-weir-key": clientKey}, want: passed},
		{name: "key in the path", door: "keyed", turn: t, path: "/k/" + clientKey, want: passed},
		{name: "denied in shadow", door: "shadow", turn: list, want: watched},
		{name: "denied while observed", door: "observe", turn: list, want: watched},
		{name: "request too large", door: "replace", turn: t, padding: 64 << 20, want: always(outcome{
			err: &raised{Type: "request_too_large", Status: http.StatusRequestEntityTooLarge}, asked: none,
		})},
	}
}

// none is the number of requests of a scene that never reaches the model.
const none = -1
