package ollama

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/go-json-experiment/json"

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

const (
	marker  = clients.Marker
	replace = "replace"
	drop    = "drop"
)

const toolsJSON = `[
	{"type":"function","function":{"name":"get_weather","description":"The weather.","parameters":{"type":"object","properties":{"city":{"type":"string"}},"required":["city"]}}},
	{"type":"function","function":{"name":"list_files","description":"All files.","parameters":{"type":"object","properties":{}}}},
	{"type":"function","function":{"name":"read_file","description":"A file.","parameters":{"type":"object","properties":{"path":{"type":"string"}},"required":["path"]}}},
	{"type":"function","function":{"name":"run_shell","description":"A shell.","parameters":{"type":"object","properties":{"command":{"type":"string"}},"required":["command"]}}}]`

// The calls that the scenes are made of.
var (
	weather = saidCall{"call_weather", "get_weather", `{"city":"Lisbon"}`}
	files   = saidCall{"call_files", "list_files", `{}`}
	shell   = saidCall{"call_shell", "run_shell", `{"command":"` + marker + ` -rf /"}`}
	hosts   = saidCall{"call_hosts", "read_file", `{"path":"/etc/hosts"}`}
	secret  = saidCall{"call_secret", "read_file", `{"path":"/srv/` + marker + `/secret.txt"}`}
)

// hello is what the model says ahead of its calls.
var hello = []string{"Let me ", "see."}

// What takes the place of refused calls.
var (
	noShell  = notice("run_shell", "tool_denied, rule no-shell", "Shell commands are not allowed here.")
	noSecret = notice("read_file", "args_denied, rule no-secrets", "Secrets stay where they are.")
)

func notice(tool, why, reason string) string {
	return fmt.Sprintf("[weir] The call to %q was refused (%s): %s Do not retry it; continue without it or ask the user.", tool, why, reason)
}

// weirSays is how all begin that weir says to the model. It must read them in the next turn.
const weirSays = "[weir] "

// told is text with notices behind it.
func told(text []string, notices ...string) string {
	if said := strings.Join(text, ""); said != "" {
		notices = append([]string{said}, notices...)
	}
	return strings.Join(notices, "\n\n")
}

// input is what a call comes to.
func (c saidCall) input() any {
	var v any
	if err := json.Unmarshal([]byte(c.args), &v); err != nil {
		panic(err) // arguments in tests are JSON
	}
	return v
}

// passed is what is recorded of the call when it is released.
func (c saidCall) passed() recorded {
	return recorded{Tool: c.name, ID: c.id, Verdict: "allow", Args: c.input()}
}

// denied is what is recorded of calls that the policy refuses.
func (c saidCall) denied() recorded {
	r := recorded{Tool: c.name, ID: c.id, Verdict: "deny", Blocked: true, Code: "args_denied", Rule: "no-secrets", Args: c.input()}
	if c.name == shell.name {
		r.Code, r.Rule = "tool_denied", "no-shell"
	}
	return r
}

// left is an outcome in which a client has some text and some calls, which it executes.
func left(text string, calls []saidCall, record ...recorded) func(clients.Kind) outcome {
	return func(k clients.Kind) outcome {
		o := outcome{Turn: answer{Content: text, Reason: "stop"}, Calls: record}
		if strings.Contains(text, weirSays) {
			o.Told = []string{weirSays}
		}
		for _, c := range calls {
			seen := seenCall{Name: c.name, Input: c.input()}
			if k.Can(ids) {
				seen.ID = c.id
			}
			o.Turn.ToolUse = append(o.Turn.ToolUse, seen)
			o.Executed = append(o.Executed, execution{Name: c.name, Input: c.input()})
		}
		return o
	}
}

// list is short for several calls.
func list(calls ...saidCall) []saidCall { return calls }

// saying is a turn with some text and some calls.
func saying(text []string, calls ...saidCall) turn {
	return turn{text: text, calls: calls, reason: "stop"}
}

func scenes() []scene {
	all := policyScenes()
	all = append(all, shapeScenes()...)
	all = append(all, liveScenes()...)
	all = append(all, brokenScenes()...)
	all = append(all, endpointScenes()...)
	return append(all, doorScenes()...)
}

// policyScenes are answers in order, of which the policy lets through more or less.
func policyScenes() []scene {
	return []scene{
		{
			Name: "allowed", Door: replace, Model: model{turn: saying(hello, weather)},
			Want: left(told(hello), list(weather), weather.passed()),
		},
		{
			Name: "allowed without text or arguments", Door: replace, Model: model{turn: saying(nil, files)},
			Want: left("", list(files), files.passed()),
		},
		{
			Name: "denied by name", Door: replace, Model: model{turn: saying(hello, shell)},
			Want: left(told(hello, noShell), nil, shell.denied()),
		},
		{
			Name: "denied by an argument", Door: replace, Model: model{turn: saying(hello, secret)},
			Want: left(told(hello, noSecret), nil, secret.denied()),
		},
		{
			Name: "partly denied", Door: replace, Model: model{turn: saying(hello, weather, shell, hosts, secret)},
			Want: left(told(hello, noShell, noSecret), list(weather, hosts),
				weather.passed(), shell.denied(), hosts.passed(), secret.denied()),
		},
		{
			Name: "first denied, without text", Door: replace, Model: model{turn: saying(nil, shell, weather)},
			Want: left(noShell, list(weather), shell.denied(), weather.passed()),
		},
		{
			Name: "all denied", Door: replace, Model: model{turn: saying(nil, shell, secret)},
			Want: left(told(nil, noShell, noSecret), nil, shell.denied(), secret.denied()),
		},
		{
			Name: "denied and dropped", Door: drop, Model: model{turn: saying(hello, shell)},
			Want: left(told(hello), nil, shell.denied()),
		},
		{
			Name: "partly denied and dropped", Door: drop, Model: model{turn: saying(hello, shell, weather, secret, hosts)},
			Want: left(told(hello), list(weather, hosts), shell.denied(), weather.passed(), secret.denied(), hosts.passed()),
		},
		{
			// A turn must not be empty, so this one says what was in it.
			Name: "nothing left when dropped", Door: drop, Model: model{turn: saying(nil, shell)},
			Want: left(noShell, nil, shell.denied()),
		},
	}
}

// shapeScenes are answers whose calls are not each on a line of its own.
func shapeScenes() []scene {
	onLast, cut, atOnce := saying(hello, shell, weather), saying(hello, weather, shell), saying(hello, shell, weather, secret)
	onLast.onLast, atOnce.atOnce = true, true
	cut.onLast, cut.cutEnd = true, true
	thinking := saying(hello, weather, shell)
	thinking.thinking = []string{"Hmm, ", "a city."}
	thought := func(k clients.Kind) outcome {
		o := left(told(hello, noShell), list(weather), weather.passed(), shell.denied())(k)
		o.Turn.Thinking = "Hmm, a city."
		return o
	}
	return []scene{
		{
			Name: "on one line", Door: replace, Model: model{turn: atOnce},
			Want: left(told(hello, noShell, noSecret), list(weather), shell.denied(), weather.passed(), secret.denied()),
		},
		{
			Name: "on the last line", Door: replace, Model: model{turn: onLast},
			Want: left(told(hello, noShell), list(weather), shell.denied(), weather.passed()),
		},
		{
			Name: "on the last line, which has no end", Door: replace, Model: model{turn: cut},
			Want: left(told(hello, noShell), list(weather), weather.passed(), shell.denied()),
		},
		{Name: "after thinking", Door: replace, Model: model{turn: thinking}, Want: thought},
	}
}

// liveScenes wait for the client in the middle of an answer. A client that is not given its part at once gets stuck.
func liveScenes() []scene {
	t := saying(hello, weather, secret)
	want := left(told(hello, noSecret), list(weather), weather.passed(), secret.denied())
	const firstText, firstCall = 1, 3
	return []scene{
		{Name: "text is live", Door: replace, Model: model{t, waiting(firstText)}, WaitsFor: "text", Want: want},
		{Name: "a call does not wait for the next", Door: replace, Model: model{t, waiting(firstCall)}, WaitsFor: "call", Want: want},
	}
}

// brokenScenes are answers that go wrong.
func brokenScenes() []scene {
	t := saying(hello, saidCall{"call_broken", "get_weather", `{"city":"` + marker + `"}`})
	const inText, inCall = 1, 2
	broken := func(inStream, asBody raised) func(clients.Kind) outcome {
		return func(k clients.Kind) outcome {
			if k.Streamed {
				return outcome{Err: &inStream, Asked: 1}
			}
			return outcome{Err: &asBody, Asked: 1}
		}
	}
	return []scene{
		{Name: "malformed", Door: replace, Model: model{t, garbled(inText)}, Want: wantMalformed},
		{
			Name: "overloaded", Door: replace, Model: model{t, overloaded(inCall)},
			Want: broken(raised{Message: "Overloaded"}, raised{Status: http.StatusServiceUnavailable, Message: "Overloaded"}),
		},
		{
			Name: "died in a call", Door: replace, Model: model{t, dying(inCall)},
			Want: broken(raised{}, raised{Status: http.StatusBadGateway}),
		},
		{Name: "rejected", Door: replace, Model: model{t, rejecting}, Want: clients.Always(outcome{
			Err: &raised{Status: http.StatusBadRequest, Message: "The tools are bad."}, Asked: 1,
		})},
		{Name: "redirected", Door: replace, Model: model{t, redirecting}, Want: clients.Always(outcome{
			Err: &raised{Status: http.StatusBadRequest, Message: "firewall_blocked"}, Asked: 1,
		})},
	}
}

// wantMalformed is a turn that ends in order, with one notice. Of a stream, what came before stays.
func wantMalformed(k clients.Kind) outcome {
	refusal := func(reason string) string {
		return "[weir] The rest of this response was refused (malformed): " + reason + " Nothing after this point was delivered; tell the user."
	}
	o := left(refusal("the response is not JSON."), nil)(k)
	if k.Streamed {
		o = left(told(hello[:1], refusal("a line is not strict JSON.")), nil)(k)
	}
	o.Refused, o.Broken = "malformed", true
	return o
}

// endpointScenes ask for something else than a conversation.
func endpointScenes() []scene {
	generate, pull := clients.Options{"do": "generate"}, clients.Options{"do": "pull"}
	t := model{turn: saying(hello)}
	alone := func(o outcome) func(clients.Kind) outcome {
		o.Later = []answer{}
		return clients.Always(o)
	}
	return []scene{
		{
			Name: "generated text", Door: replace, Model: t, Options: generate,
			Want: alone(outcome{Turn: answer{Content: told(hello), Reason: "stop"}}),
		},
		{Name: "pulling a model", Door: replace, Model: t, Options: pull, Want: clients.Always(outcome{
			Err: &raised{Status: http.StatusBadRequest, Message: "firewall_blocked"}, Asked: clients.None,
		})},
		{
			Name: "pulling a model where that is allowed", Door: "changes", Model: t, Options: pull,
			Want: alone(outcome{Turn: answer{Content: "success"}, Silent: 1, Broken: true}),
		},
	}
}

// doorScenes are about who may ask, and how far the policy is enforced.
func doorScenes() []scene {
	ls := saidCall{"call_list", "run_shell", `{"command":"ls"}`}
	watched := left(told(hello), list(ls), recorded{
		Tool: ls.name, ID: ls.id, Verdict: "audit", WouldBe: "deny", Code: "tool_denied", Rule: "no-shell", Args: ls.input(),
	})
	passed := left(told(hello), list(weather), weather.passed())
	t := model{turn: saying(hello, weather)}
	return []scene{
		{Name: "client without key", Door: clients.Keyed, Model: t, Want: clients.Always(outcome{
			Err: &raised{Status: http.StatusUnauthorized}, Asked: clients.None,
		})},
		{Name: "key in the header", Door: clients.Keyed, Model: t, Headers: map[string]string{"x-weir-key": clients.ClientKey}, Want: passed},
		{Name: "key in the path", Door: clients.Keyed, Model: t, Path: "/k/" + clients.ClientKey, Want: passed},
		{Name: "denied in shadow", Door: "shadow", Model: model{turn: saying(hello, ls)}, Want: watched},
		{Name: "denied while observed", Door: "observe", Model: model{turn: saying(hello, ls)}, Want: watched},
	}
}
