package model

import (
	"fmt"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/internal/weirtest/keeping"
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
	if len(rest) > 0 {
		next := rest[0]
		if thoughtOf(next.CallID) == thought.ID || thought.ID == "" && (next.CallID != "" || next.Role == "assistant") {
			return nil
		}
	}
	return fmt.Errorf("the thought %s is not followed by what it led to", thought.ID)
}

// thoughtOf is the id of the item ahead of the first call of a response.
func thoughtOf(call string) string { return "rs_of_" + call }

// items are what a response consists of. What is ahead of calls is the thought that led to them.
func (Responses) items(a Answer, id string) []keeping.Item {
	var items []keeping.Item
	if a.Text != "" {
		items = append(items, keeping.Message("msg_of_"+id, a.Text))
	}
	if len(a.Calls) > 0 && !a.Cut { // Codex stores the thought of a response that is cut off, and no model would take it back alone
		thought := keeping.Whole(thoughtOf(a.Calls[0].ID), "reasoning", `"summary":[],"encrypted_content":"c2VjcmV0"`)
		thought.Bare = true
		items = append(items, thought)
	}
	for _, c := range a.Calls {
		say := keeping.Function
		if c.Custom {
			say = keeping.Custom
		}
		items = append(items, say(keeping.Call{ID: "fc_of_" + c.ID, CallID: c.ID, Namespace: c.Namespace, Name: c.Name}, inPieces(c.Args)...))
	}
	return items
}

// Play is the answer as the wire has it.
func (w Responses) Play(a Answer, h History, id string) scripted.Answer {
	items := w.items(a, id)
	form := keeping.Play(id, keeping.Usage{Input: 17, Output: 42}, items...)
	if a.Whole || !h.Stream {
		return whole(form.Body)
	}
	var frames [][]byte
	last, end := 0, len(form.Events)-1
	for i, e := range form.Events {
		frames = append(frames, []byte(e.SSE()))
		if e.Index == len(items)-1 {
			last = i
		}
	}
	return a.stream(frames, last, end)
}
