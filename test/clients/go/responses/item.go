package main

import (
	"encoding/json"
	"strings"
)

// An item is one of a response's output.
type item struct {
	Type      string          `json:"type"`
	ID        string          `json:"id"`
	CallID    string          `json:"call_id"`
	Role      string          `json:"role"`
	Namespace string          `json:"namespace"`
	Name      string          `json:"name"`
	Input     string          `json:"input"`
	Arguments json.RawMessage `json:"arguments"`
	Action    json.RawMessage `json:"action"`
	Operation json.RawMessage `json:"operation"`
	Output    json.RawMessage `json:"output"`
	Content   text            `json:"content"`
	Summary   text            `json:"summary"`
}

// A text comes as it is, or in parts.
type text string

// UnmarshalJSON implements json.Unmarshaler.
func (t *text) UnmarshalJSON(data []byte) error {
	var parts []struct {
		Text string `json:"text"`
	}
	if json.Unmarshal(data, &parts) != nil {
		return json.Unmarshal(data, (*string)(t))
	}
	for _, p := range parts {
		*t += text(p.Text)
	}
	return nil
}

// A tale is what an item says, in words that all clients share.
type tale struct {
	Type   string `json:"type"`
	Role   string `json:"role,omitempty"`
	Text   string `json:"text,omitempty"`
	Notice string `json:"notice,omitempty"`
	ID     string `json:"id,omitempty"`
	Name   string `json:"name,omitempty"`
	Input  any    `json:"input,omitempty"`
}

func told(raw string) (tale, error) {
	var it item
	if err := json.Unmarshal([]byte(raw), &it); err != nil {
		return tale{}, err
	}
	t := tale{Type: it.Type, ID: it.CallID}
	switch it.Type {
	case "message":
		t = tale{Type: it.Type, Role: it.Role, Text: string(it.Content)}
		if strings.HasPrefix(it.ID, "msg_weir_") {
			t.Notice = it.ID
		}
	case "reasoning":
		t.Text = string(it.Summary)
	case "function_call":
		t.Name, t.Input = it.name(), parsed(it.Arguments)
	case "custom_tool_call":
		t.Name, t.Input = it.name(), map[string]string{"input": it.Input}
	case "mcp_approval_request", "mcp_call":
		t.ID, t.Name, t.Input = it.ID, it.Name, parsed(it.Arguments)
	case "web_search_call":
		t.ID, t.Name, t.Input = it.ID, "web_search", it.Action
	case "shell_call", "local_shell_call":
		t.Name, t.Input = strings.TrimSuffix(it.Type, "_call"), it.Action
	case "apply_patch_call":
		t.Name, t.Input = "apply_patch", it.Operation
	case "computer_call":
		t.Name, t.Input = "computer", map[string]json.RawMessage{"action": it.Action}
	case "tool_search_call":
		t.Name, t.Input = "tool_search", it.Arguments
	case "function_call_output", "custom_tool_call_output":
		if err := json.Unmarshal(it.Output, &t.Text); err != nil {
			return tale{}, err
		}
	default:
		t.Name, t.Input = it.Type, json.RawMessage(raw)
	}
	return t, nil
}

func (it item) name() string {
	if it.Namespace != "" {
		return it.Namespace + "." + it.Name
	}
	return it.Name
}

// parsed is the JSON that a text holds.
func parsed(value json.RawMessage) any {
	var s string
	if json.Unmarshal(value, &s) != nil {
		return nil
	}
	return json.RawMessage(s)
}

// answer runs a call and returns its output; nil if the item is no call.
func (c *client) answer(raw string) (map[string]any, error) {
	t, err := told(raw)
	if err != nil {
		return nil, err
	}
	run := func() string { return c.job.Execute(t.Name, t.Input) }
	switch t.Type {
	case "function_call", "custom_tool_call", "robot_call":
		return map[string]any{"type": t.Type + "_output", "call_id": t.ID, "output": run()}, nil
	case "shell_call":
		outcome := map[string]any{"type": "exit", "exit_code": 0}
		return map[string]any{"type": "shell_call_output", "call_id": t.ID, "output": []any{
			map[string]any{"stdout": run(), "stderr": "", "outcome": outcome},
		}}, nil
	case "local_shell_call":
		return map[string]any{"type": "local_shell_call_output", "id": t.ID, "output": run()}, nil
	case "apply_patch_call":
		return map[string]any{"type": "apply_patch_call_output", "call_id": t.ID, "status": "completed", "output": run()}, nil
	case "computer_call":
		run()
		shot := map[string]any{"type": "computer_screenshot", "image_url": "data:image/png;base64,iVBORw0KGgo="}
		return map[string]any{"type": "computer_call_output", "call_id": t.ID, "output": shot}, nil
	case "tool_search_call":
		run()
		return map[string]any{
			"type": "tool_search_output", "call_id": t.ID, "execution": "client", "status": "completed", "tools": []any{},
		}, nil
	case "mcp_approval_request":
		run()
		return map[string]any{"type": "mcp_approval_response", "approval_request_id": t.ID, "approve": true}, nil
	}
	return nil, nil
}

func raw(v any) json.RawMessage {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err) // all that comes here was made of JSON
	}
	return data
}
