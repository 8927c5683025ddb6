package model

import (
	"fmt"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/internal/model/wire"
	"github.com/weir-gate/weir/internal/weirtest/scripted"
)

// Chat is OpenAI's Chat Completions.
type Chat struct{}

// Dialect names the format.
func (Chat) Dialect() string { return "openai-chat" }

// A chatCall is a call in a message.
type chatCall struct {
	ID       string `json:"id"`
	Function struct {
		Name      string `json:"name"`
		Arguments string `json:"arguments"`
	} `json:"function"`
}

// Read wants a message for each call right after the message that it is in.
func (Chat) Read(r scripted.Request) (History, error) {
	if r.Method != "POST" || r.Path != "/v1/chat/completions" {
		return History{}, errNoEndpoint
	}
	var body struct {
		Stream   bool             `json:"stream"`
		Tools    []jsontext.Value `json:"tools"`
		Messages []struct {
			message
			ToolCalls  []chatCall `json:"tool_calls"`
			ToolCallID string     `json:"tool_call_id"`
		} `json:"messages"`
	}
	if err := json.Unmarshal(r.Body, &body); err != nil {
		return History{}, fmt.Errorf("read the request: %w", err)
	}
	h := History{Stream: body.Stream, Tools: len(body.Tools), Key: strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")}
	open := pending{}
	for i, m := range body.Messages {
		texts, err := m.texts()
		if err == nil && m.Role != "tool" {
			err = open.none()
		}
		h.Prompt = ""
		switch m.Role {
		case "user":
			h.Prompt = strings.Join(texts, "\n")
		case "assistant":
			h.Said = append(h.Said, texts...)
			for _, c := range m.ToolCalls {
				h.Calls = append(h.Calls, Past{ID: c.ID, Name: c.Function.Name, Args: c.Function.Arguments})
				open.add(len(h.Calls) - 1)
			}
		case "tool":
			err = h.answered(&open, m.ToolCallID, strings.Join(texts, "\n"))
		}
		if err != nil {
			return History{}, fmt.Errorf("message %d: %w", i+1, err)
		}
	}
	return h, open.none()
}

// texts are what a message says.
func (m message) texts() ([]string, error) {
	if len(m.Content) == 0 || m.Content.Kind() == 'n' {
		return nil, nil
	}
	blocks, err := m.blocks()
	var texts []string
	for _, b := range blocks {
		if b.Text != "" {
			texts = append(texts, b.Text)
		}
	}
	return texts, err
}

// Play is the answer as the wire has it.
func (Chat) Play(a Answer, h History, id string) scripted.Answer {
	return play(&wire.Chat, a, h, id, a.blocks())
}
