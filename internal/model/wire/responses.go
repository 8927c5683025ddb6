package wire

import (
	"fmt"
	"strings"

	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/strictjson"
)

// Responses is the OpenAI Responses API. The signature of a thought is its encrypted content.
var Responses = Kit{
	Request: func(t Turn, streamed bool) (path, body string) {
		return "/v1/responses", fmt.Sprintf(`{"model":%s,"stream":%t,"store":%t,"input":%s}`, quote(t.Model), streamed, t.Stored, quote(t.Prompt))
	},
	Framing: frame.Events, Stream: responseStream,
	Whole:  func(t Turn) string { return response(t, "completed", responseItems(t)...) },
	Marks:  []string{`"function_call"`, "function_call_arguments"},
	Reader: func() func(strictjson.Value) []News { return readResponse },
}

func response(t Turn, status string, items ...string) string {
	return fmt.Sprintf(`{"id":%s,"object":"response","created_at":0,"status":%q,"model":%s,"store":%t,"output":[%s],`+
		`"usage":{"input_tokens":%d,"output_tokens":%d,"total_tokens":%d}}`,
		quote(t.ID), status, quote(t.Model), t.Stored, strings.Join(items, ","), t.In, t.Out, t.In+t.Out)
}

// responseItems are the items of a response's output.
func responseItems(t Turn) (list []string) {
	for i, b := range t.Blocks {
		list = append(list, responseItem(b, itemID(t, i), "completed"))
	}
	return list
}

func itemID(t Turn, i int) string { return fmt.Sprintf("item_%s_%d", t.ID, i) }

// textPart is a part of a message's content.
func textPart(text string) string {
	return `{"type":"output_text","annotations":[],"text":` + quote(text) + `}`
}

// responseItem is a block as an item: complete, or as it is announced.
func responseItem(b Block, id, status string) string {
	text, parts := "", ""
	if status == "completed" {
		text, parts = b.Whole(), textPart(b.Whole())
	}
	switch {
	case b.Thought:
		return fmt.Sprintf(`{"id":%q,"type":"reasoning","summary":[],"encrypted_content":%s}`, id, quote(b.Signature))
	case b.Tool == "":
		return fmt.Sprintf(`{"id":%q,"type":"message","status":%q,"role":"assistant","content":[%s]}`, id, status, parts)
	}
	return fmt.Sprintf(`{"id":%q,"type":"function_call","status":%q,"call_id":%s,"name":%s,"arguments":%s}`,
		id, status, quote(b.ID), quote(b.Tool), quote(text))
}

func responseStream(t Turn) (s Steps) {
	add := func(n News, typ, format string, args ...any) {
		s.add(n, "response."+typ, fmt.Sprintf(`{"type":"response.%s","sequence_number":%d,`, typ, len(s))+fmt.Sprintf(format, args...)+"}")
	}
	add(News{}, "created", `"response":%s`, response(t, "in_progress"))
	for i, b := range t.Blocks {
		id, whole := itemID(t, i), quote(b.Whole())
		at := fmt.Sprintf(`"item_id":%q,"output_index":%d`, id, i)
		add(News{Tool: b.Tool}, "output_item.added", `"output_index":%d,"item":%s`, i, responseItem(b, id, "in_progress"))
		switch {
		case b.Thought: // its text is encrypted
		case b.Tool == "":
			at += `,"content_index":0`
			add(News{}, "content_part.added", `%s,"part":%s`, at, textPart(""))
			for _, p := range b.Pieces {
				add(News{Text: p}, "output_text.delta", `%s,"delta":%s`, at, quote(p))
			}
			add(News{}, "output_text.done", `%s,"text":%s`, at, whole)
			add(News{}, "content_part.done", `%s,"part":%s`, at, textPart(b.Whole()))
		default:
			for _, p := range b.Pieces {
				add(News{Args: p}, "function_call_arguments.delta", `%s,"delta":%s`, at, quote(p))
			}
			add(News{}, "function_call_arguments.done", `%s,"arguments":%s`, at, whole)
		}
		add(News{}, "output_item.done", `"output_index":%d,"item":%s`, i, responseItem(b, id, "completed"))
	}
	add(News{Stop: "completed"}, "completed", `"response":%s`, response(t, "completed", responseItems(t)...))
	return s
}

// readResponse understands an event. It learns of a call when its item is done, as agents do.
func readResponse(root strictjson.Value) []News {
	item, _ := root.Member("item")
	switch textAt(root, "type") {
	case "response.output_text.delta":
		return said(textAt(root, "delta"))
	case "response.output_item.done":
		if textAt(item, "type") == "function_call" {
			return []News{{Tool: textAt(item, "name"), Args: textAt(item, "arguments")}}
		}
	case "response.completed":
		return []News{{Stop: "completed"}}
	}
	return nil
}
