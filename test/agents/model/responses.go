package model

import (
	"fmt"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/internal/weirtest/scripted"
)

// Responses is OpenAI's Responses, without state at the provider.
type Responses struct{}

// Dialect names the format.
func (Responses) Dialect() string { return "openai-responses" }

// An item is one of a conversation.
type item struct {
	message
	Type      string         `json:"type"`
	ID        string         `json:"id"`
	CallID    string         `json:"call_id"`
	Name      string         `json:"name"`
	Arguments string         `json:"arguments"`
	Input     string         `json:"input"`
	Output    jsontext.Value `json:"output"`
}

// Read wants an output for each call, and no id that the provider never gave.
func (Responses) Read(r scripted.Request) (History, error) {
	if r.Method != "POST" || r.Path != "/v1/responses" {
		return History{}, errNoEndpoint
	}
	var body struct {
		Stream bool             `json:"stream"`
		Store  *bool            `json:"store"`
		Tools  []jsontext.Value `json:"tools"`
		Input  []item           `json:"input"`
	}
	if err := json.Unmarshal(r.Body, &body); err != nil {
		return History{}, fmt.Errorf("read the request: %w", err)
	}
	if body.Store == nil || *body.Store {
		return History{}, fmt.Errorf("the provider is to store the response")
	}
	h := History{Stream: body.Stream, Tools: len(body.Tools), Key: strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")}
	open := pending{}
	for i, one := range body.Input {
		err := h.readItem(one, &open)
		if err == nil && one.Type == "reasoning" {
			err = followed(one, body.Input[i+1:])
		}
		if err != nil {
			return History{}, fmt.Errorf("item %d: %w", i+1, err)
		}
	}
	return h, open.none()
}

// readItem adds an item to the conversation. open are the calls without an output.
func (h *History) readItem(i item, open *pending) error {
	if strings.HasPrefix(i.ID, "msg_weir_") {
		return fmt.Errorf("the provider knows no %s", i.ID)
	}
	texts, err := i.texts()
	if err != nil {
		return err
	}
	switch {
	case i.Type == "function_call" || i.Type == "custom_tool_call":
		h.Calls = append(h.Calls, Past{ID: i.CallID, Name: i.Name, Args: i.Arguments + i.Input})
		open.add(len(h.Calls) - 1)
	case strings.HasSuffix(i.Type, "_call_output"):
		h.Prompt = ""
		return h.answered(open, i.CallID, string(i.Output))
	case i.Type == "additional_tools":
		h.Tools, h.Apart = h.Tools+1, true
	case i.Type == "reasoning":
	case i.Type != "message" && i.Type != "":
		return fmt.Errorf("it is of type %s", i.Type)
	case i.Role == "assistant":
		h.Said = append(h.Said, texts...)
	case i.Role == "user":
		h.Prompt = strings.Join(texts, "\n")
	}
	return nil
}

// followed wants a thought to be followed by the call that it led to. opencode sends it without its id; then a notice
// may follow as well.
func followed(thought item, rest []item) error {
	if len(rest) > 0 && (thoughtOf(rest[0].CallID) == thought.ID || thought.ID == "" && (rest[0].CallID != "" || rest[0].Role == "assistant")) {
		return nil
	}
	return fmt.Errorf("the thought %s is not followed by what it led to", thought.ID)
}

// thoughtOf is the id of the item ahead of the first call of a response.
func thoughtOf(call string) string { return "rs_of_" + call }

// items are what a response consists of. What is ahead of calls is the thought that led to them.
func (Responses) items(a Answer, id string) []map[string]any {
	var items []map[string]any
	if a.Text != "" {
		items = append(items, map[string]any{
			"type": "message", "id": "msg_of_" + id, "role": "assistant", "status": "completed", "content": []any{outputText(a.Text)},
		})
	}
	if len(a.Calls) > 0 && !a.Cut { // Codex keeps the thought of a response that is cut off, and no model would take it back alone
		items = append(items, map[string]any{
			"type": "reasoning", "id": thoughtOf(a.Calls[0].ID), "summary": []any{}, "encrypted_content": "c2VjcmV0",
		})
	}
	for _, c := range a.Calls {
		items = append(items, c.item(false))
	}
	return items
}

func outputText(text string) map[string]any {
	return map[string]any{"type": "output_text", "text": text, "annotations": []any{}, "logprobs": []any{}}
}

// item is the call as the wire has it; begun: before its first piece.
func (c Call) item(begun bool) map[string]any {
	kind, member, text := "function_call", "arguments", c.Args
	if c.Custom {
		kind, member = "custom_tool_call", "input"
	}
	i := map[string]any{"type": kind, "id": c.itemID(), "call_id": c.ID, "name": c.Name, "status": "completed"}
	if c.Namespace != "" {
		i["namespace"] = c.Namespace
	}
	if begun {
		i["status"], text = "in_progress", ""
	}
	i[member] = text
	return i
}

func (c Call) itemID() string { return "fc_of_" + c.ID }

// Play is the answer as the wire has it.
func (w Responses) Play(a Answer, h History, id string) scripted.Answer {
	items := w.items(a, id)
	if a.Whole || !h.Stream {
		return whole(response(id, "completed", items))
	}
	s := &itemStream{answer: events()}
	s.event("response.created", map[string]any{"response": response(id, "in_progress", nil)})
	s.event("response.in_progress", map[string]any{"response": response(id, "in_progress", nil)})
	for n, i := range items {
		switch i["type"] {
		case "message":
			s.sayMessage(n, i)
		case "reasoning":
			s.event("response.output_item.added", map[string]any{"output_index": n, "item": i})
		default:
			s.sayCall(n, a.Calls[n-len(items)+len(a.Calls)])
		}
		if a.Cut && n == len(items)-1 {
			s.answer.Steps = append(s.answer.Steps, scripted.Abort)
			return s.answer
		}
		s.event("response.output_item.done", map[string]any{"output_index": n, "item": i})
	}
	if a.Pause != nil {
		s.answer.Steps = append(s.answer.Steps, a.Pause)
	}
	s.event("response.completed", map[string]any{"response": response(id, "completed", items)})
	return s.answer
}

func response(id, status string, items []map[string]any) map[string]any {
	r := map[string]any{
		"id": id, "object": "response", "created_at": 1762300000, "status": status, "model": "scripted", "store": false,
		"output": items, "parallel_tool_calls": true, "tools": []any{}, "error": nil, "incomplete_details": nil, "usage": nil,
	}
	if status == "completed" {
		r["usage"] = map[string]any{
			"input_tokens": 17, "input_tokens_details": map[string]any{"cached_tokens": 0},
			"output_tokens": 42, "output_tokens_details": map[string]any{"reasoning_tokens": 0}, "total_tokens": 59,
		}
	}
	return r
}

// An itemStream is an answer, event by event.
type itemStream struct {
	answer scripted.Answer
	number int
}

func (s *itemStream) event(name string, members map[string]any) {
	members["type"], members["sequence_number"] = name, s.number
	s.number++
	s.answer.Steps = append(s.answer.Steps, scripted.Write(fmt.Appendf(nil, "event: %s\ndata: %s\n\n", name, Encode(members))))
}

// sayMessage opens a message and sends its pieces.
func (s *itemStream) sayMessage(index int, i map[string]any) {
	at := func(more map[string]any) map[string]any {
		more["item_id"], more["output_index"], more["content_index"] = i["id"], index, 0
		return more
	}
	content := i["content"].([]any)[0].(map[string]any)
	begun := map[string]any{"type": "message", "id": i["id"], "role": "assistant", "status": "in_progress", "content": []any{}}
	s.event("response.output_item.added", map[string]any{"output_index": index, "item": begun})
	s.event("response.content_part.added", at(map[string]any{"part": outputText("")}))
	s.event("response.output_text.delta", at(map[string]any{"delta": content["text"], "logprobs": []any{}}))
	s.event("response.output_text.done", at(map[string]any{"text": content["text"], "logprobs": []any{}}))
	s.event("response.content_part.done", at(map[string]any{"part": content}))
}

// sayCall opens a call and sends its pieces.
func (s *itemStream) sayCall(index int, c Call) {
	at := func(more map[string]any) map[string]any {
		more["item_id"], more["output_index"] = c.itemID(), index
		return more
	}
	event, member := "response.function_call_arguments", "arguments"
	if c.Custom {
		event, member = "response.custom_tool_call_input", "input"
	}
	s.event("response.output_item.added", map[string]any{"output_index": index, "item": c.item(true)})
	for _, piece := range inPieces(c.Args) {
		s.event(event+".delta", at(map[string]any{"delta": piece, "obfuscation": "x"}))
	}
	done := at(map[string]any{member: c.Args})
	if !c.Custom {
		done["name"] = c.Name
	}
	s.event(event+".done", done)
}
