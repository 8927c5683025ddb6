package codex

import (
	"fmt"
	"net/http"

	"github.com/go-json-experiment/json"

	"github.com/weir-gate/weir/internal/weirtest/scripted"
)

// An answer is what the model says in one response: calls, or else a text.
type answer struct {
	calls []call
	text  string
	whole bool // as one JSON object, although a stream was asked for
	cut   bool // in the middle of the last call: its arguments are there, but it is not closed
}

// items are what the response consists of. What is ahead of a call is the thought that led to it.
func (a answer) items(id string) []map[string]any {
	if len(a.calls) == 0 {
		return []map[string]any{message(id, a.text)}
	}
	var items []map[string]any
	if !a.cut { // Codex keeps the thought of a response that is cut off, and no model would take it back alone
		items = append(items, map[string]any{
			"type": "reasoning", "id": thoughtOf(a.calls[0]), "summary": []any{}, "encrypted_content": "c2VjcmV0",
		})
	}
	for _, c := range a.calls {
		items = append(items, c.item(false))
	}
	return items
}

// thoughtOf is the id of the item ahead of the first call of a response.
func thoughtOf(c call) string { return "thought_of_" + c.id }

func message(id, text string) map[string]any {
	return map[string]any{
		"type": "message", "id": "msg_of_" + id, "role": "assistant", "status": "completed", "content": []any{part(text)},
	}
}

func part(text string) map[string]any {
	return map[string]any{"type": "output_text", "text": text, "annotations": []any{}, "logprobs": []any{}}
}

// play is the answer as the wire has it. id is that of the response.
func (a answer) play(id string) scripted.Answer {
	if a.whole {
		return scripted.Answer{
			Header: http.Header{"Content-Type": {"application/json"}},
			Steps:  []scripted.Step{scripted.Write([]byte(encode(response(id, "completed", a.items(id)))))},
		}
	}
	s := &stream{answer: scripted.Answer{Header: http.Header{"Content-Type": {"text/event-stream"}}}}
	s.event("response.created", map[string]any{"response": response(id, "in_progress", nil)})
	s.event("response.in_progress", map[string]any{"response": response(id, "in_progress", nil)})
	items := a.items(id)
	for i, item := range items {
		switch item["type"] {
		case "message":
			s.sayMessage(i, item)
		case "reasoning":
			s.event("response.output_item.added", map[string]any{"output_index": i, "item": item})
		default:
			s.sayCall(i, a.calls[i-len(items)+len(a.calls)])
		}
		if a.cut && i == len(items)-1 {
			s.answer.Steps = append(s.answer.Steps, scripted.Abort)
			return s.answer
		}
		s.event("response.output_item.done", map[string]any{"output_index": i, "item": item})
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

func encode(v any) string {
	text, err := json.Marshal(v, json.Deterministic(true), json.FormatNilSliceAsNull(false))
	if err != nil {
		panic(err) // only what is written in this package comes here
	}
	return string(text)
}

// A stream is an answer, event by event.
type stream struct {
	answer scripted.Answer
	number int
}

func (s *stream) event(name string, members map[string]any) {
	members["type"], members["sequence_number"] = name, s.number
	s.number++
	s.answer.Steps = append(s.answer.Steps, scripted.Write(fmt.Appendf(nil, "event: %s\ndata: %s\n\n", name, encode(members))))
}

// sayMessage opens a message and sends its pieces.
func (s *stream) sayMessage(index int, item map[string]any) {
	at := func(more map[string]any) map[string]any {
		more["item_id"], more["output_index"], more["content_index"] = item["id"], index, 0
		return more
	}
	content := item["content"].([]any)[0].(map[string]any)
	begun := map[string]any{"type": "message", "id": item["id"], "role": "assistant", "status": "in_progress", "content": []any{}}
	s.event("response.output_item.added", map[string]any{"output_index": index, "item": begun})
	s.event("response.content_part.added", at(map[string]any{"part": part("")}))
	s.event("response.output_text.delta", at(map[string]any{"delta": content["text"], "logprobs": []any{}}))
	s.event("response.output_text.done", at(map[string]any{"text": content["text"], "logprobs": []any{}}))
	s.event("response.content_part.done", at(map[string]any{"part": content}))
}

// pieceLength is how much of a call's text is in one event: less than its words.
const pieceLength = 5

// sayCall opens a call and sends its pieces.
func (s *stream) sayCall(index int, c call) {
	at := func(more map[string]any) map[string]any {
		more["item_id"], more["output_index"] = c.itemID(), index
		return more
	}
	event, member := "response.function_call_arguments", "arguments"
	if c.custom {
		event, member = "response.custom_tool_call_input", "input"
	}
	s.event("response.output_item.added", map[string]any{"output_index": index, "item": c.item(true)})
	for text := c.text; text != ""; {
		n := min(len(text), pieceLength)
		s.event(event+".delta", at(map[string]any{"delta": text[:n], "obfuscation": "x"}))
		text = text[n:]
	}
	done := at(map[string]any{member: c.text})
	if !c.custom {
		done["name"] = c.name
	}
	s.event(event+".done", done)
}
