package main

import (
	"errors"
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// A converseAnswer is a whole answer of the Converse API.
type converseAnswer struct {
	Output struct {
		Message struct {
			Role    string           `json:"role"`
			Content []*converseUnits `json:"content"`
		} `json:"message"`
	} `json:"output"`
	StopReason string         `json:"stopReason"`
	Usage      jsontext.Value `json:"usage"`
}

// A converseUnits is a block of an answer.
type converseUnits struct {
	Text    string        `json:"text,omitzero"`
	ToolUse *converseCall `json:"toolUse,omitzero"`
}

type converseCall struct {
	ID    string         `json:"toolUseId"`
	Name  string         `json:"name"`
	Input jsontext.Value `json:"input,omitzero"`
}

// acceptable checks that an answer says something, and that its stop reason is true.
func (a *converseAnswer) acceptable() error {
	calls := false
	for i, u := range a.Output.Message.Content {
		switch {
		case u.ToolUse == nil && u.Text == "":
			return fmt.Errorf("block %d says nothing", i)
		case u.ToolUse != nil && (u.ToolUse.Name == "" || u.ToolUse.ID == "" || u.ToolUse.Input.Kind() != '{'):
			return fmt.Errorf("block %d is a call without a name, an id or arguments", i)
		}
		calls = calls || u.ToolUse != nil
	}
	switch {
	case a.Output.Message.Role != "assistant" || len(a.Output.Message.Content) == 0:
		return errors.New("there is no message of the assistant")
	case calls != (a.StopReason == "tool_use"):
		return fmt.Errorf("the stop reason is %q", a.StopReason)
	case a.Usage == nil:
		return errors.New("there is no usage")
	}
	return nil
}

// readConverse makes one message of an answer, and fails where a client would.
func readConverse(body []byte, m mode) (jsontext.Value, error) {
	var f converseFolder
	if m == whole {
		if err := read(body, &f.answer); err != nil {
			return nil, fmt.Errorf("the answer: %w", err)
		}
		return jsontext.Value(body), f.answer.acceptable()
	}
	pieces, err := readMessages(body)
	if err != nil {
		return nil, err
	}
	for _, p := range pieces {
		if err := f.take(p); err != nil {
			return nil, fmt.Errorf("%s: %w", p.name, err)
		}
	}
	if f.answer.StopReason == "" || f.answer.Usage == nil {
		return nil, errors.New("the stream has no end")
	}
	if err := f.answer.acceptable(); err != nil {
		return nil, err
	}
	return json.Marshal(f.answer)
}

// A converseFolder makes one answer of a stream. One block is open at a time; a text is opened by its first delta.
type converseFolder struct {
	answer converseAnswer
	open   *converseUnits
	input  string // of the open block
}

// A converseFrame is what the messages of a stream have in them.
type converseFrame struct {
	Role  string `json:"role"`
	Index int    `json:"contentBlockIndex"`
	Start struct {
		ToolUse *converseCall `json:"toolUse"`
	} `json:"start"`
	Delta struct {
		Text    string `json:"text"`
		ToolUse *struct {
			Input string `json:"input"`
		} `json:"toolUse"`
	} `json:"delta"`
	StopReason string         `json:"stopReason"`
	Usage      jsontext.Value `json:"usage"`
}

func (f *converseFolder) take(p piece) error {
	var frame converseFrame
	if err := read([]byte(p.data), &frame); err != nil {
		return err
	}
	message := &f.answer.Output.Message
	switch {
	case p.name == "metadata":
		f.answer.Usage = frame.Usage
		return nil
	case f.answer.StopReason != "":
		return errors.New("the message was over")
	case (p.name == "messageStart") == (message.Role != ""):
		return errors.New("the message does not begin once, and first")
	}
	switch p.name {
	case "messageStart":
		message.Role = frame.Role
		return nil
	case "messageStop":
		f.answer.StopReason = frame.StopReason
		if f.open != nil {
			return errors.New("a block is open")
		}
		return nil
	case "contentBlockStart", "contentBlockDelta", "contentBlockStop":
		return f.block(p.name, &frame)
	}
	return errors.New("clients do not know it")
}

// block takes a message about a block.
func (f *converseFolder) block(name string, frame *converseFrame) error {
	message := &f.answer.Output.Message
	if f.open == nil {
		if frame.Index != len(message.Content) || name == "contentBlockStop" {
			return fmt.Errorf("block %d where block %d is due", frame.Index, len(message.Content))
		}
		f.open, f.input = &converseUnits{ToolUse: frame.Start.ToolUse}, ""
		message.Content = append(message.Content, f.open)
	} else if frame.Index != len(message.Content)-1 || name == "contentBlockStart" {
		return fmt.Errorf("block %d while block %d is open", frame.Index, len(message.Content)-1)
	}
	switch call := f.open.ToolUse; {
	case name == "contentBlockDelta" && (call != nil) != (frame.Delta.ToolUse != nil):
		return errors.New("a delta of another kind")
	case name == "contentBlockDelta" && call != nil:
		f.input += frame.Delta.ToolUse.Input
	case name == "contentBlockDelta":
		f.open.Text += frame.Delta.Text
	case name == "contentBlockStop":
		if call != nil {
			call.Input = jsontext.Value(f.input)
		}
		f.open = nil
	}
	return nil
}
