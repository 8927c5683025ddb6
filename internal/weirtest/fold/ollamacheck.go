package fold

import (
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
)

// acceptableChat checks that a message says or asks something, and that its calls can be read and are in order.
func acceptableChat(answer jsontext.Value) {
	a := parse[struct {
		Model      string `json:"model"`
		CreatedAt  string `json:"created_at"`
		DoneReason string `json:"done_reason"`
		Message    *struct {
			Role      string `json:"role"`
			Content   string `json:"content"`
			Thinking  string `json:"thinking"`
			ToolCalls []struct {
				Function *struct {
					Index     jsontext.Value `json:"index"`
					Name      string         `json:"name"`
					Arguments object         `json:"arguments"`
				} `json:"function"`
			} `json:"tool_calls"`
		} `json:"message"`
	}](answer, "the answer")
	if a.Model == "" || a.CreatedAt == "" {
		stumblef("the answer has no model or no time")
	}
	if a.Message == nil {
		return // it is only text
	}
	switch m := a.Message; {
	case m.Role != "assistant":
		stumblef("the message is of the role %q", m.Role)
	case m.ToolCalls != nil && len(m.ToolCalls) == 0:
		stumblef("the message has tool_calls without a call")
	case m.Content == "" && m.Thinking == "" && len(m.ToolCalls) == 0 && a.DoneReason == "stop":
		stumblef("the message says nothing")
	}
	for i, c := range a.Message.ToolCalls {
		switch {
		case c.Function == nil: // of a kind that clients do not know
		case c.Function.Name == "" || c.Function.Arguments == nil:
			stumblef("call %d has no name or no arguments", i)
		case c.Function.Index != nil && string(c.Function.Index) != strconv.Itoa(i):
			stumblef("call %d has the index %s", i, c.Function.Index)
		}
	}
}
