package chat

import (
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/test/clients"
)

// An answer is the model's turn as a client has it.
type answer struct {
	Choices []choice `json:"choices"`
}

type choice struct {
	Content      string     `json:"content"`
	ToolCalls    []seenCall `json:"tool_calls"`
	FunctionCall *seenCall  `json:"function_call"`
	FinishReason string     `json:"finish_reason"`
}

// A seenCall is a call as a client has it. The input of a custom call is an object with one member, as in the record.
type seenCall struct {
	ID    string `json:"id"`
	Name  string `json:"name"`
	Input any    `json:"input"`
	Extra any    `json:"extra"`
}

// Calls implements clients.Turn.
func (a answer) Calls() []clients.Call {
	var list []clients.Call
	for _, c := range a.Choices {
		calls := c.ToolCalls
		if c.FunctionCall != nil {
			calls = append(calls[:len(calls):len(calls)], *c.FunctionCall)
		}
		for _, s := range calls {
			list = append(list, clients.Call{ID: s.ID, Name: s.Name, Args: s.Input})
		}
	}
	return list
}

// What not every client can.
const (
	choices  = "choices"  // it shows all choices
	function = "function" // it knows function_call
	custom   = "custom"   // it knows custom calls
	extras   = "extras"   // it shows unknown members of a call
	returns  = "returns"  // and sends them back
)

func streamed(name string, skills ...string) clients.Kind {
	return clients.Streamed("openai", name, skills...)
}

func whole(name string, skills ...string) clients.Kind {
	return clients.Whole("openai", name, skills...)
}

func azure(k clients.Kind) clients.Kind {
	k.Upstream = "azure"
	return k
}

var programs = []clients.Program{
	clients.JavaScript(
		"openai",
		streamed("openai-js-raw", choices, function, custom, extras, returns), streamed("openai-js-helper", choices, function, extras, returns),
		whole("openai-js-whole", choices, function, custom, extras, returns),
		streamed("openai-js-run", choices, extras), whole("openai-js-run-whole", choices, extras),
		azure(streamed("azure-js-raw", choices, function, custom, extras, returns)),
		azure(whole("azure-js-whole", choices, function, custom, extras, returns)),
	),
	clients.JavaScript(
		"ai_openai",
		streamed("ai-openai-stream"), whole("ai-openai-whole"),
		streamed("ai-compatible-stream", extras, returns), whole("ai-compatible-whole", extras, returns),
	),
	clients.JavaScript("langchain", streamed("langchain-js-stream"), whole("langchain-js-whole")),
	clients.Python(
		"openai_client",
		streamed("openai-python-raw", choices, function, custom, extras, returns),
		streamed("openai-python-helper", choices, function, extras, returns),
		whole("openai-python-whole", choices, function, custom, extras, returns),
		azure(streamed("azure-python-raw", choices, function, custom, extras, returns)),
		azure(whole("azure-python-whole", choices, function, custom, extras, returns)),
	),
	clients.Python("langchain_client", streamed("langchain-python-stream"), whole("langchain-python-whole")),
	clients.Go("openai", streamed("openai-go-helper", choices), whole("openai-go-whole", choices, function, custom)),
}

const noImports = `
    - id: no-imports
      tool: run_script
      conditions: {any: [{param_path: input, operator: starts_with, value: import }]}
      verdict: deny
      reason: Scripts import nothing.
`

func TestClients(t *testing.T) {
	clients.Suite[answer]{
		Programs: programs, Policy: clients.Policy(noImports), Settings: clients.Settings("openai", "azure"), Scenes: scenes(),
		Model: modelName, Tools: jsontext.Value(toolsJSON),
		Last: answer{Choices: []choice{{Content: lastText, FinishReason: "stop"}}},
		KeyHeader: func(k clients.Kind) string {
			if k.Upstream == "azure" {
				return "Api-Key"
			}
			return "Authorization"
		},
		CheckEvents: clients.ChatStreams.Check,
	}.Run(t)
}
