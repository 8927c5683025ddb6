package fold

import (
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// A completion is what agents look at in an answer of the Chat API.
type completion struct {
	Choices []struct {
		FinishReason string `json:"finish_reason"`
		Message      struct {
			Role             string         `json:"role"`
			Content          jsontext.Value `json:"content"`
			Reasoning        jsontext.Value `json:"reasoning"`
			ReasoningContent jsontext.Value `json:"reasoning_content"`
			Refusal          jsontext.Value `json:"refusal"`
			ToolCalls        []chatCall     `json:"tool_calls"`
			FunctionCall     *chatFunction  `json:"function_call"`
		} `json:"message"`
	} `json:"choices"`
}

type chatCall struct {
	ID       string        `json:"id"`
	Type     string        `json:"type"`
	Function *chatFunction `json:"function"`
	Custom   *struct {
		Name  string `json:"name"`
		Input string `json:"input"`
	} `json:"custom"`
}

type chatFunction struct {
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
}

// acceptableCompletion checks that every choice says or asks something, that its calls can be read, and that its finish
// reason is true.
func acceptableCompletion(message jsontext.Value) {
	c := parse[completion](message, "the completion")
	for i := range c.Choices {
		ch := &c.Choices[i]
		m := &ch.Message
		calls := len(m.ToolCalls) > 0 || m.FunctionCall != nil
		switch {
		case m.Role != "assistant":
			stumblef("choice %d is of the role %q", i, m.Role)
		case m.ToolCalls != nil && len(m.ToolCalls) == 0:
			stumblef("choice %d has tool_calls without a call, and the API would not take it back", i)
		case !calls && !isThere(m.Content) && !isThere(m.Refusal):
			stumblef("choice %d says nothing, and the API would not take it back", i)
		case ch.FinishReason == "":
			stumblef("choice %d has no finish reason", i)
		case !calls && (ch.FinishReason == "tool_calls" || ch.FinishReason == "function_call"):
			stumblef("choice %d ends with %s, and there is no call", i, ch.FinishReason)
		}
		for _, t := range m.ToolCalls {
			t.acceptable()
		}
		if m.FunctionCall != nil {
			m.FunctionCall.acceptable()
		}
	}
}

func (c *chatCall) acceptable() {
	switch {
	case c.ID == "" || c.Type == "":
		stumblef("a call has no id or no type")
	case c.Function != nil:
		c.Function.acceptable()
	case c.Custom != nil && c.Custom.Name == "":
		stumblef("a call has no name")
	}
}

func (f *chatFunction) acceptable() {
	var arguments object
	if f.Name == "" {
		stumblef("a call has no name")
	}
	if err := json.Unmarshal([]byte(f.Arguments), &arguments); err != nil {
		stumblef("the arguments of a call: %w", err)
	}
}
