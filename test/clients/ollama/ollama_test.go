package ollama

import (
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/test/clients"
)

// An answer is the model's turn as a client has it.
type answer struct {
	Content  string     `json:"content"`
	Thinking string     `json:"thinking"`
	ToolUse  []seenCall `json:"calls"`
	Reason   string     `json:"reason"`
}

// A seenCall is a call as a client has it. Some show no ids.
type seenCall struct {
	ID    string `json:"id"`
	Name  string `json:"name"`
	Input any    `json:"input"`
}

// Calls implements clients.Turn.
func (a answer) Calls() []clients.Call {
	var list []clients.Call
	for _, c := range a.ToolUse {
		list = append(list, clients.Call{ID: c.ID, Name: c.Name, Args: c.Input})
	}
	return list
}

// ids is what not every client can: it shows the ids of calls.
const ids = "ids"

func streamed(name string, skills ...string) clients.Kind {
	return clients.Streamed("ollama", name, skills...)
}

func whole(name string, skills ...string) clients.Kind {
	return clients.Whole("ollama", name, skills...)
}

var programs = []clients.Program{
	clients.JavaScript("ollama", streamed("ollama-js-stream", ids), whole("ollama-js-whole", ids)),
	clients.Python("ollama_client", streamed("ollama-python-stream"), whole("ollama-python-whole")),
}

// settings are those of all suites, and of a weir that lets clients change what the server has.
func settings() map[string]string {
	all := clients.Settings("ollama")
	all["changes"] = "upstreams: {ollama: {url: %[1]q, changes: true}}\n"
	return all
}

func TestClients(t *testing.T) {
	clients.Suite[answer]{
		Programs: programs, Policy: clients.Policy(), Settings: settings(), Scenes: scenes(), Model: modelName, Tools: jsontext.Value(toolsJSON),
		Last:        answer{Content: lastTurn.content(), Reason: "stop"},
		KeyHeader:   func(clients.Kind) string { return "Authorization" },
		CheckEvents: clients.OllamaStreams.Check,
	}.Run(t)
}
