package gemini

import (
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/test/clients"
)

// An answer is the model's turn as a client has it.
type answer struct {
	Candidates []candidate `json:"candidates"`
	Blocked    string      `json:"blocked"` // why there is none
}

type candidate struct {
	Parts   []seenPart `json:"parts"`
	Finish  ending     `json:"finish"`
	Message string     `json:"message"`
}

// An ending is a finish reason; "" if the client does not show it.
type ending string

// Equal says whether both are the same, as far as both are shown.
func (e ending) Equal(other ending) bool { return e == other || e == "" || other == "" }

// A seenPart is a part as a client has it. Text that came in pieces is one.
type seenPart struct {
	Type      string `json:"type"`
	Text      string `json:"text"`
	ID        string `json:"id"`
	Name      string `json:"name"`
	Input     any    `json:"input"`
	Signature string `json:"signature"`
}

// Calls implements clients.Turn.
func (a answer) Calls() []clients.Call {
	var list []clients.Call
	for _, c := range a.Candidates {
		for _, p := range c.Parts {
			if p.Name != "" {
				list = append(list, clients.Call{ID: p.ID, Name: p.Name, Args: p.Input})
			}
		}
	}
	return list
}

// What not every client can.
const (
	shows    = "shows"    // it shows all candidates
	messages = "messages" // it shows messages about how a candidate ended
	together = "together" // it sees a call beside text
	shown    = "shown"    // it shows what the provider runs
	joins    = "joins"    // it puts all text of a stream into one place, of whatever candidate
	wantsAll = "all"      // it runs no call without arguments
	token    = "token"    // it has a token in the place of a key
	array    = "array"    // it asks for an array
)

func streamed(name string, skills ...string) clients.Kind {
	return clients.Streamed("gemini", name, skills...)
}

func whole(name string, skills ...string) clients.Kind {
	return clients.Whole("gemini", name, skills...)
}

func vertex(k clients.Kind) clients.Kind {
	k.Upstream = "vertex"
	return k
}

var programs = []clients.Program{
	clients.JavaScript(
		"genai",
		streamed("genai-js-stream", shows, together, shown), whole("genai-js-whole", shows, together, shown),
		streamed("genai-js-chat", shows, together, shown),
		streamed("genai-js-auto-stream", shows, together, shown), whole("genai-js-auto-chat", together, shown),
		vertex(streamed("vertex-js-stream", shows, messages, together, shown)),
	),
	clients.JavaScript("ai_google", streamed("ai-google-stream", joins), whole("ai-google-whole")),
	clients.Python(
		"genai_client",
		streamed("genai-python-stream", shows, together, shown), whole("genai-python-whole", shows, together, shown),
		streamed("genai-python-chat", shows, together, shown),
		streamed("genai-python-auto-chat", shows, together, shown, wantsAll), whole("genai-python-auto-whole", together, shown, wantsAll),
	),
	clients.Go(
		"genai",
		streamed("genai-go-stream", shows, together, shown), whole("genai-go-whole", shows, together, shown),
		streamed("genai-go-chat", shows, together, shown),
		vertex(streamed("vertex-go-stream", shows, messages, together, shown, token)),
		streamed("raw-array", shows, messages, together, shown, array),
	),
}

// rules are what the policy has beyond that of all suites.
const rules = `
    - {id: no-code, tool: code_execution, conditions: {any: [{param_path: code, operator: contains, value: ` + clients.Forbid + `}]}, verdict: deny, reason: Code is not run here.}
    - {id: no-web, tool: GOOGLE_SEARCH_WEB, verdict: deny, reason: The web is out of bounds.}
`

func TestClients(t *testing.T) {
	clients.Suite[answer]{
		Programs: programs, Policy: clients.Policy(rules), Settings: clients.Settings("gemini", "vertex"), Scenes: scenes(), Model: modelName,
		Tools: jsontext.Value(toolsJSON),
		Last:  answer{Candidates: []candidate{{Parts: []seenPart{{Type: "text", Text: lastText}}, Finish: "STOP"}}},
		KeyHeader: func(k clients.Kind) string {
			if k.Can(token) {
				return "Authorization"
			}
			return "X-Goog-Api-Key"
		},
		CheckEvents: clients.GeminiStreams.Check,
	}.Run(t)
}
