package model

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/internal/model/wire"
	"github.com/weir-gate/weir/internal/weirtest/scripted"
)

// Messages is Anthropic's format.
type Messages struct{}

// Dialect names the format.
func (Messages) Dialect() string { return "anthropic" }

// A block is a part of a message.
type block struct {
	Type      string         `json:"type"`
	Text      string         `json:"text"`
	Signature string         `json:"signature"`
	ID        string         `json:"id"`
	Name      string         `json:"name"`
	Input     jsontext.Value `json:"input"`
	ToolUseID string         `json:"tool_use_id"`
	Content   jsontext.Value `json:"content"`
}

// A message is one of a conversation. Its content is a text or blocks.
type message struct {
	Role    string         `json:"role"`
	Content jsontext.Value `json:"content"`
}

func (m message) blocks() ([]block, error) {
	if m.Content.Kind() == '"' {
		var text string
		err := json.Unmarshal(m.Content, &text)
		return []block{{Type: "text", Text: text}}, err
	}
	var blocks []block
	err := json.Unmarshal(m.Content, &blocks)
	return blocks, err
}

// Read wants the results of all calls of a message in the next one, and no others.
func (Messages) Read(r scripted.Request) (History, error) {
	if r.Method != "POST" || r.Path != "/v1/messages" {
		return History{}, errNoEndpoint
	}
	var body struct {
		Stream   bool             `json:"stream"`
		Tools    []jsontext.Value `json:"tools"`
		Messages []message        `json:"messages"`
	}
	if err := json.Unmarshal(r.Body, &body); err != nil {
		return History{}, fmt.Errorf("read the request: %w", err)
	}
	h := History{Stream: body.Stream, Tools: len(body.Tools), Key: r.Header.Get("X-Api-Key")}
	open := pending{}
	for i, m := range body.Messages {
		blocks, err := m.blocks()
		if err == nil {
			err = h.readMessage(m.Role, blocks, &open)
		}
		if err != nil {
			return History{}, fmt.Errorf("message %d: %w", i+1, err)
		}
	}
	return h, open.none()
}

// readMessage adds a message to the conversation. open are the calls of the one before.
func (h *History) readMessage(role string, blocks []block, open *pending) error {
	if role == "system" {
		return nil // Claude Code says more about its tools so
	}
	h.Prompt = ""
	var texts []string
	for i, b := range blocks {
		switch {
		case b.Type == "text" && b.Text == "":
			return errors.New("it has an empty text")
		case b.Type == "text":
			texts = append(texts, b.Text)
		case b.Type == "tool_use" && role == "assistant":
			h.Calls = append(h.Calls, Past{ID: b.ID, Name: b.Name, Args: string(b.Input)})
			open.add(len(h.Calls) - 1)
		case b.Type == "tool_result" && role == "user":
			if err := h.answered(open, b.ToolUseID, string(b.Content)); err != nil {
				return err
			}
		case b.Type == "thinking" && role == "assistant":
			if i == len(blocks)-1 || b.Signature == "" {
				return fmt.Errorf("its block %d of %d is a thought signed %q", i+1, len(blocks), b.Signature)
			}
		default:
			return fmt.Errorf("it has a block of type %s by %s", b.Type, role)
		}
	}
	switch {
	case role == "assistant":
		h.Said = append(h.Said, texts...)
		return nil
	case len(blocks) > 0 && blocks[0].Type == "text":
		h.Prompt = strings.Join(texts, "\n")
	}
	return open.none()
}

// Play is the answer as the wire has it.
func (Messages) Play(a Answer, h History, id string) scripted.Answer {
	blocks := a.blocks()
	if len(a.Calls) > 0 && !a.Cut {
		blocks = slices.Insert(blocks, 0, wire.Block{Thought: true, Pieces: []string{"What to do?"}, Signature: signatureOf(a.Calls[0].ID)})
	}
	return play(&wire.Messages, a, h, id, blocks)
}
