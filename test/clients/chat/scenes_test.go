package chat

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
	object    = map[string]any
)

const (
	marker  = clients.Marker
	replace = "replace"
	drop    = "drop"
)

const toolsJSON = `[
	{"type":"function","function":{"name":"get_weather","description":"The weather.","parameters":{"type":"object","properties":{"city":{"type":"string"}},"required":["city"],"additionalProperties":false}}},
	{"type":"function","function":{"name":"list_files","description":"All files.","parameters":{"type":"object","properties":{},"required":[],"additionalProperties":false}}},
	{"type":"function","function":{"name":"read_file","description":"A file.","parameters":{"type":"object","properties":{"path":{"type":"string"}},"required":["path"],"additionalProperties":false}}},
	{"type":"function","function":{"name":"run_shell","description":"A shell.","parameters":{"type":"object","properties":{"command":{"type":"string"}},"required":["command"],"additionalProperties":false}}}]`

// The calls that the scenes are made of.
var (
	weather = call("call_01Weather", "get_weather", `{"city":`, `"Lis`, `bon"}`)
	files   = call("call_01Files", "list_files")
	shell   = call("call_01Shell", "run_shell", `{"command":"`+marker, ` -rf /"}`)
	hosts   = call("call_01Hosts", "read_file", `{"path":"/etc/hosts"}`)
	secret  = call("call_01Secret", "read_file", `{"path":"/srv/`+marker, `/sec`, `ret.txt"}`)
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

// told is text with notices behind it.
func told(text []string, notices ...string) string {
	all := strings.Join(text, "")
	if all != "" && len(notices) > 0 {
		all += "\n\n"
	}
	return all + strings.Join(notices, "\n")
}

// input is what a call comes to.
func (c saidCall) input() any {
	if c.kind == "custom" {
		return object{"input": c.text()}
	}
	var v any
	if err := json.Unmarshal([]byte(arguments(c.text())), &v); err != nil {
		return c.text() // as it is recorded
	}
	return v
}

// ran is the call as a client executes it.
func (c saidCall) ran() execution { return execution{Name: c.name, Input: c.input()} }

// passed is what is recorded of the call when it is released.
func (c saidCall) passed() recorded {
	return recorded{Tool: c.name, ID: c.id, Verdict: "allow", Args: c.input()}
}

// refused is what is recorded of the call when it is not released. rule may be "".
func (c saidCall) refused(code, rule string) recorded {
	return recorded{Tool: c.name, ID: c.id, Verdict: "deny", Blocked: true, Code: code, Rule: rule, Args: c.input()}
}

// denied is what is recorded of calls that the policy refuses.
func (c saidCall) denied() recorded {
	if c.name == shell.name {
		return c.refused("tool_denied", "no-shell")
	}
	return c.refused("args_denied", "no-secrets")
}

// seen is a choice as a client has it.
func seen(k clients.Kind, finish, text string, calls ...saidCall) choice {
	c := choice{Content: text, FinishReason: finish}
	for _, s := range calls {
		one := seenCall{ID: s.id, Name: s.name, Input: s.input()}
		if s.extra != "" && k.Can(extras) {
			if err := json.Unmarshal([]byte(s.extra), &one.Extra); err != nil {
				panic(err) // extras in tests are JSON
			}
		}
		if s.kind == "legacy" {
			c.FunctionCall = &one
			continue
		}
		c.ToolCalls = append(c.ToolCalls, one)
	}
	return c
}

// left is an outcome in which a client has some text and some calls, which it executes.
func left(finish, text string, calls []saidCall, record ...recorded) func(clients.Kind) outcome {
	return func(k clients.Kind) outcome {
		o := outcome{Turn: answer{Choices: []choice{seen(k, finish, text, calls...)}}, Calls: record}
		for _, c := range calls {
			o.Executed = append(o.Executed, c.ran())
		}
		return o
	}
}

// list is short for several calls.
func list(calls ...saidCall) []saidCall { return calls }

// calling is a turn with some text and some calls.
func calling(text []string, calls ...saidCall) turn {
	return turn{choices: []said{{text: text, calls: calls, finish: "tool_calls"}}}
}

// in is a turn whose stream is not the regular one.
func (t turn) in(deltas ...string) turn {
	t.deltas = deltas
	return t
}

// ending is a turn with another finish reason.
func (t turn) ending(reason string) turn {
	t.choices[0].finish = reason
	return t
}

func can(skill string) func(clients.Kind) bool {
	return func(k clients.Kind) bool { return k.Can(skill) }
}

func isStreamed(k clients.Kind) bool { return k.Streamed }

func scenes() []scene {
	all := policyScenes()
	all = append(all, liveScenes()...)
	all = append(all, shapeScenes()...)
	all = append(all, oddScenes()...)
	all = append(all, spelledScenes()...)
	all = append(all, lateScenes()...)
	all = append(all, brokenScenes()...)
	return append(all, doorScenes()...)
}

// policyScenes are answers in order, of which the policy lets through more or less.
func policyScenes() []scene {
	return []scene{
		{
			Name: "allowed", Door: replace, Model: model{turn: calling(hello, weather)},
			Want: left("tool_calls", told(hello), list(weather), weather.passed()),
		},
		{
			Name: "allowed without text or arguments", Door: replace, Model: model{turn: calling(nil, files)},
			Want: left("tool_calls", "", list(files), files.passed()),
		},
		{
			Name: "denied by name", Door: replace, Model: model{turn: calling(hello, shell)},
			Want: left("stop", told(hello, noShell), nil, shell.denied()),
		},
		{
			Name: "denied by the last piece of an argument", Door: replace, Model: model{turn: calling(hello, secret)},
			Want: left("stop", told(hello, noSecret), nil, secret.denied()),
		},
		{
			Name: "partly denied", Door: replace, Model: model{turn: calling(hello, weather, shell, hosts, secret)},
			Want: left("tool_calls", told(hello, noShell, noSecret), list(weather, hosts),
				weather.passed(), shell.denied(), hosts.passed(), secret.denied()),
		},
		{
			Name: "first denied, without text", Door: replace, Model: model{turn: calling(nil, shell, weather)},
			Want: left("tool_calls", noShell, list(weather), shell.denied(), weather.passed()),
		},
		{
			Name: "all denied", Door: replace, Model: model{turn: calling(nil, shell, secret)},
			Want: left("stop", told(nil, noShell, noSecret), nil, shell.denied(), secret.denied()),
		},
		{
			Name: "denied and dropped", Door: drop, Model: model{turn: calling(hello, shell)},
			Want: left("stop", told(hello), nil, shell.denied()),
		},
		{
			Name: "partly denied and dropped", Door: drop, Model: model{turn: calling(hello, shell, weather, secret, hosts)},
			Want: left("tool_calls", told(hello), list(weather, hosts),
				shell.denied(), weather.passed(), secret.denied(), hosts.passed()),
		},
		{
			// A turn must not be empty, so this one says what was in it.
			Name: "nothing left when dropped", Door: drop, Model: model{turn: calling(nil, shell)},
			Want: left("stop", noShell, nil, shell.denied()),
		},
	}
}

// liveScenes wait for the client in the middle of an answer. A client that is not given its part at once gets stuck.
func liveScenes() []scene {
	t := calling(hello, weather, secret)
	want := left("tool_calls", told(hello, noSecret), list(weather), weather.passed(), secret.denied())
	const firstText = 2                 // the role, one piece
	const firstCall = firstText + 1 + 4 // the rest of the text; the opening and three pieces
	return []scene{
		{Name: "text is live", Door: replace, Model: model{t, waiting(firstText)}, WaitsFor: "text", Want: want},
		{Name: "a call does not wait for the next", Door: replace, Model: model{t, waiting(firstCall)}, WaitsFor: "call", Want: want},
	}
}

// doorScenes are about who may ask, and how far the policy is enforced.
func doorScenes() []scene {
	ls := call("call_01List", "run_shell", `{"command":"ls"}`)
	watched := left("tool_calls", told(hello), list(ls), recorded{
		Tool: ls.name, ID: ls.id, Verdict: "audit", WouldBe: "deny", Code: "tool_denied", Rule: "no-shell", Args: ls.input(),
	})
	passed := left("tool_calls", told(hello), list(weather), weather.passed())
	t := model{turn: calling(hello, weather)}
	return []scene{
		{Name: "client without key", Door: clients.Keyed, Model: t, Want: clients.Always(outcome{
			Err: &raised{Status: http.StatusUnauthorized, Code: "invalid_api_key"}, Asked: clients.None,
		})},
		{Name: "key in the header", Door: clients.Keyed, Model: t, Headers: map[string]string{"x-weir-key": clients.ClientKey}, Want: passed},
		{Name: "key in the path", Door: clients.Keyed, Model: t, Path: "/k/" + clients.ClientKey, Want: passed},
		{Name: "denied in shadow", Door: "shadow", Model: model{turn: calling(hello, ls)}, Want: watched},
		{Name: "denied while observed", Door: "observe", Model: model{turn: calling(hello, ls)}, Want: watched},
	}
}
