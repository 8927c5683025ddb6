package gemini

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
	{"name":"get_weather","description":"The weather.","parametersJsonSchema":{"type":"object","properties":{"city":{"type":"string"}},"required":["city"]}},
	{"name":"list_files","description":"All files.","parametersJsonSchema":{"type":"object","properties":{}}},
	{"name":"read_file","description":"A file.","parametersJsonSchema":{"type":"object","properties":{"path":{"type":"string"}},"required":["path"]}},
	{"name":"run_shell","description":"A shell.","parametersJsonSchema":{"type":"object","properties":{"command":{"type":"string"}},"required":["command"]}}]`

// The calls that the scenes are made of.
var (
	weather = call("call-weather", "get_weather", `{"city":"Lisbon"}`)
	files   = call("call-files", "list_files", "")
	shell   = call("call-shell", "run_shell", `{"command":"`+marker+` -rf /"}`)
	hosts   = call("call-hosts", "read_file", `{"path":"/etc/hosts"}`)
	secret  = call("call-secret", "read_file", `{"path":"/srv/`+marker+`/secret.txt"}`)
)

// hello is what the model says ahead of its calls.
var hello = text("Let me ", "see.")

// What takes the place of refused calls.
var (
	noShell  = notice("run_shell", "tool_denied, rule no-shell", "Shell commands are not allowed here.")
	noSecret = notice("read_file", "args_denied, rule no-secrets", "Secrets stay where they are.")
)

func notice(tool, why, reason string) part {
	return text(fmt.Sprintf("[weir] The call to %q was refused (%s): %s Do not retry it; continue without it or ask the user.", tool, why, reason))
}

// weirSays is how all begin that weir says to the model. It must read them in the next turn.
const weirSays = "[weir] "

// behind is text after a blank line.
func behind(p part) part { return text("\n\n" + strings.Join(p.pieces, "")) }

// input is what a call comes to.
func (p part) input() any {
	var v any
	if err := json.Unmarshal([]byte(givenArgs(p.args)), &v); err != nil {
		panic(err) // arguments in tests are JSON
	}
	return v
}

// ran is the call as a client executes it.
func (p part) ran() execution { return execution{Name: p.name, Input: p.input()} }

// passed is what is recorded of the call when it is released.
func (p part) passed() recorded {
	return recorded{Tool: p.name, ID: p.id, Verdict: "allow", Args: p.input()}
}

// refused is what is recorded of the call when it is not released. rule may be "".
func (p part) refused(code, rule string) recorded {
	return recorded{Tool: p.name, ID: p.id, Verdict: "deny", Blocked: true, Code: code, Rule: rule, Args: p.input()}
}

// denied is what is recorded of calls that the policy refuses.
func (p part) denied() recorded {
	if p.name == shell.name {
		return p.refused("tool_denied", "no-shell")
	}
	return p.refused("args_denied", "no-secrets")
}

// seen is a candidate as a client has it.
func seen(k clients.Kind, finish string, parts ...part) candidate {
	c := candidate{Finish: ending(finish)}
	for _, p := range parts {
		switch p.typ {
		case "text", "thought":
			c.say(k, p.typ, strings.Join(p.pieces, ""))
			continue
		case "call":
		default:
			c.Parts = append(c.Parts, seenPart{Type: p.typ})
			continue
		}
		if p.beside != "" {
			c.say(k, "text", p.beside)
		}
		c.Parts = append(c.Parts, seenPart{Type: "call", ID: p.id, Name: p.name, Input: p.input(), Signature: p.signature})
	}
	return c
}

// say adds text: to text that is just ahead of it, or anywhere ahead of it if the client joins all.
func (c *candidate) say(k clients.Kind, typ, text string) {
	for i := range c.Parts {
		if c.Parts[i].Type == typ && (i == len(c.Parts)-1 || k.Can(joins)) {
			c.Parts[i].Text += text
			return
		}
	}
	c.Parts = append(c.Parts, seenPart{Type: typ, Text: text})
}

// list is short for several parts.
func list(parts ...part) []part { return parts }

// left is an outcome in which a client has some parts, whose calls it executes.
func left(parts []part, record ...recorded) func(clients.Kind) outcome {
	return func(k clients.Kind) outcome {
		o := outcome{Turn: answer{Candidates: []candidate{seen(k, "STOP", parts...)}}, Calls: record}
		for _, p := range parts {
			switch {
			case p.typ == "call":
				o.Executed = append(o.Executed, p.ran())
			case strings.Contains(p.json(), weirSays):
				o.Told = []string{weirSays}
			}
		}
		return o
	}
}

// saying is a turn with these parts.
func saying(parts ...part) turn { return turn{candidates: []said{{parts: parts, finish: "STOP"}}} }

// inOne is the turn with all its parts in one element.
func (t turn) inOne() turn {
	t.atOnce = true
	return t
}

func can(skill string) func(clients.Kind) bool {
	return func(k clients.Kind) bool { return k.Can(skill) }
}

func cannot(skill string) func(clients.Kind) bool {
	return func(k clients.Kind) bool { return !k.Can(skill) }
}

func scenes() []scene {
	all := policyScenes()
	all = append(all, signedScenes()...)
	all = append(all, liveScenes()...)
	all = append(all, shapeScenes()...)
	all = append(all, hostedScenes()...)
	all = append(all, brokenScenes()...)
	return append(all, doorScenes()...)
}

// policyScenes are answers in order, of which the policy lets through more or less.
func policyScenes() []scene {
	return []scene{
		{
			Name: "allowed", Door: replace, Model: model{turn: saying(hello, weather)},
			Want: left(list(hello, weather), weather.passed()),
		},
		{
			Name: "allowed without arguments", Door: replace, Model: model{turn: saying(hello, files)}, For: cannot(wantsAll),
			Want: left(list(hello, files), files.passed()),
		},
		{
			Name: "allowed without text or ids", Door: replace, Model: model{turn: saying(hosts.anonymous(), weather.anonymous())},
			Want: left(list(hosts.anonymous(), weather.anonymous()), hosts.anonymous().passed(), weather.anonymous().passed()),
		},
		{
			Name: "denied by name", Door: replace, Model: model{turn: saying(hello, shell)},
			Want: left(list(hello, behind(noShell)), shell.denied()),
		},
		{
			Name: "denied by an argument", Door: replace, Model: model{turn: saying(hello, secret)},
			Want: left(list(hello, behind(noSecret)), secret.denied()),
		},
		{
			Name: "partly denied", Door: replace, Model: model{turn: saying(hello, weather, shell, hosts, secret)},
			Want: left(list(hello, weather, behind(noShell), hosts, behind(noSecret)),
				weather.passed(), shell.denied(), hosts.passed(), secret.denied()),
		},
		{
			Name: "partly denied in one element", Door: replace, Model: model{turn: saying(hello, weather, shell, hosts, secret).inOne()},
			Want: left(list(hello, weather, behind(noShell), hosts, behind(noSecret)),
				weather.passed(), shell.denied(), hosts.passed(), secret.denied()),
		},
		{
			Name: "one of two with the same name denied, without ids", Door: replace, Model: model{turn: saying(secret.anonymous(), hosts.anonymous())},
			Want: left(list(noSecret, hosts.anonymous()), secret.anonymous().denied(), hosts.anonymous().passed()),
		},
		{
			Name: "all denied", Door: replace, Model: model{turn: saying(shell, secret)},
			Want: left(list(noShell, behind(noSecret)), shell.denied(), secret.denied()),
		},
		{
			Name: "denied and dropped", Door: drop, Model: model{turn: saying(hello, shell)},
			Want: left(list(hello), shell.denied()),
		},
		{
			Name: "partly denied and dropped", Door: drop, Model: model{turn: saying(hello, shell, weather, secret, hosts)},
			Want: left(list(hello, weather, hosts), shell.denied(), weather.passed(), secret.denied(), hosts.passed()),
		},
		{
			Name: "partly denied in one element and dropped", Door: drop, Model: model{turn: saying(shell, weather, secret).inOne()},
			Want: left(list(weather), shell.denied(), weather.passed(), secret.denied()),
		},
		{
			// A turn must not be empty, so this one says what was in it.
			Name: "nothing left when dropped", Door: drop, Model: model{turn: saying(shell)},
			Want: left(list(noShell), shell.denied()),
		},
	}
}

// signedScenes are sets of calls of which the first has a signature. Without it the API takes none of the others back.
func signedScenes() []scene {
	first, bad := weather.signed("c2lnbmF0dXJlIG9uZQ=="), shell.signed("c2lnbmF0dXJlIG9uZQ==")
	second, later := hosts, call("call-porto", "get_weather", `{"city":"Porto"}`).signed("c2lnbmF0dXJlIHR3bw==")
	noUse := func(p part) part {
		return behind(notice(p.name, "tool_denied, rule no-shell", "The call that leads its set was refused, and the set is of no use without it."))
	}
	beside, flagged := first, first.passed()
	beside.hidden = `,"parsedArgs":{"city":"` + clients.Marker + `"},"json":"[\"` + clients.Marker + `\"]"`
	flagged.Verdict = "audit"
	return []scene{
		{
			// The next turn is refused without the signature.
			Name: "signed, with members that nobody documents", Door: replace, Model: model{turn: saying(hello, beside, second)},
			Want: left(list(hello, first, second), flagged, second.passed()),
		},
		{
			Name: "signed and allowed", Door: replace, Model: model{turn: saying(thought("Let me think."), hello, first, second)},
			Want: left(list(thought("Let me think."), hello, first, second), first.passed(), second.passed()),
		},
		{
			Name: "signed, its sibling denied", Door: replace, Model: model{turn: saying(hello, first, shell, second)},
			Want: left(list(hello, first, behind(noShell), second), first.passed(), shell.denied(), second.passed()),
		},
		{
			Name: "signed and denied, the set goes", Door: replace, Model: model{turn: saying(hello, bad, second)},
			Want: left(list(hello, behind(noShell), noUse(second)), bad.denied(), second.refused("tool_denied", "no-shell")),
		},
		{
			Name: "signed and denied in one element, the set goes", Door: replace, Model: model{turn: saying(bad, second, weather).inOne()},
			Want: left(list(noShell, noUse(second), noUse(weather)),
				bad.denied(), second.refused("tool_denied", "no-shell"), weather.refused("tool_denied", "no-shell")),
		},
		{
			Name: "signed and denied, another set stays", Door: replace, Model: model{turn: saying(bad, second, later)},
			Want: left(list(noShell, noUse(second), later), bad.denied(), second.refused("tool_denied", "no-shell"), later.passed()),
		},
		{
			Name: "signed and denied, dropped", Door: drop, Model: model{turn: saying(hello, bad, second)},
			Want: left(list(hello), bad.denied(), second.refused("tool_denied", "no-shell")),
		},
	}
}

// liveScenes wait for the client in the middle of an answer. A client that is not given its part at once gets stuck.
func liveScenes() []scene {
	t := saying(hello, weather, secret)
	want := left(list(hello, weather, behind(noSecret)), weather.passed(), secret.denied())
	const firstText, firstCall = 1, 3
	return []scene{
		{Name: "text is live", Door: replace, Model: model{t, waiting(firstText)}, WaitsFor: "text", Want: want},
		{Name: "a call does not wait for the next", Door: replace, Model: model{t, waiting(firstCall)}, WaitsFor: "call", Want: want},
	}
}

// doorScenes are about who may ask, and how far the policy is enforced.
func doorScenes() []scene {
	ls := call("call-list", "run_shell", `{"command":"ls"}`)
	watched := left(list(hello, ls), recorded{
		Tool: ls.name, ID: ls.id, Verdict: "audit", WouldBe: "deny", Code: "tool_denied", Rule: "no-shell", Args: ls.input(),
	})
	passed := left(list(hello, weather), weather.passed())
	t := model{turn: saying(hello, weather)}
	return []scene{
		{Name: "client without key", Door: clients.Keyed, Model: t, Want: clients.Always(outcome{
			Err: &raised{Status: http.StatusUnauthorized}, Asked: clients.None,
		})},
		{Name: "key in the header", Door: clients.Keyed, Model: t, Headers: map[string]string{"x-weir-key": clients.ClientKey}, Want: passed},
		{Name: "key in the path", Door: clients.Keyed, Model: t, Path: "/k/" + clients.ClientKey, Want: passed},
		{Name: "denied in shadow", Door: "shadow", Model: model{turn: saying(hello, ls)}, Want: watched},
		{Name: "denied while observed", Door: "observe", Model: model{turn: saying(hello, ls)}, Want: watched},
		{Name: "not JSON", Door: replace, Model: t, For: can(array), Options: clients.Options{"alt": "proto"}, Want: clients.Always(outcome{
			Err: &raised{Status: http.StatusBadRequest, Type: "INVALID_ARGUMENT"}, Asked: clients.None,
		})},
	}
}
