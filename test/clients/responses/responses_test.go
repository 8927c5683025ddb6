package responses

import (
	"fmt"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/test/clients"
)

// An answer is a response, or a list of items, as a client has it.
type answer struct {
	Status ending `json:"status"`
	Items  []item `json:"items"`
}

// An ending is the status of a response; "" if the client does not show it.
type ending string

// Equal says whether both are the same, as far as both are shown.
func (e ending) Equal(other ending) bool { return e == other || e == "" || other == "" }

// An item is one of a response. The input of a call is an object, as in the record.
type item struct {
	Type   string `json:"type"`
	Role   string `json:"role"`
	Text   string `json:"text"`
	Notice notice `json:"notice"`
	ID     string `json:"id"`
	Name   string `json:"name"`
	Input  any    `json:"input"`
}

// A notice is the id of what stands in the place of a refused call. Scenes do not say which id it has.
type notice string

const anyNotice notice = "msg_weir_"

// Equal says whether both are notices, or none is.
func (n notice) Equal(other notice) bool {
	return strings.HasPrefix(string(n), string(anyNotice)) == strings.HasPrefix(string(other), string(anyNotice))
}

// Calls implements clients.Turn.
func (a answer) Calls() []clients.Call {
	var list []clients.Call
	for _, it := range a.Items {
		if it.Name != "" {
			list = append(list, clients.Call{ID: it.ID, Name: it.Name, Args: it.Input})
		}
	}
	return list
}

// checkTurns wants a refused call to be replaced by the same item wherever it is shown.
func checkTurns(turns []answer) error {
	ids := map[string]notice{}
	for i, turn := range turns {
		for _, it := range turn.Items {
			if before, ok := ids[it.Text]; it.Notice != "" && ok && before != it.Notice {
				return fmt.Errorf("turn %d: %q has the id %s, and had %s before", i, it.Text, it.Notice, before)
			}
			if it.Notice != "" {
				ids[it.Text] = it.Notice
			}
		}
	}
	return nil
}

// What not every client can.
const (
	byHand  = "by hand" // it does what a job's steps say
	custom  = "custom"  // it knows custom calls
	hosted  = "hosted"  // it shows what the provider runs
	anyone  = "any"     // it shows items that it does not know
	manage  = "manage"  // it manages what is stored: conversations, and responses that are not needed any more
	atDone  = "at done" // it takes items when they are done, whatever the end of the response repeats
	atEnd   = "at end"  // it takes the items that the end of the response repeats
	keeps   = "keeps"   // it can go on from a history that another job left
	unpacks = "unpacks" // it runs the calls in the arguments of one that is named parallel

	onlyWhole = "only whole" // it raises when a response is not completed
	trusting  = "trusting"   // it takes a response that failed for one
)

func streamed(name string, skills ...string) clients.Kind {
	return clients.Kind{Name: name, Streamed: true, Upstream: "openai", Skills: skills}
}

func whole(name string, skills ...string) clients.Kind {
	return clients.Kind{Name: name, Upstream: "openai", Skills: append(skills, atEnd)}
}

// hand are the skills of clients that do what they are told.
func hand(more ...string) []string {
	return append([]string{
		byHand, keeps, custom, hosted, anyone, "shell", "local_shell", "apply_patch", "computer", "tool_search",
		"approval",
	}, more...)
}

var programs = []clients.Program{
	clients.JavaScript(
		"openai_responses",
		streamed("openai-js-raw", hand(manage, atDone)...), streamed("openai-js-helper", hand(manage, atEnd)...),
		whole("openai-js-whole", hand(manage)...),
	),
	clients.JavaScript(
		"ai_responses",
		streamed("ai-stream", custom, keeps, atDone, unpacks, "shell", "local_shell", "apply_patch", "approval"),
		whole("ai-whole", custom, keeps, unpacks, "shell", "local_shell", "apply_patch", "approval"),
	),
	clients.JavaScript("agents", streamed("agents-js-stream", atEnd, trusting, "shell", "apply_patch"),
		whole("agents-js-whole", trusting, "shell", "apply_patch")),
	clients.Python(
		"openai_responses",
		streamed("openai-python-raw", hand(manage, atDone)...), streamed("openai-python-helper", hand(manage, atEnd, onlyWhole)...),
		whole("openai-python-whole", hand(manage)...),
	),
	clients.Python("agents_client", streamed("agents-python-stream", atEnd, onlyWhole, "shell"),
		whole("agents-python-whole", onlyWhole, "shell")),
	clients.Go("responses", streamed("openai-go-stream", hand(atEnd)...), whole("openai-go-whole", hand()...)),
}

// rules are what the policy has beyond that of all suites.
const rules = `
    - {id: no-web, tool: web_search, verdict: deny, reason: The web is out of bounds.}
    - {id: no-robot, tool: robot_call, conditions: {any: [{param_path: arm, operator: contains, value: ` + clients.Forbid + `}]}, verdict: deny, reason: Robots stay still.}
    - {id: no-crm, tool: crm.delete_*, verdict: deny, reason: Customers are kept.}
    - {id: no-closing, tool: mcp__tracker__delete_issue, verdict: deny, reason: Issues are kept.}
    - id: out-of-bounds
      tool: [run_script, shell, local_shell, apply_patch, computer, tool_search]
      conditions: {any: [{param_path: $, operator: contains, value: ` + clients.Forbid + `}]}
      verdict: deny
      reason: That is out of bounds.
`

func TestClients(t *testing.T) {
	clients.Suite[answer]{
		Programs: programs, Policy: clients.Policy(rules), Settings: clients.Settings("openai"), Scenes: scenes(), Stories: stories(),
		Model: "gpt-scripted", Tools: jsontext.Value(toolsJSON), Last: ends,
		KeyHeader:   func(clients.Kind) string { return "Authorization" },
		CheckEvents: clients.ResponsesStreams.Check, CheckTurns: checkTurns,
	}.Run(t)
}
