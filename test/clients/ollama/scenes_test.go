package ollama

import (
	"net/http"
	"slices"
	"strings"

	"github.com/weir-gate/weir/test/clients"
)

// Short names for what scenes are made of.
type (
	scene   = clients.Scene[answer]
	outcome = clients.Outcome[answer]
	saying  = clients.Saying
	raised  = clients.Raised
)

const replace = clients.Replace

const toolsJSON = `[
	{"type":"function","function":{"name":"get_weather","description":"The weather.","parameters":{"type":"object","properties":{"city":{"type":"string"}},"required":["city"]}}},
	{"type":"function","function":{"name":"list_files","description":"All files.","parameters":{"type":"object","properties":{}}}},
	{"type":"function","function":{"name":"read_file","description":"A file.","parameters":{"type":"object","properties":{"path":{"type":"string"}},"required":["path"]}}},
	{"type":"function","function":{"name":"run_shell","description":"A shell.","parameters":{"type":"object","properties":{"command":{"type":"string"}},"required":["command"]}}}]`

// Short names for what the model says.
var (
	hello   = clients.Hello
	weather = clients.Weather
	shell   = clients.Shell
	secret  = clients.Secret
)

// says is a turn of what the model says.
func says(list ...saying) turn {
	t := turn{reason: "stop"}
	for _, s := range list {
		if s.Tool == "" {
			t.text = append(t.text, s.Pieces...)
			continue
		}
		args := s.Said()
		if args == "" {
			args = "{}"
		}
		t.calls = append(t.calls, saidCall{s.ID, s.Tool, args})
	}
	return t
}

// seen is a turn as a client has it. Notices stand behind the text.
func seen(k clients.Kind, list []saying) answer {
	a := answer{Reason: "stop"}
	var texts []string
	for _, s := range list {
		if s.Tool == "" {
			texts = append(texts, s.Said())
			continue
		}
		one := seenCall{Name: s.Tool, Input: s.Args()}
		if k.Can(ids) {
			one.ID = s.ID
		}
		a.ToolUse = append(a.ToolUse, one)
	}
	a.Content = strings.Join(texts, "\n\n")
	return a
}

// common are the scenes that all formats have. A call is on one line, so that nothing is known of one in which a stream breaks off.
var common = clients.Common[answer]{
	Says:     func(p clients.Play, list ...saying) clients.Model { return model{says(list...), p} },
	Seen:     seen,
	Breaking: clients.Breaking,
	Errors: func(clients.Kind) clients.Errors {
		return clients.Errors{
			Malformed:  "a frame is not strict JSON.",
			Overloaded: raised{Message: "Overloaded"}, Busy: raised{Status: http.StatusServiceUnavailable, Message: "Overloaded"},
			Died:       raised{Status: http.StatusBadGateway},
			Rejected:   raised{Status: http.StatusBadRequest, Message: "The tools are bad."},
			Redirected: raised{Status: http.StatusBadRequest, Message: "firewall_blocked"},
			NoKey:      raised{Status: http.StatusUnauthorized},
		}
	},
}

func scenes() []scene { return slices.Concat(common.Scenes(), shapeScenes(), endpointScenes()) }

// shaped is a scene of a turn that is sent in another shape.
func shaped(name string, shape func(*turn), list ...saying) scene {
	s, t := common.Played(name, list...), says(list...)
	shape(&t)
	s.Model = model{turn: t}
	return s
}

// shapeScenes are answers whose calls are not each on a line of its own.
func shapeScenes() []scene {
	thought := shaped("after thinking", func(t *turn) { t.thinking = []string{"Hmm, ", "a city."} }, hello, weather, shell)
	want := thought.Want
	thought.Want = func(k clients.Kind) outcome {
		o := want(k)
		o.Turn.Thinking = "Hmm, a city."
		return o
	}
	return []scene{
		shaped("on one line", func(t *turn) { t.atOnce = true }, hello, shell, weather, secret),
		shaped("on the last line", func(t *turn) { t.onLast = true }, hello, shell, weather),
		shaped("on the last line, which has no end", func(t *turn) { t.onLast, t.cutEnd = true, true }, hello, weather, shell),
		thought,
	}
}

// endpointScenes ask for something else than a conversation.
func endpointScenes() []scene {
	generate, pull := clients.Options{"do": "generate"}, clients.Options{"do": "pull"}
	t := model{turn: says(hello)}
	alone := func(o outcome) func(clients.Kind) outcome {
		o.Later = []answer{}
		return clients.Always(o)
	}
	return []scene{
		{
			Name: "generated text", Door: replace, Model: t, Options: generate,
			Want: alone(outcome{Turn: answer{Content: hello.Said(), Reason: "stop"}}),
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
