package model

import (
	"errors"
	"fmt"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

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

// blocks are what a response consists of.
func (Messages) blocks(a Answer) []map[string]any {
	var blocks []map[string]any
	if len(a.Calls) > 0 && !a.Cut {
		blocks = append(blocks, map[string]any{"type": "thinking", "thinking": "What to do?", "signature": signatureOf(a.Calls[0].ID)})
	}
	if a.Text != "" {
		blocks = append(blocks, map[string]any{"type": "text", "text": a.Text})
	}
	for _, c := range a.Calls {
		blocks = append(blocks, map[string]any{"type": "tool_use", "id": c.ID, "name": c.Name, "input": jsontext.Value(c.Args)})
	}
	return blocks
}

// Play is the answer as the wire has it.
func (w Messages) Play(a Answer, h History, id string) scripted.Answer {
	blocks, stop := w.blocks(a), "end_turn"
	if len(a.Calls) > 0 {
		stop = "tool_use"
	}
	reply := map[string]any{
		"id": id, "type": "message", "role": "assistant", "model": "scripted", "content": blocks,
		"stop_reason": stop, "stop_sequence": nil, "usage": map[string]any{"input_tokens": 17, "output_tokens": 42},
	}
	if a.Whole || !h.Stream {
		return whole(reply)
	}
	out := events()
	event := func(name string, members map[string]any) {
		members["type"] = name
		out.Steps = append(out.Steps, scripted.Write(fmt.Appendf(nil, "event: %s\ndata: %s\n\n", name, Encode(members))))
	}
	reply["content"], reply["stop_reason"] = []any{}, nil
	event("message_start", map[string]any{"message": reply})
	for i, b := range blocks {
		begun, deltas := pieces(b)
		event("content_block_start", map[string]any{"index": i, "content_block": begun})
		for _, delta := range deltas {
			event("content_block_delta", map[string]any{"index": i, "delta": delta})
		}
		if a.Cut && i == len(blocks)-1 {
			out.Steps = append(out.Steps, scripted.Abort)
			return out
		}
		event("content_block_stop", map[string]any{"index": i})
	}
	if a.Pause != nil {
		out.Steps = append(out.Steps, a.Pause)
	}
	event("message_delta", map[string]any{
		"delta": map[string]any{"stop_reason": stop, "stop_sequence": nil}, "usage": map[string]any{"output_tokens": 42},
	})
	event("message_stop", map[string]any{})
	return out
}

// pieces are a block before its first piece, and those pieces.
func pieces(b map[string]any) (begun map[string]any, deltas []map[string]any) {
	switch b["type"] {
	case "thinking":
		return map[string]any{"type": "thinking", "thinking": "", "signature": ""}, []map[string]any{
			{"type": "thinking_delta", "thinking": b["thinking"]}, {"type": "signature_delta", "signature": b["signature"]},
		}
	case "text":
		return map[string]any{"type": "text", "text": ""}, []map[string]any{{"type": "text_delta", "text": b["text"]}}
	default:
		for _, piece := range inPieces(string(b["input"].(jsontext.Value))) {
			deltas = append(deltas, map[string]any{"type": "input_json_delta", "partial_json": piece})
		}
		return map[string]any{"type": "tool_use", "id": b["id"], "name": b["name"], "input": map[string]any{}}, deltas
	}
}
