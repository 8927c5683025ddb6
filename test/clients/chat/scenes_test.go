package chat

import (
	"net/http"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"

	"github.com/weir-gate/weir/test/clients"
)

// Short names for what scenes are made of.
type (
	scene   = clients.Scene[answer]
	outcome = clients.Outcome[answer]
	saying  = clients.Saying
	raised  = clients.Raised
)

const (
	marker  = clients.Marker
	replace = clients.Replace
)

const toolsJSON = `[
	{"type":"function","function":{"name":"get_weather","description":"The weather.","parameters":{"type":"object","properties":{"city":{"type":"string"}},"required":["city"],"additionalProperties":false}}},
	{"type":"function","function":{"name":"list_files","description":"All files.","parameters":{"type":"object","properties":{},"required":[],"additionalProperties":false}}},
	{"type":"function","function":{"name":"read_file","description":"A file.","parameters":{"type":"object","properties":{"path":{"type":"string"}},"required":["path"],"additionalProperties":false}}},
	{"type":"function","function":{"name":"run_shell","description":"A shell.","parameters":{"type":"object","properties":{"command":{"type":"string"}},"required":["command"],"additionalProperties":false}}}]`

// called is a call as the model says it here.
func called(s saying) saidCall {
	if own, ok := s.Own.(saidCall); ok {
		return own
	}
	return saidCall{kind: "function", id: s.ID, name: s.Tool, pieces: s.Pieces}
}

// spoken is a choice in which the model says these things.
func spoken(list ...saying) said {
	c := said{finish: "stop"}
	for _, s := range list {
		if s.Tool == "" {
			c.text = append(c.text, s.Pieces...)
			continue
		}
		c.calls = append(c.calls, called(s))
		c.finish = "tool_calls"
		if c.calls[0].kind == "legacy" {
			c.finish = "function_call"
		}
	}
	return c
}

// says is a turn of one choice.
func says(list ...saying) turn { return turn{choices: []said{spoken(list...)}} }

// seen is a choice as a client has it. Notices stand behind the text.
func seen(k clients.Kind, list ...saying) choice {
	c := choice{FinishReason: spoken(list...).finish}
	var notices []string
	for _, s := range list {
		switch {
		case s.Notice:
			notices = append(notices, s.Said())
		case s.Tool == "":
			c.Content += s.Said()
		default:
			c.add(k, s)
		}
	}
	if c.Content != "" && len(notices) > 0 {
		c.Content += "\n\n"
	}
	c.Content += strings.Join(notices, "\n")
	return c
}

// add adds a call as a client has it.
func (c *choice) add(k clients.Kind, s saying) {
	as, one := called(s), seenCall{ID: s.ID, Name: s.Tool, Input: s.Args()}
	if as.extra != "" && k.Can(extras) {
		if err := json.Unmarshal([]byte(as.extra), &one.Extra); err != nil {
			panic(err) // extras in tests are JSON
		}
	}
	if as.kind == "legacy" {
		c.FunctionCall = &one
		return
	}
	c.ToolCalls = append(c.ToolCalls, one)
}

// common are the scenes that all formats have.
var common = clients.Common[answer]{
	Says:     func(p clients.Play, list ...saying) clients.Model { return model{says(list...), p} },
	Seen:     func(k clients.Kind, list []saying) answer { return answer{Choices: []choice{seen(k, list...)}} },
	Breaking: clients.Breaking,
	Cut:      []clients.Recorded{clients.Cut.Recorded()},
	Errors: func(clients.Kind) clients.Errors {
		return clients.Errors{
			Malformed:  "a frame is not strict JSON.",
			Overloaded: raised{Message: "Overloaded"}, Busy: raised{Status: http.StatusServiceUnavailable, Code: "overloaded"},
			Died:       raised{Status: http.StatusBadGateway, Code: "server_error"},
			Rejected:   raised{Status: http.StatusBadRequest, Code: "bad_tools", Message: "The tools are bad."},
			Redirected: raised{Status: http.StatusBadRequest, Code: "firewall_blocked"},
			NoKey:      raised{Status: http.StatusUnauthorized, Code: "invalid_api_key"},
		}
	},
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

// ended is an outcome with another finish reason.
func ended(reason string, want func(clients.Kind) outcome) func(clients.Kind) outcome {
	return func(k clients.Kind) outcome {
		o := want(k)
		o.Turn.Choices[0].FinishReason = reason
		return o
	}
}

func can(skill string) func(clients.Kind) bool {
	return func(k clients.Kind) bool { return k.Can(skill) }
}

func isStreamed(k clients.Kind) bool { return k.Streamed }

func scenes() []scene {
	return slices.Concat(common.Scenes(), []scene{cutScene()}, shapeScenes(), oddScenes(), spelledScenes(), lateScenes())
}

// cutScene is a turn that the token limit cuts.
func cutScene() scene {
	s := common.Played("cut by the token limit", clients.Hello, clients.Cut)
	s.Model = model{turn: says(clients.Hello, clients.Cut).ending("length")}
	want := ended("length", s.Want)
	s.Want = func(k clients.Kind) outcome {
		if k.Name == "openai-python-helper" || k.Name == "openai-js-run-whole" {
			// These take no cut turn, whatever is in it.
			return outcome{Err: &raised{Name: "LengthFinishReasonError"}, Asked: 1, Calls: want(k).Calls}
		}
		return want(k)
	}
	return s
}
