package fold

import (
	"errors"
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// acceptableConverse checks that there is content, that calls can be read, and that the stop reason is true.
func acceptableConverse(message jsontext.Value) error {
	var m struct {
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
	}
	if err := json.Unmarshal(message, &m, lenient); err != nil {
		return fmt.Errorf("the message: %w", err)
	}
	switch {
	case m.Output.Message.Role != "assistant":
		return fmt.Errorf("the message is of the role %q", m.Output.Message.Role)
	case len(m.Output.Message.Content) == 0:
		return errors.New("the message has no content, and the API would not take it back")
	case m.StopReason == "":
		return errors.New("the message has no stop reason")
	}
	calls := 0
	for i, b := range m.Output.Message.Content {
		switch use := b.ToolUse; {
		case use == nil && b.Text != nil:
		case use == nil:
			calls++ // it may be of a kind that is a call
		case use.ID == "" || use.Name == "" || use.Input.Kind() != '{':
			return fmt.Errorf("call %d has no id, no name or no arguments", i)
		case use.Type == "":
			calls++
		}
	}
	if m.StopReason == "tool_use" && calls == 0 {
		return errors.New("the stop reason is tool_use, and there is no call")
	}
	return nil
}
