package model

import (
	"testing"

	"github.com/weir-gate/weir/internal/weirtest/scripted"
)

// What an agent sends is only checked if the model would not take everything.
func TestReadersAreStrict(t *testing.T) {
	for name, test := range map[string]struct {
		wire Wire
		path string
		body string
		ok   bool
	}{
		"messages": {
			wire: Messages{}, path: "/v1/messages", ok: true,
			body: `{"messages":[{"role":"user","content":"Go."},{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"x","input":{}}]},
				{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"done"}]}]}`,
		},
		"messages, a call without output": {
			wire: Messages{}, path: "/v1/messages",
			body: `{"messages":[{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"x","input":{}}]},{"role":"user","content":"Go."}]}`,
		},
		"messages, an output without call": {
			wire: Messages{}, path: "/v1/messages",
			body: `{"messages":[{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"done"}]}]}`,
		},
		"messages, a thought alone": {
			wire: Messages{}, path: "/v1/messages",
			body: `{"messages":[{"role":"assistant","content":[{"type":"thinking","thinking":"?","signature":"s"}]}]}`,
		},
		"messages, an empty text": {
			wire: Messages{}, path: "/v1/messages",
			body: `{"messages":[{"role":"assistant","content":[{"type":"text","text":""}]}]}`,
		},
		"chat, a call without output": {
			wire: Chat{}, path: "/v1/chat/completions",
			body: `{"messages":[{"role":"assistant","tool_calls":[{"id":"a","function":{"name":"x","arguments":"{}"}}]},{"role":"user","content":"Go."}]}`,
		},
		"chat, an output without call": {
			wire: Chat{}, path: "/v1/chat/completions",
			body: `{"messages":[{"role":"tool","tool_call_id":"a","content":"done"}]}`,
		},
		"responses, a call without output": {
			wire: Responses{}, path: "/v1/responses",
			body: `{"store":false,"input":[{"type":"function_call","call_id":"a","name":"x","arguments":"{}"}]}`,
		},
		"responses, a thought that led to another call": {
			wire: Responses{}, path: "/v1/responses",
			body: `{"store":false,"input":[{"type":"reasoning","id":"rs_of_b"},{"type":"function_call","call_id":"a","name":"x","arguments":"{}"},
				{"type":"function_call_output","call_id":"a","output":"done"}]}`,
		},
		"responses, an id of weir": {
			wire: Responses{}, path: "/v1/responses",
			body: `{"store":false,"input":[{"type":"message","id":"msg_weir_1","role":"assistant","content":[]}]}`,
		},
		"responses, to be stored": {wire: Responses{}, path: "/v1/responses", body: `{"input":[]}`},
		"gemini": {
			wire: Gemini{}, path: "/v1beta/models/m:streamGenerateContent", ok: true,
			body: `{"contents":[{"role":"model","parts":[{"functionCall":{"name":"x"}}]},{"role":"user","parts":[{"functionResponse":{"name":"x"}}]}]}`,
		},
		"gemini, a call without response": {
			wire: Gemini{}, path: "/v1beta/models/m:streamGenerateContent",
			body: `{"contents":[{"role":"model","parts":[{"functionCall":{"name":"x"}}]},{"role":"user","parts":[{"text":"Go."}]}]}`,
		},
		"gemini, a response without call": {
			wire: Gemini{}, path: "/v1beta/models/m:streamGenerateContent",
			body: `{"contents":[{"role":"user","parts":[{"functionResponse":{"name":"x"}}]}]}`,
		},
		"gemini, an empty turn": {
			wire: Gemini{}, path: "/v1beta/models/m:streamGenerateContent", body: `{"contents":[{"role":"model","parts":[]}]}`,
		},
		"another endpoint": {wire: Messages{}, path: "/v1/complete", body: `{}`},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := test.wire.Read(scripted.Request{Method: "POST", Path: test.path, Body: []byte(test.body)}); (err == nil) != test.ok {
				t.Errorf("read it with %v", err)
			}
		})
	}
}

// A conversation that has what it must not have, or lacks what it must have, does not pass.
func TestCheckFindsWhatIsWrong(t *testing.T) {
	call := Call{ID: "call_1", Name: "x", Makes: "made.txt"}
	past := Past{ID: "call_1", Name: "x", Args: "made.txt", Output: Said}
	refused := call.RefusedBy("r", "tool_denied")
	for name, test := range map[string]struct {
		given   []Call
		history History
		body    string
		ok      bool
	}{
		"released":                  {given: []Call{call}, history: History{Calls: []Past{past}}, ok: true},
		"released, gone":            {given: []Call{call}},
		"released, twice":           {given: []Call{call}, history: History{Calls: []Past{past, past}}},
		"released, without output":  {given: []Call{call}, history: History{Calls: []Past{{ID: "call_1", Name: "x"}}}},
		"released, unsigned":        {given: []Call{call}, history: History{Calls: []Past{{ID: "call_1", Name: "x", Output: Said, signed: true}}}},
		"refused":                   {given: []Call{refused}, history: History{Said: []string{refused.Notice()}}, ok: true},
		"refused, without notice":   {given: []Call{refused}},
		"refused, with its output":  {given: []Call{refused}, history: History{Said: []string{refused.Notice()}, Calls: []Past{past}}},
		"refused, with its command": {given: []Call{refused}, history: History{Said: []string{refused.Notice()}}, body: "touch made.txt"},
		"lost, with a notice":       {given: []Call{call.LostBy("r", "tool_denied")}, history: History{Said: []string{refused.Notice()}}},
		"never given":               {history: History{Calls: []Past{past}}},
	} {
		t.Run(name, func(t *testing.T) {
			test.history.Tools, test.history.Key = 1, "k"
			a := Asked{History: test.history, given: test.given}
			a.Request.Body = []byte(test.body)
			if err := a.check("k"); (err == nil) != test.ok {
				t.Errorf("checked it with %v", err)
			}
		})
	}
}
