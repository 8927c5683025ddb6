package fold

import (
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// A Block is a text or a call of a message.
type Block struct {
	Tool    string // "": it is a text
	ID      string // of the call
	Text    string // the text, or the arguments as they are written
	Thought bool   // the text is what the model thought
}

// Blocks are the texts and calls of a message in their order. Other content is left out.
func (m *Message) Blocks() ([]Block, error) {
	var list []Block
	err := caught(func() { list = m.Format.content(m.JSON) })
	return list, err
}

// Calls are the calls among the blocks of a message.
func (m *Message) Calls() ([]Block, error) {
	list, err := m.Blocks()
	var calls []Block
	for _, b := range list {
		if b.Tool != "" {
			calls = append(calls, b)
		}
	}
	return calls, err
}

// Text is all that a message says, without thoughts.
func (m *Message) Text() (string, error) {
	list, err := m.Blocks()
	var text strings.Builder
	for _, b := range list {
		if b.Tool == "" && !b.Thought {
			text.WriteString(b.Text)
		}
	}
	return text.String(), err
}

func messagesContent(message jsontext.Value) (list []Block) {
	m := parse[struct {
		Content []struct {
			Type     string         `json:"type"`
			Text     string         `json:"text"`
			Thinking string         `json:"thinking"`
			ID       string         `json:"id"`
			Name     string         `json:"name"`
			Input    jsontext.Value `json:"input"`
		} `json:"content"`
	}](message, "content")
	for _, b := range m.Content {
		switch {
		case b.Type == "text":
			list = append(list, Block{Text: b.Text})
		case b.Type == "thinking":
			list = append(list, Block{Text: b.Thinking, Thought: true})
		case strings.HasSuffix(b.Type, "tool_use"):
			list = append(list, Block{Tool: b.Name, ID: b.ID, Text: string(b.Input)})
		}
	}
	return list
}

func chatContent(message jsontext.Value) (list []Block) {
	c := parse[completion](message, "content")
	for _, choice := range c.Choices {
		m := choice.Message
		list = append(list, said(m.ReasoningContent, true)...)
		list = append(list, said(m.Reasoning, true)...)
		list = append(list, said(m.Content, false)...)
		list = append(list, said(m.Refusal, false)...)
		for _, call := range m.ToolCalls {
			switch {
			case call.Function != nil:
				list = append(list, Block{Tool: call.Function.Name, ID: call.ID, Text: call.Function.Arguments})
			case call.Custom != nil:
				list = append(list, Block{Tool: call.Custom.Name, ID: call.ID, Text: call.Custom.Input})
			}
		}
		if m.FunctionCall != nil {
			list = append(list, Block{Tool: m.FunctionCall.Name, Text: m.FunctionCall.Arguments})
		}
	}
	return list
}

// said are the texts of a content: a string, or an array of parts, some of which have a text.
func said(content jsontext.Value, thought bool) (list []Block) {
	if content.Kind() == '"' && text(content) != "" {
		return []Block{{Text: text(content), Thought: thought}}
	}
	var parts []object
	if json.Unmarshal(orElse(content, "[]"), &parts, lenient) != nil {
		return nil
	}
	for _, p := range parts {
		for _, member := range []string{"text", "refusal"} {
			list = append(list, said(p[member], thought)...)
		}
	}
	return list
}

func responsesContent(message jsontext.Value) (list []Block) {
	r := parse[struct {
		Output []struct {
			Type      string         `json:"type"`
			Content   jsontext.Value `json:"content"`
			Summary   jsontext.Value `json:"summary"`
			CallID    string         `json:"call_id"`
			Name      string         `json:"name"`
			Arguments string         `json:"arguments"`
			Input     string         `json:"input"`
		} `json:"output"`
	}](message, "content")
	for _, item := range r.Output {
		switch item.Type {
		case "message":
			list = append(list, said(item.Content, false)...)
		case "reasoning":
			list = append(append(list, said(item.Summary, true)...), said(item.Content, true)...)
		case "function_call", "custom_tool_call":
			list = append(list, Block{Tool: item.Name, ID: item.CallID, Text: item.Arguments + item.Input})
		}
	}
	return list
}

func geminiContent(message jsontext.Value) (list []Block) {
	r := parse[struct {
		Response   jsontext.Value `json:"response"`
		Candidates []struct {
			Content struct {
				Parts []struct {
					Text    string `json:"text"`
					Thought bool   `json:"thought"`
					Call    *struct {
						ID   string         `json:"id"`
						Name string         `json:"name"`
						Args jsontext.Value `json:"args"`
					} `json:"functionCall"`
				} `json:"parts"`
			} `json:"content"`
		} `json:"candidates"`
	}](message, "content")
	if r.Response != nil {
		return geminiContent(r.Response)
	}
	for _, c := range r.Candidates {
		for _, p := range c.Content.Parts {
			switch {
			case p.Call != nil:
				list = append(list, Block{Tool: p.Call.Name, ID: p.Call.ID, Text: string(p.Call.Args)})
			case p.Text != "":
				list = append(list, Block{Text: p.Text, Thought: p.Thought})
			}
		}
	}
	return list
}

func ollamaContent(message jsontext.Value) (list []Block) {
	a := parse[struct {
		Response jsontext.Value `json:"response"`
		Message  struct {
			Content   jsontext.Value `json:"content"`
			Thinking  jsontext.Value `json:"thinking"`
			ToolCalls []struct {
				ID       string `json:"id"`
				Function struct {
					Name      string         `json:"name"`
					Arguments jsontext.Value `json:"arguments"`
				} `json:"function"`
			} `json:"tool_calls"`
		} `json:"message"`
	}](message, "content")
	list = append(said(a.Message.Thinking, true), said(a.Message.Content, false)...)
	list = append(list, said(a.Response, false)...)
	for _, c := range a.Message.ToolCalls {
		list = append(list, Block{Tool: c.Function.Name, ID: c.ID, Text: string(c.Function.Arguments)})
	}
	return list
}

func converseContent(message jsontext.Value) (list []Block) {
	m := parse[struct {
		Output struct {
			Message struct {
				Content []struct {
					Text      string `json:"text"`
					Reasoning struct {
						Text struct {
							Text string `json:"text"`
						} `json:"reasoningText"`
					} `json:"reasoningContent"`
					Citations struct {
						Content jsontext.Value `json:"content"`
					} `json:"citationsContent"`
					Use *struct {
						ID    string         `json:"toolUseId"`
						Name  string         `json:"name"`
						Input jsontext.Value `json:"input"`
					} `json:"toolUse"`
				} `json:"content"`
			} `json:"message"`
		} `json:"output"`
	}](message, "content")
	for _, b := range m.Output.Message.Content {
		switch {
		case b.Use != nil:
			list = append(list, Block{Tool: b.Use.Name, ID: b.Use.ID, Text: string(b.Use.Input)})
		case b.Text != "":
			list = append(list, Block{Text: b.Text})
		case b.Reasoning.Text.Text != "":
			list = append(list, Block{Text: b.Reasoning.Text.Text, Thought: true})
		}
		list = append(list, said(b.Citations.Content, false)...)
	}
	return list
}
