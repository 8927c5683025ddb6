package fold

import (
	"github.com/go-json-experiment/json/jsontext"
)

// acceptableConverse checks that there is content, that calls can be read, and that the stop reason is true.
func acceptableConverse(message jsontext.Value) {
	m := parse[struct {
		StopReason string `json:"stopReason"`
		Output     struct {
			Message struct {
				Role    string `json:"role"`
				Content []struct {
					Text    *string `json:"text"`
					ToolUse *struct {
						ID    string         `json:"toolUseId"`
						Name  string         `json:"name"`
						Type  string         `json:"type"`
						Input jsontext.Value `json:"input"`
					} `json:"toolUse"`
				} `json:"content"`
			} `json:"message"`
		} `json:"output"`
	}](message, "the message")
	switch {
	case m.Output.Message.Role != "assistant":
		stumblef("the message is of the role %q", m.Output.Message.Role)
	case len(m.Output.Message.Content) == 0:
		stumblef("the message has no content, and the API would not take it back")
	case m.StopReason == "":
		stumblef("the message has no stop reason")
	}
	calls := 0
	for i, b := range m.Output.Message.Content {
		switch use := b.ToolUse; {
		case use == nil && b.Text != nil:
		case use == nil:
			calls++ // it may be of a kind that is a call
		case use.ID == "" || use.Name == "" || use.Input.Kind() != '{':
			stumblef("call %d has no id, no name or no arguments", i)
		case use.Type == "":
			calls++
		}
	}
	if m.StopReason == "tool_use" && calls == 0 {
		stumblef("the stop reason is tool_use, and there is no call")
	}
}
