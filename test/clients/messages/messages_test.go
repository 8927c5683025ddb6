package messages

import (
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/test/clients"
)

const modelName = "claude-scripted"

// An answer is the model's turn as a client has it.
type answer struct {
	Content    []seenBlock `json:"content"`
	StopReason string      `json:"stop_reason"`
}

// Calls implements clients.Turn.
func (a answer) Calls() []clients.Call {
	var list []clients.Call
	for _, b := range a.Content {
		if b.Type == "tool_use" || b.Type == "server_tool_use" {
			list = append(list, clients.Call{ID: b.ID, Name: b.Name, Args: b.Input})
		}
	}
	return list
}

func streamed(name string) clients.Kind {
	return clients.Kind{Name: name, Streamed: true, Upstream: "anthropic"}
}

func whole(name string) clients.Kind { return clients.Kind{Name: name, Upstream: "anthropic"} }

const policyYAML = `policy:
  version: 1
  default: allow
  rules:
    - {id: no-shell, tool: run_shell, verdict: deny, reason: Shell commands are not allowed here.}
    - {id: no-fetch, tool: web_fetch, verdict: deny, reason: Pages are not to be fetched.}
    - id: no-secrets
      tool: read_file
      conditions: {any: [{param_path: path, operator: ends_with, value: /secret.txt}]}
      verdict: deny
      reason: Secrets stay where they are.
`

var settings = map[string]string{
	"replace": "upstreams: {anthropic: {url: %[1]q}}\n",
	"shadow":  "upstreams: {anthropic: {url: %[1]q}}\nenforcement: shadow\n",
	"observe": "upstreams: {anthropic: {url: %[1]q}}\nenforcement: observe\n",
	"drop":    "upstreams: {anthropic: {url: %[1]q}}\non_deny: drop\n",
	clients.Keyed: "upstreams: {anthropic: {url: %[1]q, key: " + clients.UpstreamKey + "}}\n" +
		"clients: [{key: " + clients.ClientKey + ", name: laptop, employee: ann@example.com}]\n",
}

func TestClients(t *testing.T) {
	clients.Suite[answer]{
		Programs: []clients.Program{
			clients.JavaScript("anthropic", streamed("js-raw"), streamed("js-helper"), whole("js-whole")),
			clients.JavaScript("ai_anthropic", streamed("ai-stream"), whole("ai-whole")),
			clients.Python("anthropic_client", streamed("python-raw"), streamed("python-helper"), whole("python-whole")),
			clients.Go("anthropic", streamed("go-helper"), whole("go-whole")),
		},
		Policy: policyYAML, Settings: settings, Scenes: scenes(), Model: modelName, Tools: jsontext.Value(toolsJSON),
		Last:        answer{Content: lastTurn.seen(), StopReason: lastTurn.stop},
		KeyHeader:   func(clients.Kind) string { return "X-Api-Key" },
		CheckEvents: checkEvents,
	}.Run(t)
}
