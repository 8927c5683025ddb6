package responses

import (
	"fmt"
	"strings"

	"github.com/go-json-experiment/json"

	"github.com/weir-gate/weir/internal/weirtest/keeping"
	"github.com/weir-gate/weir/test/clients"
)

// Short names for what scenes are made of.
type (
	scene     = clients.Scene[answer]
	story     = clients.Story[answer]
	act       = clients.Act[answer]
	outcome   = clients.Outcome[answer]
	recorded  = clients.Recorded
	execution = clients.Execution
	raised    = clients.Raised
	options   = clients.Options
	object    = map[string]any
)

const (
	marker  = clients.Marker
	replace = "replace"
	drop    = "drop"
)

const toolsJSON = `[
	{"type":"function","name":"get_weather","description":"The weather.","parameters":{"type":"object","properties":{"city":{"type":"string"}},"required":["city"],"additionalProperties":false}},
	{"type":"function","name":"list_files","description":"All files.","parameters":{"type":"object","properties":{},"required":[],"additionalProperties":false}},
	{"type":"function","name":"read_file","description":"A file.","parameters":{"type":"object","properties":{"path":{"type":"string"}},"required":["path"],"additionalProperties":false}},
	{"type":"function","name":"run_shell","description":"A shell.","parameters":{"type":"object","properties":{"command":{"type":"string"}},"required":["command"],"additionalProperties":false}}]`

// A thing is an item that the model says, and what becomes of it.
type thing struct {
	said  keeping.Item
	seen  item // as a client has it, if it may
	tool  string
	rule  string // that refuses it; "": none
	code  string // of the refusal
	why   string
	text  string // of its arguments, as they are recorded if they are no JSON
	first string // piece of its arguments
}

// function is a call whose arguments come in pieces.
func function(id, name string, pieces ...string) thing {
	return namespaced(id, "", name, pieces...)
}

func namespaced(id, namespace, name string, pieces ...string) thing {
	text := strings.Join(pieces, "")
	full := name
	if namespace != "" {
		full = namespace + "." + name
	}
	it := keeping.Function(keeping.Call{ID: "fc_" + id, CallID: "call_" + id, Namespace: namespace, Name: name}, pieces...)
	return thing{
		said: it, tool: full, text: text, first: pieces[0],
		seen: item{Type: "function_call", ID: "call_" + id, Name: full, Input: parsed(text)},
	}
}

// free is a custom call whose input comes in pieces.
func free(id, name string, pieces ...string) thing {
	it := keeping.Custom(keeping.Call{ID: "ctc_" + id, CallID: "call_" + id, Name: name}, pieces...)
	input := object{"input": strings.Join(pieces, "")}
	return thing{said: it, tool: name, seen: item{Type: "custom_tool_call", ID: "call_" + id, Name: name, Input: input}}
}

// builtIn is a call of a tool that the API defines. member is the name of what it is called with, in JSON.
func builtIn(id, tool, member, input string) thing {
	typ := tool + "_call"
	it := keeping.Whole("bi_"+id, typ, `"call_id":"call_`+id+`","`+member+`":`+input)
	switch tool {
	case "shell":
		it.Done += `,"environment":{"type":"local"}`
		it.Added = it.Done
	case "computer":
		it.Done += `,"pending_safety_checks":[]`
		it.Added = it.Done
	case "tool_search":
		it.Done += `,"execution":"client"`
		it.Added = it.Done
	}
	args := parsed(input)
	if tool == "computer" {
		args = object{"action": args}
	}
	return thing{said: it, tool: tool, seen: item{Type: typ, ID: "call_" + id, Name: tool, Input: args}}
}

// message is text of the model's.
func message(id string, pieces ...string) thing {
	return thing{said: keeping.Message("msg_"+id, pieces...), seen: text(strings.Join(pieces, ""))}
}

// reasoning is a thought of the model's.
func reasoning(id, summary string) thing {
	return thing{said: keeping.Reasoning("rs_"+id, summary), seen: item{Type: "reasoning", Text: summary}}
}

// deniedBy is a thing that a rule refuses.
func (t thing) deniedBy(code, rule, why string) thing {
	t.code, t.rule, t.why = code, rule, why
	return t
}

// cut is a call of which only the first piece came.
func (t thing) cut() thing {
	t.said = t.said.Cut()
	t.seen.Input, t.text = nil, t.first
	return t.deniedBy("cut_short", "", "The response ended before the call was complete.")
}

// text is a message as a client has it.
func text(s string) item { return item{Type: "message", Role: "assistant", Text: s} }

// noticed is what stands in the place of a refused call.
func (t thing) noticed() item {
	it := text(fmt.Sprintf("[weir] The call to %q %s Do not retry it; continue without it or ask the user.", t.tool, t.refusal()))
	it.Notice = anyNotice
	return it
}

// refusal is what the model is told.
func (t thing) refusal() string {
	reason := t.code
	if t.rule != "" {
		reason += ", rule " + t.rule
	}
	return fmt.Sprintf("was refused (%s): %s", reason, t.why)
}

// isCall says whether the thing is recorded.
func (t thing) isCall() bool { return t.tool != "" }

// becomes is the thing as a client has it.
func (t thing) becomes() item {
	if t.code != "" {
		return t.noticed()
	}
	return t.seen
}

// recorded is what is recorded of a call.
func (t thing) recorded() recorded {
	r := recorded{Tool: t.tool, ID: t.seen.ID, Verdict: "allow", Args: t.seen.Input}
	if t.code != "" {
		r.Verdict, r.Blocked, r.Code, r.Rule = "deny", true, t.code, t.rule
	}
	if r.Args == nil {
		r.Args = t.text
	}
	return r
}

// parsed is the value of a text that is JSON; nil if it is none.
func parsed(text string) any {
	if text == "" {
		return object{}
	}
	var v any
	if json.Unmarshal([]byte(text), &v) != nil {
		return nil
	}
	return v
}

// turn is a response with the given output.
func turn(things ...thing) keeping.Turn {
	var t keeping.Turn
	for _, one := range things {
		t.Output = append(t.Output, one.said)
	}
	return t
}

// told is a response as a client has it.
func told(status ending, things ...thing) answer {
	a := answer{Status: status, Items: []item{}}
	for _, one := range things {
		a.Items = append(a.Items, one.becomes())
	}
	return a
}

// left is an outcome in which a client has what is left of some things, and runs the calls among them. Of the others the
// model is told.
func left(things ...thing) func(clients.Kind) outcome {
	return func(k clients.Kind) outcome {
		o := outcome{Turn: told("completed", things...)}
		for _, one := range things {
			if one.isCall() && one.code == "" {
				o.Executed = append(o.Executed, execution{Name: one.tool, Input: one.seen.Input})
			}
			if one.isCall() {
				o.Calls = append(o.Calls, one.recorded())
			}
			if one.code != "" {
				o.Told = append(o.Told, one.refusal())
			}
		}
		return o
	}
}

// ends is the last turn as a client has it.
var ends = answer{Status: "completed", Items: []item{text("All done.")}}

func can(skill string) func(clients.Kind) bool {
	return func(k clients.Kind) bool { return k.Can(skill) }
}

// The things that the scenes are made of.
var (
	hello   = thingOf(clients.Hello)
	weather = thingOf(clients.Weather)
	hosts   = thingOf(clients.Hosts)
	shell   = thingOf(clients.Shell)
	secret  = thingOf(clients.Secret)
	thought = reasoning("01Thought", "Look first.")
)
